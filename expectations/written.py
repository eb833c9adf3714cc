"""Rules that people wrote: a YAML or JSON file with a list of Great Expectations types and kwargs."""

from __future__ import annotations

import datetime
import json
import math
import re
from pathlib import Path
from typing import Any

import pandas as pd
import yaml

from penstock.components.contract import BOUNDS, Rule, compares_dates
from penstock.components.schema import dates
from penstock.errors import UsageError, did_you_mean, shorten
from penstock.expectations.suite import build, great_expectations
from penstock.sources.files import Folders, open_file

EXAMPLE = "for example: - {type: expect_column_values_to_not_be_null, kwargs: {column: age}}"
MAX_VALUES = 1_000_000
KEYS = ("type", "kwargs", "meta", "severity")
CONDITIONS = ("row_condition", "condition_parser")
KEYS_OF_SAVED_SUITES = ("id", "notes", "description", "rendered_content")


def read_suite(path: Path, folders: Folders = None) -> list[Rule]:
    """The rules of a file: a list, or a suite saved by Great Expectations, with its `expectations`."""
    content = _load(path, folders)
    if isinstance(content, dict) and "expectations" in content:
        content = content["expectations"]
    if not isinstance(content, list) or not content:
        raise _bad(path, "the file does not hold a list of rules", EXAMPLE)
    return [_rule(entry, f"{path}, rule {number}") for number, entry in enumerate(content, start=1)]


def _load(path: Path, folders: Folders) -> Any:
    try:
        with open_file(path, folders, "validation.written") as file:
            content = yaml.safe_load(file.read().decode())
        values = _count(content, {})
    except OSError as error:
        near = [file.name for ending in ("*.y*ml", "*.json") for file in path.parent.glob(ending)]
        raise UsageError(
            "PEN007",
            f"cannot read the suite: {error.strerror}",
            where=str(path),
            remedy=did_you_mean(path.name, near) if near else "give the path of a YAML or JSON file with rules",
        ) from None
    except UnicodeDecodeError:
        raise _bad(path, "the file is not UTF-8 text", "save it as UTF-8") from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        place = f"{path}, line {mark.line + 1}" if mark else path
        raise _bad(place, "the file is neither YAML nor JSON", "check indentation, quotes and brackets there") from None
    except (ValueError, RecursionError) as error:  # a day that does not exist, a million brackets
        raise _bad(path, f"the file holds a value that YAML cannot read: {error}", "correct it") from None
    if values > MAX_VALUES:
        raise _bad(path, f"its aliases stand for more than {MAX_VALUES:,} values", "write out what they stand for")
    return json.loads(json.dumps(content, default=_as_text))  # YAML has dates, a rule is JSON


def _count(value: Any, known: dict[int, float]) -> float:
    """The values within, each as often as an alias names it; without end where one holds itself."""
    if not isinstance(value, (list, dict)):
        return 1
    if id(value) not in known:
        known[id(value)] = math.inf
        known[id(value)] = 1 + sum(_count(one, known) for one in (value.values() if isinstance(value, dict) else value))
    return known[id(value)]


def _as_text(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime.date) else str(value)


def _rule(entry: Any, where: str) -> Rule:
    if not isinstance(entry, dict) or not isinstance(entry.get("type"), str):
        raise _bad(where, "a rule is a mapping with a type and kwargs", EXAMPLE)
    kind, kwargs = entry["type"], entry.get("kwargs") or {}
    strange = [key for key in entry if key not in (*KEYS, *KEYS_OF_SAVED_SUITES)]
    if strange:
        raise _bad(where, f"unknown key '{strange[0]}' in a rule", did_you_mean(str(strange[0]), KEYS))
    known = _known_types()
    if kind not in known:
        remedy = shorten(did_you_mean(kind, known))
        raise UsageError("PEN014", f"unknown type of rule '{kind}'", where=where, remedy=remedy)
    if not isinstance(kwargs, dict):
        raise _bad(where, f"the kwargs of {kind} are not a mapping", EXAMPLE)
    if any(key in kwargs for key in CONDITIONS):
        raise _bad(
            where,
            "a row_condition is run as code, so it is not read from files",
            "write a rule for all rows, or add a column to the data that holds only the values to check",
        )
    severity = "warning" if entry.get("severity") in ("warning", "info") else "error"
    meta = {"source": "written", "severity": severity, **_fewest_rows(entry.get("meta"), where)}
    rule = {"type": kind, "kwargs": kwargs, "meta": meta}
    _require_sense(rule, where)
    return rule


def _fewest_rows(meta: Any, where: str) -> dict[str, int]:
    """`meta: {rows_at_least: 50}`: a share of values is judged on so many rows or more; one row has no shares."""
    fewest = meta.get("rows_at_least") if isinstance(meta, dict) else None
    if fewest is None:
        return {}
    if not isinstance(fewest, int):
        raise _bad(
            where, f"rows_at_least is {fewest!r}, not a number of rows", "for example: meta: {rows_at_least: 50}"
        )
    return {"rows_at_least": fewest}


def _known_types() -> list[str]:
    """All but those that need a database."""
    great_expectations()
    from great_expectations.expectations.registry import list_registered_expectation_implementations

    names = [name for name in list_registered_expectation_implementations() if name.startswith("expect_")]
    return sorted(name for name in names if "query" not in name and "other_table" not in name)


def _require_sense(rule: Rule, where: str) -> None:
    great_expectations()
    from great_expectations.compatibility.pydantic import ValidationError
    from great_expectations.expectations.registry import get_expectation_impl

    try:
        build(rule)
        re.compile(rule["kwargs"].get("regex", ""))
        if compares_dates(rule):
            _require_dates(rule, where)
    except re.error as error:
        raise _bad(where, f"the regex {rule['kwargs']['regex']!r} cannot be read: {error}", "correct it") from None
    except ValidationError as error:
        first = min(error.errors(), key=lambda one: one["type"] != "value_error.extra")  # a typo causes the others
        key = ".".join(str(step) for step in first["loc"] if step != "__root__")
        impl = get_expectation_impl(rule["type"])
        own = [*impl.domain_keys, *impl.success_keys]
        remedies = {
            "value_error.extra": did_you_mean(key, sorted(set(own) - set(CONDITIONS))),
            "value_error.missing": f"add '{key}' to its kwargs",
        }
        what = f"{rule['type']}: {key}: {first['msg']}" if key else f"{rule['type']}: {first['msg']}"
        raise _bad(where, what, remedies.get(first["type"], f"correct its kwargs; {EXAMPLE}")) from None


def _require_dates(rule: Rule, where: str) -> None:
    for key in BOUNDS:
        bound = pd.Series([rule["kwargs"].get(key)], dtype=object)
        if dates(bound).isna().any() and bound.notna().any():
            raise _bad(where, f"{key} is {bound[0]!r}, neither a number nor a date", "write dates as 2024-12-31")


def _bad(where: object, what: str, remedy: str) -> UsageError:
    return UsageError("PEN015", what, where=str(where), remedy=remedy)
