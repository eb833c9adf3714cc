"""A challenger and a champion on the same rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.intervals import Interval, paired_interval
from penstock.components.evaluation.metrics import Metric, metric, response_of
from penstock.components.schema import encode_target
from penstock.model import PenstockModel
from penstock.problems.champion import CannotCompare, by_champion
from penstock.problems.comparison import CompareInput
from penstock.problems.rows.groups import groups_of, units_of

Array = np.ndarray[Any, Any]


@dataclass(frozen=True)
class PairedScores:
    """What is true of rows that neither model was trained on, and what both predict for them."""

    metric: Metric
    rows: pd.DataFrame
    y: Array
    challenger: Array
    champion: Array
    groups: Array | None
    weight: Array | None
    seed: int

    @property
    def unit(self) -> str:
        return "rows" if self.groups is None else "groups"

    def units(self, chosen: Array) -> int:
        return units_of(None if self.groups is None else self.groups[chosen], int(chosen.sum()))[0]

    def difference(self, chosen: Array, confidence: float, resamples: int) -> Interval:
        """The challenger's score less the champion's, of the chosen rows."""
        return paired_interval(
            self.metric,
            self.y[chosen],
            self.challenger[chosen],
            self.champion[chosen],
            groups=None if self.groups is None else self.groups[chosen],
            weight=None if self.weight is None else self.weight[chosen],
            seed=self.seed,
            resamples=resamples,
            confidence=confidence,
        )


def paired_scores(given: CompareInput, champion: PenstockModel) -> PairedScores:
    new, fresh = given.model, given.fresh.frame
    schema, weighing = new.schema, new.schema.named("weight")
    groups = groups_of(schema, fresh)
    units, unit = units_of(groups, len(fresh))
    if units < 2:
        raise CannotCompare(f"only {units} of the test {unit} are new to the champion")
    assert schema.target is not None
    deciding = metric(new.card.get("objective") or given.metric, len(schema.classes or []))
    return PairedScores(
        deciding,
        fresh,
        encode_target(fresh[schema.target], schema),
        _predictions(new, fresh, deciding),
        by_champion(lambda: _predictions(champion, fresh, deciding)),
        groups,
        fresh[weighing].to_numpy() if weighing else None,
        given.seed,
    )


def _predictions(model: PenstockModel, frame: pd.DataFrame, metric: Metric) -> Array:
    """Where predictions are scored, those that the model gives by its own rule."""
    if model.schema.classes:
        probabilities = model.predict_proba(frame, enforce=False).to_numpy()
        return response_of(metric, probabilities, model.predictions.decide(probabilities))
    return model.predict(frame, enforce=False).to_numpy()
