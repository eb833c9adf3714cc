"""Keep columns by adding one after the other."""

from __future__ import annotations

from penstock.components.feature_selection.wrapping import Array, FoldedSelector, Splits, greedy


class ForwardSelector(FoldedSelector):
    """Begin with no column, and add again and again the one that lowers the error on inner folds most.

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
        return greedy(X, y, splits, self.keep, "forward")
