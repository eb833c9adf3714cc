"""Rows that stand on both sides of the split: by their names, by their content, and nearly."""

from __future__ import annotations

import hashlib
from typing import Any

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from scipy import stats

from penstock.components.analysis.table import as_numbers
from penstock.components.leakage.base import CHANCE, Array, Check, Seen, Sides, does_not_apply, passed, plural
from penstock.components.schema import ROW_ID
from penstock.components.splitting import ids_meet

MAX_COLUMNS = 60
MAX_LEVELS = 10
MAX_TEST_ROWS = 2_000
MAX_LEARNING_ROWS = 100_000
MIN_ROWS = 30
NEIGHBOURS = 10
NEAR = 0.05
COMMON = 2
UNLIKELY = 0.01
DISTANCES = 2e9
"""Rows times rows times columns that are worth the wait: a few seconds."""


def _shared_ids(sides: Sides) -> Seen:
    both = ids_meet(sides.train[ROW_ID], sides.test[ROW_ID])
    in_folds = sum(len(np.intersect1d(train, valid)) for train, valid in sides.folds)
    if both or in_folds:
        message = f"{plural(len(both), 'row')} stand among the training rows and among the test rows"
        if in_folds:
            message += f"; {plural(in_folds, 'row')} evaluate a fold that they train"
        return Seen("found", message, count=len(both) + in_folds, examples=both)
    where = f" or on both sides of one of {len(sides.folds)} folds" if sides.folds else ""
    return passed(f"no row stands among the training rows and the test rows{where}")


def _equal_rows(sides: Sides) -> Seen:
    """Rows of few different values meet by chance. Then others meet in all columns but one; copies do not.

    So the test rows that equal a training row are compared with those that miss one by a single column. A text does
    not repeat by chance, so a row that misses another by its text says nothing.
    """
    names = sides.features
    repeating = [column.name for column in sides.schema.features if column.role != "text"]
    ours, theirs = _digests(sides.train, names), _digests(sides.test, names)
    same = _times(theirs, ours)
    equal = np.flatnonzero(same)
    if not len(equal):
        return passed("no test row equals a training row in all features")
    share = len(equal) / len(sides.test)
    what = f"{plural(len(equal), 'test row')} ({share:.1%}) equal a training row in all features"
    if names == repeating[:1]:
        return does_not_apply(f"{what}; in a single column of numbers or levels, copies look like any other rows")
    nearly = []
    for place in np.unique(np.linspace(0, len(repeating) - 1, MAX_COLUMNS).astype(int)) if repeating else ():
        name = repeating[place]
        without, without_theirs = ours - _digests(sides.train, [name]), theirs - _digests(sides.test, [name])
        nearly.append(int((_times(without_theirs, without) > same).sum()))
    by_chance = float(np.mean(nearly)) if nearly else 0.0
    numbers = {"share": share, "by_chance": by_chance}
    if stats.poisson.sf(len(equal) - 1, by_chance) >= CHANCE:
        near = f"about {by_chance:.0f} differ from one in a single column"
        return passed(f"{what}, as rows of so few different values do by chance: {near}", **numbers)
    return Seen("found", what, count=len(equal), examples=sides.ids(equal, test=True), numbers=numbers)


