"""Reading a pipeline file, and saying which key is wrong."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from penstock.errors import UsageError, did_you_mean, did_you_mean_file, shorten
from penstock.spec.paths import require_inside
from penstock.spec.pipeline import Spec


def load_spec(path: Path | str, overrides: list[str] | None = None) -> Spec:
    """Read a pipeline file; `overrides` are `key.path=value` texts as given to `--set`."""
    file = Path(path)
    raw = _read_yaml(file)
    if not isinstance(raw, dict):
        raise UsageError(
            "PEN001",
            "the pipeline file does not hold a mapping",
            where=str(file),
            remedy="start from examples/churn/pipeline.yaml, or from what `penstock init` writes for a table"
            if file.suffix in (".yaml", ".yml")
            else f"if it holds the data, `penstock init {file}` writes a pipeline file for them",
        )
    for override in overrides or []:
        _set(raw, override)
    spec = parse_spec(raw, str(file))
    require_inside(spec, file, overrides or [])
    return spec


def parse_spec(raw: dict[str, Any], where: str = "pipeline") -> Spec:
    try:
        return Spec.model_validate(raw)
    except ValidationError as error:
        raise _explain(error.errors(), raw, where) from None


def _read_yaml(file: Path) -> Any:
    try:
        text = file.read_text(encoding="utf-8")
    except OSError as error:
        near = [str(found) for found in file.parent.glob("*.y*ml")] if file.parent.is_dir() else []
        raise UsageError(
            "PEN007",
            f"cannot read the pipeline file: {error.strerror}",
            where=str(file),
            remedy=did_you_mean_file(str(file), near) if near else "give the path of a pipeline file",
        ) from None
    except UnicodeDecodeError as error:
        raise UsageError(
            "PEN001",
            f"the pipeline file is not UTF-8: {error.reason}",
            where=str(file),
            remedy=f"save it as UTF-8; if it holds the data, `penstock init {file}` writes a pipeline file",
        ) from None
    return load_text(text, str(file))


def load_text(text: str, where: str) -> Any:
    """What the YAML text holds."""
    try:
        return yaml.load(text, Loader=_Loader)  # noqa: S506 - the safe loader, with one more check
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UsageError(
            "PEN001",
            f"the pipeline file is not valid YAML: {getattr(error, 'problem', None) or error}",
            where=f"{where}{line}",
            remedy="check the indentation, quotes and brackets there",
        ) from None
    except (ValueError, RecursionError) as error:  # a day that does not exist, a million brackets
        what = "it is nested too deep" if isinstance(error, RecursionError) else str(error)
        raise UsageError(
            "PEN001",
            f"the pipeline file holds a value that YAML cannot read: {what}",
            where=where,
            remedy="correct the value, or put it into quotes if it is a text",
        ) from None


class _Loader(yaml.SafeLoader):
    """YAML lets a key stand twice and takes the last without a word; and it reads the keys `on` and `no` as truths."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = set()
        for key, _ in node.value:
            if isinstance(key, yaml.ScalarNode) and key.tag != "tag:yaml.org,2002:merge":
                if key.value in seen:
                    raise yaml.constructor.ConstructorError(
                        None, None, f"the key '{key.value}' stands twice in one mapping", key.start_mark
                    )
                seen.add(key.value)
                if key.tag == "tag:yaml.org,2002:bool":
                    key.tag = "tag:yaml.org,2002:str"
        return super().construct_mapping(node, deep)


def _set(raw: dict[str, Any], override: str) -> None:
    path, equals, text = override.partition("=")
    keys = path.strip().split(".")
    if not equals or not all(keys):
        raise UsageError(
            "PEN008",
            f"--set takes key=value, not {override!r}",
            where="--set",
            remedy="for example: --set split.seed=7, or --set 'models=[ridge, random-forest]'",
        )
    try:
        value = yaml.load(text, Loader=_Loader)  # noqa: S506 - the safe loader, with one more check
    except (yaml.YAMLError, ValueError, RecursionError):
        value = text
    for depth, key in enumerate(keys[:-1]):
        raw = raw.setdefault(key, {})
        if not isinstance(raw, dict):
            raise UsageError(
                "PEN008",
                f"'{'.'.join(keys[: depth + 1])}' is a value, not a mapping with keys",
                where=f"--set {override}",
                remedy=f"set '{'.'.join(keys[: depth + 1])}' itself",
            )
    raw[keys[-1]] = value


