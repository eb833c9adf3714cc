"""Reading a pipeline file, and saying which key is wrong."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, get_args

import yaml
from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from penstock.errors import UsageError, did_you_mean
from penstock.spec.data import Role
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
            remedy="start from examples/churn/pipeline.yaml",
        )
    for override in overrides or []:
        _set(raw, override)
    return parse_spec(raw, str(file))


def parse_spec(raw: dict[str, Any], where: str = "pipeline") -> Spec:
    try:
        return Spec.model_validate(raw)
    except ValidationError as error:
        raise _explain(error.errors(), raw, where) from None


def _read_yaml(file: Path) -> Any:
    try:
        return yaml.safe_load(file.read_text(encoding="utf-8"))
    except (FileNotFoundError, IsADirectoryError, NotADirectoryError, PermissionError) as error:
        near = [str(found) for found in file.parent.glob("*.y*ml")] if file.parent.is_dir() else []
        raise UsageError(
            "PEN007",
            f"cannot read the pipeline file: {error.strerror}",
            where=str(file),
            remedy=did_you_mean(str(file), near) if near else "give the path of a pipeline file",
        ) from None
    except UnicodeDecodeError as error:
        raise UsageError(
            "PEN001", f"the pipeline file is not UTF-8: {error.reason}", where=str(file), remedy="save it as UTF-8"
        ) from None
    except yaml.YAMLError as error:
        mark = getattr(error, "problem_mark", None)
        line = f", line {mark.line + 1}, column {mark.column + 1}" if mark else ""
        raise UsageError(
            "PEN001",
            f"the pipeline file is not valid YAML: {getattr(error, 'problem', None) or error}",
            where=f"{file}{line}",
            remedy="check the indentation, quotes and brackets there",
        ) from None


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
        value = yaml.safe_load(text)
    except yaml.YAMLError:
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
    errors = sorted(errors, key=lambda error: error["type"] != "extra_forbidden")
    error = errors[0]
    path = [str(step) for step in error["loc"] if step not in _UNION_STEPS]
    key = ".".join(path) or "(the whole file)"
    more = f" ({len(errors) - 1} more to put right)" if len({e["loc"][:2] for e in errors}) > 1 else ""
    if error["type"] == "extra_forbidden":
        known = _keys_at(path[:-1])
        return UsageError(
            "PEN002", f"unknown key '{key}'{more}", where=f"{where}: {key}", remedy=did_you_mean(path[-1], known)
        )
    if error["type"] == "missing":
        return UsageError(
            "PEN004", f"'{key}' is missing{more}", where=f"{where}: {key}", remedy=f"add '{key}'; {_help(path)}"
        )
    given = json.dumps(error["input"], default=str)[:80] if error["loc"] else ""
    message = error["msg"].removeprefix("Value error, ")
    code = "PEN010" if path == ["version"] else "PEN003"
    return UsageError(
        code,
        f"'{key}': {message[0].lower()}{message[1:]}" + (f", but it is {given}" if given else "") + more,
        where=f"{where}: {key}",
        remedy=_remedy(path, error),
    )


_UNION_STEPS = {"bool", "int", "float", "str", "none", "Ordinal", "Choice", "function-before", "literal"} | {
    f"literal[{','.join(repr(role) for role in get_args(Role))}]",
    "list[union[bool,int,float,str,none]]",
}


def _remedy(path: list[str], error: ErrorDetails) -> str:
    expected = (error.get("ctx") or {}).get("expected")
    if expected and isinstance(error["input"], str):
        options = [option.strip().strip("'") for option in str(expected).replace(" or ", ", ").split(",")]
        return did_you_mean(error["input"], options)
    if path == ["version"]:
        return "this Penstock reads version 1"
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
