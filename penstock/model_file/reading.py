"""A skops file read node by node: the types first, then every object before another one uses it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from skops.io._audit import Node, get_tree
from skops.io._utils import LoadContext

from penstock.errors import ModelError, PenstockError
from penstock.model_file.checks import UnsoundError, require_sound, require_sound_state
from penstock.model_file.container import SCHEMA, Members, damaged

PROTOCOLS = (2,)
"""Of skops; it reads what claims to be older by rules that it has mended since."""
MAX_UNFOLDED = 1_000_000
"""Nodes that there may be if each were repeated wherever it is referred to, beside a hundred for each that there is."""


def read_model(path: Path, trusted: list[str]) -> Any:
    """The object in a skops file, if all its types are on the list and nothing in it leads numeric code astray."""
    try:
        with Members(path) as members:
            return _read(path, members, frozenset(trusted))
    except (PenstockError, OSError):
        raise
    # What a damaged file makes the reader stumble over cannot be foretold more narrowly.
    except Exception as error:
        raise damaged(path, error) from error


def _read(path: Path, members: Members, trusted: frozenset[str]) -> Any:
    schema = json.loads(members.read(SCHEMA))
    if schema["protocol"] not in PROTOCOLS:
        raise ValueError(f"skops protocol {schema['protocol']!r}")
    root = get_tree(schema, LoadContext(src=members, protocol=schema["protocol"]), trusted=None)
    nodes = _children_first(root)
    strangers = sorted(_untrusted(nodes) - trusted)
    if strangers:
        raise ModelError(
            "PEN501",
            f"the model file contains {len(strangers)} type(s) that are not on Penstock's list: {', '.join(strangers)}",
            where=str(path),
            remedy="do not load it if you did not make it; a package can add its own types through the entry-point "
            "group 'penstock.components'",
        )
    for node in nodes:
        try:
            require_sound_state(node, members)
            require_sound(node.construct())
        except PenstockError:
            raise
        except UnsoundError as error:
            raise ModelError(
                "PEN520",
                f"the model file holds a {node.class_name} that would crash or never end: {error}",
                where=str(path),
                remedy="do not use it: it was damaged or made to do harm; train it again",
            ) from error
    return root.construct()


def _children_first(root: Any) -> list[Any]:
    """Every node once, after all that it is made of."""
    unfolded: dict[int, int] = {}
    entered: set[int] = {id(root)}
    nodes: list[Any] = []
    path = [(root, list(_children(root)))]
    waiting = [iter(path[0][1])]
    while path:
        node, children = path[-1]
        child = next(waiting[-1], None)
        if child is None:
            unfolded[id(node)] = 1 + sum(unfolded[id(one)] for one in children)
            nodes.append(node)
            path.pop()
            waiting.pop()
        elif id(child) not in entered:
            entered.add(id(child))
            path.append((child, list(_children(child))))
            waiting.append(iter(path[-1][1]))
        elif id(child) not in unfolded:
            raise ValueError("an object is a part of itself")
    if unfolded[id(root)] > MAX_UNFOLDED + 100 * len(nodes):
        raise ValueError("the same objects are repeated without end")
    return nodes


def _children(node: Any) -> Iterator[Any]:
    found = [*node.children.values(), getattr(node, "cached", None)]
    for child in found:
        if isinstance(child, Node):
            yield child
        elif isinstance(child, (list, dict)):
            yield from (one for one in (child.values() if isinstance(child, dict) else child) if isinstance(one, Node))


def _untrusted(nodes: list[Any]) -> set[str]:
    """What skops does not trust by itself; node by node, as its own way down takes time without end where nodes share
    children. It passes over a node that bears this mark."""
    for node in nodes:
        node._computing_unsafe_set = True
    found: set[str] = set()
    for node in nodes:
        del node._computing_unsafe_set
        found |= node.get_unsafe_set()
        node._computing_unsafe_set = True
    return found
