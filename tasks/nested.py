"""Nested cross-validation: the whole search once more inside each fold, evaluated on the rows that fold held out."""

from __future__ import annotations

from penstock.components.schema import Schema
from penstock.context import Run
from penstock.errors import DataError
from penstock.evidence.folds import Folds
from penstock.problems.data import DataSplit
from penstock.spec.split import Split
from penstock.stage import stage
from penstock.store import Ref
from penstock.tasks.split import cut


@stage()
def split_outer(run: Run, data_split: DataSplit, schema: Ref[Schema], split: Split) -> list[DataSplit]:
    """Each fold's training rows as training rows, with folds of their own; its validation rows as test rows."""
    store = run.store
    train, folds = store.frame(data_split.train), Folds.load(store, data_split.folds)
    typed = store.facts(schema)
    outer = []
    for number, fold in enumerate(folds.splits):
        inside, outside = (train.iloc[rows].reset_index(drop=True) for rows in fold)
        try:
            inner = cut(inside, typed, split)
        except DataError as error:
            raise DataError(
                "PEN180",
                f"the {len(inside)} rows inside outer fold {number + 1} cannot be cut again: {error.what}",
                where="split.recipe",
                remedy=f"{error.remedy}; or use cross-validation-and-test, which cuts the rows only once",
            ) from None
        outer.append(
            DataSplit(
                train=store.put_frame(inside),
                test=store.put_frame(outside),
                folds=inner.save(store),
                facts=data_split.facts,
                n_folds=len(inner),
            )
        )
    return outer
