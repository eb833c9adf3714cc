"""What the catalogue claims of the syllabus, a test pins."""

from __future__ import annotations

import ast
from pathlib import Path

from penstock.components.catalog import entries

TESTS = Path(__file__).parent


def marked_ids() -> set[str]:
    """Ids in `@pytest.mark.covers(...)`, wherever the marker stands."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "covers":
                found |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return found


def test_every_id_that_a_method_claims_is_pinned_by_a_test() -> None:
    pinned = marked_ids()
    missing = {entry.name: [id for id in entry.syllabus if id not in pinned] for entry in entries().values()}
    assert {name: ids for name, ids in missing.items() if ids} == {}
    assert any(entry.syllabus for entry in entries().values())
