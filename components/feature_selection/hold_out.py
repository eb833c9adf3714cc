"""Keep the columns that do best on rows that are held out."""

from __future__ import annotations

from numbers import Real
from typing import Any, ClassVar

import numpy as np
from sklearn.model_selection import train_test_split
from sklearn.utils._param_validation import Interval

from penstock.components.feature_selection.ranking import is_quantity
from penstock.components.feature_selection.wrapping import (
    MAX_SUBSETS,
    Array,
    Splits,
    WrapperSelector,
    best_subset,
    count_subsets,
    greedy,
)


class HoldOutSelector(WrapperSelector):
    """Evaluate sets of columns on a held-out part of the training rows: every set, or forward where too many.

    Cheaper than inner folds, and rests on fewer rows.

    Parameters
    ----------
    keep : int, default=5
        Maximum number of columns to keep.
    share : float, default=0.25
        Share of the training rows that is held out.
    random_state : int, RandomState instance or None, default=None
        Seed of the choice of these rows.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.feature_selection.hold_out import HoldOutSelector
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(60, 4))
    >>> y = 3 * X[:, 2] - X[:, 0]
    >>> HoldOutSelector(keep=2, random_state=0).fit(X, y).get_support().tolist()
    [True, False, True, False]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **WrapperSelector._parameter_constraints,
        "share": [Interval(Real, 0, 1, closed="neither")],
    }

    def __init__(self, keep: int = 5, share: float = 0.25, random_state: Any = None) -> None:
        self.keep = keep
        self.share = share
        self.random_state = random_state

    def _splits(self, X: Array, y: Array) -> Splits:
        classes = None if is_quantity(y) or np.unique(y, return_counts=True)[1].min() < 4 else y
        rows = np.arange(len(y))
        fewest = 1 if classes is None else len(np.unique(y))
        held = min(max(fewest, round(self.share * len(y))), len(y) - fewest)
        taught, judging = train_test_split(rows, test_size=held, stratify=classes, random_state=self.random_state)
        return [(taught, judging)]

    def _search(self, X: Array, y: Array, splits: Splits) -> Array:
        if count_subsets(X.shape[1], self.keep) <= MAX_SUBSETS:
            return best_subset(X, y, splits, self.keep)
        return greedy(X, y, splits, self.keep, "forward")
