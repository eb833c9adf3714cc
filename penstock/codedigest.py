"""Digest of a module's code and of every Penstock module that it imports.

Syntax trees are compared, so a changed comment or line break runs nothing again. Imports are followed as written in the
source; what is found at run time (the catalogue's methods) is not, so a new method changes no other stage's digest.
"""

from __future__ import annotations

import ast
import hashlib
import threading
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).parent

_reading = threading.Lock()
"""Many fits ask the same at once. And Python 3.11 counts the depth of syntax trees for all threads together."""


def code_digests(modules: tuple[str, ...]) -> dict[str, str]:
    """Digest of each module in the import closure of `modules`, by name: once, as this process goes on as it began."""
    with _reading:
        return _closure(modules)


@cache
def _closure(modules: tuple[str, ...]) -> dict[str, str]:
    found: dict[str, str] = {}
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        path = _source(name)
        if name in found or path is None:
            continue
        digest, imports = _read(path)
        found[name] = digest
        waiting += imports
    return dict(sorted(found.items()))


def _source(module: str) -> Path | None:
    if module.split(".")[0] != "penstock":
        return None
    base = PACKAGE.joinpath(*module.split(".")[1:])
    for path in (base.with_suffix(".py"), base / "__init__.py"):
        if path.is_file():
            return path
    return None


@cache
def _read(path: Path) -> tuple[str, tuple[str, ...]]:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    imports: list[str] = []
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            imports += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            imports += [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return digest, tuple(name for name in imports if name.startswith("penstock."))
