"""The plan of a preparation: which columns are treated how. It is drawn without a look at the target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from penstock.components.catalog import entries, find
from penstock.components.preprocessing.augmentation import require_shape
from penstock.components.schema import Column, FeatureRole, Schema
from penstock.components.targets import TargetType
from penstock.errors import DataError, UsageError, did_you_mean, examples

Choice = tuple[str, dict[str, Any]]
Unseen = Literal["accept", "refuse"]
Texts = Literal["lsa", "bag-of-words"]

# Which treatments columns of a role can have.
TREATMENTS: dict[str, tuple[str, ...]] = {
    "numeric": ("clip", "impute", "expand", "scale"),
    "nominal": ("impute", "encode", "scale"),
    "ordinal": ("impute", "scale"),
    "boolean": ("impute",),
    "date": ("impute", "scale"),
    "text": ("encode",),
}
# Columns whose missing values `impute_levels` fills, and not `impute`.
LEVELS = ("nominal", "boolean")
# Encoders that give values from 0 to 1, or names of levels, which need no scaling; the others give quantities.
_INDICATORS = ("one-hot", "hashing", "level-distances", "level-codes")
BOOLEAN_IMPUTER = "mode"
KEEP_MISSING = "keep-missing"


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Step(_Part):
    """A component of the catalogue with its parameters."""

    name: str
    parameters: dict[str, Any] = {}


class Group(_Part):
    """Columns of one role that share one treatment. `levels`: of ordinals, in rising order, column by column."""

    role: FeatureRole
    columns: list[str]
    levels: list[list[str]] | None = None
    clip: Step | None = None
    impute: Step | None = None
    expand: Step | None = None
    encode: Step | None = None
    scale: Step | None = None


class Copies(_Part):
    """Changed copies of training rows: pictures whose pixels stand in these columns, line by line."""

    pixels: list[str]
    shape: tuple[int, int]
    transforms: list[str]


class Plan(_Part):
    """`unseen`: what becomes of a level that validation rows have and a fold's training rows lack."""

    problem: str
    target_type: TargetType | None = None
    groups: list[Group]
    left_out: dict[str, str]
    text_components: int
    texts: Texts = "lsa"
    select: Step | None = None
    extract: Step | None = None
    copies: Copies | None = None
    balance: Step | None = None
    unseen: Unseen = "accept"


def make_plan(
    schema: Schema,
    facts: Mapping[str, Mapping[str, Any]],
    *,
    impute: Choice,
    scale: Choice,
    rare: float,
    text_components: int,
    texts: Texts = "lsa",
    encode: Choice = ("one-hot", {}),
    impute_levels: Choice | None = None,
    clip: Choice | None = None,
    expand: Choice | None = None,
    balance: Choice | None = None,
    unseen: Unseen = "accept",
    columns: Mapping[str, Mapping[str, Choice]] | None = None,
    select: Choice | None = None,
    extract: Choice | None = None,
    augment: Mapping[str, Any] | None = None,
) -> dict[str, Any]:
    """The plan as JSON. `facts` gives for each feature `missing` (share) and `distinct` (count) on the training rows.

    A column without two different things to tell apart is left out. `impute_levels` is for nominal and boolean columns:
    without it, missing is a level of its own, and a boolean column gets its commoner value. `columns` holds what single
    columns do otherwise.
    """
    special = columns or {}
    _check_names(special, schema)
    left_out = {column.name: reason for column in schema.features if (reason := _useless(facts[column.name]))}
    kept = [column for column in schema.features if column.name not in left_out]
    if not kept:
        raise DataError(
            "PEN125",
            "no feature varies in the training rows",
            where=f"columns {examples(left_out)}",
            remedy="bring in columns that differ from row to row, or a larger part of the data",
        )
    general: dict[str, dict[str, Choice | None]] = {
        "numeric": {"clip": clip, "impute": impute, "expand": expand, "scale": scale},
        "nominal": {"impute": impute_levels, "encode": encode, "scale": scale},
        "ordinal": {"impute": impute, "scale": scale},
        "boolean": {"impute": impute_levels or (BOOLEAN_IMPUTER, {})},
        "date": {"impute": impute, "scale": scale},
        "text": {"encode": None},
    }
    groups: list[Group] = []
    for role in get_args(FeatureRole):
        alike: dict[str, list[Column]] = {}
        steps: dict[str, dict[str, Step]] = {}
        for column in kept:
            if column.role == role:
                own = _steps(column, general[role], special.get(column.name, {}), rare)
                key = repr(own)
                steps[key] = own
                alike.setdefault(key, []).append(column)
        for key, members in alike.items():
            levels = [column.levels or [] for column in members] if role == "ordinal" else None
            groups.append(Group(role=role, columns=[column.name for column in members], levels=levels, **steps[key]))
    plan = Plan(
        problem=schema.problem,
        target_type=schema.target_type,
        groups=groups,
        left_out=left_out,
        text_components=text_components,
        texts=texts,
        select=_step(select),
        extract=_step(extract),
        copies=_copies(schema, augment) if augment else None,
        balance=_step(balance),
        unseen=unseen,
    )
    return plan.model_dump(mode="json")


