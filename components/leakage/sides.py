"""Groups, moments and windows that stand on both sides of the split."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.leakage.base import (
    Check,
    Seen,
    Severity,
    Sides,
    does_not_apply,
    passed,
    plural,
    quoted,
)

MAX_COLUMNS = 30
MAX_ROWS = 100_000
MAX_TEST_ROWS = 5_000
ALMOST_ALL_DIFFERENT = 0.9
MOVED = 0.25


def _groups(sides: Sides) -> Seen:
    """The declared group, or else columns that look like one: `customer_id` with several rows each."""
    declared = sides.schema.named("group")
    names = [declared] if declared else [column.name for column in sides.suggested("group")]
    names = [name for name in names if name != sides.within]
    if not names:
        why = f"; members of '{sides.within}' are meant to stand on both sides" if sides.within else ""
        return does_not_apply(f"no column is declared as group or looks like one{why}")
    split: dict[str, list[Any]] = {}
    for name in names:
        members = pd.Series(sides.test[name].dropna().unique())
        split[name] = members[members.isin(sides.train[name])].tolist()
    broken = _split_in_folds(sides, declared) if declared else 0
    found = [name for name in names if len(split[name])]
    if not found and not broken:
        where = f" nor on both sides of one of {len(sides.folds)} folds" if declared and sides.folds else ""
        return passed(f"no value of {quoted(names)} stands on both sides{where}")
    if broken:
        message = f"'{declared}' stands on both sides of {plural(broken, 'fold')}"
        return Seen("found", message, [str(declared)], broken, severity="error")
    worst = max(found, key=lambda name: len(split[name]))
    rows = int(sides.test[worst].isin(split[worst]).sum())
    of = sides.test[worst].nunique()
    message = f"{len(split[worst]):,} of the {of:,} values of '{worst}' among the test rows are among the training rows"
    message += f" too, with {plural(rows, 'test row')}" + ("" if declared else f"; '{worst}' is not declared as group")
    return Seen("found", message, found, rows, split[worst], severity="error" if declared else None)


def _split_in_folds(sides: Sides, name: str) -> int:
    codes = pd.factorize(sides.train[name])[0]
    return sum(bool(len(np.intersect1d(codes[train], codes[valid]))) for train, valid in sides.folds)


def _times(sides: Sides) -> Seen:
    name = sides.schema.named("time")
    if name is None:
        like = [column.name for column in sides.suggested("time")]
        return does_not_apply("no column is declared as time" + (f"; {quoted(like)} may be one" if like else ""))
    trained, tested = sides.train[name], sides.test[name]
    later = np.flatnonzero(trained >= tested.min())
    if len(later):
        message = (
            f"{plural(len(later), 'learning row')} ({len(later) / len(trained):.0%}) are not earlier than the first "
            f"test row ({tested.min()})"
        )
        severity: Severity | None = None if sides.ordered else "warning"  # shuffled on purpose
        return Seen("found", message, [name], len(later), sides.ids(later), severity=severity)
    moments = trained.to_numpy()
    mixed = [
        number
        for number, (train, valid) in enumerate(sides.folds, start=1)
        if sides.ordered and moments[train].max() >= moments[valid].min()
    ]
    if mixed:
        return Seen("found", f"fold {mixed[0]} is evaluated on rows that are not later than its training rows",
                    [name], len(mixed), mixed)  # fmt: skip
    gap = tested.min() - trained.max()
    days = gap / pd.Timedelta(days=1)
    return passed(f"every training row is earlier than every test row, the last by {_length(gap)}", gap_days=days)


def _windows(sides: Sides) -> Seen:
    """Rows made of windows of one series hold each other's values, moved to other columns."""
    many = ALMOST_ALL_DIFFERENT * len(sides.train)
    numeric = [column.name for column in sides.schema.features if column.role == "numeric"]
    names = [name for name in numeric if sides.train[name].nunique() >= many][:MAX_COLUMNS]
    if len(names) < 2:
        return does_not_apply("fewer than two columns hold numbers that are all but unique")
    ours = _long(sides.train[names].iloc[-MAX_ROWS:])
    theirs = _long(sides.test[names].iloc[:MAX_TEST_ROWS])
    met = theirs.merge(ours, on="value", suffixes=("", "_learning"))
    met = met[met["column"] != met["column_learning"]]
    shares = met.groupby(["column", "column_learning"])["row"].nunique() / min(len(sides.test), MAX_TEST_ROWS)
    moved = shares[shares >= MOVED].index
    if not len(moved):
        return passed("the values of test rows are not those of training rows, moved to other columns")
    met = met[pd.MultiIndex.from_frame(met[["column", "column_learning"]]).isin(moved)]
    rows = np.sort(met["row"].unique())
    shared = [names[place] for place in sorted({place for pair in moved for place in pair})]
    message = (
        f"{plural(len(rows), 'test row')} hold values of a training row in other columns, as windows that overlap do"
    )
    if sides.ordered:
        return passed(f"{message}; they reach back in time, which is what the split by time allows for", rows=len(rows))
    return Seen("found", message, shared, len(rows), sides.ids(rows, test=True))


def _long(frame: pd.DataFrame) -> pd.DataFrame:
    values = frame.to_numpy(dtype=np.float64)
    rows, columns = np.indices(values.shape)
    table = pd.DataFrame({"value": values.ravel(), "row": rows.ravel(), "column": columns.ravel()})
    return table[table["value"].notna() & (table["value"] != 0)]


def _length(gap: pd.Timedelta) -> str:
    days = gap / pd.Timedelta(days=1)
    return f"{days:,.1f} days" if days >= 1 else f"{gap / pd.Timedelta(minutes=1):,.1f} minutes"


GROUPS = Check(
    "LEK004",
    "groups on both sides",
    "warning",
    "name the column as `data.group`: its rows then stay on one side of every split; or declare its role, if its rows "
    "are independent of each other",
    _groups,
)
TIMES = Check(
    "LEK005",
    "training rows that are later than test rows",
    "error",
    "leave out `split.given` and `ordered: false`: rows are then split by time; `split.gap` keeps a distance",
    _times,
)
WINDOWS = Check(
    "LEK006",
    "overlapping windows",
    "error",
    "declare the moment of each row (`columns: {x: time}`), so that later rows evaluate, and set `split.gap` to the "
    "length of a window",
    _windows,
)
