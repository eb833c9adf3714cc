"""Every mistake that a user can make has a code, an exit status and a remedy; nothing is half-written."""

from __future__ import annotations

import errno
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.conftest import Cli
from tests.small import classification

Case = Callable[[Path], dict[str, Any]]


def data(content: str | bytes) -> Case:
    def change(folder: Path) -> dict[str, Any]:
        (folder / "data.csv").write_bytes(content.encode() if isinstance(content, str) else content)
        return {}

    return change


def spec(**changes: Any) -> Case:
    return lambda _: changes


def frame(edit: Callable[[Any], Any]) -> Case:
    def change(folder: Path) -> dict[str, Any]:
        import pandas as pd

        edit(pd.read_csv(folder / "data.csv")).to_csv(folder / "data.csv", index=False)
        return {}

    return change


def a_directory(folder: Path) -> dict[str, Any]:
    (folder / "data.csv").unlink()
    (folder / "data.csv").mkdir()
    return {}


def duplicate_names(folder: Path) -> dict[str, Any]:
    path = folder / "data.csv"
    path.write_text(path.read_text().replace("id,a,b,c", "id,a,a,c", 1))
    return {}


CASES: dict[str, tuple[Case, str, int, str]] = {
    "empty file": (data(""), "PEN103", 3, "header"),
    "header only": (data("id,a,b,c,plan,since,left\n"), "PEN104", 3, "row"),
    "one row": (data("id,a,b,c,plan,since,left\nr1,1,2,3,pro,2024-01-01,yes\n"), "PEN108", 3, "rows"),
    "one class": (frame(lambda f: f.assign(left="yes")), "PEN111", 3, "class"),
    "target column missing": (frame(lambda f: f.rename(columns={"left": "gone"})), "PEN107", 3, "column"),
    "target all missing": (frame(lambda f: f.assign(left=None)), "PEN110", 3, "target"),
    "unknown column": (spec(data={"columns": {"plann": "nominal"}}), "PEN107", 3, "did you mean 'plan'"),
    "duplicate column names": (duplicate_names, "PEN106", 3, "rename"),
    "mixed types": (frame(lambda f: f.assign(b=[*map(str, f["b"][:-5]), *["oops"] * 5])), "PEN112", 3, "nominal"),
    "infinite values": (frame(lambda f: f.assign(c=f["c"].where(f.index > 3, float("inf")))), "PEN113", 3, "infinite"),
    "more categories than rows": (
        lambda folder: frame(lambda f: f.assign(plan=f["id"]))(folder) | {"data": {"columns": {"plan": "nominal"}}},
        "PEN114",
        3,
        "ignore",
    ),
    "wrong encoding": (data("id,a,left\nr1,tr\xe8s,yes\nr2,x,no\n".encode("latin-1")), "PEN130", 3, "UTF-8"),
    "a directory": (a_directory, "PEN102", 2, "file"),
    "a source that does not exist": (spec(data={"source": "dat.csv"}), "PEN101", 2, "did you mean"),
    "unknown model": (spec(models=["random-forst"]), "PEN005", 2, "did you mean 'random-forest'"),
    "model of another problem": (spec(models=["ridge"]), "PEN009", 2, "choose one of"),
    "unknown parameter": (
        spec(models=[{"random-forest": {"n_estimator": 5}}]),
        "PEN006",
        2,
        "did you mean 'n_estimators'",
    ),
    "unknown metric": (spec(search={"metric": "roc_auk"}), "PEN011", 2, "did you mean 'roc_auc'"),
    "metric of another problem": (spec(search={"metric": "r2"}), "PEN011", 2, "roc_auc"),
    "duplicate keys": (frame(lambda f: f.assign(id="same")), "PEN115", 3, "key"),
    "more folds than rows of a class": (
        lambda folder: (
            frame(lambda f: f.assign(left=["yes"] * 7 + ["no"] * (len(f) - 7)))(folder) | {"split": {"folds": 20}}
        ),
        "PEN116",
        3,
        "folds",
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_bad_input(name: str, tmp_path: Path, served_home: Path, cli: Cli) -> None:
    change, code, status, remedy = CASES[name]
    folder = tmp_path / "project"
    classification(folder)
    changes = change(folder)
    if changes:
        kept = (folder / "data.csv").read_bytes() if (folder / "data.csv").is_file() else None
        pipeline = classification(folder, **changes)
        if kept is not None:
            (folder / "data.csv").write_bytes(kept)
    else:
        pipeline = folder / "pipeline.yaml"
    ended, out, err = cli("run", pipeline)
    assert (ended, out) == (status, "")
    assert err.startswith(code), err
    assert remedy in err
    assert "Traceback" not in err
    assert not list(served_home.rglob(".writing-*"))
    assert not list((served_home / "running").glob("*.json"))


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["run", "no-such-file.yaml"], 2, "PEN007"),
        (["run"], 2, "PIPELINE.YAML"),
        (["rnu", "x"], 2, "No such command"),
        (["run", "x.yaml", "--smaple", "3"], 2, "--sample"),
        (["score", "nothing@champion", "a.csv", "b.csv"], 2, "PEN507"),
    ],
)
def test_a_mistyped_command_is_told(arguments: list[str], status: int, words: str, home: Path, cli: Cli) -> None:
    ended, _, err = cli(*arguments)
    assert ended == status
    assert words in err
    assert "Traceback" not in err


def test_yaml_that_does_not_parse(tmp_path: Path, home: Path, cli: Cli) -> None:
    path = tmp_path / "pipeline.yaml"
    path.write_text("name: [unclosed\n")
    status, _, err = cli("run", path)
    assert status == 2
    assert err.startswith("PEN001")
    assert "line" in err


def test_a_full_disk(tmp_path: Path, served_home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    pipeline = classification(tmp_path / "project")
    monkeypatch.setattr(os, "fsync", no_space)
    status, out, err = cli("run", pipeline)
    assert (status, out) == (6, "")
    assert err.startswith("PEN901")
    assert "PENSTOCK_HOME" in err
    assert not list(served_home.rglob(".writing-*"))
