"""A classifier that decides by a rule of its own."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils._param_validation import HasMethods, Interval, StrOptions
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from penstock.components.decision.calibrator import ProbabilityCalibrator
from penstock.components.evaluation.functions import cheapest

Array = np.ndarray[Any, Any]


def _has_sets(classifier: DecidingClassifier) -> bool:
    return classifier.nonconformity is not None


class DecidingClassifier(ClassifierMixin, MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]
    """A model whose probabilities are calibrated, and whose answers follow a threshold or the costs of errors.

    Parameters
    ----------
    estimator : classifier with predict_proba
        The model; a copy is fitted.
    calibrator : ProbabilityCalibrator, fitted, or None
        Corrects the probabilities.
    threshold : float or None
        Of two classes, the second is answered above this probability; above 1, never.
    ties : {"first", "second"}
        The class that is answered at a probability that is the threshold itself. Books differ; scikit-learn's own
        thresholds answer the second.
    costs : matrix or None
        True classes in rows, answers in columns: the answer of least expected cost is given where there is no
        threshold. Without either, the likeliest class is answered.
    nonconformity : float or None
        A class belongs to the set of a row where 1 less its probability is at most this.

    Attributes
    ----------
    estimator_ : classifier
        The fitted model.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "estimator": [HasMethods(["fit", "predict_proba"])],
        "calibrator": [ProbabilityCalibrator, None],
        "threshold": [Interval(Real, 0, None, closed="left"), None],
        "ties": [StrOptions({"first", "second"})],
        "costs": ["array-like", None],
        "nonconformity": [Interval(Real, 0, 1, closed="both"), None],
    }

    ties: str = "first"  # models saved before there was a choice have none of their own

    def __init__(
        self,
        estimator: Any,
        calibrator: ProbabilityCalibrator | None = None,
        threshold: float | None = None,
        costs: list[list[float]] | None = None,
        nonconformity: float | None = None,
        ties: str = "first",
    ) -> None:
        self.estimator = estimator
        self.calibrator = calibrator
        self.threshold = threshold
        self.costs = costs
        self.nonconformity = nonconformity
        self.ties = ties

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        weighing = {} if sample_weight is None else {"sample_weight": sample_weight}
        self.estimator_ = clone(self.estimator).fit(X, y, **weighing)
        self.classes_ = self.estimator_.classes_
        if self.threshold is not None and len(self.classes_) != 2:
            raise ValueError(
                "Only binary classification is supported. A threshold decides between two classes, and y has "
                f"{len(self.classes_)}"
            )
        if hasattr(self.estimator_, "n_features_in_"):
            self.n_features_in_ = self.estimator_.n_features_in_
        return self

    def predict_proba(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.calibrate(self.estimator_.predict_proba(X))

    def calibrate(self, probabilities: Array) -> Array:
        """What the model's own probabilities are worth."""
        return probabilities if self.calibrator is None else self.calibrator.predict_proba(probabilities)

    def decide(self, probabilities: Array) -> Array:
        """Positions of the answers among the classes."""
        if self.threshold is not None:
            reached = np.greater if self.ties == "first" else np.greater_equal
            return reached(probabilities[:, 1], self.threshold).astype(np.int64)
        if self.costs is not None:
            return cheapest(probabilities, np.asarray(self.costs, dtype=np.float64))
        answers: Array = probabilities.argmax(axis=1)
        return answers

    def predict(self, X: Any) -> Array:
        check_is_fitted(self)
        return self.classes_[self.decide(self.predict_proba(X))]  # type: ignore[no-any-return]

    @available_if(_has_sets)  # type: ignore[untyped-decorator]
    def sets(self, probabilities: Array) -> Array:
        """Which classes each row may be of; the likeliest one always."""
        assert self.nonconformity is not None
        close: Array = 1 - probabilities <= self.nonconformity + 1e-12
        close[np.arange(len(close)), probabilities.argmax(axis=1)] = True
        return close

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags = get_tags(self.estimator).input_tags
        tags.classifier_tags.multi_class = self.threshold is None
        return tags
