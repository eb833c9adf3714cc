"""Which rows judge and which rows learn: row identity, the test set, and the folds inside the learning rows."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable
from typing import Any, Literal, NamedTuple

import numpy as np
import pandas as pd
from numpy.typing import ArrayLike, NDArray
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from penstock.components.schema import texts
from penstock.errors import DataError, examples

FEWEST_TEST_ROWS = 5

Array = np.ndarray[Any, Any]
Recipe = Literal["cross-validation-and-test", "train-validation-test"]


class TestRows(NamedTuple):
    """`mask`: True where a row is in the test set. `topped_up`: per class code, its rows taken beyond the share."""

    mask: NDArray[np.bool_]
    topped_up: dict[int, int]


class Fold(NamedTuple):
    """Positions of the rows that fit a candidate and of those that judge it."""

    train: NDArray[np.int64]
    valid: NDArray[np.int64]


def row_ids(frame: pd.DataFrame, *, key: str | None, source: str) -> pd.Series[str]:
    """The key column as text; without a key, a digest of the source and the row's position."""
    if key is None:
        prefix = hashlib.blake2b(source.encode(), digest_size=6).hexdigest()
        return pd.Series([f"{prefix}-{position}" for position in range(len(frame))], index=frame.index, dtype="str")
    ids: pd.Series[str] = texts(frame[key])
    missing = np.flatnonzero(ids.isna())
    if len(missing):
        raise DataError(
            "PEN115",
            f"the key '{key}' is missing in {len(missing)} row(s), at positions {examples(missing.tolist())}",
            where=f"column '{key}'",
            remedy="give every row a key, or leave out `key`: rows are then named by source and position",
        )
    repeated = ids[ids.duplicated(keep=False)]
    if len(repeated):
        raise DataError(
            "PEN115",
            f"the key '{key}' does not name rows: {len(repeated)} rows share theirs with another: "
            f"{examples(repeated.unique().tolist())}",
            where=f"column '{key}'",
            remedy="drop the repeated rows or choose another `key`; if rows of one key belong together, say "
            f"`group: {key}` instead",
        )
    return ids


def test_rows(ids: ArrayLike, *, share: float, seed: int, classes: Array | None, groups: Array | None) -> TestRows:
    """Choose the test rows by the hash of (id, seed), or of (group, seed): what is chosen stays so as the data grow.

    A class left with fewer than five test rows gets its rows (or whole groups) of lowest hash until it has five, but
    never more than half of its rows and of its groups. Those may move as the data grow.
    """
    names, unit_of_row = _units(np.asarray(ids, dtype=object), groups)
    hashes = _hashes(names, seed)
    chosen = hashes < np.uint64(int(share * 2**64))
    topped_up: dict[int, int] = {}
    if classes is not None:
        labels, positions = np.unique(classes, return_inverse=True)
        by_hash = np.bincount(positions[chosen[unit_of_row]], minlength=len(labels))
        for label in labels[by_hash < FEWEST_TEST_ROWS].tolist():
            units, sizes = np.unique(unit_of_row[classes == label], return_counts=True)
            added = _top_up(chosen, units, sizes, hashes)
            if added:
                topped_up[label] = added
    mask = chosen[unit_of_row]
    if mask.all() or not mask.any():
        raise DataError(
            "PEN117",
            f"{len(mask)} rows" + ("" if groups is None else f" of {len(names)} groups") + " are too few to be parted "
            "into learning rows and test rows",
            where="split.test",
            remedy="bring in more rows" + ("" if groups is None else " of other groups, or leave out `group` if rows "
            "do not belong together"),
        )  # fmt: skip
    return TestRows(mask, topped_up)


# pytest must not take these for tests where a test module imports them.
test_rows.__test__ = False  # type: ignore[attr-defined]
TestRows.__test__ = False  # type: ignore[attr-defined]


def folds(
    n_rows: int,
    *,
    recipe: Recipe,
    folds: int,
    validation: float,
    stratify: bool,
    seed: int,
    classes: Array | None,
    groups: Array | None,
) -> list[Fold]:
    """Shuffled folds of the learning rows; `train-validation-test` has one.

    With classes and `stratify` each part has their shares; with groups none stands on both sides. Where one part is
    held out by group, classes are not balanced.
    """
    units = None if groups is None else _units(np.arange(n_rows), groups)[1]
    stratified = stratify and classes is not None
    if recipe == "cross-validation-and-test":
        _require_parts(n_rows, folds, classes if stratified else None, units)
        kind = {
            (False, False): KFold,
            (True, False): StratifiedKFold,
            (False, True): GroupKFold,
            (True, True): StratifiedGroupKFold,
        }[stratified, units is not None]
        splitter = kind(n_splits=folds, shuffle=True, random_state=seed)
    else:
        _require_held_out(n_rows, validation, classes if stratified else None, units)
        kind = GroupShuffleSplit if units is not None else StratifiedShuffleSplit if stratified else ShuffleSplit
        splitter = kind(n_splits=1, test_size=validation, random_state=seed)
    parts = splitter.split(np.zeros(n_rows), classes if stratified else None, units)
    return [Fold(np.sort(train).astype(np.int64), np.sort(valid).astype(np.int64)) for train, valid in parts]


