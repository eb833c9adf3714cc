"""K-means on small random batches, for very many rows."""

from __future__ import annotations

from typing import Any, ClassVar

from sklearn import cluster

from penstock.components.clustering.validity import require_rows


class MiniBatchKMeans(cluster.MiniBatchKMeans):  # type: ignore[misc]
    """scikit-learn's; its memory is the rows themselves and one batch."""

    assignment_rule: ClassVar[str] = "the cluster with the nearest centre"

    def _check_params_vs_input(self, X: Any) -> None:
        require_rows(X.shape[0], self.n_clusters)
        super()._check_params_vs_input(X)
