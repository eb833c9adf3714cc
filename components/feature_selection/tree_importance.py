"""Keep the columns that random trees use when they are grown."""

from __future__ import annotations

from numbers import Integral
from typing import Any, ClassVar

import numpy as np
from sklearn.ensemble import ExtraTreesClassifier, ExtraTreesRegressor
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets

from penstock.components.centring import in_own_units
from penstock.components.feature_selection.ranking import RankingSelector, is_quantity

Array = np.ndarray[Any, Any]


class TreeImportanceSelector(RankingSelector):
    """Select the columns with the largest impurity importance in many random trees.

    Parameters
    ----------
    keep : int, default=20
        Number of columns to keep; all of them, where there are fewer.
    trees : int, default=100
        Number of trees.
    random_state : int, RandomState instance or None, default=None
        Seed of the trees.

    Attributes
    ----------
    scores_ : ndarray of shape (n_features_in_,)
        Mean decrease of the impurity, as a share.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.feature_selection.tree_importance import TreeImportanceSelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 3))
    >>> selector = TreeImportanceSelector(keep=1, trees=10, random_state=0).fit(X, X[:, 1] > 0)
    >>> selector.get_support().tolist()
    [False, True, False]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **RankingSelector._parameter_constraints,
        "trees": [Interval(Integral, 1, None, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(self, keep: int = 20, trees: int = 100, random_state: Any = None) -> None:
        self.keep = keep
        self.trees = trees
        self.random_state = random_state

    def _score(self, X: Array, y: Array) -> Array:
        kind = ExtraTreesRegressor
        if is_quantity(y):
            y = in_own_units(y)
        else:
            check_classification_targets(y)
            kind = ExtraTreesClassifier
        # Trees keep half of the digits, and a split does not ask for units.
        forest = kind(self.trees, random_state=self.random_state).fit(in_own_units(X), y)
        return np.asarray(forest.feature_importances_)
