"""ID3: a branch for every level, the question that saves most impurity first."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin
from sklearn.model_selection import train_test_split
from sklearn.utils import Tags, check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.stats import _weighted_percentile
from sklearn.utils.validation import _check_sample_weight, check_is_fitted, validate_data

from penstock.components.trees.attributes import MISSING, encode, is_missing, levels_of
from penstock.components.trees.descent import descend
from penstock.components.trees.growing import Fragments, Tree, grow
from penstock.components.trees.pruning import reduced_error
from penstock.components.trees.rules import Question, Rule, first_that_fires, formulas, rules_of, shortened

Array = np.ndarray[Any, Any]


class ID3Classifier(ClassifierMixin, BaseEstimator):  # type: ignore[misc]
    """Quinlan's ID3 decision tree, with thresholds for numbers, missing values, and pruning.

    A node splits by the column that decreases impurity most; a column of levels has one branch for each, and is not
    used again further down; a column of numbers is cut in two, between neighbouring values of different classes. Of
    equals the first wins. Nothing is ever taken back, but by pruning.

    Parameters
    ----------
    impurity : {"entropy", "gini", "misclassification"}, default="entropy"
        Impurity of a node; the entropy is in bits.
    missing : {"fractional", "mode", "class-mode"}, default="fractional"
        A row without a value goes down every branch in parts that weigh as much as the branches do in the training
        rows; or it gets the most common level (the median of numbers), in training rows that of its class.
    pruning : {"none", "reduced-error", "rules"}, default="none"
        Both prunings grow the tree without a share of the training rows, and validate on these. "rules" turns the paths
        into a list of rules, shortens each, and predicts by the first one that applies, else the most common class. A
        shortened rule keeps the probabilities of its leaf, in which its class leads: the report shows those of its
        rows.
    validation : float, default=0.25
        Share of the training rows that pruning validates on.
    max_depth : int or None, default=None
        Maximum depth; None sets no limit.
    min_samples_leaf : int, default=1
        Minimum number of rows of a leaf. Rows count by their weight, those that weigh less than one as whole.
    few : int, default=10
        A column of at most this many different whole numbers is one of levels.
    random_state : int, RandomState instance or None, default=None
        Seed of the choice of validation rows.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels.
    tree_ : dict of ndarray
        The nodes: attribute (-1: a leaf), threshold, children, fractions, counts.
    levels_ : list
        The levels of each column; None where it holds numbers.
    validation_rows_ : ndarray
        Indices of the training rows that pruning validated on; empty without pruning.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.trees.id3 import ID3Classifier
    >>> X = np.array([["sunny", "hot"], ["sunny", "mild"], ["rain", "hot"], ["rain", "mild"]], dtype=object)
    >>> model = ID3Classifier().fit(X, ["no", "no", "yes", "yes"])
    >>> model.tree_["attribute"].tolist()
    [0, -1, -1]
    >>> model.predict([["rain", "hot"]]).tolist()
    ['yes']
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "impurity": [StrOptions({"entropy", "gini", "misclassification"})],
        "missing": [StrOptions({"fractional", "mode", "class-mode"})],
        "pruning": [StrOptions({"none", "reduced-error", "rules"})],
        "validation": [Interval(Real, 0, 1, closed="neither")],
        "max_depth": [Interval(Integral, 1, None, closed="left"), None],
        "min_samples_leaf": [Interval(Integral, 1, None, closed="left")],
        "few": [Interval(Integral, 0, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        impurity: str = "entropy",
        missing: str = "fractional",
        pruning: str = "none",
        validation: float = 0.25,
        max_depth: int | None = None,
        min_samples_leaf: int = 1,
        few: int = 10,
        random_state: Any = None,
    ) -> None:
        self.impurity = impurity
        self.missing = missing
        self.pruning = pruning
        self.validation = validation
        self.max_depth = max_depth
        self.min_samples_leaf = min_samples_leaf
        self.few = few
        self.random_state = random_state

    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=None, ensure_all_finite="allow-nan")
        check_classification_targets(y)
        weight = _check_sample_weight(sample_weight, X, ensure_non_negative=True)
        self.classes_, codes = np.unique(y, return_inverse=True)
        codes = codes[weight > 0]
        X, weight = X[weight > 0], weight[weight > 0]
        self.levels_ = [levels_of(column, self.few) for column in X.T]
        values = self._encoded(X)
        self.fills_ = [_usual(*parts, weight) for parts in zip(values, self.levels_, strict=True)]
        if self.missing == "class-mode":
            every = zip(values, self.levels_, self.fills_, strict=True)
            values = [_filled_by_class(*parts, codes, weight) for parts in every]
        elif self.missing == "mode":
            values = self._filled(values)

        grows, asked = self._held_out(codes)
        self.validation_rows_ = asked
        tree = grow(
            [column[grows] for column in values],
            self.levels_,
            codes[grows],
            weight[grows],
            n_classes=len(self.classes_),
            impurity=self.impurity,  # type: ignore[arg-type]
            max_depth=self.max_depth,
            min_samples_leaf=self._fewest(weight),
        )
        judging = [column[asked] for column in values]
        if self.pruning == "reduced-error" and len(asked):
            tree = reduced_error(tree, judging, self.levels_, codes[asked], weight[asked])
        self.tree_ = dict(vars(tree))
        self.rules_: list[Any] = []
        if self.pruning == "rules":
            rules = rules_of(tree)
            if len(asked):
                rules = shortened(rules, judging, codes[asked], weight[asked])
            self.rules_ = [_flat(rule) for rule in rules]
        return self

    def _fewest(self, weight: Array) -> float:
        """What a leaf must weigh: a row twice is two, but weights that sum to one must not forbid every leaf."""
        whole = weight.min() if self.min_samples_leaf == 1 else weight.mean()
        return float(self.min_samples_leaf * min(1.0, whole))

    def _held_out(self, codes: Array) -> tuple[Array, Array]:
        """Rows that grow the tree, and training rows that prune it; with all classes in both, if there are enough."""
        rows = np.arange(len(codes))
        if self.pruning == "none" or len(codes) < 2:
            return rows, rows[:0]
        seed = check_random_state(self.random_state).randint(2**31 - 1)
        held = max(1, round(self.validation * len(codes)))
        counts = np.bincount(codes)
        can = counts[counts > 0].min() >= 2 and min(held, len(codes) - held) >= len(counts[counts > 0])
        grows, asked = train_test_split(rows, test_size=held, stratify=codes if can else None, random_state=seed)
        return np.sort(grows), np.sort(asked)

    def predict(self, X: Any) -> Array:
        """The class that most of a row's fragments end in."""
        values, n_rows = self._checked(X)
        if self.rules_:
            votes = self._by_rules(values, n_rows)
        else:
            tree = self._tree()
            ended, _ = descend(tree, values, self.levels_, n_rows)
            votes = _summed(ended, np.eye(len(self.classes_))[tree.labels], n_rows)
        return np.asarray(self.classes_[votes.argmax(axis=1)])

    def predict_proba(self, X: Any) -> Array:
        """The shares of the classes in the leaves, by the weight of the fragments that end there."""
        values, n_rows = self._checked(X)
        if self.rules_:
            return self._by_rules(values, n_rows)
        tree = self._tree()
        ended, _ = descend(tree, values, self.levels_, n_rows)
        shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
        found = _summed(ended, shares, n_rows)
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def explain(self, names: Any = None) -> dict[str, str]:
        """For each class, when the tree answers with it; of a pruned list of rules, the rules of each class."""
        check_is_fitted(self)
        told = [str(name) for name in names] if names is not None else [f"x{j}" for j in range(self.n_features_in_)]
        rules = [_rule(flat) for flat in self.rules_] or rules_of(self._tree())
        return formulas(rules, told, self.levels_, list(self.classes_))

    def deciding_rules(self, X: Any) -> Array:
        """Of a pruned list of rules, the place of the one that answers each row; -1 where none speaks of it."""
        return self._first_rules(*self._checked(X))

    def _first_rules(self, values: list[Array], n_rows: int) -> Array:
        return first_that_fires([_rule(flat) for flat in self.rules_], values, n_rows)

    def _by_rules(self, values: list[Array], n_rows: int) -> Array:
        tree = self._tree()
        shares = tree.counts / tree.counts.sum(axis=1, keepdims=True)
        chosen = self._first_rules(values, n_rows)
        leaves = np.array([node for _, _, node in self.rules_])
        return np.asarray(np.where((chosen >= 0)[:, None], shares[leaves[chosen]], shares[0]))

    def _tree(self) -> Tree:
        check_is_fitted(self)
        tree = Tree(**self.tree_)
        tree.require_no_cycles()
        return tree

    def _checked(self, X: Any) -> tuple[list[Array], int]:
        check_is_fitted(self)
        X = validate_data(self, X, dtype=None, ensure_all_finite="allow-nan", reset=False)
        values = self._encoded(X)
        return (values if self.missing == "fractional" else self._filled(values)), len(X)

    def _encoded(self, X: Array) -> list[Array]:
        return [encode(column, levels) for column, levels in zip(X.T, self.levels_, strict=True)]

    def _filled(self, values: list[Array]) -> list[Array]:
        filled = zip(values, self.levels_, self.fills_, strict=True)
        return [np.where(_lacking(column, levels), fill, column) for column, levels, fill in filled]

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.categorical = True
        tags.input_tags.string = True
        return tags


