"""Find drift: recent rows against what a registered model kept of the rows that made it."""

from __future__ import annotations

import json
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
from penstock.components.evaluation.metrics import default_metric, response_of
from penstock.components.evaluation.metrics import metric as metric_of
from penstock.components.schema import Schema, conform, encode_target, texts
from penstock.errors import DataError
from penstock.model import PenstockModel, load_bundle
from penstock.stage import progress, stage
from penstock.store import Ref, Store

MIN_ROWS = 20
PREDICTION, PROBABILITY = "prediction", "probability_"


@stage(worker=True, cached=False, travels=False)
def find_drift(store: Store, model: Path, kept: tuple[Path, Path], recent: Ref, rate: float, ignore: list[str]) -> Ref:
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
    families += watching.answers()
    families += watching.performance()
    drift = settle(families, rate)
    conformed = conform(received, bundle.schema, strict=False)
    return store.put_facts(
        {
            "rows": len(received),
            "compared_rows": watching.batch_rows,
            "learning_rows": told["learning_rows"],
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
        classes = len(bundle.schema.classes or [])
        named = metric or (default_metric(classes) if bundle.schema.supervised else None)
        self.judge = metric_of(named, classes) if named and bundle.schema.supervised else None
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

    def answers(self) -> list[Family]:
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
            self.sides["answers", name] = before[name], now[name]
        both = pd.concat([before[common], now[common]], ignore_index=True)
        return [compare_predictions(both, windows)]

    def performance(self) -> list[Family]:
        """Where labels have come, the score on them against that on the test rows."""
        target, judge = self.schema.target, self.judge
        if judge is None or target is None or target not in self.received.columns:
            return []
        labelled = self.received[_labelled(self.received[target], self.schema)].reset_index(drop=True)
        if len(labelled) < MIN_ROWS:
            return []
        known = self.reference[self.reference[PART] == TEST]
        (y_before, said_before), (y_now, said_now) = (self._said(rows) for rows in (known, labelled))
        group = self.schema.named("group")
        try:
            scored = {
                name: bootstrap_interval(judge, y, said, groups=_groups(rows, group), seed=self.seed).model_dump()
                for name, y, said, rows in (("test", y_before, said_before, known), ("now", y_now, said_now, labelled))
            }
        except DataError:  # such as the ROC AUC of rows of one class
            return []
        self.scores = {"metric": judge.name, "label": judge.label, "sign": judge.sign, "rows": len(labelled), **scored}
        drawn = sample(labelled, group, MAX_ROWS, self.seed)
        y, said = np.concatenate([y_before, y_now[drawn.index]]), np.concatenate([said_before, said_now[drawn.index]])
        return [compare_scores(judge, y, said, self._windows(known, drawn, group))]

    def described(self, drift: Drift) -> dict[str, Any]:
        document = drift.model_dump()
        for family in document["families"]:
            for one in family["found"]:
                if (family["name"], one["column"]) in self.sides:
                    column = next((known for known in self.schema.columns if known.name == one["column"]), None)
                    levels = column.levels if column is not None and column.role == "ordinal" else None
                    one |= describe(*self.sides[family["name"], one["column"]], one["kind"], levels)
        return document

    def _said(self, rows: pd.DataFrame) -> tuple[Any, Any]:
        """What is true of rows, and what the model says of them now, or was recorded to have said."""
        assert self.schema.target is not None
        assert self.judge is not None
        y = encode_target(rows[self.schema.target], self.schema)
        if not self.schema.classes:
            said = rows[PREDICTION] if PREDICTION in rows.columns else self.bundle.predict(rows, enforce=False)
            return y, said.to_numpy(dtype=float)
        names = [f"{PROBABILITY}{label}" for label in self.schema.classes]
        if set(names) <= set(rows.columns):
            probabilities = rows[names].to_numpy(dtype=float)
        else:
            probabilities = self.bundle.predict_proba(rows, enforce=False).to_numpy()
        return y, response_of(self.judge, probabilities, self.bundle.predictions.decide(probabilities))

    def _windows(self, known: pd.DataFrame, recent: pd.DataFrame, group: str | None) -> Windows:
        groups = None
        if group is not None and group in recent.columns and group in known.columns:
            groups = pd.concat([texts(known[group]), texts(recent[group])], ignore_index=True)
        return windows_of(units_of(groups, len(known) + len(recent)), len(recent), seed=self.seed)


def _labelled(values: pd.Series[Any], schema: Schema) -> pd.Series[bool]:
    if not schema.classes:
        return pd.to_numeric(values, errors="coerce").notna()
    return texts(values).isin([str(text) for text in texts(pd.Series(schema.classes))])


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
