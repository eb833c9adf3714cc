"""The pipeline file: what may stand in it, its defaults, and errors that name the key."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any, Literal, get_args

import yaml
from pydantic import BaseModel, ConfigDict, Field, ValidationError, field_validator, model_validator
from pydantic_core import ErrorDetails

from penstock.errors import UsageError, did_you_mean

Problem = Literal["classification", "regression", "clustering"]
Role = Literal["numeric", "nominal", "boolean", "date", "text", "ignore"]
Scalar = bool | int | float | str
ParameterValue = Scalar | None | list[Scalar | None]
Share = Annotated[float, Field(gt=0, lt=1)]


class Part(BaseModel):
    """A mapping of the pipeline file: unknown keys are refused, values never change."""

    model_config = ConfigDict(extra="forbid", frozen=True, validate_default=True)


class Ordinal(Part):
    ordinal: Annotated[
        list[str], Field(min_length=2, description="The levels in rising order; it is the order that is learnt.")
    ]


class Data(Part):
    source: Annotated[str, Field(min_length=1, description="A CSV or Parquet file, relative to the pipeline file.")]
    target: Annotated[str | None, Field(description="The column to predict.")] = None
    positive: Annotated[
        Scalar | None, Field(description="The class that counts as positive; by default the rarer of two.")
    ] = None
    key: Annotated[str | None, Field(description="A column that names each row; by default source and position.")] = (
        None
    )
    group: Annotated[
        str | None, Field(description="Rows of one group (a customer, a patient) never stand on both sides of a split.")
    ] = None
    columns: Annotated[
        dict[str, Role | Ordinal], Field(description="Corrections to the inferred role of a column.")
    ] = {}


class Validation(Part):
    suite: Annotated[
        Literal["learnt", "none"], Field(description="Learn expectations from the training rows, or do not.")
    ] = "learnt"
    written: Annotated[
        str | None, Field(description="A YAML or JSON file with Great Expectations rules: a list of type and kwargs.")
    ] = None
    on_failure: Annotated[Literal["stop", "warn"], Field(description="What a failed check does to the run.")] = "stop"


class Split(Part):
    recipe: Annotated[
        Literal["cross-validation-and-test", "train-validation-test"],
        Field(description="Judge candidates by k folds, or by one held-out part."),
    ] = "cross-validation-and-test"
    test: Annotated[Share, Field(description="Share of rows kept for the one final judgement.")] = 0.2
    validation: Annotated[Share, Field(description="Share of the learning rows held out by train-validation-test.")] = (
        0.25
    )
    folds: Annotated[int, Field(ge=2, le=50, description="Folds of cross-validation-and-test.")] = 5
    stratify: Annotated[bool, Field(description="Keep the shares of the classes alike in every part.")] = True
    seed: Annotated[int, Field(ge=0, le=2**31 - 1, description="The one seed of the whole run.")] = 0


class Preparation(Part):
    impute: Annotated[
        Literal["median", "mean"], Field(description="What fills missing numbers; an indicator column is added.")
    ] = "median"
    scale: Annotated[Literal["standard", "none"], Field(description="Scaling of numeric columns.")] = "standard"
    rare: Annotated[
        float, Field(ge=0, lt=0.5, description="Levels below this share of rows are put together as one.")
    ] = 0.01
    text_components: Annotated[int, Field(ge=1, le=300, description="Columns made of each text.")] = 30


class Choice(Part):
    """A component by its catalogue name, with parameters: `ridge` or `{ridge: {alpha: [0.1, 1, 10]}}`.

    A list of values is a search space.
    """

    name: str
    parameters: dict[str, ParameterValue] = {}

    @model_validator(mode="before")
    @classmethod
    def from_short_form(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"name": value}
        if isinstance(value, dict) and len(value) == 1 and "name" not in value:
            ((name, parameters),) = value.items()
            return {"name": name, "parameters": parameters or {}}
        return value


class Features(Part):
    select: Annotated[Choice | None, Field(description="Keep the most telling columns, chosen inside each fold.")] = (
        None
    )
    extract: Annotated[
        Choice | None, Field(description="Replace columns by fewer new ones, fitted inside each fold.")
    ] = None


class Search(Part):
    strategy: Annotated[Literal["random", "grid"], Field(description="How parameters are drawn.")] = "random"
    fits: Annotated[int, Field(ge=1, le=100_000, description="Budget, in fits of one candidate on one fold.")] = 60
    metric: Annotated[
        str | None,
        Field(description="The metric that decides, by scikit-learn's name; by default one for the problem."),
    ] = None
    batch: Annotated[
        int,
        Field(
            ge=1,
            le=1000,
            description="Candidates between two decisions; fixed, so that results do not hang "
            "on the number of workers.",
        ),
    ] = 8


class Limits(Part):
    workers: Annotated[int | None, Field(ge=1, le=256, description="Worker processes; by default one per core.")] = None
    threads: Annotated[
        int, Field(ge=1, le=256, description="Threads of each fit; changes the last bits of results.")
    ] = 1
    seconds: Annotated[
        float | None, Field(gt=0, description="Time limit of a candidate; by default 20 x the median, at least 60 s.")
    ] = None
    memory_mb: Annotated[
        int | None, Field(ge=1, description="Memory limit of a worker; by default 80 % of free memory over workers.")
    ] = None


class Promote(Part):
    margin: Annotated[float, Field(ge=0, description="How much worse than the champion still counts as equal.")] = 0.005
    confidence: Annotated[Share, Field(description="Confidence of the interval of the difference.")] = 0.95


class Register(Part):
    promote: Promote = Promote()


class Schedule(Part):
    cron: str | None = None
    interval: Annotated[float | None, Field(gt=0, description="Seconds between runs.")] = None
    timezone: str = "UTC"

    @model_validator(mode="after")
    def one_of_two(self) -> Schedule:
        if (self.cron is None) == (self.interval is None):
            raise ValueError("give either cron or interval")
        return self


class Spec(Part):
    """A Penstock pipeline. Everything but name, problem and data has a default."""

    version: Annotated[Literal[1], Field(description="Version of this file format.")] = 1
    name: Annotated[
        str, Field(pattern=r"^[a-z][a-z0-9_-]{0,62}$", description="Name of the pipeline and of its registered model.")
    ]
    problem: Problem
    data: Data
    validation: Validation = Validation()
    split: Split = Split()
    preparation: Preparation = Preparation()
    features: Features = Features()
    models: Annotated[
        list[Choice], Field(description="Candidates, by catalogue name; by default a few that suit the problem.")
    ] = []
    search: Search = Search()
    limits: Limits = Limits()
    register_: Annotated[Register, Field(alias="register")] = Register()
    schedule: Schedule | None = None

    @field_validator("models")
    @classmethod
    def named_once(cls, models: list[Choice]) -> list[Choice]:
        names = [model.name for model in models]
        twice = sorted({name for name in names if names.count(name) > 1})
        if twice:
            raise ValueError(f"named twice: {', '.join(twice)}; give one entry with lists of values instead")
        return models

    @model_validator(mode="after")
    def target_fits_problem(self) -> Spec:
        if self.problem != "clustering" and self.data.target is None:
            raise ValueError(f"a {self.problem} needs data.target, the column to predict")
        return self


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


def schema() -> dict[str, Any]:
    """JSON schema of the pipeline file, for editors; it knows the short forms of a choice."""
    document = Spec.model_json_schema(by_alias=True)
    parameters = document["$defs"]["Choice"]["properties"]["parameters"]
    document["$defs"]["Choice"] = {
        "description": Choice.__doc__,
        "anyOf": [
            {"type": "string"},
            {"type": "object", "minProperties": 1, "maxProperties": 1,
             "additionalProperties": {"anyOf": [parameters, {"type": "null"}]}},
        ],
    }  # fmt: skip
    return document


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