def _summed(ended: Fragments, of_node: Array, n_rows: int) -> Array:
    """What the nodes hold where a row's fragments end, by their weight."""
    assert ended.weight is not None
    parts = [np.bincount(ended.row, ended.weight * column[ended.node], minlength=n_rows) for column in of_node.T]
    return np.stack(parts, axis=1)


def _lacking(column: Array, levels: list[Any] | None) -> Array:
    return is_missing(column) if levels is None else column == MISSING


def _usual(column: Array, levels: list[Any] | None, weight: Array) -> Any:
    """What fills a gap: the commonest level, or the median; nothing where there is nothing to go by."""
    known = ~_lacking(column, levels)
    present, by = column[known], weight[known]
    if not len(present):
        return MISSING  # such a column has no levels
    if levels is None:
        by = np.ldexp(by, -np.frexp(by.max())[1])  # tiny weights would vanish
        return 2 * float(_weighted_percentile(present / 2, by, 50, average=True))  # two halves never overflow
    return int(np.bincount(present, by).argmax())


def _filled_by_class(column: Array, levels: list[Any] | None, fill: Any, codes: Array, weight: Array) -> Array:
    filled = column.copy()
    lacking = _lacking(column, levels)
    for code in np.unique(codes[lacking]):
        same = codes == code
        has_some = (same & ~lacking).any()
        filled[same & lacking] = _usual(column[same], levels, weight[same]) if has_some else fill
    return filled


def _flat(rule: Rule) -> list[Any]:
    """Lists of numbers and words: what a model file may hold."""
    return [[list(test) for test in rule.tests], rule.label, rule.node]


def _rule(flat: list[Any]) -> Rule:
    tests, label, node = flat
    return Rule(tuple(Question(*test) for test in tests), label, node)
