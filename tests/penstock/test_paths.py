"""A pipeline file names files of its project only, unless the user allows others."""

from __future__ import annotations

from pathlib import Path

import pytest
import yaml

from penstock.errors import UsageError
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
     "sqlite:////var/lib/other.db", "sqlite:///file:/var/lib/other.db?uri=true", "days/../../{date}.csv"],
)  # fmt: skip
def test_a_file_outside_the_project_is_refused(project: Path, source: str) -> None:
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline(project, source))
    assert caught.value.code == "PEN056"
    assert "data.source" in caught.value.where
    assert "export PENSTOCK_ALLOW_PATHS=" in caught.value.remedy


def test_a_link_that_leads_out_is_refused(project: Path) -> None:
    (project / "link.csv").symlink_to(project.parent / "outside.csv")
    with pytest.raises(UsageError, match="outside the project"):
        load_spec(pipeline(project, "link.csv"))


def test_written_rules_stay_inside_too(project: Path) -> None:
    with pytest.raises(UsageError) as caught:
        load_spec(pipeline(project, "data.csv", validation={"written": "../rules.yaml"}))
    assert "validation.written" in caught.value.where


@pytest.mark.parametrize(
    "source", ["data.csv", "s3://bucket/data.csv", "env:SALES", "sklearn:iris", "sqlite:///own.db"]
)
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


def test_what_init_was_shown_can_be_run(project: Path, cli: Cli) -> None:
    outside = project.parent / "outside.csv"
    status, _, err = cli("init", outside, "--target", "y", "--out", project / "mine.yaml")
    assert (status, err) == (0, "")
    assert load_spec(project / "mine.yaml").data.source == str(outside)
    with pytest.raises(UsageError):
        load_spec(pipeline(project, str(outside.with_name("another.csv"))))


def test_files_within_urls_are_seen() -> None:
    assert local_files("simplecache::local:///a/b.csv") == ["/a/b.csv"]
    assert local_files("sqlite:///:memory:") == []
    assert local_files("postgresql://user@host/name") == []
