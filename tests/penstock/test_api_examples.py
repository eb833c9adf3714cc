"""The examples of the functions that a user imports: told as one story of a small project, they run."""

from __future__ import annotations

import doctest
from pathlib import Path

import pytest

from penstock import api
from tests.small import classification

STORY = (
    "ready", "run", "RunResult", "plan", "require_promotion", "load", "score", "monitor", "require_stable", "diagnose",
    "retrain", "promote", "rollback", "hold", "decisions", "history", "report", "deploy",
)  # fmt: skip


def test_the_story_leaves_nothing_out() -> None:
    public = {name for name, value in vars(api).items() if getattr(value, "__module__", "") == api.__name__}
    assert {name for name in public if not name.startswith("_")} == set(STORY)


@pytest.mark.slow
def test_the_examples_run(tmp_path: Path, served_home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = classification(tmp_path, name="churn", data={"source": "customers.csv"})
    pipeline.rename(tmp_path / "churn.yaml")
    (tmp_path / "data.csv").rename(tmp_path / "customers.csv")
    monkeypatch.chdir(tmp_path)
    told: list[str] = []
    runner = doctest.DocTestRunner()
    for name in STORY:
        (test,) = doctest.DocTestFinder(recurse=False).find(getattr(api, name), name, globs={})
        assert test.examples
        runner.run(test, out=told.append)
    assert not told, "".join(told)
