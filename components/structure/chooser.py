"""Method and number of clusters without labels: `models: auto`.

1. Rows without structure are one cluster (`assess`).
2. Two kinds of answer are looked for. Compact groups: the Gaussian mixture of least integrated classification
   likelihood, over all shapes of covariance and from two to 150 clusters (`mixtures`). Groups of any shape: the dense
   regions that hang least on how HDBSCAN is set (`densities`).
3. A mixture describes any shape by enough pieces. So the borders of its clusters are looked at: where clusters lie in
   one dense region and no valley parts them, they are pieces of it (`borders`). Where more than `MAX_PIECES` of the
   rows lie in such pieces, and the dense regions are set apart (their density-based validity is above 0), these are the
   answer; otherwise the mixture is.
4. Beyond `MANY_ROWS`, where HDBSCAN would take long, dense regions are asked of k-means and single linkage, and count
   only if these find the same regions.

What is set by hand: `MAX_PIECES`, and two standard errors for a valley (`borders.ERRORS`).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict
from sklearn.metrics import adjusted_rand_score

from penstock.components.clustering.k_means_linkage import KMeansLinkage
from penstock.components.structure.assess import StructureVerdict, assess_structure
from penstock.components.structure.borders import uncut_share
from penstock.components.structure.densities import Dense, steadiest
from penstock.components.structure.mixtures import Mixture, best_mixture
from penstock.components.structure.rows import checked, narrowed, thinned
from penstock.components.structure.validity import density_validity

Floats = NDArray[np.float64]

MAX_ROWS = 5000
MAX_PAIRED = 2000  # rows of which all pairs are looked at
MAX_COLUMNS = 20
MAX_PIECES = 1 / 3
MANY_ROWS = 20_000
GROUPS = 120
THE_SAME = 0.9


class Choice(BaseModel):
    """A method of the catalogue with its parameters, the number of clusters it is expected to find, and why."""

    model_config = ConfigDict(frozen=True)

    method: str
    parameters: dict[str, Any]
    clusters: int
    reason: str
    evidence: dict[str, Any]


def choose_automatically(X: Any, *, seed: int, verdict: StructureVerdict | None = None) -> Choice:
    """The method for the rows of X. `verdict` is what `assess_structure` said of them, if it was asked already."""
    matrix = checked(X)
    verdict = verdict or assess_structure(matrix, seed=seed)
    if verdict.structured:
        return weigh(matrix, seed=seed).choice()
    return Choice(
        method="gaussian-mixture", parameters={"clusters": 1}, clusters=1, reason=verdict.sentence, evidence={}
    )


@dataclass(frozen=True)
class Weighed:
    """Both kinds of answer for so many rows, and what speaks for each (`seen`)."""

    count: int
    mixture: Mixture
    tried: int
    dense: Dense | None
    dense_method: tuple[str, dict[str, Any]] | None
    seen: dict[str, Any]

    def choice(self, most_pieces: float = MAX_PIECES) -> Choice:
        """Rules 3 and 4."""
        shapes = self.dense is not None and self.dense.validity > 0 and self.seen["pieces"] > most_pieces
        if shapes and self.dense and self.dense_method:
            method, parameters = self.dense_method
            clusters = self.dense.clusters
        else:
            method, parameters, clusters = "gaussian-mixture", _parameters(self.mixture), self.mixture.clusters
        reason = _reason(self.seen, self.tried, method != "gaussian-mixture")
        return Choice(method=method, parameters=parameters, clusters=clusters, reason=reason, evidence=self.seen)


def weigh(matrix: Floats, *, seed: int) -> Weighed:
    """Look for compact groups and for dense regions, in a part of the rows where there are many."""
    rng = np.random.default_rng(np.random.SeedSequence([seed, 3]))
    rows = narrowed(matrix[thinned(matrix, MAX_ROWS, rng)], MAX_COLUMNS)
    few = thinned(rows, MAX_PAIRED, rng)
    mixture, tried = best_mixture(rows)
    dense = steadiest(rows[few])
    method = _dense(dense, rows[few], len(matrix), seed) if dense else None
    return Weighed(len(matrix), mixture, len(tried), dense, method, _weighed(rows, few, mixture, dense))


def _weighed(rows: Floats, few: NDArray[np.int64], mixture: Mixture, dense: Dense | None) -> dict[str, Any]:
    """What speaks for the mixture and for the dense regions, on the same rows."""
    compact = mixture.labels[few]
    seen: dict[str, Any] = {
        "mixture": {
            "clusters": mixture.clusters,
            "covariance": mixture.covariance,
            "cost": mixture.cost,
            "validity": density_validity(rows[few], compact),
        },
        "dense": None,
        "agreement": None,
        "pieces": 0.0,
    }
    if dense is not None:
        seen["dense"] = {
            "clusters": dense.clusters,
            "min_cluster_size": dense.min_cluster_size,
            "min_samples": dense.min_samples,
            "steadiness": dense.steadiness,
            "validity": dense.validity,
        }
        seen["agreement"] = float(adjusted_rand_score(compact, dense.labels))
        regions = np.full(len(rows), -1)
        regions[few] = dense.labels
        seen["pieces"] = uncut_share(rows, mixture.labels, regions)
    return seen


def _parameters(mixture: Mixture) -> dict[str, Any]:
    return {
        "clusters": mixture.clusters,
        "covariance_type": mixture.covariance,
        "init_params": "ward",
        "n_init": 1,
    }


def _dense(dense: Dense, rows: Floats, count: int, seed: int) -> tuple[str, dict[str, Any]] | None:
    """A method for all rows, of which `dense` saw some: as many more rows make a cluster, and a neighbourhood."""
    if count <= MANY_ROWS:
        more = count / len(rows)
        sizes = {"min_cluster_size": dense.min_cluster_size, "min_samples": dense.min_samples}
        return "hdbscan", {**{name: max(round(size * more), size) for name, size in sizes.items()}, "noise": "nearest"}
    asked = {"clusters": dense.clusters, "groups": GROUPS, "linkage": "single"}
    linked = KMeansLinkage(dense.clusters, groups=GROUPS, linkage="single", random_state=seed).fit(rows)
    return ("k-means-linkage", asked) if adjusted_rand_score(dense.labels, linked.labels_) >= THE_SAME else None


def _reason(seen: dict[str, Any], tried: int, shapes: bool) -> str:
    mixture, dense = seen["mixture"], seen["dense"]
    compact = f"{mixture['clusters']} clusters explain the rows best, of {tried} mixtures tried"
    if dense is None:
        return f"{compact}; no dense regions stand apart"
    if shapes:
        return (
            f"{dense['clusters']} dense regions of any shape stand apart; the {mixture['clusters']} clusters of the "
            f"best mixture cut them into pieces that no valley parts ({seen['pieces']:.0%} of the rows lie in such)"
        )
    return (
        f"{compact}; {dense['clusters']} dense regions agree with them by {seen['agreement']:.2f}, and "
        f"{seen['pieces']:.0%} of the rows lie in clusters that no valley parts"
    )
