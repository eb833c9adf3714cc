"""Keep columns by dropping one after the other."""

from __future__ import annotations

from penstock.components.feature_selection.wrapping import Array, FoldedSelector, Splits, greedy


class BackwardSelector(FoldedSelector):
    """Begin with all columns, and drop again and again the one without which the error on inner folds is lowest.

    Each column that is still in is tried, and the error is that of the rest: printed is at times that the column with
    the lowest error goes, which would be the best one.

    Parameters
    ----------
    keep : int
        How many columns to keep; all of them, where there are fewer.
    folds : int
        Inner folds of the training rows.
    random_state : int, RandomState or None
        Seed of the inner folds.
    """

    def _search(self, X: Array, y: Array, splits: Splits) -> Array:
        return greedy(X, y, splits, self.keep, "backward")