def _explain(errors: list[ErrorDetails], raw: dict[str, Any], where: str) -> UsageError:
    """The first error in words; further ones are counted. Unknown keys go first: they often cause the others."""
    errors = sorted(errors, key=lambda error: error["type"] not in UNKNOWN_KEY)
    path = _path(errors[0])
    # Where a value may be of several kinds, the kind that got furthest is the one that was meant: down to the deepest
    # key, or to a bound that only a value of the right kind can break.
    error = max(
        (error for error in errors if _path(error)[: len(path)] == path),
        key=lambda error: (len(_path(error)), error["type"].startswith(BOUNDS)),
    )
    path = _path(error)
    key = ".".join(path) or "(the whole file)"
    more = f" ({len(errors) - 1} more to put right)" if len({e["loc"][:2] for e in errors}) > 1 else ""
    if error["type"] in UNKNOWN_KEY:
        remedy = did_you_mean(path[-1], _keys_at(path[:-1]))
        if key in RENAMED:
            remedy = f"this key is now called '{RENAMED[key]}'"
        return UsageError("PEN002", f"unknown key '{key}'{more}", where=f"{where}: {key}", remedy=remedy)
    if error["type"] == "missing":
        return UsageError(
            "PEN004",
            f"'{key}' is missing{more}",
            where=f"{where}: {key}",
            remedy=f"add '{key}'; {_help(path)}".rstrip("; "),
        )
    given = _shown(error["input"]) if error["loc"] else ""
    # Our own checks say what is wrong; then, what to do.
    message, _, advice = error["msg"].removeprefix("Value error, ").partition("; ")
    message = re.sub(r"valid dictionary( or instance of \w+)?", "mapping of keys to values", message)
    small = message if message[1:2].isupper() else message[0].lower() + message[1:]
    what = f"'{key}': {small}" if path else message
    code = "PEN010" if path == ["version"] else "PEN003"
    return UsageError(
        code,
        what + (f", but it is {given}" if given else "") + more,
        where=f"{where}: {key}",
        remedy=advice or _remedy(path, error),
    )


def _path(error: ErrorDetails) -> list[str]:
    return [str(step) for step in error["loc"] if not _KINDS.match(str(step))]


def _shown(value: Any) -> str:
    try:
        return shorten(json.dumps(value, default=str), 80)
    except (ValueError, TypeError, RecursionError):  # it holds itself, or keys that are no texts
        return shorten(repr(value), 80)


RENAMED = {"search.end_hopeless": "search.prune"}
UNKNOWN_KEY = ("extra_forbidden", "invalid_key")
BOUNDS = ("less_than", "greater_than", "too_", "string_too_")
# Steps that name a kind of value, not a key.
_KINDS = re.compile(
    r"(bool|int|float|constrained-float|str|none|Ordinal|Choice|Tuned)$"
    r"|(function-before|literal|list|dict|nullable|union)(\[|$)"
)


def _remedy(path: list[str], error: ErrorDetails) -> str:
    if path == ["version"]:
        return "write `version: 1`: this Penstock reads version 1"
    expected = (error.get("ctx") or {}).get("expected")
    if expected and isinstance(error["input"], str):
        options = [option.strip().strip("'") for option in str(expected).replace(" or ", ", ").split(",")]
        return did_you_mean(error["input"], options)
    return _help(path) or "correct the value"


def _help(path: list[str]) -> str:
    model: type[BaseModel] = Spec
    text = ""
    for step in path:
        field = next((f for n, f in model.model_fields.items() if (f.alias or n) == step), None)
        if field is None:
            break
        text = field.description or text
        nested = _nested(field.annotation)
        if nested is None:
            break
        model = nested
    return text


def _keys_at(path: list[str]) -> list[str]:
    model: type[BaseModel] = Spec
    for step in path:
        field = next((f for n, f in model.model_fields.items() if (f.alias or n) == step), None)
        nested = _nested(field.annotation) if field else None
        if nested is None:
            break
        model = nested
    return [field.alias or name for name, field in model.model_fields.items()]


def _nested(annotation: Any) -> type[BaseModel] | None:
    for kind in (annotation, *get_args(annotation)):
        if isinstance(kind, type) and issubclass(kind, BaseModel):
            return kind
    return None
