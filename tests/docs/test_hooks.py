"""What the generated reference says is what the program does."""

from __future__ import annotations

import importlib.util
from pathlib import Path

from penstock.spec.pipeline import schema

HOOKS = Path(__file__).parent.parent.parent / "docs" / "hooks.py"


def row(page: str, heading: str, key: str) -> str:
    part = page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]
    return next(line for line in part.splitlines() if line.startswith(f"| `{key}` |"))


def test_defaults_are_printed_as_a_pipeline_file_says_them() -> None:
    spec = importlib.util.spec_from_file_location("hooks", HOOKS)
    assert spec is not None
    assert spec.loader is not None
    hooks = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(hooks)
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
