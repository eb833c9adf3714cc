"""Keep columns by dropping one after the other."""

from __future__ import annotations

from penstock.components.feature_selection.wrapping import Array, FoldedSelector, Splits, greedy


class BackwardSelector(FoldedSelector):
    """Backward elimination: start with all columns, and drop the one without which the inner folds' error is lowest.

    Each column that is still in is tried, and the error is that of the rest: printed is at times that the column with
    the lowest error goes, which would be the best one.

    Parameters
    ----------
    keep : int, default=5
        Number of columns to keep; all of them, where there are fewer.
    folds : int, default=3
        Number of inner folds of the training rows.
    random_state : int, RandomState instance or None, default=None
        Seed of the inner folds.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.feature_selection.backward import BackwardSelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 4))
    >>> y = 3 * X[:, 2] - X[:, 0]
    >>> BackwardSelector(keep=2, random_state=0).fit(X, y).get_support().tolist()
    [True, False, True, False]
    """

    def _search(self, X: Array, y: Array, splits: Splits) -> Array:
        return greedy(X, y, splits, self.keep, "backward")