def ids_meet(seen: Iterable[str], judged: Iterable[str]) -> list[str]:
    """The ids on both sides, sorted."""
    return sorted(set(seen) & set(judged))


def refuse_overlap(seen: Iterable[str], judged: Iterable[str]) -> None:
    """No number comes from rows that the fitted object has seen."""
    both = ids_meet(seen, judged)
    if both:
        raise DataError(
            "PEN118",
            f"{len(both)} row(s) to be judged on were seen in fitting: {examples(both)}",
            where="evaluation",
            remedy="judge the model only on rows that it has not learnt from",
        )


def _units(ids: Array, groups: Array | None) -> tuple[list[object], NDArray[np.int64]]:
    """What stays together: the names of the groups (or the ids of the rows), and the number of each row's."""
    if groups is None:
        return ids.tolist(), np.arange(len(ids))
    words = texts(pd.Series(groups))
    missing = np.flatnonzero(words.isna())
    if len(missing):
        raise DataError(
            "PEN128",
            f"{len(missing)} of {len(words)} rows have no group, at positions {examples(missing.tolist())}",
            where="data.group",
            remedy="give every row its group, or drop these rows: it cannot be known on which side they may stand",
        )
    numbers, names = pd.factorize(words)
    return names.tolist(), numbers.astype(np.int64)


def _hashes(names: list[object], seed: int) -> NDArray[np.uint64]:
    """Keyed BLAKE2b: the same on every machine and under every version of every library."""
    key = str(seed).encode()
    digests = b"".join([hashlib.blake2b(str(name).encode(), digest_size=8, key=key).digest() for name in names])
    return np.frombuffer(digests, dtype="<u8").astype(np.uint64)


def _top_up(chosen: NDArray[np.bool_], units: Array, sizes: Array, hashes: NDArray[np.uint64]) -> int:
    """Choose units of one class until it has enough test rows; how many of its rows came in. Alters `chosen`.

    `sizes`: the rows of the class in each of its `units`.
    """
    most_rows, most_units = sizes.sum() // 2, len(units) // 2
    rows_before = rows = int(sizes[chosen[units]].sum())
    taken = int(chosen[units].sum())
    for unit, size in sorted(zip(units.tolist(), sizes.tolist(), strict=True), key=lambda pair: hashes[pair[0]]):
        if rows >= FEWEST_TEST_ROWS or taken >= most_units:
            break
        if not chosen[unit] and rows + size <= most_rows:
            chosen[unit] = True
            rows += size
            taken += 1
    return rows - rows_before


def _require_parts(n_rows: int, parts: int, classes: Array | None, units: Array | None) -> None:
    n_groups = None if units is None else len(np.unique(units))
    if n_groups is not None and n_groups < parts:
        raise _too_few_groups(f"{n_groups} group(s) cannot fill {parts} folds", "split.folds")
    if n_rows < parts:
        raise _too_few_rows(f"{n_rows} learning row(s) cannot fill {parts} folds", "split.folds", "set fewer folds")
    labels, counts = _counts(n_rows, classes)
    if counts.min() < parts:
        raise _too_few_rows(
            f"class {examples([labels[counts.argmin()].item()])} has {counts.min()} learning row(s), which cannot fill "
            f"{parts} folds",
            "split.folds",
            f"set `folds: {max(2, counts.min())}`, say `stratify: false`, or merge rare classes",
        )


def _require_held_out(n_rows: int, validation: float, classes: Array | None, units: Array | None) -> None:
    if units is not None:
        n_groups = len(np.unique(units))
        held_out = math.ceil(validation * n_groups)
        if held_out >= n_groups:
            raise _too_few_groups(f"holding out {held_out} of {n_groups} group(s) leaves none", "split.validation")
        return
    labels, counts = _counts(n_rows, classes)
    held_out = math.ceil(validation * n_rows)
    if counts.min() < 2 or min(held_out, n_rows - held_out) < len(labels):
        raise _too_few_rows(
            f"{n_rows} learning row(s) cannot be parted with each of {len(labels)} class(es) on both sides",
            "split.validation",
            "say `stratify: false`, merge rare classes, or bring in more rows",
        )


def _counts(n_rows: int, classes: Array | None) -> tuple[Array, Array]:
    """The classes and their numbers of rows; without classes, all rows are one."""
    return np.unique(np.zeros(n_rows) if classes is None else classes, return_counts=True)


def _too_few_rows(what: str, where: str, remedy: str) -> DataError:
    return DataError("PEN116", what, where=where, remedy=remedy)


def _too_few_groups(what: str, where: str) -> DataError:
    return DataError(
        "PEN117", what, where=where, remedy="set fewer folds or a smaller validation share, or bring in more groups"
    )
