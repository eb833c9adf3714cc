"""What a model file holds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from penstock.model_file.container import SCHEMA, Members, damaged
from penstock.plugins import releases


def types_in(file: Path) -> set[str]:
    """Names of the classes and functions in it, as it calls them; nothing is loaded for that."""
    try:
        with Members(file) as members:
            return set(_named(json.loads(members.read(SCHEMA))))
    # What a damaged file makes the reader stumble over cannot be foretold more narrowly.
    except (ValueError, TypeError, RecursionError) as error:
        raise damaged(file, error) from error


def _named(node: Any) -> Iterator[str]:
    if isinstance(node, dict):
        for module, name in (("__module__", "__class__"), ("module_path", "function")):
            if module in node and name in node:
                yield f"{node[module]}.{node[name]}"
    if isinstance(node, (dict, list)):
        for child in node.values() if isinstance(node, dict) else node:
            yield from _named(child)


def own_modules(types: Iterable[str]) -> tuple[str, ...]:
    """The modules of those types that are ours, or of a plug-in."""
    own = {"penstock", *releases()}
    return tuple(sorted({name.rpartition(".")[0] for name in types if name.partition(".")[0] in own}))
