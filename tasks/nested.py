"""Nested cross-validation: the whole search once more inside each fold, judged on the rows that fold held out."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.components.schema import Schema
from penstock.context import Run
from penstock.errors import DataError
from penstock.jobs.judge_outer import Outer
from penstock.spec.split import Split
from penstock.store import Ref
from penstock.tasks.select_model import Fit
from penstock.tasks.split import Parts, cut
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


class Nested(BaseModel):
    """What such a search is worth on rows it has not seen, and the fits that it took."""

    facts: Ref
    fits: list[Fit]


@stage()
def split_outer(run: Run, parts: Parts, schema: Ref, split: Split) -> list[Parts]:
    """Each fold's training rows as learning rows, with folds of their own; its judging rows as test rows."""
    store = run.store
    learning, arrays = store.frame(parts.learning), store.arrays(parts.folds)
    typed = Schema(**store.facts(schema))
    outer = []
    for number in range(parts.n_folds):
        inside, outside = (
            learning.iloc[arrays[f"{side}_{number}"]].reset_index(drop=True) for side in ("train", "valid")
        )
        try:
            inner, n_folds = cut(inside, typed, split)
        except DataError as error:
            raise DataError(
                "PEN180",
                f"the {len(inside)} rows inside outer fold {number + 1} cannot be cut again: {error.what}",
                where="split.recipe",
                remedy=f"{error.remedy}; or use cross-validation-and-test, which cuts the rows only once",
            ) from None
        outer.append(
            Parts(
                learning=store.put_frame(inside),
                test=store.put_frame(outside),
                folds=store.put_arrays(**inner),
                facts=parts.facts,
                n_folds=n_folds,
            )
        )
    return outer


@stage(job="judge_outer")
def judge_outer(run: Run, outer: list[Outer], metric: str | None, seed: int) -> Ref:
    """The mean score of the inner winners on their outer folds, with its interval."""
    return Ref(**in_worker(run, "judge_outer", outer=outer, metric_name=metric, seed=seed))
