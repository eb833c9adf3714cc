"""Where anything outside problems/ knows a kind of question: by its name, or by what stands for it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from penstock.problems import names
from tests.ratchets.places import UPPER, House, Place

PROBLEMS = "penstock.problems."
KINDS = frozenset(names())
STAND_INS = frozenset({"classes", "n_classes", "target", "target_type", "supervised", "assigner"})


def named(house: House) -> Iterator[Place]:
    """Texts that are the name of a kind, but for the fragments of the catalogue, which say what each method is for."""
    for file, node in house.nodes(*UPPER, "components"):
        if isinstance(node, ast.Constant) and node.value in KINDS and not _is_fragment(file):
            yield Place(file, node.lineno, str(node.value))


def imported(house: House) -> Iterator[Place]:
    """Imports of modules from a kind's folder."""
    for file, node in house.nodes(*UPPER, "components"):
        if isinstance(node, ast.ImportFrom):
            modules = [node.module or ""]
        elif isinstance(node, ast.Import):
            modules = [alias.name for alias in node.names]
        else:
            continue
        for module in modules:
            if module.startswith(PROBLEMS) and module.removeprefix(PROBLEMS).partition(".")[0] in KINDS:
                yield Place(file, node.lineno, module)


def conditions(house: House) -> Iterator[Place]:
    """Conditions on what stands for a kind."""
    for file, node in house.nodes(*UPPER):
        for condition in _conditions(node):
            if _asks_for_a_kind(condition):
                yield Place(file, condition.lineno, ast.unparse(condition))


def _is_fragment(file: str) -> bool:
    return file.startswith("components/") and file.count("/") > 1 and file.endswith("/catalog.py")


def _conditions(node: ast.AST) -> list[ast.expr]:
    if isinstance(node, ast.If | ast.IfExp | ast.While | ast.Assert):
        return [node.test]
    if isinstance(node, ast.comprehension):
        return node.ifs
    return [node.subject] if isinstance(node, ast.Match) else []


def _asks_for_a_kind(condition: ast.expr) -> bool:
    """`schema.target`, `facts["classes"]`, `entry.kind`."""
    return any(_stands_in(node) for node in ast.walk(condition))


def _stands_in(node: ast.AST) -> bool:
    match node:
        case ast.Attribute(value=ast.Name(id="entry") | ast.Attribute(attr="entry"), attr="kind"):
            return True
        case ast.Attribute(attr=name) | ast.Name(id=name) | ast.Subscript(slice=ast.Constant(value=str(name))):
            return name in STAND_INS
        case ast.Call(func=ast.Attribute(attr="get"), args=[ast.Constant(value=str(name)), *_]):
            return name in STAND_INS
    return False
