"""The plan of a preparation: which columns are treated how. It is drawn without a look at the target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, get_args

from pydantic import BaseModel, ConfigDict

from penstock.components.schema import FeatureRole, Problem, Schema
from penstock.errors import DataError, examples

Impute = Literal["median", "mean"]
Scale = Literal["standard", "none"]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True)


class Group(_Part):
    """Columns of one role, which share one treatment. `levels`: of ordinals, in rising order, column by column."""

    role: FeatureRole
    columns: list[str]
    levels: list[list[str]] | None = None


class Step(_Part):
    """A selector or an extractor of the catalogue."""

    name: str
    parameters: dict[str, Any] = {}


class Plan(_Part):
    problem: Problem
    groups: list[Group]
    left_out: dict[str, str]
    impute: Impute
    scale: Scale
    rare: float
    text_components: int
    select: Step | None = None
    extract: Step | None = None


def make_plan(
    schema: Schema,
    facts: Mapping[str, Mapping[str, Any]],
    *,
    impute: Impute,
    scale: Scale,
    rare: float,
    text_components: int,
    select: tuple[str, dict[str, Any]] | None = None,
    extract: tuple[str, dict[str, Any]] | None = None,
) -> dict[str, Any]:
    """The plan as JSON. `facts` gives for each feature `missing` (share) and `distinct` (count) on the training rows.

    A column without two different things to tell apart is left out.
    """
    left_out = {column.name: reason for column in schema.features if (reason := _useless(facts[column.name]))}
    kept = [column for column in schema.features if column.name not in left_out]
    if not kept:
        raise DataError(
            "PEN125",
            "no feature varies in the training rows",
            where=f"columns {examples(left_out)}",
            remedy="bring in columns that differ from row to row, or a larger part of the data",
        )
    groups = []
    for role in get_args(FeatureRole):
        columns = [column for column in kept if column.role == role]
        if not columns:
            continue
        levels = [column.levels or [] for column in columns] if role == "ordinal" else None
        groups.append(Group(role=role, columns=[column.name for column in columns], levels=levels))
    plan = Plan(
        problem=schema.problem,
        groups=groups,
        left_out=left_out,
        impute=impute,
        scale=scale,
        rare=rare,
        text_components=text_components,
        select=Step(name=select[0], parameters=select[1]) if select else None,
        extract=Step(name=extract[0], parameters=extract[1]) if extract else None,
    )
    return plan.model_dump(mode="json")


def _useless(facts: Mapping[str, Any]) -> str | None:
    if facts["distinct"] == 0:
        return "every value is missing in the training rows"
    if facts["distinct"] == 1 and facts["missing"] == 0:
        return "it has the same value in all training rows"
    return None
