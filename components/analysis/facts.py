"""What the columns look like, column by column, safe to write as JSON: what planning may know."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.schema import Column, Schema, cast, numbers, texts

MAX_BINS = 20
MAX_LEVELS = 20


def describe(frame: pd.DataFrame, schema: Schema) -> dict[str, Any]:
    """Facts of each column of the schema that is in the frame, and of the target."""
    present = [column for column in schema.columns if column.name in frame.columns]
    facts: dict[str, Any] = {
        "rows": len(frame),
        "columns": {column.name: _column(frame[column.name], column) for column in present if column.role != "target"},
        "target": None,
    }
    if schema.target in frame.columns and schema.target is not None:
        facts["target"] = _target(frame[schema.target], schema)
    return facts


def _column(values: pd.Series[Any], column: Column) -> dict[str, Any]:
    read = cast(values, column)
    known = read.dropna()
    facts: dict[str, Any] = {
        "role": column.role,
        "reason": column.reason,
        "missing": float(read.isna().mean()) if len(read) else 0.0,
        "distinct": int(known.nunique()),
    }
    if known.empty:
        return facts
    if column.role in ("numeric", "weight"):
        return facts | {"scale": column.scale} | summary(known)
    if column.role in ("nominal", "ordinal", "boolean"):
        return facts | {"levels": _levels(known, column)}
    if column.role in ("date", "time"):
        return facts | {"first": known.min().isoformat(), "last": known.max().isoformat()}
    if column.role == "text":
        counts = known.str.count(r"\S+")
        return facts | {"mean_words": float(counts.mean()), "most_words": int(counts.max())} | summary(counts)
    return facts


def _target(values: pd.Series[Any], schema: Schema) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "name": schema.target,
        "missing": float(texts(values).isna().mean()) if len(values) else 0.0,
    }
    if schema.quantity is not None:
        return facts | summary(numbers(values).dropna())
    counts = texts(values).value_counts()
    labels = [str(label) for label in schema.classes] if schema.classes else sorted(counts.index)
    return facts | {"classes": {label: int(counts.get(label, 0)) for label in labels}}


def summary(known: pd.Series[Any]) -> dict[str, Any]:
    """Centre, spread, skewness and histogram of finite numbers; what too few values cannot give is None."""
    values = known.to_numpy(dtype="float64")
    values = values[np.isfinite(values)]
    if not len(values):
        return {}
    with np.errstate(over="ignore", invalid="ignore"):  # numbers near the largest float
        mean, spread = values.mean(), values.std()
        skewness = (((values - mean) / spread) ** 3).mean() if spread > 0 else np.nan
        sd = values.std(ddof=1) if len(values) > 1 else np.nan
        quartiles = np.quantile(values, [0.25, 0.5, 0.75])
    return {
        "min": float(values.min()),
        "max": float(values.max()),
        "mean": _or_none(mean),
        "sd": _or_none(sd),
        "skewness": _or_none(skewness),
        "quartiles": [_or_none(quartile) for quartile in quartiles],
        "histogram": _histogram(values),
    }


def _or_none(number: np.floating[Any] | float) -> float | None:
    return float(number) if np.isfinite(number) else None


def _histogram(values: np.ndarray[Any, Any]) -> dict[str, list[Any]]:
    bins = min(MAX_BINS, len(np.unique(values)))
    low, high = values.min(), values.max()
    with np.errstate(over="ignore"):
        step = (high - low) / bins
    if not (np.isfinite(step) and low < low + step < high):  # one value, or a step that floats cannot show
        return {"edges": [float(low), float(high)], "counts": [len(values)]}
    counts, edges = np.histogram(values, bins=bins)
    return {"edges": edges.tolist(), "counts": counts.tolist()}


def _levels(known: pd.Series[Any], column: Column) -> list[dict[str, Any]]:
    """The commonest levels, equal counts in order of the name; an ordinal's in its own order."""
    counts = known.value_counts()
    if column.role == "boolean":
        words = column.levels or ["false", "true"]
        return [{"level": words[int(code)], "count": int(counts.get(code, 0))} for code in (0.0, 1.0)]
    if column.role == "ordinal":
        return [{"level": level, "count": int(counts.get(level, 0))} for level in column.levels or []]
    ranked = sorted(counts.items(), key=lambda item: (-item[1], str(item[0])))
    return [{"level": str(level), "count": int(count)} for level, count in ranked[:MAX_LEVELS]]