def _steps(
    column: Column, general: Mapping[str, Choice | None], own: Mapping[str, Choice], rare: float
) -> dict[str, Step]:
    """How one column is treated: what it says itself, else what columns of its role get."""
    chosen = {treatment: own.get(treatment) or choice for treatment, choice in general.items()}
    encode, impute = chosen.get("encode"), chosen.get("impute")
    if impute and impute[1].get("value") is not None and column.role == "nominal":
        chosen["impute"] = (impute[0], {**impute[1], "value": str(impute[1]["value"])})
    if encode:
        if encode[0] == "one-hot":
            chosen["encode"] = ("one-hot", {"rare": rare or None, **encode[1]})
        if encode[0] in _INDICATORS and "scale" not in own:
            chosen["scale"] = None
    steps = {treatment: Step(name=choice[0], parameters=choice[1]) for treatment, choice in chosen.items() if choice}
    if "impute" in steps:
        _check_filling(column, steps["impute"])
    return steps


def _check_names(special: Mapping[str, Mapping[str, Choice]], schema: Schema) -> None:
    roles = {column.name: column.role for column in schema.features}
    for name, treatments in special.items():
        where = f"preparation.columns.{name}"
        if name not in roles:
            raise UsageError(
                "PEN021", f"there is no feature named '{name}'", where=where, remedy=did_you_mean(name, list(roles))
            )
        require_meaning(treatments, name, roles[name], where)


def require_meaning(treatments: Iterable[str], name: str, role: str, where: str) -> None:
    """Refuse what cannot be done to a column of this role."""
    can = TREATMENTS[role]
    for treatment in treatments:
        if treatment not in can:
            remedy = f"leave '{treatment}' out"
            remedy += f"; what can be chosen here: {', '.join(can)}" if can else ""
            remedy += f"; or say under data.columns that '{name}' is another kind of column"
            raise UsageError(
                "PEN021",
                f"'{treatment}' means nothing for '{name}', a column of role {role}",
                where=f"{where}.{treatment}",
                remedy=remedy,
            )


def require_users(treatment: str, schema: Schema, where: str) -> None:
    """Refuse alternatives of a treatment that no column has: they would all be the same."""
    roles = [role for role, can in TREATMENTS.items() if treatment in can]
    if treatment in ("impute", "impute_levels"):
        roles = [role for role in TREATMENTS if (role in LEVELS) == (treatment == "impute_levels") and role != "text"]
    if roles and not any(column.role in roles for column in schema.features):
        raise UsageError(
            "PEN019",
            f"the alternatives of '{treatment}' make no difference: no column is {' or '.join(roles)}",
            where=where,
            remedy=f"leave '{where}' out, or say under data.columns which column is {roles[0]}",
        )


def _check_filling(column: Column, impute: Step) -> None:
    """Refuse to fill levels with what is for numbers, and numbers with words."""
    value = impute.parameters.get("value")
    if column.role == "nominal" and not find(impute.name).fills_levels:
        fitting = [entry.name for entry in entries().values() if entry.fills_levels]
        raise UsageError(
            "PEN022",
            f"'{impute.name}' fills numbers, but '{column.name}' holds levels",
            where="preparation",
            remedy=f"choose one of: {', '.join(fitting)}",
        )
    if column.role != "nominal" and isinstance(value, str):
        raise UsageError(
            "PEN022",
            f"{value!r} cannot fill '{column.name}', a column of role {column.role}",
            where="preparation",
            remedy=f"give a number, or give the column its own: preparation.columns: {{{column.name}: "
            "{impute: mode}}",
        )


def _copies(schema: Schema, augment: Mapping[str, Any]) -> Copies:
    where = "preparation.augment"
    numbers = [column.name for column in schema.features if column.role in ("numeric", "boolean")]
    pixels, shape = augment["pixels"] or numbers, augment["shape"]
    strangers = [name for name in pixels if name not in numbers]
    if strangers:
        raise UsageError(
            "PEN024",
            f"'{strangers[0]}' is not a numeric feature, so it is no pixel",
            where=f"{where}.pixels",
            remedy=did_you_mean(strangers[0], numbers),
        )
    require_shape(pixels, shape, f"{where}.shape")
    return Copies(pixels=pixels, shape=shape, transforms=augment["transforms"])


def _step(choice: Choice | None) -> Step | None:
    return Step(name=choice[0], parameters=choice[1]) if choice else None


def _useless(facts: Mapping[str, Any]) -> str | None:
    if facts["distinct"] == 0:
        return "every value is missing in the training rows"
    if facts["distinct"] == 1 and facts["missing"] == 0:
        return "it has the same value in all training rows"
    return None
