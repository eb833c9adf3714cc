"""What the generated reference says is what the program does."""

from __future__ import annotations

import importlib.util
import inspect
from pathlib import Path
from typing import Any

import pytest

from penstock.components.clustering.dbscan import DBSCAN
from penstock.spec.pipeline import schema

HOOKS = Path(__file__).parent.parent.parent / "docs" / "hooks.py"


def row(page: str, heading: str, key: str) -> str:
    part = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return next(line for line in part.splitlines() if line.startswith(f"| `{key}` |"))


@pytest.fixture
def hooks() -> Any:
    spec = importlib.util.spec_from_file_location("hooks", HOOKS)
    assert spec is not None
    assert spec.loader is not None
    found = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(found)
    return found


def test_defaults_are_printed_as_a_pipeline_file_says_them(hooks: Any) -> None:
    page = hooks.pipeline_file()
    assert "| `1` |" in row(page, "the file", "version")
    assert "| `0` |" in row(page, "split", "seed")
    assert "| `true` |" in row(page, "split", "stratify")
    assert "| `none` |" in row(page, "data", "target")
    assert "| `empty` |" in row(page, "the file", "notify")
    numbers = [
        (key, field["default"])
        for part in schema()["$defs"].values()
        for key, field in part.get("properties", {}).items()
        if type(field.get("default")) in (int, float)
    ]
    assert len(numbers) > 10
    for key, default in numbers:
        assert any(line.startswith(f"| `{key}` |") and f"| `{default}` |" in line for line in page.splitlines()), key


@pytest.mark.slow
def test_methods_of_ours_are_shown_with_their_parameters_and_linked_from_the_catalogue(hooks: Any) -> None:
    section = hooks.methods().partition("### DBSCAN\n")[2].partition("\n### ")[0]
    for name in inspect.signature(DBSCAN).parameters:
        assert f"| `{name}` |" in section
    assert '| `eps` | float or "auto" | `"auto"` |' in section
    assert "| `labels_` |" in section
    assert "```pycon\n>>> from penstock.components.clustering.dbscan import DBSCAN\n" in section
    assert "In a pipeline file: `dbscan`." in section
    assert "[`DBSCAN`](methods.md#dbscan)" in hooks.catalogue()


def test_python_shows_what_a_user_imports(hooks: Any) -> None:
    page = hooks.python()
    for name in ("run", "load", "score", "PenstockModel", "Problem", "Entry", "Float"):
        assert f"\n### {name}\n" in page
    assert "| `pipeline` | str or Path |  | The pipeline file. |" in page
    assert "Returns RunResult: " in page
