"""Split: which rows judge, which rows teach, and the folds among those that teach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from pydantic import BaseModel

from penstock.components.naming import words_of
from penstock.components.schema import ROW_ID, Schema, encode_target, refuse_truth, require_columns
from penstock.components.splitting import (
    Fold,
    Times,
    duration,
    earlier_and_later,
    given_rows,
    judged_by,
    only_in_test,
    ordered_folds,
    require_varied,
    rows_within,
    test_rows,
    times_of,
)
from penstock.components.splitting import folds as cut_folds
from penstock.components.splitting.folds import BY_FOLDS
from penstock.context import Run
from penstock.errors import DataError, UsageError, examples
from penstock.spec.split import Split
from penstock.store import Ref
from penstock.tasks.ingest import Rows
from penstock.tasks.stage import stage

Array = np.ndarray[Any, Any]


class Parts(BaseModel):
    """`folds` holds the learning rows' targets, groups, weights and the positions of every fold."""

    learning: Ref
    test: Ref
    folds: Ref
    facts: Ref
    n_folds: int


@stage()
def split(run: Run, rows: Rows, split: Split) -> Parts:
    """Cut the rows by the hash of their identity, so that a row keeps its side when the data grows; or by time."""
    frame = run.store.frame(rows.frame)
    schema = Schema(**run.store.facts(rows.schema_))
    refuse_truth(frame, schema)
    received = len(frame)
    if schema.target:
        frame = frame[frame[schema.target].notna()].reset_index(drop=True)
    y = encode_target(frame[schema.target], schema) if schema.target else None
    classes = y if schema.problem == "classification" else None
    groups = _groups(frame, schema)
    times = _times(frame, schema, split)
    teaching, judging, topped_up = _sides(frame, split, classes, groups, times)
    learning, test = frame[teaching].reset_index(drop=True), frame[judging].reset_index(drop=True)
    arrays, n_folds = cut(learning, schema, split)
    looks_like_group = [column.name for column in schema.columns if column.suggests == "group"]
    facts = {
        "rows": len(frame),
        "without_target": received - len(frame),
        "learning": len(learning),
        "test": len(test),
        "in_gap": len(frame) - len(learning) - len(test),
        "ordered": None if times is None else schema.named("time"),
        "topped_up": {str((schema.classes or [])[code]): count for code, count in topped_up.items()},
        "equal_content": _equal_content(learning, test, schema),
        "only_in_test": only_in_test(learning, test, [split.within] if split.within else looks_like_group),
    }
    store = run.store
    return Parts(
        learning=store.put_frame(learning),
        test=store.put_frame(test),
        folds=store.put_arrays(**arrays),
        facts=store.put_facts(facts),
        n_folds=n_folds,
    )


def cut(learning: pd.DataFrame, schema: Schema, split: Split) -> tuple[dict[str, Any], int]:
    """What fits need beside the columns: targets, groups, weights and the rows of every fold; and how many folds."""
    groups, times = _groups(learning, schema), _times(learning, schema, split)
    arrays: dict[str, Any] = {
        "n_classes": np.array(len(schema.classes or [])),
        "judging": np.array(judged_by(split.recipe)),
        **words_of(schema),
    }
    if groups is not None:
        arrays["groups"] = pd.factorize(groups)[0]
    if times is not None:
        arrays["ordered"] = np.array(True)
    if weight := schema.named("weight"):
        arrays["weight"] = learning[weight].to_numpy()
    if schema.problem == "clustering":
        return arrays, 0
    if schema.target:
        arrays["y"] = encode_target(learning[schema.target], schema)
    parts = _folds(split, len(learning), arrays.get("y"), arrays.get("groups"), times, schema.classes)
    for number, (train, valid) in enumerate(parts):
        arrays |= {f"train_{number}": train, f"valid_{number}": valid}
    return arrays, len(parts)


def _groups(frame: pd.DataFrame, schema: Schema) -> Array | None:
    group = schema.named("group")
    return frame[group].astype(str).to_numpy(object) if group else None


