"""Packages that are installed for the time of a test."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from penstock import plugins
from penstock.actions import codedigest
from penstock.problems import all_problems
from penstock.problems.predictions import predictions_of
from tests.problems.elsewhere import Install


def _forget() -> None:
    all_problems.cache_clear()
    predictions_of.cache_clear()
    for known in (plugins.releases, codedigest._file_of, codedigest._folders):
        known.cache_clear()
    sys.modules.pop("problem_elsewhere", None)


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Install]:
    """Install a package with this source, which brings a problem."""

    def write(source: str) -> None:
        (tmp_path / "problem_elsewhere.py").write_text(source)
        info = tmp_path / "problem_elsewhere-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: problem-elsewhere\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[penstock.problems]\nmine = problem_elsewhere:PROBLEM\n")
        monkeypatch.syspath_prepend(tmp_path)
        _forget()

    yield write
    _forget()
