"""Which rows are kept for the final evaluation."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray

from penstock.components.schema import texts
from penstock.components.splitting.identity import hashes, units
from penstock.errors import DataError, did_you_mean, examples

MIN_TEST_ROWS = 5

Array = np.ndarray[Any, Any]


class TestRows(NamedTuple):
    """`mask`: True where a row is in the test set. `topped_up`: per class code, its rows taken beyond the share."""

    mask: NDArray[np.bool_]
    topped_up: dict[int, int]


def test_rows(ids: ArrayLike, *, share: float, seed: int, classes: Array | None, groups: Array | None) -> TestRows:
    """Choose the test rows by the hash of (id, seed), or of (group, seed): what is chosen stays so as the data grow.

    A class left with fewer than five test rows gets its rows (or whole groups) of lowest hash until it has five, but
    never more than half of its rows and of its groups. Those may move as the data grow.
    """
    names, unit_of_row = units(np.asarray(ids, dtype=object), groups)
    hashed = hashes(names, seed)
    chosen = _below(hashed, share)
    topped_up: dict[int, int] = {}
    if classes is not None:
        labels, positions = np.unique(classes, return_inverse=True)
        by_hash = np.bincount(positions[chosen[unit_of_row]], minlength=len(labels))
        for label in labels[by_hash < MIN_TEST_ROWS].tolist():
            members, sizes = np.unique(unit_of_row[classes == label], return_counts=True)
            added = _top_up(chosen, members, sizes, hashed)
            if added:
                topped_up[label] = added
    mask = chosen[unit_of_row]
    if mask.all() or not mask.any():
        raise DataError(
            "PEN117",
            f"{len(mask)} rows" + ("" if groups is None else f" of {len(names)} groups") + " are too few to be parted "
            "into training rows and test rows",
            where="split.test",
            remedy="bring in more rows" + ("" if groups is None else " of other groups, or leave out `group` if rows "
            "do not belong together"),
        )  # fmt: skip
    return TestRows(mask, topped_up)


def by_hash(ids: ArrayLike, *, share: float, seed: int) -> NDArray[np.bool_]:
    """Which of these would be in the test set if nothing but their hash decided."""
    return _below(hashes(np.asarray(ids, dtype=object).tolist(), seed), share)


def _below(hashed: NDArray[np.uint64], share: float) -> NDArray[np.bool_]:
    return hashed < np.uint64(int(share * 2**64))


def given_rows(values: pd.Series[Any], test: Sequence[object]) -> TestRows:
    """The test rows of a published split: those whose column holds one of the values of `test`."""
    words = texts(values)
    wanted = set(texts(pd.Series(list(test), dtype=object)).dropna())
    known = words.dropna().unique().tolist()
    absent = sorted(wanted - set(known))
    if absent:
        raise DataError(
            "PEN210",
            f"no row of '{values.name}' holds {examples(absent)}, which names the given test rows",
            where="split.given.test",
            remedy=did_you_mean(absent[0], known),
        )
    mask = words.isin(wanted).to_numpy()
    if mask.all():
        raise DataError(
            "PEN210",
            f"every row of '{values.name}' is a test row: none is left to learn from",
            where="split.given",
            remedy="name only the values of the test rows",
        )
    return TestRows(mask, {})


# pytest must not take these for tests where a test module imports them.
test_rows.__test__ = False  # type: ignore[attr-defined]
TestRows.__test__ = False  # type: ignore[attr-defined]


def _top_up(chosen: NDArray[np.bool_], members: Array, sizes: Array, hashed: NDArray[np.uint64]) -> int:
    """Choose units of one class until it has enough test rows; how many of its rows came in. Alters `chosen`.

    `sizes`: the rows of the class in each of its `members`.
    """
    most_rows, most_units = sizes.sum() // 2, len(members) // 2
    rows_before = rows = int(sizes[chosen[members]].sum())
    taken = int(chosen[members].sum())
    for unit, size in sorted(zip(members.tolist(), sizes.tolist(), strict=True), key=lambda pair: hashed[pair[0]]):
        if rows >= MIN_TEST_ROWS or taken >= most_units:
            break
        if not chosen[unit] and rows + size <= most_rows:
            chosen[unit] = True
            rows += size
            taken += 1
    return rows - rows_before