def _times(frame: pd.DataFrame, schema: Schema, split: Split) -> Times | None:
    """The moments of the rows, where the split goes by them."""
    time, group = schema.named("time"), schema.named("group")
    if split.ordered is False or (time is None and not (split.ordered or split.gap or split.window)):
        return None
    if time is None:
        raise UsageError(
            "PEN216",
            "a split by time needs a column with the role time, and there is none",
            where="split",
            remedy="declare it: `data: {columns: {NAME: time}}`, or leave out ordered, gap and window",
        )
    if split.within:
        raise UsageError(
            "PEN181",
            f"rows cannot be split by time ('{time}') and within the members of '{split.within}' at once",
            where="split.within",
            remedy="say `split: {ordered: false}` to split within members, or leave out `within`",
        )
    if group is not None:
        raise UsageError(
            "PEN217",
            f"rows cannot be split by time ('{time}') and held together by group ('{group}') at once",
            where="split",
            remedy="say `split: {ordered: false}` if groups matter more, or leave out the group if time does",
        )
    if split.recipe not in (*BY_FOLDS, "train-validation-test"):
        raise UsageError(
            "PEN217",
            f"the recipe {split.recipe} shuffles rows, which a split by time must not",
            where="split.recipe",
            remedy="use cross-validation-and-test or train-validation-test, or say `ordered: false`",
        )
    return times_of(frame[time])


def _sides(
    frame: pd.DataFrame, split: Split, classes: Array | None, groups: Array | None, times: Times | None
) -> tuple[Array, Array, dict[int, int]]:
    """Which rows learn and which are test rows; and per class, the test rows taken beyond the share."""
    if split.given:
        require_columns(frame, [split.given.column])
        mask = given_rows(frame[split.given.column], split.given.values).mask
        _require_whole_groups(mask, groups)
        return ~mask, mask, {}
    if times is not None:
        sides = earlier_and_later(times, share=split.test, gap=duration(split.gap, "split.gap"))
        return sides.learning, sides.test, {}
    if split.within:
        require_columns(frame, [split.within])
        _require_no_group(groups, split.within)
        chosen = rows_within(frame[ROW_ID], frame[split.within], share=split.test, seed=split.seed)
        return ~chosen.mask, chosen.mask, {}
    chosen = test_rows(frame[ROW_ID], share=split.test, seed=split.seed, classes=classes, groups=groups)
    return ~chosen.mask, chosen.mask, chosen.topped_up


def _require_no_group(groups: Array | None, within: str) -> None:
    if groups is not None:
        raise UsageError(
            "PEN181",
            f"rows of one group stay on one side, but `within` puts rows of one member of '{within}' on both",
            where="split.within",
            remedy="leave out `data.group` if members of the test should be known, or `within` if they should be new",
        )


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
    y: Array | None,
    groups: Array | None,
    times: Times | None,
    classes: Sequence[object] | None,
) -> list[Fold]:
    if times is None:
        parts = cut_folds(
            rows,
            recipe=split.recipe,
            folds=split.folds,
            validation=split.validation,
            stratify=split.stratify,
            seed=split.seed,
            classes=None if classes is None else y,
            groups=groups,
            names=classes,
        )
    else:
        gap = duration(split.gap, "split.gap")
        window = duration(split.window, "split.window") if split.window else None
        if split.recipe == "train-validation-test":
            sides = earlier_and_later(times, share=split.validation, gap=gap)
            parts = [Fold(np.flatnonzero(sides.learning), np.flatnonzero(sides.test))]
        else:
            parts = ordered_folds(times, folds=split.folds, gap=gap, window=window)
    if y is not None:
        require_varied(parts, y, classes=classes is not None)
    return parts


def _equal_content(learning: pd.DataFrame, test: pd.DataFrame, schema: Schema) -> int:
    """Test rows whose features stand in a learning row too, under another identity."""
    names = [column.name for column in schema.features]
    seen = pd.util.hash_pandas_object(learning[names], index=False)
    return int(pd.util.hash_pandas_object(test[names], index=False).isin(seen).sum())
