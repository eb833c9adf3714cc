"""A run document and what is given beside it as a flat list: path of keys -> value, as text to the last bit."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator
from typing import Any

from tests.frozen.meaning import COARSE, IDENTITIES, IGNORED, KEYS, ONE_BY_ONE, PLACES, VALUES

LONG = 8  # values; longer arrays are kept as a digest
MANY = 3  # entries; longer lists are kept as a digest of each key's values

Leaf = tuple[tuple[str, ...], str]


def flatten(document: dict[str, Any]) -> dict[str, str]:
    """What is missing, None or empty is the same: not there."""
    flat: dict[str, str] = {}
    for steps, value in _leaves(document):
        path = place(steps)
        if not ignored(path):
            assert path not in flat, f"two values at {path}: see KEYS and PLACES in tests/frozen/meaning.py"
            flat[path] = value
    return dict(sorted(_coarse(flat).items()))


def place(steps: tuple[str, ...]) -> str:
    """The frozen name of a path."""
    named = [KEYS.get(step, step) for step in steps]
    path = "".join(step if step.startswith("[") else f".{step}" for step in named).removeprefix(".")
    for pattern, replacement in PLACES:
        path = re.sub(pattern, replacement, path)
    return path


def ignored(path: str) -> bool:
    return any(re.fullmatch(pattern, path) for pattern in IGNORED)


def differences(frozen: dict[str, str], now: dict[str, str]) -> list[str]:
    """One line for each path whose values differ."""
    paths = sorted(path for path in frozen.keys() | now.keys() if not ignored(path))
    return [
        f"{path}: {frozen.get(path, 'not there')} -> {now.get(path, 'not there')}"
        for path in paths
        if frozen.get(path) != now.get(path)
    ]


def text(value: Any) -> str:
    """Exact for floats; whole numbers are the same as int and as float."""
    if isinstance(value, str):
        return json.dumps(VALUES.get(value, value), ensure_ascii=False)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(text, value))}]"
    if isinstance(value, float) and not isinstance(value, bool) and value.is_integer():
        return repr(value).removesuffix(".0")
    return json.dumps(value)


def digest(values: list[str]) -> str:
    return f"{len(values)} values, {hashlib.sha256(chr(10).join(values).encode()).hexdigest()[:16]}"


def _leaves(value: Any, steps: tuple[str, ...] = ()) -> Iterator[Leaf]:
    if value is None or value == [] or value == {}:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            yield from _leaves(inner, (*steps, str(key)))
    elif isinstance(value, list | tuple):
        yield from _entries(list(value), steps)
    else:
        yield steps, text(value)


def _entries(values: list[Any], steps: tuple[str, ...]) -> Iterator[Leaf]:
    if not any(_holds_keys(value) for value in values):
        yield steps, digest([text(value) for value in values]) if len(values) > LONG else text(values)
    elif len(values) > MANY and place(steps) not in ONE_BY_ONE:
        columns: dict[tuple[str, ...], list[str]] = {}
        for number, value in enumerate(values):
            for inner, leaf in _leaves(value):
                columns.setdefault(inner, []).append(f"{number} {leaf}")
        yield from (((*steps, "[*]", *inner), digest(column)) for inner, column in columns.items())
    else:
        for name, value in zip(_names(values), values, strict=True):
            yield from _leaves(value, (*steps, f"[{name}]"))


def _coarse(flat: dict[str, str]) -> dict[str, str]:
    places: dict[str, list[str]] = {}
    kept = {}
    for path, value in sorted(flat.items()):
        found = next(filter(None, (re.match(pattern, path) for pattern in COARSE)), None)
        if found:
            places.setdefault(found[0], []).append(f"{path} {value}")
        else:
            kept[path] = value
    return kept | {path: digest(values) for path, values in places.items()}


def _holds_keys(value: Any) -> bool:
    return isinstance(value, dict) or (isinstance(value, list | tuple) and any(map(_holds_keys, value)))


def _names(values: list[Any]) -> list[str]:
    for keys in IDENTITIES:
        if all(isinstance(value, dict) and any(value.get(key) is not None for key in keys) for value in values):
            names = [" ".join(str(value.get(key)) for key in keys) for value in values]
            if len(set(names)) == len(names):
                return names
    return [str(number) for number in range(len(values))]
