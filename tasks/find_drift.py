"""Find drift: recent rows against what a registered model kept of the rows that made it."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.contract import breaches, check_contract
from penstock.components.drift import Drift, compare_inputs, compare_predictions, compare_scores, settle
from penstock.components.drift.compare import Family
from penstock.components.drift.describe import describe
from penstock.components.drift.reference import LEARNING, MAX_ROWS, PART, TEST, sample, unseen_values
from penstock.components.drift.windows import Windows, units_of, windows_of
from penstock.components.evaluation.intervals import bootstrap_interval
from penstock.components.schema import conform, texts
from penstock.errors import DataError
from penstock.model import PenstockModel, load_bundle
from penstock.problems import find
from penstock.problems.outcomes import Outcomes
from penstock.stage import progress, stage
from penstock.store import Ref, Store

MIN_ROWS = 20


DriftFacts = dict[str, Any]
"""For each family, what was compared and what stands out."""


@stage(worker=True, cached=False, travels=False)
def find_drift(
    store: Store, model: Path, kept: tuple[Path, Path], recent: Ref, rate: float, ignore: list[str]
) -> Ref[DriftFacts]:
    """`kept`: sample and facts, as they were registered with the model. `recent`: rows as received, with predictions
    and labels beside them where there are such.
    """
    reference, facts = kept
    bundle, told = load_bundle(model), json.loads(facts.read_bytes())
    received = store.frame(recent)
    _require_rows(received)
    watching = _Watching(bundle, pd.read_parquet(reference), received, told["metric"], told["seed"])
    families = [watching.inputs(ignore)]
    progress(compared="inputs")
    families += watching.predictions()
    families += watching.performance()
    drift = settle(families, rate)
    conformed = conform(received, bundle.schema, strict=False)
    return store.put_facts(
        {
            "rows": len(received),
            "compared_rows": watching.batch_rows,
            "train_rows": told["train_rows"],
            "reference_rows": {part: int((watching.reference[PART] == part).sum()) for part in (LEARNING, TEST)},
            "ignored": sorted(ignore),
            **watching.described(drift),
            "unseen": unseen_values(conformed, told["known"]),
            "broken": breaches(check_contract(conformed, bundle.contract, received=received)),
            "scores": watching.scores,
        }
    )


class _Watching:
    """What is compared, and the values that it is told by afterwards."""

    def __init__(
        self, bundle: PenstockModel, reference: pd.DataFrame, received: pd.DataFrame, metric: str | None, seed: int
    ) -> None:
        self.bundle, self.schema, self.reference, self.seed = bundle, bundle.schema, reference, seed
        self.received = received
        self.metric = metric
        self.scores: dict[str, Any] | None = None
        self.sides: dict[tuple[str, str], tuple[pd.Series[Any], pd.Series[Any]]] = {}
        group = self.schema.named("group")
        self.batch = sample(received.reset_index(drop=True), group, MAX_ROWS, seed)
        self.batch_rows = len(self.batch)

    def inputs(self, ignore: list[str]) -> Family:
        kept = [column for column in self.schema.columns if column.name not in ignore]
        schema = self.schema.model_copy(update={"columns": kept})
        known = self.reference[self.reference[PART] == LEARNING]
        recent = conform(self.batch, schema, strict=False)
        names = [column.name for column in schema.features]
        if not names:
            raise DataError("PEN601", "no column is left to compare", where="--ignore", remedy="ignore fewer columns")
        for name in names:
            self.sides["inputs", name] = known[name], recent[name]
        frame = pd.concat([known[names], recent[names]], ignore_index=True)
        return compare_inputs(frame, schema, self._windows(known, self.batch, self.schema.named("group")))

    def predictions(self) -> list[Family]:
        """Of test rows and recent ones; what was said of the recent ones at the time, where that is known."""
        known = self.reference[self.reference[PART] == TEST]
        if len(known) < MIN_ROWS:
            return []
        predictions = self.bundle.predictions
        before, now = self.bundle.score_frame(known, enforce=False), self.batch
        if predictions.keys or predictions.watched(now).empty:
            now = self.bundle.score_frame(self.batch, enforce=False)
        if predictions.keys:
            windows = self._windows(before, now, predictions.keys[0])
        else:
            windows = self._windows(known, self.batch, self.schema.named("group"))
        before, now = predictions.watched(before), predictions.watched(now)
        common = [name for name in before.columns if name in now.columns]
        if not common:
            return []
        for name in common:
            self.sides["predictions", name] = before[name], now[name]
        both = pd.concat([before[common], now[common]], ignore_index=True)
        return [compare_predictions(both, windows)]

    def performance(self) -> list[Family]:
        """Where labels have come, the score on them against that on the test rows."""
        problem = find(self.schema.problem)
        if not problem.brings("outcomes"):
            return []
        outcomes: Callable[..., Outcomes | None] = problem.function("outcomes")
        now = outcomes(self.bundle, self.received, self.metric)
        if now is None or len(now.rows) < MIN_ROWS:
            return []
        before = outcomes(self.bundle, self.reference[self.reference[PART] == TEST], self.metric)
        return [] if before is None else self._compared(before, now)

    def _compared(self, before: Outcomes, now: Outcomes) -> list[Family]:
        scorer, group = now.metric, self.schema.named("group")
        try:
            scored = {
                name: bootstrap_interval(
                    scorer, side.true, side.predicted, groups=_groups(side.rows, group), seed=self.seed
                ).model_dump()
                for name, side in (("test", before), ("now", now))
            }
        except DataError:  # such as the ROC AUC of rows of one class
            return []
        self.scores = {
            "metric": scorer.name, "label": scorer.label, "sign": scorer.sign, "rows": len(now.rows), **scored,
        }  # fmt: skip
        drawn = sample(now.rows, group, MAX_ROWS, self.seed)
        true = np.concatenate([before.true, now.true[drawn.index]])
        predicted = np.concatenate([before.predicted, now.predicted[drawn.index]])
        return [compare_scores(scorer, true, predicted, self._windows(before.rows, drawn, group))]

    def described(self, drift: Drift) -> dict[str, Any]:
        document = drift.model_dump()
        for family in document["families"]:
            for one in family["found"]:
                if (family["name"], one["column"]) in self.sides:
                    column = next((known for known in self.schema.columns if known.name == one["column"]), None)
                    levels = column.levels if column is not None and column.role == "ordinal" else None
                    one |= describe(*self.sides[family["name"], one["column"]], one["kind"], levels)
        return document

    def _windows(self, known: pd.DataFrame, recent: pd.DataFrame, group: str | None) -> Windows:
        groups = None
        if group is not None and group in recent.columns and group in known.columns:
            groups = pd.concat([texts(known[group]), texts(recent[group])], ignore_index=True)
        return windows_of(units_of(groups, len(known) + len(recent)), len(recent), seed=self.seed)


def _groups(rows: pd.DataFrame, group: str | None) -> Any:
    return pd.factorize(rows[group])[0] if group in rows.columns else None


def _require_rows(received: pd.DataFrame) -> None:
    if len(received) < MIN_ROWS:
        raise DataError(
            "PEN602",
            f"{len(received)} row(s) tell nothing of drift",
            where="the recent rows",
            remedy=f"gather at least {MIN_ROWS}, for instance the rows of a whole week",
        )
