"""One cluster, split in two by 2-means, again and again."""

from __future__ import annotations

from typing import Any, ClassVar, Self

from sklearn import cluster

from penstock.components.clustering.validity import require_rows


class BisectingKMeans(cluster.BisectingKMeans):  # type: ignore[misc]
    """scikit-learn's. Every split hangs on its start, and heights need not fall: the tree is one of many."""

    assignment_rule: ClassVar[str] = "down the tree of splits, each time to the side with the nearer centre"

    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Self:
        super().fit(X, y, sample_weight)
        del self._kmeans_single  # a function, which a saved model should not hold
        return self

    def _check_params_vs_input(self, X: Any) -> None:
        require_rows(X.shape[0], self.n_clusters)
        super()._check_params_vs_input(X)
