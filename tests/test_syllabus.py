"""What Penstock claims of the syllabus, a test pins.

A method claims rows in its catalogue entry. Everything else claims them where it is made: by a keyword `syllabus=(...)`
in a registry, or by `SYLLABUS = (...)` at the top of the module whose functions or plots do what the row states.
"""

from __future__ import annotations

import ast
from pathlib import Path

from penstock.components.catalog import entries

TESTS = Path(__file__).parent
FOLDERS = ("components", "expectations", "flows", "penstock", "tasks")


def marked_ids() -> set[str]:
    """Ids in `@pytest.mark.covers(...)`, wherever the marker stands."""
    found: set[str] = set()
    for path in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr == "covers":
                found |= {argument.value for argument in node.args if isinstance(argument, ast.Constant)}
    return found


def claimed_ids() -> dict[str, set[str]]:
    """Ids by the file that claims them, as written there: nothing is imported."""
    claims: dict[str, set[str]] = {}
    for path in (path for folder in FOLDERS for path in (TESTS.parent / folder).rglob("*.py")):
        tree = ast.parse(path.read_text(encoding="utf-8"))
        registries = [node for node in ast.walk(tree) if isinstance(node, ast.keyword) and node.arg == "syllabus"]
        modules = [
            node
            for node in tree.body
            if isinstance(node, ast.Assign) and any(getattr(target, "id", "") == "SYLLABUS" for target in node.targets)
        ]
        found = {
            constant.value
            for node in (*registries, *modules)
            for constant in ast.walk(node.value)
            if isinstance(constant, ast.Constant)
        }
        if found:
            claims[str(path.relative_to(TESTS.parent))] = found
    return claims


def test_every_id_that_a_method_claims_is_pinned_by_a_test() -> None:
    pinned = marked_ids()
    missing = {entry.name: [id for id in entry.syllabus if id not in pinned] for entry in entries().values()}
    assert {name: ids for name, ids in missing.items() if ids} == {}
    assert any(entry.syllabus for entry in entries().values())


def test_every_id_that_any_file_claims_is_pinned_by_a_test() -> None:
    pinned, claims = marked_ids(), claimed_ids()
    assert {path: ids - pinned for path, ids in claims.items() if ids - pinned} == {}
    assert "components/plots/analysis.py" in claims
