"""Probabilities that come true as often as they say."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.calibration import CalibratedClassifierCV
from sklearn.model_selection import GroupKFold, StratifiedKFold
from sklearn.utils._param_validation import StrOptions

from penstock.components.decision.log_odds import LogOdds

Array = np.ndarray[Any, Any]
PARTS = 5


class ProbabilityCalibrator(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Learns from probabilities of rows that their model had not seen, and from what happened, how to correct them.

    scikit-learn's calibration, on log-odds: a model that is calibrated already is left nearly as it is. Its features
    are probabilities, so that it is no estimator for any table.

    Parameters
    ----------
    method : {"sigmoid", "isotonic", "temperature"}
        A sigmoid for each class; a rising step function for each class; one factor for all log-odds.

    Attributes
    ----------
    calibrated_ : CalibratedClassifierCV
        The fitted calibration.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "method": [StrOptions({"sigmoid", "isotonic", "temperature"})]
    }

    def __init__(self, method: str = "sigmoid") -> None:
        self.method = method

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        """`y`: positions of the columns of X."""
        self._validate_params()
        # Rows as few as these cannot tell probabilities below half a row apart.
        scores = LogOdds(smallest=1 / (2 * len(y)), jointly=self.method == "temperature")
        calibrated = CalibratedClassifierCV(scores, method=self.method, cv=2, ensemble=False)
        self.calibrated_ = calibrated.fit(np.asarray(X, dtype=np.float64), y, sample_weight=sample_weight)
        self.classes_ = calibrated.classes_
        return self

    def predict_proba(self, X: Any) -> Array:
        probabilities: Array = self.calibrated_.predict_proba(np.asarray(X, dtype=np.float64))
        return probabilities

    def predict(self, X: Any) -> Array:
        return self.classes_[self.predict_proba(X).argmax(axis=1)]  # type: ignore[no-any-return]


def cross_fitted(
    method: str, probabilities: Array, y: Array, groups: Array | None, weight: Array | None, seed: int
) -> Array:
    """Each fifth of the rows corrected by what was trained on the others: what the correction does to new rows."""
    folds = (
        StratifiedKFold(PARTS, shuffle=True, random_state=seed).split(probabilities, y)
        if groups is None
        else GroupKFold(min(PARTS, len(np.unique(groups))), shuffle=True, random_state=seed).split(
            probabilities, y, groups
        )
    )
    corrected = probabilities.copy()
    for train, test in folds:
        if np.bincount(y[train], minlength=probabilities.shape[1]).min() < 2:
            continue  # a class whose rows are all in this part: nothing can be learnt from the others
        calibrator = ProbabilityCalibrator(method).fit(
            probabilities[train], y[train], None if weight is None else weight[train]
        )
        corrected[test] = calibrator.predict_proba(probabilities[test])
    return corrected
