"""A challenger and a champion on the same rows."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from penstock.components.evaluation.intervals import Interval, paired_interval
from penstock.components.evaluation.metrics import Metric, answering, metric
from penstock.components.schema import encode_target
from penstock.errors import PenstockError, shorten
from penstock.home.disk import no_space_in
from penstock.model import PenstockModel, load_bundle

Array = np.ndarray[Any, Any]
T = TypeVar("T")

LONGEST_REASON = 200


class CannotCompare(Exception):
    """The champion or the rows stand in the way, for which the challenger is not to blame."""


@dataclass(frozen=True)
class Contest:
    """`measure`: of the chosen rows, the challenger's score less the champion's, with its interval.

    Rows of a group are not independent: there it is groups that count as evidence.
    """

    champion: PenstockModel
    rows: pd.DataFrame
    groups: Array | None
    measure: Callable[[Array, float, int], Interval]

    @property
    def unit(self) -> str:
        return "rows" if self.groups is None else "groups"

    def units(self, chosen: Array) -> int:
        return int(chosen.sum()) if self.groups is None else len(np.unique(self.groups[chosen]))


def contest(new: PenstockModel, champion: Path, fresh: pd.DataFrame, metric_name: str | None, seed: int) -> Contest:
    """Both models' answers for rows that neither has learnt from."""
    old = load_champion(new, champion)
    group, weighing = new.schema.named("group"), new.schema.named("weight")
    groups = pd.factorize(fresh[group])[0] if group else None
    units = len(fresh) if groups is None else len(np.unique(groups))
    if units < 2:
        raise CannotCompare(f"only {units} of the test {'groups' if group else 'rows'} are new to the champion")
    assert metric_name is not None
    assert new.schema.target is not None
    judge = metric(new.card.get("objective") or metric_name, len(new.schema.classes or []))
    y, ours = encode_target(fresh[new.schema.target], new.schema), _predictions(new, fresh, judge)
    theirs = by_champion(lambda: _predictions(old, fresh, judge))
    weight = fresh[weighing].to_numpy() if weighing else None

    def of_predictions(chosen: Array, confidence: float, resamples: int) -> Interval:
        return paired_interval(
            judge,
            y[chosen],
            ours[chosen],
            theirs[chosen],
            groups=None if groups is None else groups[chosen],
            weight=None if weight is None else weight[chosen],
            seed=seed,
            resamples=resamples,
            confidence=confidence,
        )

    return Contest(old, fresh, groups, of_predictions)


def load_champion(new: PenstockModel, champion: Path) -> PenstockModel:
    """The champion, if it answers the same question."""
    try:
        old = load_bundle(champion)
    except PenstockError as error:
        raise CannotCompare(f"the champion cannot be loaded: {error.what}") from error
    if _question(new) != _question(old):
        raise CannotCompare("the champion answers another question: its problem, target or classes differ")
    return old


def _predictions(model: PenstockModel, frame: pd.DataFrame, judge: Metric) -> Array:
    """Where answers are judged, those that the model gives by its own rule."""
    if model.schema.classes:
        probabilities = model.predict_proba(frame, enforce=False).to_numpy()
        return answering(judge, probabilities, model.predictions.decide(probabilities))
    return model.predict(frame, enforce=False).to_numpy()


def by_champion(answer: Callable[[], T]) -> T:
    """An old model may need a column that is gone, or a library that is another one now."""
    try:
        return answer()
    except Exception as error:  # whatever it raises says that it cannot be compared with
        if full := no_space_in(error):
            raise full from error
        why = error.what if isinstance(error, PenstockError) else f"{type(error).__name__}: {error}"
        raise CannotCompare(f"the champion cannot predict these rows: {shorten(why, LONGEST_REASON)}") from error


def _question(model: PenstockModel) -> tuple[Any, ...]:
    return model.schema.problem, model.schema.target, model.schema.classes
