"""Action records: what a stage was asked, by which code, and what it made.

The record's key is the digest of everything the result may depend on. A record is written after the data it names, so
a run that is killed leaves either a whole result or none; the difference of two records says why a stage ran again.
"""

from __future__ import annotations

import json
import platform
from collections.abc import Iterator
from functools import cache
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Annotated, Any

from pydantic import BaseModel, Field

from penstock.actions.codedigest import code_digests
from penstock.context import RUN_ID, Run
from penstock.errors import shorten
from penstock.store import Ref, Store, Volatile, digest_of, is_digest

LIBRARIES = ("numpy", "pandas", "pyarrow", "scikit-learn", "scipy", "skops", "skrub")
MAX_BYTES = 2**25
MAX_SHOWN = 40
"""Characters of a value that a reason can show."""
PREDICTIONS = "penstock.problems.predictions"
"""What every stage imports that asks a model for predictions; those of the run's kind of question are found by name."""


class Record(BaseModel):
    """One run of a stage. Its key is the digest of its parts; `run` is the name of a run's folder."""

    key: str
    stage: str
    parts: dict[str, Any]
    made: Any
    seconds: Annotated[float, Field(ge=0, allow_inf_nan=False)]
    run: Annotated[str, Field(pattern=RUN_ID)]


def key_parts(
    stage: str, modules: tuple[str, ...], arguments: dict[str, Any], libraries: tuple[str, ...], run: Run
) -> dict[str, Any]:
    """All that a stage's result may depend on."""
    code = code_digests(modules, run.store)
    if run.predictions and PREDICTIONS in code:
        code = code | code_digests((run.predictions,), run.store)
    versions = {name: installed(name) for name in LIBRARIES + libraries}
    return {
        "stage": stage,
        "inputs": {name: plain(value) for name, value in arguments.items() if not isinstance(value, Run)},
        "code": dict(sorted(code.items())),
        "libraries": {"python": platform.python_version(), **versions},
        "threads": run.threads,
    }


def plain(value: Any) -> Any:
    """The value as JSON; references by their digest, volatile fields left out."""
    if isinstance(value, Ref):
        return f"{value.kind}:{value.digest}"
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        stable = [name for name, field in fields.items() if Volatile not in field.metadata]
        return {name: plain(getattr(value, name)) for name in stable}
    if isinstance(value, dict):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    if isinstance(value, Path):
        return str(value)
    if value is None or isinstance(value, (bool, int, float, str)):
        return value
    raise TypeError(f"a stage takes references and small values, not {type(value).__name__}")


def refs_in(value: Any) -> Iterator[Ref]:
    if isinstance(value, Ref):
        yield value
    elif isinstance(value, BaseModel):
        for name in type(value).model_fields:
            yield from refs_in(getattr(value, name))
    elif isinstance(value, dict):
        for item in value.values():
            yield from refs_in(item)
    elif isinstance(value, (list, tuple)):
        for item in value:
            yield from refs_in(item)


class Actions:
    """The records of one store."""

    def __init__(self, store: Store) -> None:
        self.store = store

    def find(self, key: str) -> Record | None:
        return self.look(key)[0]

    def look(self, key: str) -> tuple[Record | None, str | None]:
        """The record of a key, or why the one that is there cannot be used."""
        if not is_digest(key):
            return None, None
        record, fault = self._read(record_of(key))
        if record and not record.key == key == digest_of(record.parts):
            return None, "its record is that of another key"
        return record, fault

    def keep(self, record: Record, pipeline: str, label: str) -> None:
        content = json.dumps(record.model_dump(mode="json"), indent=1).encode()
        self.store.write(record_of(record.key), content)
        self.store.write(_latest(pipeline, label), content)

    def reason(self, parts: dict[str, Any], pipeline: str, label: str) -> str:
        """Why a stage with these parts runs and is not taken from the store."""
        last, fault = self._read(_latest(pipeline, label))
        if last is None:
            return fault or "first run"
        changes = list(_differences(last.parts, parts, ()))
        if changes:
            return "; ".join(changes[:3]) + (f"; and {len(changes) - 3} more" if len(changes) > 3 else "")
        return "its record is missing"

    def fault(self, made: Any) -> str | None:
        """Why a recorded result cannot be used any more, or None."""
        for ref in refs_in(made):
            fault = self.store.fault(ref)
            if fault:
                return f"stored {ref.kind} {ref.digest[:12]} is {fault}"
        return None

    def _read(self, name: str) -> tuple[Record | None, str | None]:
        content = self.store.read(name, MAX_BYTES)
        if content is None:
            return None, None
        if len(content) > MAX_BYTES:
            return None, f"its record has more than {MAX_BYTES >> 20} MB"
        try:
            record = Record.model_validate_json(content)
            digest_of(record.parts)
        except (ValueError, RecursionError):
            return None, "its record cannot be read"
        return record, None


def record_of(key: str) -> str:
    """The name of a record's file in the store."""
    return f"actions/{key[:2]}/{key}.json"


def _latest(pipeline: str, label: str) -> str:
    return f"actions/latest/{pipeline}/{digest_of(label)[:16]}.json"


@cache
def installed(distribution: str) -> str:
    """The version of a library in this environment."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return "absent"


def _differences(old: Any, new: Any, path: tuple[str, ...]) -> Iterator[str]:
    if old == new:
        return
    if isinstance(old, dict) and isinstance(new, dict):
        for name in sorted(old.keys() | new.keys()):
            yield from _differences(old.get(name), new.get(name), (*path, name))
    elif isinstance(old, list) and isinstance(new, list) and len(old) == len(new):
        for position, (before, after) in enumerate(zip(old, new, strict=True)):
            yield from _differences(before, after, (*path, str(position)))
    elif path[0] == "code":
        yield f"code of {'.'.join(path[1:])} changed"
    elif path[0] == "libraries":
        yield f"{'.'.join(path[1:])} {shorten(str(old), MAX_SHOWN)} became {new}"
    elif _is_digest(old) or _is_digest(new):
        yield f"input '{'.'.join(path[1:])}' changed"
    else:
        name = ".".join(path[1:] if path[0] == "inputs" else path)
        before, after = json.dumps(old), json.dumps(new)
        if max(len(before), len(after)) > MAX_SHOWN:
            yield f"input '{name}' changed"
        else:
            yield f"{name}: {before} became {after}"


def _is_digest(value: Any) -> bool:
    return isinstance(value, str) and len(value.rpartition(":")[2]) == 64
