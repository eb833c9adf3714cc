"""A pipeline file names files of its project only, unless the user allows others."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
import yaml

from penstock.errors import UsageError
from penstock.flows.lifecycle import open_run
from penstock.spec.paths import local_files
from penstock.spec.reading import load_spec
from tests.conftest import Cli

TABLE = "a,b,y\n" + "".join(f"{number},{number % 7},{number % 2}\n" for number in range(60))


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "project"
    (folder / "pipelines").mkdir(parents=True)
    (tmp_path / "outside.csv").write_text(TABLE)
    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path / "home"))
    monkeypatch.chdir(folder)
    return folder


def pipeline(folder: Path, source: str, **more: object) -> Path:
    file = folder / "pipeline.yaml"
    data = {"source": source, "target": "y"}
    file.write_text(yaml.safe_dump({"name": "inside", "problem": "classification", "data": data, **more}))
    return file


@pytest.mark.parametrize(
    "source",
    ["../outside.csv", "/etc/passwd", "~/.ssh/id_rsa", "file:///etc/passwd", "filecache::file:///etc/passwd",
     "sqlite:////var/lib/other.db", "duckdb:////var/lib/other.db", "days/../../{date}.csv", "simplecache::/abs.csv",
     "filecache::/abs.csv", "blockcache::/abs.csv", "simplecache::../abs.csv", "zip://a.csv::/abs.zip",
     "zip://a.csv::../x.zip", "zip://a.csv::~/x.zip", "ZIP://a.csv::/abs.zip", "tar://a.csv::/abs.tar",
     "tar://a.csv::zip://b.tar::/abs.zip", "zip://a.csv::simplecache::file:///abs.zip", "local:///etc/passwd",
     "FILE:///etc/passwd", "file:////etc/passwd", "file:///./../etc/passwd", "folder/../.."],
)  # fmt: skip
def test_a_file_outside_the_project_is_refused(project: Path, source: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline(project, source))
    assert caught.value.code == "PEN056"
    assert "data.source" in caught.value.where
    assert "export PENSTOCK_ALLOW_PATHS=" in caught.value.remedy


@pytest.mark.parametrize(
    ("source", "code"),
    [
        *[(f"{protocol}://{rest}", "PEN140") for protocol in (
            "dir", "cached", "reference", "generic", "jupyter", "jlab", "libarchive", "data", "git", "dask", "dvc",
            "root", "asynclocal", "async-wrapper", "pyscript", "box", "wandb", "simplecache",
        ) for rest in ("/abs.csv", "a::/abs")],
        ("dir::/abs", "PEN140"),
        ("zip:///abs.zip", "PEN140"),
        ("tar://a.csv", "PEN140"),
        ("simplecache::", "PEN140"),
        ("simplecache::zip://a.csv", "PEN140"),
        ("zip://::/abs.zip", "PEN140"),
        ("simplecache://x::/abs", "PEN140"),
        ("file://host/abs.csv", "PEN140"),
        ("file://localhost/abs.csv", "PEN140"),
        ("local://abs.csv", "PEN140"),
        ("http://host:x/a.csv", "PEN140"),
        ("sqlite:///file:%2Fabs%2Fs.db?uri=true", "PEN156"),
        ("sqlite:///own.db?mode=rwc", "PEN156"),
        ("sqlite:///own.db?vfs=unix-none", "PEN156"),
        ("sqlite:///file:own.db", "PEN156"),
        ("sqlite://host/own.db", "PEN156"),
        ("duckdb:///own.db?access_mode=read_write", "PEN156"),
        ("postgresql://me@host/db?host=/var/run/postgresql", "PEN156"),
        ("postgresql://me@host/db?service=own", "PEN156"),
        ("mssql+pyodbc://me@host/db?driver=/abs.so", "PEN156"),
        ("env:PENSTOCK_DATABASE", "PEN156"),
        ("env:mlflow_tracking_uri", "PEN156"),
        ("postgresql://me@host/db", "PEN147"),
        ("postgresql:///db", "PEN147"),
        ("mysql://10.0.0.9/db", "PEN147"),
        ("http://127.0.0.1/a.csv", "PEN147"),
        ("http://169.254.169.254/latest", "PEN147"),
        ("zip://a.csv::http://10.0.0.1:8080/a.zip", "PEN147"),
        ("sftp://host/a.csv", "PEN147"),
        ("hdfs:///a.csv", "PEN147"),
        ("ftp://127.0.0.1/a.csv", "PEN147"),
        ("oss://127.0.0.1/oss.aliyuncs.com/a.csv", "PEN147"),
        ("abfs://container@10.0.0.1/a.csv", "PEN147"),
        ("abfs://container@account.dfs.core.windows.net.example.org/a.csv", "PEN147"),
    ],
)  # fmt: skip
def test_what_is_no_address_of_a_source_is_refused(project: Path, source: str, code: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline(project, source))
    assert caught.value.code == code
    assert caught.value.remedy


def test_hosts_are_allowed_by_the_owner_of_the_machine(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", "db.example.org, 10.1.0.0/16 127.0.0.1:8080")
    for source in ("postgresql://me@db.example.org:5432/db", "http://127.0.0.1:8080/a.csv", "ftp://10.1.2.3/a.csv"):
        load_spec(pipeline(project, source))
    for source in ("postgresql://me@db.example.com/db", "http://127.0.0.1:80/a.csv", "ftp://10.2.2.3/a.csv"):
        with pytest.raises(UsageError, match="PEN147"):
            load_spec(pipeline(project, source))


def test_a_link_that_leads_out_is_refused(project: Path) -> None:
    (project / "link.csv").symlink_to(project.parent / "outside.csv")
    with pytest.raises(UsageError, match="outside the project"):
        load_spec(pipeline(project, "link.csv"))


def test_written_rules_stay_inside_too(project: Path) -> None:
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline(project, "data.csv", validation={"written": "../rules.yaml"}))
    assert "validation.written" in caught.value.where


@pytest.mark.parametrize(
    "source",
    [
        "data.csv", "s3://bucket/data.csv", "env:SALES", "sklearn:iris", "sqlite:///own.db", "sqlite://",
        "zip://a.csv::data.zip", "tar://a/b.csv::s3://bucket/data.tar.gz", "simplecache::s3://bucket/data.csv",
        "https://example.org/{date}.csv", "abfs://container@account.dfs.core.windows.net/a.csv", "duckdb:///own.db",
        "$HOME/a.csv", "%2Fetc%2Fpasswd", "arrow_hdfs://a.csv", "gs://b/a@b.csv",
    ],
)  # fmt: skip
def test_what_is_inside_or_no_file_passes(project: Path, source: str) -> None:
    assert load_spec(pipeline(project, source)).data.source == source


def test_the_project_is_the_repository(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = pipeline(project / "pipelines", "../data/rows.csv")
    load_spec(file)  # the working folder is above
    monkeypatch.chdir(project.parent.parent)
    (project / ".git").mkdir()
    load_spec(file)
    (project / ".git").rmdir()
    monkeypatch.chdir(project / "pipelines")
    with pytest.raises(UsageError):
        load_spec(file)


def test_the_user_allows_folders(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = pipeline(project, "../outside.csv")
    monkeypatch.setenv("PENSTOCK_ALLOW_PATHS", f"/data:{project.parent}")
    load_spec(file)


def test_what_stands_on_the_command_line_is_the_users_own_word(project: Path) -> None:
    file = pipeline(project, "data.csv")
    outside = str(project.parent / "outside.csv")
    assert load_spec(file, [f"data.source={outside}"]).data.source == outside


def test_a_scheduler_that_sees_the_rows_is_allowed_first(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = {"dask": {"address": "tcp://10.0.0.5:8786"}}
    file = pipeline(project, "data.csv", engine=named)
    with pytest.raises(UsageError) as caught:
        load_spec(file)
    assert (caught.value.code, caught.value.where) == ("PEN147", f"{file}: engine.dask.address")
    for override in (f"engine.dask.address={named['dask']['address']}", f"engine={json.dumps(named)}"):
        assert load_spec(file, [override]).engine.dask
    with pytest.raises(UsageError, match="PEN147"):
        load_spec(file, ["engine.dask.workers=3"])
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", "10.0.0.5:8786")
    assert load_spec(file).engine.dask


def test_a_run_knows_where_its_files_may_be(project: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_ALLOW_PATHS", str(project.parent / "more"))
    file = pipeline(project, "data.csv")
    given = {"split.seed=7": "", "data.source=x.csv": "data.source", "validation={}": "validation.written"}
    for override, free in given.items():
        with open_run(load_spec(file, [override]), str(file), "a-run", "plan", overrides=[override]) as run:
            for key in ("data.source", "validation.written"):
                folders = run.folders_of(key)
                assert folders == (None if key == free else (project.resolve(), (project.parent / "more").resolve()))


def test_what_init_was_shown_can_be_run(project: Path, cli: Cli) -> None:
    outside = project.parent / "outside.csv"
    status, _, err = cli("init", outside, "--target", "y", "--out", project / "mine.yaml")
    assert (status, err) == (0, "")
    assert load_spec(project / "mine.yaml").data.source == str(outside)
    with pytest.raises(UsageError):
        load_spec(pipeline(project, str(outside.with_name("another.csv"))))


def test_files_within_urls_are_seen() -> None:
    assert local_files("simplecache::local:///a/b.csv") == ["/a/b.csv"]
    assert local_files("tar://a.csv::zip://b.tar::c.zip") == ["c.zip"]
    assert local_files("sqlite:///:memory:") == []
    assert local_files("postgresql://user@host/name") == []
