"""How the training rows are cut again, to evaluate candidates."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Literal

import numpy as np
from sklearn.model_selection import (
    GroupKFold,
    GroupShuffleSplit,
    KFold,
    LeaveOneGroupOut,
    LeaveOneOut,
    ShuffleSplit,
    StratifiedGroupKFold,
    StratifiedKFold,
    StratifiedShuffleSplit,
)

from penstock.components.splitting.identity import units as units_of
from penstock.errors import DataError, examples
from penstock.evidence.folds import Fold, ScoredOn

Array = np.ndarray[Any, Any]
Recipe = Literal[
    "cross-validation-and-test",
    "nested-cross-validation",
    "train-validation-test",
    "resampling-and-test",
    "leave-one-out",
    "out-of-bag",
]
BY_FOLDS = ("cross-validation-and-test", "nested-cross-validation")
MAX_LEFT_OUT = 1000


def scored_on(recipe: Recipe) -> ScoredOn:
    """What a candidate's score is: the mean over folds, or one score over all rows, or over each row's mean prediction.

    One left-out row defines few metrics, so those scores are taken over all rows together. Out of bag, a row is
    predicted by every model that has not seen it, and these are averaged.
    """
    return {"leave-one-out": "rows", "out-of-bag": "averages"}.get(recipe, "folds")  # type: ignore[return-value]


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
    names: Sequence[object] | None = None,
) -> list[Fold]:
    """Shuffled folds of the training rows; `train-validation-test` has one, `leave-one-out` as many as rows or groups.

    With classes and `stratify` each part has their shares; with groups none stands on both sides. Where parts are
    drawn by group, classes are not balanced. `names`: of the classes, for messages. The folds of nested
    cross-validation are the outer ones, and also those that choose the winner among all training rows.
    """
    units = None if groups is None else units_of(np.arange(n_rows), groups)[1]
    strata = classes if stratify else None
    if recipe == "out-of-bag":
        return _out_of_bag(n_rows if units is None else units, folds, seed)
    if recipe in BY_FOLDS:
        _require_fold_sizes(n_rows, folds, strata, units, names)
        kind = {
            (False, False): KFold,
            (True, False): StratifiedKFold,
            (False, True): GroupKFold,
            (True, True): StratifiedGroupKFold,
        }[strata is not None, units is not None]
        splitter = kind(n_splits=folds, shuffle=True, random_state=seed)
    elif recipe == "leave-one-out":
        _require_few(n_rows if units is None else len(np.unique(units)))
        splitter = LeaveOneOut() if units is None else LeaveOneGroupOut()
    else:
        _require_held_out(n_rows, validation, strata, units)
        kind = (
            GroupShuffleSplit if units is not None else StratifiedShuffleSplit if strata is not None else ShuffleSplit
        )
        draws = folds if recipe == "resampling-and-test" else 1
        splitter = kind(n_splits=draws, test_size=validation, random_state=seed)
    splits = splitter.split(np.zeros(n_rows), strata, units)
    cut = [Fold(np.sort(train).astype(np.int64), np.sort(valid).astype(np.int64)) for train, valid in splits]
    _require_both_sides(cut)
    return cut


def require_varied(splits: list[Fold], y: Array | None, *, classes: bool) -> None:
    """Every fold must have two classes, or two values, to learn from, where there is a target."""
    if y is None:
        return
    for number, part in enumerate(splits, start=1):
        if len(np.unique(y[part.train])) < 2:
            kind = "class" if classes else "value of the target"
            rarer = "say `stratify: true`, or bring in more rows of the rarer classes" if classes else (
                "or bring in rows with other values"
            )  # fmt: skip
            raise DataError(
                "PEN211",
                f"the training rows of fold {number} have only one {kind}",
                where="split",
                remedy=f"set fewer folds, {rarer}",
            )


def _require_both_sides(splits: list[Fold]) -> None:
    """Large groups may leave a fold without rows."""
    for number, part in enumerate(splits, start=1):
        if not len(part.train) or not len(part.valid):
            side = "learn from" if not len(part.train) else "evaluate on"
            raise _too_few_groups(
                f"fold {number} of {len(splits)} has no rows to {side}: a group is too large", "split"
            )


def _out_of_bag(units: int | Array, draws: int, seed: int) -> list[Fold]:
    """Rows (or groups) drawn with replacement learn, those not drawn evaluate."""
    unit_of_row = np.arange(units) if isinstance(units, int) else units
    n_units = len(np.unique(unit_of_row))
    rng = np.random.default_rng(seed)
    splits: list[Fold] = []
    while len(splits) < draws:
        times = np.bincount(rng.integers(n_units, size=n_units), minlength=n_units)[unit_of_row]
        if (times == 0).any():  # of very few rows, a draw may leave none out
            splits.append(Fold(np.repeat(np.arange(len(times)), times), np.flatnonzero(times == 0)))
        elif n_units < 2:
            raise _too_few_rows("one row or group cannot be drawn and left out", "split.recipe", "bring in more rows")
    return splits


def _require_few(left_out: int) -> None:
    if left_out > MAX_LEFT_OUT:
        raise DataError(
            "PEN212",
            f"leave-one-out would fit every candidate {left_out} times",
            where="split.recipe",
            remedy=f"use cross-validation-and-test; leave-one-out is for at most {MAX_LEFT_OUT} rows or groups",
        )


def _require_fold_sizes(
    n_rows: int, n_splits: int, classes: Array | None, units: Array | None, names: Sequence[object] | None
) -> None:
    n_groups = None if units is None else len(np.unique(units))
    if n_groups is not None and n_groups < n_splits:
        raise _too_few_groups(f"{n_groups} group(s) cannot fill {n_splits} folds", "split.folds")
    if n_rows < n_splits:
        raise _too_few_rows(f"{n_rows} training row(s) cannot fill {n_splits} folds", "split.folds", "set fewer folds")
    labels, counts = _counts(n_rows, classes)
    if counts.min() < n_splits:
        rarest = labels[counts.argmin()].item()
        raise _too_few_rows(
            f"class {examples([names[rarest] if names else rarest])} has {counts.min()} training row(s), which cannot "
            f"fill {n_splits} folds",
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
            f"{n_rows} training row(s) cannot be parted with each of {len(labels)} class(es) on both sides",
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
