"""Roles as the pipeline file declares them, and refusals where the values speak against it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, get_args

import pandas as pd

from penstock.components.schema.casting import (
    FALSE_WORDS,
    TRUE_WORDS,
    cast,
    numbers,
    require_finite,
    require_numbers,
    text_of,
    texts,
)
from penstock.components.schema.columns import Column, Scale, place
from penstock.components.schema.hints import FEW_ROWS, scale_of
from penstock.errors import DataError, examples


def declare_column(values: pd.Series[Any], role: str | Sequence[object]) -> Column:
    """`role` is a word of the pipeline file, or the levels of an ordinal in rising order."""
    name = str(values.name)
    if not isinstance(role, str):
        levels = [text_of(level).strip() for level in role]
        return Column(name=name, role="ordinal", levels=levels, reason="declared as ordinal, with its levels")
    if role == "numeric" or role in get_args(Scale):
        return Column(name=name, role="numeric", scale=_scale(values, role), reason=f"declared as {role}")
    if role == "boolean":
        return Column(name=name, role="boolean", levels=_two_levels(values), reason="declared as boolean")
    if role in ("date", "time"):
        _require_dates(values, role)
    if role in ("nominal", "id"):
        (_require_categories if role == "nominal" else _require_identity)(values)
    return Column(name=name, role=role, reason=f"declared as {role}")  # type: ignore[arg-type]


def require_weights(values: pd.Series[Any]) -> None:
    require_numbers(values)
    require_finite(values)
    read = numbers(values)
    faults = {"missing": int(read.isna().sum()), "below zero": int((read < 0).sum())}
    said = " and ".join(f"{count} are {fault}" for fault, count in faults.items() if count)
    if said or not read.any():
        raise DataError(
            "PEN163",
            f"column '{values.name}' cannot weigh the rows: of its {len(read)} values {said or 'all are 0'}",
            where=place(values),
            remedy="give every row a weight of zero or more, or leave the column out with "
            f"`columns: {{{values.name}: ignore}}`",
        )


def _scale(values: pd.Series[Any], role: str) -> Scale | None:
    require_numbers(values)
    require_finite(values)
    known = numbers(values).dropna()
    if role == "interval":
        return "interval"
    below = known[known < 0]
    if role == "ratio" and len(below):
        raise DataError(
            "PEN160",
            f"column '{values.name}' is declared ratio, but {len(below)} of its values are below zero: "
            f"{examples(below.unique().tolist())}",
            where=place(values),
            remedy=f"correct these values, or declare `columns: {{{values.name}: interval}}`",
        )
    return "ratio" if role == "ratio" else scale_of(known)[0]


def _require_categories(values: pd.Series[Any]) -> None:
    words = texts(values).dropna()
    if len(words) > FEW_ROWS and words.nunique() == len(words):
        raise DataError(
            "PEN114",
            f"column '{values.name}' is declared nominal, but each of its {len(words)} values is its own category",
            where=place(values),
            remedy=f"leave it out with `columns: {{{values.name}: ignore}}`",
        )


def _require_dates(values: pd.Series[Any], role: str) -> None:
    known = values.dropna()
    read = cast(known, Column(name=str(values.name), role="date", reason=""))
    strange = known[read.isna()]
    if len(strange) > len(known) / 2:
        raise DataError(
            "PEN112",
            f"column '{values.name}' is declared {role}, but {len(strange)} of {len(known)} values are no dates: "
            f"{examples(strange.unique().tolist())}",
            where=place(values),
            remedy=f"write dates like 2024-12-31, or declare `columns: {{{values.name}: nominal}}`",
        )


def _require_identity(values: pd.Series[Any]) -> None:
    words = texts(values).dropna()
    repeated = words[words.duplicated(keep=False)]
    if len(repeated):
        raise DataError(
            "PEN161",
            f"column '{values.name}' is declared id, but {len(repeated)} rows share their value with another: "
            f"{examples(repeated.unique().tolist())}",
            where=place(values),
            remedy=f"if rows of one value belong together, declare `columns: {{{values.name}: group}}`; otherwise "
            f"`columns: {{{values.name}: ignore}}`",
        )


def _two_levels(values: pd.Series[Any]) -> list[str] | None:
    """[false, true] of a declared boolean; None where the usual words (yes, no, true, false, 1, 0) are read."""
    words = texts(values).dropna().str.lower()
    distinct = sorted(words.unique().tolist())
    if words.isin(TRUE_WORDS | FALSE_WORDS).mean() > 0.5 or not distinct:
        return None
    if len(distinct) != 2 or pd.to_numeric(words, errors="coerce").notna().any():
        raise DataError(
            "PEN112",
            f"column '{values.name}' is declared boolean, but holds {examples(distinct)}",
            where=place(values),
            remedy=f"write yes and no, or 0 and 1; or declare `columns: {{{values.name}: nominal}}`",
        )
    return distinct
