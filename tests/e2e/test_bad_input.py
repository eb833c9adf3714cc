"""Mistakes that show only while a run is under way, through all of it; test_corpus.py has many more, one by one."""

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


CASES: dict[str, tuple[Case, str, int, str]] = {
    "empty file": (data(""), "PEN103", 3, "header"),
    "a source that does not exist": (spec(data={"source": "dat.csv"}), "PEN101", 2, "did you mean"),
    "mixed types": (frame(lambda f: f.assign(b=[*map(str, f["b"][:-5]), *["oops"] * 5])), "PEN112", 3, "nominal"),
    "more folds than rows of a class": (
        lambda folder: (
            frame(lambda f: f.assign(left=["yes"] * 7 + ["no"] * (len(f) - 7)))(folder)
            | {"split": {"folds": 20}, "search": {"fits": 60}}
        ),
        "PEN116",
        3,
        "folds",
    ),
}


@pytest.mark.slow
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