def _near_copies(sides: Sides) -> Seen:
    """A copy lies far nearer to its original than the neighbours around both lie.

    Where rows are spread evenly in d dimensions, the distance to the nearest neighbour over that to the tenth, to the
    power of d, is the least of nine even draws. The dimension is read off the third and the tenth (their ratio to the
    power of d has a Beta(3, 7) distribution), which a copy or two do not change. Of a row that holds common values,
    such as zeros, it is at most the number of its others.
    """
    from sklearn.neighbors import NearestNeighbors

    rng = np.random.default_rng(sides.seed)
    train = _drawn(sides.train, MAX_LEARNING_ROWS, rng)
    matrix = _numbers(train, train, sides)
    if not matrix.shape[1] or len(train) < MIN_ROWS:
        return does_not_apply("there are no numbers, or too few rows, to measure distances by")
    affordable = int(np.clip(DISTANCES / matrix.size, 200, MAX_TEST_ROWS))
    test = _drawn(sides.test, affordable, rng)
    search = NearestNeighbors(n_neighbors=NEIGHBOURS).fit(matrix)
    points = _numbers(train, test, sides)
    distances, places = search.kneighbors(points)
    typical = distances[:, 2] / np.maximum(distances[:, -1], np.finfo(float).tiny)
    spread = float(np.median(typical[distances[:, -1] > 0])) if distances[:, -1].any() else 1.0
    overall = np.log(stats.beta.median(3, NEIGHBOURS - 3)) / np.log(min(max(spread, 1e-9), 1 - 1e-9))
    dimensions = np.minimum(_uncommon(matrix, points), max(overall, 1.0))
    proba = 1 - (1 - NEAR**dimensions) ** (NEIGHBOURS - 1)
    telling = np.flatnonzero((proba < UNLIKELY) & (distances[:, 0] > 0))
    if not len(telling):
        return does_not_apply("rows have too few values of their own for distances to tell copies from neighbours")
    near = telling[distances[telling, 0] < NEAR * distances[telling, -1]]
    expected = float(proba[telling].sum())
    numbers = {"looked_at": len(telling), "near": len(near), "by_chance": expected, "dimension": float(overall)}
    if len(near) < 2 or stats.poisson.sf(len(near) - 1, expected) >= CHANCE:
        said = f"of {plural(len(telling), 'test row')}, no more lie close to a training row than chance explains"
        return passed(said, **numbers)
    of = "" if len(telling) == len(sides.test) else f" of the {len(telling):,} looked at"
    twins = train[ROW_ID].iloc[places[near, 0]]
    pairs = [f"{row} is near {twin}" for row, twin in zip(test[ROW_ID].iloc[near], twins, strict=True)]
    return Seen(
        "found",
        f"{plural(len(near), 'test row')}{of} lie more than {1 / NEAR:.0f} times closer to a training row than their "
        f"neighbours do; chance explains {expected:.1f}",
        count=len(near),
        examples=pairs,
        numbers=numbers,
    )


def _uncommon(matrix: NDArray[np.float64], points: NDArray[np.float64]) -> NDArray[np.int64]:
    """For each point, in how many columns its value is one that hardly a row of the matrix has."""
    count = np.zeros(len(points), dtype=np.int64)
    for place in range(matrix.shape[1]):
        count += _times(points[:, place], matrix[:, place]) <= COMMON
    return count


def _digests(frame: pd.DataFrame, names: list[str]) -> NDArray[np.uint64]:
    """One number per row, a sum over the columns: so that a column can be taken off again."""
    total = np.zeros(len(frame), dtype=np.uint64)
    for name in names:
        hashed = np.asarray(pd.util.hash_pandas_object(frame[name], index=False))
        odd = int.from_bytes(hashlib.blake2b(name.encode(), digest_size=8).digest(), "little") | 1
        total += hashed * np.uint64(odd)  # wraps around: else values that swap columns would look equal
    return total


def _times(wanted: Array, among: Array) -> NDArray[np.int64]:
    """How often each stands among the others."""
    ordered = np.sort(among)
    return np.searchsorted(ordered, wanted, side="right") - np.searchsorted(ordered, wanted, side="left")


def _drawn(frame: pd.DataFrame, most: int, rng: np.random.Generator) -> pd.DataFrame:
    return frame if len(frame) <= most else frame.iloc[np.sort(rng.choice(len(frame), size=most, replace=False))]


def _numbers(train: pd.DataFrame, frame: pd.DataFrame, sides: Sides) -> NDArray[np.float64]:
    """Features as numbers of like spread, levels as marks."""
    found: list[Array] = []
    for column in sides.schema.features:
        if len(found) >= MAX_COLUMNS or column.role == "text":
            continue
        if column.role == "nominal":
            levels = train[column.name].value_counts().index[:MAX_LEVELS]
            found += [(frame[column.name] == level).to_numpy(dtype=np.float64) for level in levels]
            continue
        known = as_numbers(train[column.name], column)
        low, middle, high = known.quantile([0.1, 0.5, 0.9]) if known.notna().any() else (0.0, 0.0, 0.0)
        spread = (high - low) / 2.56 or known.std() or 1.0
        values: Any = (as_numbers(frame[column.name], column) - middle) / spread
        found.append(values.fillna(0.0).to_numpy(dtype=np.float64))
    return np.stack(found, axis=1) if found else np.empty((len(frame), 0))


SHARED_IDS = Check(
    "LEK001",
    "rows on both sides",
    "error",
    "give every row a key of its own, and let `split` decide on the sides",
    _shared_ids,
)
EQUAL_ROWS = Check(
    "LEK002",
    "copies across the split",
    "error",
    "drop the copies before the split; if equal rows belong together, name what they share as `group`",
    _equal_rows,
)
NEAR_COPIES = Check(
    "LEK003",
    "near-copies across the split",
    "warning",
    "find out where the twins come from: one measurement entered twice, rows made from others, rows of one customer; "
    "drop them, or name what they share as `group`",
    _near_copies,
)
