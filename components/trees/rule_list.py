"""A list of rules that a person gives: the first that holds answers."""

from __future__ import annotations

import operator
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.utils import Tags
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.trees.attributes import is_missing
from penstock.components.trees.rule_words import Bound, Written, bind, read_rule
from penstock.errors import did_you_mean

Array = np.ndarray[Any, Any]

_HOLDS: dict[str, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
SILENT = -1
ROUNDING = 1e-9  # one row more is none beside very large weights


class RuleListClassifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Rule list written by hand: predicts by the first rule that applies to a row, as the rules of a pruned tree do.

    The rules are never changed. What is fitted is the class of rows to which no rule applies, and each rule's
    probabilities: the shares of the classes among the training rows that it predicts, each class counted once more than
    it was seen, and the rule's own class at least once more than any other, so that the prediction is the rule's.

    A test is false where the value is missing. Columns of levels may have been one-hot encoded, `plan = pro`; a level
    that no training row has is in no row. A rule for a class of no training row never applies.

    Parameters
    ----------
    rules : list of str, default=()
        As `if outlook = sunny and humidity > 75 then no`, the first ones first; tests are of =, !=, <, <=, > and >=,
        and `if always then no` ends a list.
    otherwise : str, bool, float or None, default=None
        The class of rows to which no rule applies; None takes the most common. True and False stand for yes and no,
        too.
    column_names : list of str or None, default=None
        What the rules call the columns: those of a data frame, or x0, x1 and so on, unless given.
    class_names : list of str or None, default=None
        What the rules call class 0, 1 and so on, where classes are numbers that stand for names.
    level_names : dict or None, default=None
        What the rules call 0, 1 and so on in a column, where its numbers stand for ordered levels.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    tests_ : list
        Of each rule, which column is compared how with what.
    answers_ : ndarray
        Index of each rule's class in `classes_`, then that of the remaining rows; -1: the rule never applies.
    counts_ : ndarray of shape (n_rules + 1, n_classes)
        Weights of the training rows that each rule predicts, then of the remaining ones, by class.

    Examples
    --------
    >>> from penstock.components.trees.rule_list import RuleListClassifier
    >>> rules = ["if x0 > 75 then no", "if x1 = 1 then yes"]
    >>> model = RuleListClassifier(rules, otherwise="no").fit([[80, 1], [60, 1], [60, 0]], ["no", "yes", "no"])
    >>> model.predict([[90, 1], [50, 1], [50, 0]]).tolist()
    ['no', 'yes', 'no']
    >>> model.predict_proba([[50, 1]]).round(2).tolist()
    [[0.33, 0.67]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "rules": [list, tuple],
        "otherwise": [str, bool, int, float, None],
        "column_names": [list, None],
        "class_names": [list, None],
        "level_names": [dict, None],
    }

    def __init__(
        self,
        rules: Sequence[str] = (),
        otherwise: Any = None,
        column_names: list[str] | None = None,
        class_names: list[str] | None = None,
        level_names: dict[str, list[str]] | None = None,
    ) -> None:
        self.rules = rules
        self.otherwise = otherwise
        self.column_names = column_names
        self.class_names = class_names
        self.level_names = level_names

    def _validate_params(self) -> None:
        super()._validate_params()
        self._written()

    def _written(self) -> list[Written]:
        return [_numbered(place, read_rule, str(words)) for place, words in enumerate(self.rules)]

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=None, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        self.classes_, codes = np.unique(y, return_inverse=True)
        names, numeric = self._names(), [_is_numeric(column) for column in X.T]
        written = self._written()
        self.tests_ = [
            [list(_numbered(place, bind, test, names, numeric, self.level_names)) for test in rule.tests]
            for place, rule in enumerate(written)
        ]
        answers = [_numbered(place, self._place_of, rule.prediction) for place, rule in enumerate(written)]
        commonest = int(np.bincount(codes, weight, minlength=len(self.classes_)).argmax())
        last = SILENT if self.otherwise is None else self._place_of(self._otherwise())
        self.answers_ = np.array([*answers, commonest if last == SILENT else last])
        self.counts_ = np.zeros((len(written) + 1, len(self.classes_)))
        np.add.at(self.counts_, (self._first(X), codes), weight)
        return self

    def _names(self) -> list[str]:
        names = self.column_names
        if names is None:
            given = getattr(self, "feature_names_in_", None)
            names = [f"x{j}" for j in range(self.n_features_in_)] if given is None else [str(name) for name in given]
        if len(names) != self.n_features_in_:
            raise ValueError(f"{len(names)} column_names are given for {self.n_features_in_} features")
        return names

    def _otherwise(self) -> str:
        """A pipeline file that says `yes` without quotes says true."""
        if not isinstance(self.otherwise, bool):
            return str(self.otherwise)
        known = self.class_names if self.class_names is not None else self.classes_
        said = ("True", "true", "yes", "Yes") if self.otherwise else ("False", "false", "no", "No")
        return next((word for word in said if word in [str(name) for name in known]), said[0])

    def _place_of(self, prediction: str) -> int:
        """Of a class in `classes_`; `SILENT` where it has a name and no training row."""
        present = [str(one) for one in self.classes_]
        if self.class_names is not None:
            present = [str(self.class_names[int(code)]) for code in self.classes_]
        if prediction in present:
            return present.index(prediction)
        known = present if self.class_names is None else [str(name) for name in self.class_names]
        if prediction in known:
            return SILENT
        raise ValueError(f"there is no class '{prediction}'; {did_you_mean(prediction, known)}")

    def _first(self, X: Array) -> Array:
        """For each row the place of the rule that answers it."""
        chosen = np.full(len(X), len(self.tests_))
        for place in range(len(self.tests_) - 1, -1, -1):
            if self.answers_[place] == SILENT:
                continue
            fires = np.ones(len(X), dtype=bool)
            for test in self.tests_[place]:
                fires &= _holds(Bound(*test), X)
            chosen[fires] = place
        return chosen

    def apply(self, X: Any) -> Array:
        """The place of the rule that answers each row; one beyond the last where none does."""
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=False)
        return self._first(X)

    def predict(self, X: Any) -> Array:
        chosen = self.apply(X)
        return np.asarray(self.classes_[self.answers_[chosen]])

    def predict_proba(self, X: Any) -> Array:
        chosen = self.apply(X)
        counts = self.counts_ + 1
        lines = np.arange(len(counts))
        others = counts.copy()
        others[lines, self.answers_] = 0
        more = others.max(axis=1) * (1 + ROUNDING) + 1
        counts[lines, self.answers_] = np.maximum(counts[lines, self.answers_], more)
        shares = counts / counts.sum(axis=1, keepdims=True)
        return np.asarray(shares[chosen])

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        tags.classifier_tags.poor_score = True  # without rules it answers one class
        return tags


def _numbered(place: int, read: Callable[..., Any], *given: Any) -> Any:
    try:
        return read(*given)
    except ValueError as error:
        raise ValueError(f"rule {place + 1}: {error}") from None


def _is_numeric(column: Array) -> bool:
    if column.dtype.kind != "O":
        return column.dtype.kind in "fiub"
    return all(isinstance(value, int | float) for value in column[~is_missing(column)].tolist())


def _holds(test: Bound, X: Array) -> Array:
    if test.place < 0:
        return np.full(len(X), test.sign == "<=")
    column = X[:, test.place]
    known = ~is_missing(column)
    values = column[known]
    if isinstance(test.value, str):
        values = values.astype(str)
    elif values.dtype.kind not in "fiu":  # a float32 is compared as such: 0.1 is then 0.1
        values = values.astype(float)
    fires = np.zeros(len(X), dtype=bool)
    fires[known] = _HOLDS[test.sign](values, test.value)
    return fires
