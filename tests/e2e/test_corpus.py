"""A hundred mistakes and more: each has a code, an exit status and a remedy, and leaves nothing half-written."""

from __future__ import annotations

import copy
import hashlib
from pathlib import Path
from typing import Any

import pytest
import yaml

import penstock
from penstock.context import Run
from penstock.errors import PenstockError
from penstock.spec.checked import load_checked_spec
from penstock.tasks.ingest import ingest, take
from penstock.tasks.split import split
from tests.conftest import Cli
from tests.e2e.corpus_data import DATA, sound
from tests.e2e.corpus_flags import COMMANDS
from tests.e2e.corpus_specs import CHANGES, GONE, OVERRIDES, SOUND, TEXTS

SMALL_DATA = "id,a,left\nr1,1,yes\nr2,2,no\n"


def changed(changes: dict[str, Any]) -> dict[str, Any]:
    document = copy.deepcopy(SOUND)
    for path, value in changes.items():
        *above, last = path.split(".")
        place = document
        for key in above:
            place = place.setdefault(key, {})
        if value is GONE:
            del place[last]
        else:
            place[last] = value
    return document


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a sound pipeline, and a home that does not exist."""
    (tmp_path / "data.csv").write_text(SMALL_DATA)
    (tmp_path / "pipeline.yaml").write_text(yaml.safe_dump(SOUND))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path / "home"))
    return tmp_path


def refused(cli: Cli, *arguments: object, code: str, words: str, status: int = 2) -> None:
    before = {path: path.read_bytes() for path in Path().iterdir() if path.is_file()}
    ended, out, err = cli(*arguments)
    assert (ended, out) == (status, ""), err
    assert err.startswith(code), err
    assert words in err
    assert "Traceback" not in err
    assert len(err) < 2000
    assert {path: path.read_bytes() for path in Path().iterdir() if path.is_file()} == before
    assert not Path("home").exists()


@pytest.mark.parametrize("name", TEXTS)
def test_a_file_that_is_no_pipeline(name: str, project: Path, cli: Cli) -> None:
    text, code, words = TEXTS[name]
    (project / "pipeline.yaml").write_bytes(text if isinstance(text, bytes) else text.encode())
    refused(cli, "run", "pipeline.yaml", code=code, words=words)


@pytest.mark.parametrize("name", CHANGES)
def test_a_pipeline_with_a_mistake(name: str, project: Path, cli: Cli) -> None:
    """Before the data are looked for: there are none."""
    changes, code, words = CHANGES[name]
    (project / "data.csv").unlink()
    (project / "pipeline.yaml").write_text(yaml.safe_dump(changed(changes)))
    status = 3 if code in ("PEN125", "PEN162") else 2
    refused(cli, "run", "pipeline.yaml", code=code, words=words, status=status)


@pytest.mark.parametrize("command", ["plan", "retrain", "deploy"])
def test_every_command_says_the_same(command: str, project: Path, cli: Cli, capsys: pytest.CaptureFixture[str]) -> None:
    (project / "data.csv").unlink()
    for changes, code, _ in CHANGES.values():
        (project / "pipeline.yaml").write_text(yaml.safe_dump(changed(changes)))
        with pytest.raises(PenstockError) as caught:
            penstock.run("pipeline.yaml")
        ended, out, err = cli(command, "pipeline.yaml")
        assert (ended, out, err) == (caught.value.exit_status, "", f"{caught.value}\n")
        assert caught.value.code == code
    assert not Path("home").exists()


@pytest.mark.parametrize("name", OVERRIDES)
def test_a_mistaken_override(name: str, project: Path, cli: Cli) -> None:
    override, code, words = OVERRIDES[name]
    refused(cli, "plan", "pipeline.yaml", "--set", override, code=code, words=words)


@pytest.mark.parametrize("name", COMMANDS)
def test_a_mistaken_command(name: str, project: Path, home: Path, cli: Cli) -> None:
    arguments, status, words = COMMANDS[name]
    ended, out, err = cli(*arguments)
    assert (ended, out) == (status, ""), err
    assert words in err
    assert "Traceback" not in err
    assert sorted(path.name for path in home.iterdir() if path.name != "mlflow.db.lock") == ["mlflow.db"]
    assert not Path("b.csv").exists()


@pytest.mark.parametrize("name", DATA)
def test_data_that_cannot_be_used(name: str, project: Path, tmp_path: Path) -> None:
    """By the stages themselves, from the source to the split, without the servers around them."""
    bad = DATA[name]
    sound().to_csv(project / "data.csv", index=False)
    bad.make(project)
    document = changed({f"data.{key}": value for key, value in bad.data.items()})
    (project / "pipeline.yaml").write_text(yaml.safe_dump({**document, "split": {"folds": 3, **bad.split}}))
    before = {path: path.read_bytes() for path in project.iterdir() if path.is_file()}
    home = project / "home"
    run = Run(id="x", pipeline="small", home=home, folder=home / "runs", base=project, tracking_uri="", engine="plain")
    spec = load_checked_spec("pipeline.yaml")
    with pytest.raises(PenstockError) as caught:
        split(run, ingest(run, spec.data, spec.problem, take(run, spec.data, "UTC"), None, 0), spec.split)
    error = caught.value
    assert (error.code, error.exit_status) == (bad.code, bad.status), str(error)
    assert bad.words in str(error)
    assert len(str(error)) < 1500
    assert {path: path.read_bytes() for path in project.iterdir() if path.is_file()} == before
    assert [path for path in home.rglob("*") if path.name.startswith((".writing", "source-"))] == []
    for stored in (home / "store" / "objects").glob("??/*"):
        assert hashlib.sha256(stored.read_bytes()).hexdigest() == stored.name.partition(".")[0]
