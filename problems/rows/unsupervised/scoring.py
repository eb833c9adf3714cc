"""What a model without a truth to compare with is worth on rows that it has not seen."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from typing import Any, ClassVar

import numpy as np

from penstock.components.evaluation.intervals import Interval
from penstock.components.evaluation.unsupervised.row_scores import RowScores, difference
from penstock.errors import DataError

Array = np.ndarray[Any, Any]


class Scoring(ABC):
    """The scores of a kind of question, by name; each has a label, and the first one decides."""

    labels: ClassVar[Mapping[str, str]]
    floor: ClassVar[str]
    """What a model has to beat, in words: each column by itself, as if no column told anything of another."""

    @property
    def metric(self) -> str:
        return next(iter(self.labels))

    @abstractmethod
    def main(self, model: Any, mean: Array, X: Array, seed: int) -> RowScores:
        """The score that decides. `mean`: of the training rows."""

    def others(self, model: Any, mean: Array, X: Array) -> dict[str, RowScores]:
        return {}

    @abstractmethod
    def of_floor(self, known: Array, X: Array, ours: RowScores) -> RowScores:
        """The main score of what has to be beaten, which learns from the training rows `known`."""

    def all(self, model: Any, mean: Array, X: Array, seed: int) -> dict[str, RowScores]:
        return {self.metric: self.main(model, mean, X, seed), **self.others(model, mean, X)}

    def gain_over_floor(
        self,
        model: Any,
        known: Array,
        X: Array,
        *,
        seed: int,
        groups: Array | None = None,
        confidence: float = 0.95,
    ) -> Interval:
        ours = self.main(model, known.mean(axis=0), X, seed)
        return difference(ours, self.of_floor(known, X, ours), seed=seed, groups=groups, confidence=confidence)


def require_finite_scores(scores: RowScores, name: str) -> None:
    """A model that holds rows for impossible which were found is worth nothing."""
    impossible = int((~np.isfinite(scores.gain)).sum())
    if impossible:
        raise DataError(
            "PEN346",
            f"'{name}' calls {impossible} of {len(scores.gain)} unseen rows impossible",
            where=f"models: {name}",
            remedy="take a wider bandwidth, or a kernel that ends nowhere: gaussian or exponential",
        )
