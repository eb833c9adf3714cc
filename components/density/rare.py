"""Which rows are too unlikely to be of the kind that was trained on."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import clone
from sklearn.model_selection import KFold

Array = np.ndarray[Any, Any]

FOLDS = 5
MIN_ROWS = 20


class FlagsRare:
    """A density that flags rows below a threshold: this share of the training rows lies below it.

    A density is highest where it was trained, so that the threshold is that of rows left out of the fit. Below
    twenty rows there is nothing to leave out.
    """

    rare: float | None
    threshold_: float

    def _learn_threshold(self, X: Array) -> None:
        if self.rare is not None:
            with np.errstate(divide="ignore"):  # a row so far off that its density is none
                self.threshold_ = float(np.quantile(self._unseen(X), self.rare))

    def _unseen(self, X: Array) -> Array:
        if len(X) < max(MIN_ROWS, 2 * getattr(self, "n_components", 1)):
            return np.asarray(self.score_samples(X))  # type: ignore[attr-defined]
        logs = np.empty(len(X))
        for train, left_out in KFold(FOLDS, shuffle=True, random_state=0).split(X):
            logs[left_out] = clone(self).set_params(rare=None).fit(X[train]).score_samples(X[left_out])
        return logs

    def is_outlier(self, X: Any) -> Array:
        """Whether each row is below the threshold."""
        flags: Array = np.asarray(self.score_samples(X)) < self.threshold_  # type: ignore[attr-defined]
        return flags
