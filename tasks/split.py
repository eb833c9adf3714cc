"""Split: which rows evaluate, which rows teach, and the folds among those that teach."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.naming import words_of
from penstock.components.schema import ROW_ID, Known, Schema, known_of, refuse_truth, require_columns, with_known_target
from penstock.components.splitting import (
    Times,
    by_hash,
    duration,
    earlier_and_later,
    given_rows,
    only_in_test,
    ordered_folds,
    require_varied,
    rows_within,
    scored_on,
    test_rows,
    times_of,
)
from penstock.components.splitting import folds as cut_folds
from penstock.context import Results, Run
from penstock.document.data import NewMembers, UnitCounts
from penstock.errors import DataError, examples
from penstock.evidence.folds import Fold, Folds
from penstock.problems import find
from penstock.problems.data import DataSplit, Rows, SideCounts, Sides, SplitFacts, unit_column
from penstock.spec.split import Split
from penstock.stage import stage
from penstock.store import Store

Array = np.ndarray[Any, Any]


@stage()
def split(run: Run, rows: Rows, split: Split) -> DataSplit:
    """Cut the rows by the hash of their identity, so that a row keeps its side when the data grows; or by time."""
    frame = run.store.frame(rows.frame)
    schema = run.store.facts(rows.schema_)
    refuse_truth(frame, schema)
    received = len(frame)
    frame = with_known_target(frame, schema)
    groups = _groups(frame, schema)
    times = _times(frame, schema, split)
    teaching, judging, topped_up = _sides(frame, split, known_of(frame, schema).classes, groups, times)
    train, test = frame[teaching].reset_index(drop=True), frame[judging].reset_index(drop=True)
    folds = cut(train, schema, split)
    looks_like_group = [column.name for column in schema.columns if column.suggests == "group"]
    store = run.store
    tables = {name: _sides_of_table(store, table, train, test, schema, split) for name, table in rows.tables.items()}
    new = only_in_test(train, test, [split.within] if split.within else looks_like_group)
    facts = SplitFacts(
        rows=len(frame),
        without_target=received - len(frame),
        train=len(train),
        test=len(test),
        in_gap=len(frame) - len(train) - len(test),
        ordered=None if times is None else schema.named("time"),
        topped_up={str((schema.classes or [])[code]): count for code, count in topped_up.items()},
        equal_content=_equal_content(train, test, schema),
        only_in_test={name: NewMembers.model_validate(members) for name, members in new.items()},
        units=_counted(train, test, schema),
        tables={name: SideCounts(training=len(train), test=len(apart)) for name, (train, apart) in tables.items()},
    )
    sides = {
        name: Sides(train=store.put_frame(train), test=store.put_frame(apart))
        for name, (train, apart) in tables.items()
    }
    return DataSplit(
        train=store.put_frame(train),
        test=store.put_frame(test),
        tables=sides,
        folds=folds.save(store),
        facts=store.put_facts(facts),
        n_folds=len(folds),
    )


def rows_of(results: Results) -> Rows:
    """The rows of all tables, as they were split."""
    return results.requests(split, Rows)[-1]


def cut(train: pd.DataFrame, schema: Schema, split: Split) -> Folds:
    """What fits need beside the columns: targets, groups, weights and the rows of every fold."""
    named, times, weight = _groups(train, schema), _times(train, schema, split), schema.named("weight")
    groups = None if named is None else pd.factorize(named)[0]
    known = known_of(train, schema)
    return Folds(
        target=known.target,
        n_classes=len(schema.classes or []),
        splits=_folds(split, len(train), known, groups, times) if find(schema.problem).cross_validated else [],
        groups=groups,
        weight=train[weight].to_numpy() if weight else None,
        scored_on=scored_on(split.recipe),
        ordered=times is not None,
        words=words_of(schema),
    )


def _counted(training: pd.DataFrame, test: pd.DataFrame, schema: Schema) -> UnitCounts | None:
    column = unit_column(schema.problem, schema.named("group"))
    if column == ROW_ID:
        return None
    name = find(schema.problem).unit
    return UnitCounts(unit=name, training=training[column].nunique(), test=test[column].nunique())


def _sides_of_table(
    store: Store, table: Rows, training: pd.DataFrame, test: pd.DataFrame, schema: Schema, split: Split
) -> tuple[pd.DataFrame, pd.DataFrame]:
    """Rows of a further table on the side of their unit; of units that the first table has not, by the same hash."""
    named = schema.named("group")
    frame = store.frame(table.frame)
    if named is None or table.read_schema(store).named("group") is None:
        return frame, frame
    units = frame[named].astype(str)
    apart = units.isin(test[named].astype(str))
    new = ~apart & ~units.isin(training[named].astype(str))
    if split.test is not None and new.any():
        names = units[new].to_numpy(object)
        apart[new] = by_hash(names, share=split.test, seed=split.seed)
    return frame[~apart].reset_index(drop=True), frame[apart].reset_index(drop=True)


def _groups(frame: pd.DataFrame, schema: Schema) -> Array | None:
    group = schema.named("group")
    return frame[group].astype(str).to_numpy(object) if group else None


def _times(frame: pd.DataFrame, schema: Schema, split: Split) -> Times | None:
    """The moments of the rows, where the split goes by them."""
    time = schema.named("time")
    return None if time is None or split.ordered is False else times_of(frame[time])


def _sides(
    frame: pd.DataFrame, split: Split, classes: Array | None, groups: Array | None, times: Times | None
) -> tuple[Array, Array, dict[int, int]]:
    """Which rows learn and which are test rows; and per class, the test rows taken beyond the share."""
    if split.test is None:
        nothing = np.zeros(len(frame), dtype=bool)
        return ~nothing, nothing, {}
    if split.given:
        require_columns(frame, [split.given.column])
        mask = given_rows(frame[split.given.column], split.given.values).mask
        _require_whole_groups(mask, groups)
        return ~mask, mask, {}
    if times is not None:
        sides = earlier_and_later(times, share=split.test, gap=duration(split.gap, "split.gap"))
        return sides.train, sides.test, {}
    if split.within:
        require_columns(frame, [split.within])
        chosen = rows_within(frame[ROW_ID], frame[split.within], share=split.test, seed=split.seed)
        return ~chosen.mask, chosen.mask, {}
    chosen = test_rows(frame[ROW_ID], share=split.test, seed=split.seed, classes=classes, groups=groups)
    return ~chosen.mask, chosen.mask, chosen.topped_up


def _require_whole_groups(test: Array, groups: Array | None) -> None:
    both = [] if groups is None else sorted(set(groups[test]) & set(groups[~test]))
    if both:
        raise DataError(
            "PEN218",
            f"the published split has rows of {len(both)} group(s) on both sides: {examples(both)}",
            where="split.given",
            remedy="leave out the group if its rows are independent, or leave out `given`",
        )


def _folds(
    split: Split,
    rows: int,
    known: Known,
    groups: Array | None,
    times: Times | None,
) -> list[Fold]:
    if times is None:
        data_split = cut_folds(
            rows,
            recipe=split.recipe,
            folds=split.folds,
            validation=split.validation,
            stratify=split.stratify,
            seed=split.seed,
            classes=known.classes,
            groups=groups,
            names=known.labels,
        )
    else:
        gap = duration(split.gap, "split.gap")
        window = duration(split.window, "split.window") if split.window else None
        if split.recipe == "train-validation-test":
            sides = earlier_and_later(times, share=split.validation, gap=gap)
            data_split = [Fold(np.flatnonzero(sides.train), np.flatnonzero(sides.test))]
        else:
            data_split = ordered_folds(times, folds=split.folds, gap=gap, window=window)
    require_varied(data_split, known.target, classes=known.classes is not None)
    return data_split


def _equal_content(train: pd.DataFrame, test: pd.DataFrame, schema: Schema) -> int:
    """Test rows whose features stand in a training row too, under another identity."""
    names = [column.name for column in schema.features]
    seen = pd.util.hash_pandas_object(train[names], index=False)
    return int(pd.util.hash_pandas_object(test[names], index=False).isin(seen).sum())
