"""Keep the best of all sets of columns."""

from __future__ import annotations

from penstock.components.feature_selection.wrapping import (
    MAX_SUBSETS,
    Array,
    FoldedSelector,
    Splits,
    best_subset,
    count_subsets,
)
from penstock.errors import UsageError


class ExhaustiveSelector(FoldedSelector):
    """Exhaustive selection: tries every set of at most `keep` columns for the lowest error on inner folds.

    Of sets that are equally good the smallest is kept. More than 2000 sets are refused.

    Parameters
    ----------
    keep : int, default=5
        Maximum number of columns of a set.
    folds : int, default=3
        Number of inner folds of the training rows.
    random_state : int, RandomState instance or None, default=None
        Seed of the inner folds.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.feature_selection.exhaustive import ExhaustiveSelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 4))
    >>> y = 3 * X[:, 2] - X[:, 0]
    >>> ExhaustiveSelector(keep=2, random_state=0).fit(X, y).get_support().tolist()
    [True, False, True, False]
    """

    def _search(self, X: Array, y: Array, splits: Splits) -> Array:
        subsets = count_subsets(X.shape[1], self.keep)
        if subsets > MAX_SUBSETS:
            raise UsageError(
                "PEN026",
                f"{X.shape[1]} columns have {subsets:,} sets of at most {self.keep}, and trying {MAX_SUBSETS:,} is "
                "the most",
                where="features.select: exhaustive-selection",
                remedy="choose forward-selection, give a smaller `keep`, or bring in fewer columns",
            )
        return best_subset(X, y, splits, self.keep)
