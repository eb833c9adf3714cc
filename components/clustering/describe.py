"""Clusters in the words of the data: what is typical of each, and a flat picture of all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from sklearn.decomposition import PCA

if TYPE_CHECKING:
    from penstock.components.schema import Column, Schema

MAX_TELLING = 5
SMALL_EFFECT = 0.2  # Cohen's bound of a small effect; what is below tells nothing

Inside = NDArray[np.bool_]


def profile(frame: pd.DataFrame, schema: Schema, labels: NDArray[np.integer[Any]]) -> list[dict[str, Any]]:
    """Size, share, profile and most telling columns of each cluster; the frame is one that `conform` made.

    `spread` is the standard deviation of what is a number (of dates in days), None where the cluster has no value.
    `profile` has the mean of numeric, boolean (the share of true), ordinal (the position of the level, from 0) and date
    columns, and {level, share} of the most common level of nominal ones; None where the cluster has no value.
    `telling` compares with all rows, the greatest `difference` first: of means in standard deviations; of shares (of a
    level, together with its lift, or of missing values) as Cohen's h, which is on the same scale. Shares of levels are
    of the rows that have a value. Text is left out.
    """
    columns = {column.name: column for column in schema.features if column.role != "text"}
    clusters = []
    for cluster in np.unique(labels):
        inside = labels == cluster
        telling = [
            difference
            for name, column in columns.items()
            for difference in _differences(frame[name], column, inside)
            if abs(difference["difference"]) >= SMALL_EFFECT
        ]
        telling.sort(key=lambda difference: -abs(difference["difference"]))
        clusters.append(
            {
                "cluster": int(cluster),
                "size": int(inside.sum()),
                "share": float(inside.mean()),
                "profile": {name: _typical(frame.loc[inside, name], column) for name, column in columns.items()},
                "spread": {
                    name: _spread(frame.loc[inside, name], column)
                    for name, column in columns.items()
                    if column.role != "nominal"
                },
                "telling": telling[:MAX_TELLING],
            }
        )
    return clusters


def project_2d(X: NDArray[np.float64], seed: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The first two principal components (zero where there are fewer) and the share of the variance that each holds.

    The loading of greatest size is positive in each, so that a picture is not mirrored from run to run.
    """
    points, ratio = np.zeros((len(X), 2)), np.zeros(2)
    if (X.max(axis=0) > X.min(axis=0)).any():
        size = min(2, *X.shape)
        pca = PCA(n_components=size, random_state=seed)
        points[:, :size] = pca.fit_transform(X)
        ratio[:size] = pca.explained_variance_ratio_
    return points, ratio


def _typical(values: pd.Series[Any], column: Column) -> float | str | dict[str, Any] | None:
    if column.role == "nominal":
        shares = _shares(values)
        return {"level": shares.idxmax(), "share": float(shares.max())} if len(shares) else None
    numbers = numbers_of(values, column)
    return _mean(numbers, column) if len(numbers) else None


def _spread(values: pd.Series[Any], column: Column) -> float | None:
    numbers = numbers_of(values, column)
    return float(numbers.std()) if len(numbers) else None


def _differences(values: pd.Series[Any], column: Column, inside: Inside) -> list[dict[str, Any]]:
    absent, absent_overall = float(values[inside].isna().mean()), float(values.isna().mean())
    differences: list[dict[str, Any]] = [
        {
            "column": column.name,
            "of": "missing",
            "share": absent,
            "overall": absent_overall,
            "difference": float(_cohens_h(absent, absent_overall)),
        }
    ]
    compare = _compare_levels if column.role == "nominal" else _compare_means
    return differences + compare(values, column, inside)


def _compare_means(values: pd.Series[Any], column: Column, inside: Inside) -> list[dict[str, Any]]:
    overall, numbers = numbers_of(values, column), numbers_of(values[inside], column)
    if not len(numbers) or overall.min() == overall.max():
        return []
    return [
        {
            "column": column.name,
            "of": "mean",
            "mean": _mean(numbers, column),
            "overall": _mean(overall, column),
            "difference": float((numbers.mean() - overall.mean()) / overall.std()),
        }
    ]


def _compare_levels(values: pd.Series[Any], column: Column, inside: Inside) -> list[dict[str, Any]]:
    """The level that is most over-represented in the cluster."""
    overall, shares = _shares(values), _shares(values[inside])
    if shares.empty:
        return []
    level = _cohens_h(shares, overall[shares.index]).idxmax()
    share, usual = float(shares[level]), float(overall[level])
    return [
        {
            "column": column.name,
            "of": "level",
            "level": level,
            "share": share,
            "overall": usual,
            "lift": share / usual,
            "difference": float(_cohens_h(share, usual)),
        }
    ]


def numbers_of(values: pd.Series[Any], column: Column) -> NDArray[np.float64]:
    """The values there are, as numbers; dates in days."""
    values = values.dropna()
    if column.role == "date":
        values = (values - pd.Timestamp(0)) / pd.Timedelta(days=1)
    elif column.role == "ordinal":
        values = values.map({level: position for position, level in enumerate(column.levels or [])}).dropna()
    return np.asarray(values, dtype=np.float64)


def _mean(numbers: NDArray[np.float64], column: Column) -> float | str:
    mean = float(numbers.mean())
    return (pd.Timestamp(0) + pd.Timedelta(days=mean)).date().isoformat() if column.role == "date" else mean


def _shares(values: pd.Series[Any]) -> pd.Series[float]:
    """Share of each level, in alphabetical order, so that the first of equals is always the same."""
    return values.value_counts(normalize=True).sort_index()


def _cohens_h(share: Any, overall: Any) -> Any:
    return 2 * (np.arcsin(np.sqrt(share)) - np.arcsin(np.sqrt(overall)))
