"""What else speaks for the number of clusters, and where candidates agree."""

from __future__ import annotations

import numpy as np
from scipy.cluster.hierarchy import linkage
from scipy.spatial.distance import pdist

from penstock.components.dimensionality_reduction.described import spectrum
from penstock.components.number_of_clusters import Evidence, draw, evaluate_criteria
from penstock.components.number_of_clusters.evidence import Floats
from penstock.components.plots.features import scree
from penstock.components.plots.number_of_clusters import criteria_figure, criterion_figure
from penstock.components.plots.output import to_svg
from penstock.components.plots.structure import consensus_matrix, dendrogram
from penstock.components.structure.consensus import consensus
from penstock.problems.clustering.sections import Consensus, Criterion, NumberOfClusters
from penstock.problems.clustering.selection import ClusterFit, ClusterSelection
from penstock.problems.fits import Prepared
from penstock.problems.training import Explained
from penstock.stage import stage
from penstock.store import Ref, Store

USUAL_CLUSTERS, MAX_CLUSTERS = 8, 12
MAX_ROWS = 500
FLAT = 2
SHOWN_LARGE = ("elbow", "gap")


@stage(worker=True, libraries=("matplotlib",))
def study_clusters(store: Store, prepared: Prepared, evidence: Ref[ClusterSelection], seed: int) -> Explained:
    """Every criterion's number of clusters, the agreement of the candidates; and the pictures of both."""
    matrix = np.asarray(store.matrix(prepared.train))
    chosen = store.facts(evidence)
    clusters = chosen.winning_fit.clusters_found or 1
    rows = matrix[draw(matrix, seed, MAX_ROWS)]
    most = min(max(USUAL_CLUSTERS, clusters + 2), MAX_CLUSTERS, len(rows) // 2)
    seen = Evidence(rows, range(1, most + 1), seed=seed)
    criteria = evaluate_criteria(seen)
    figures = {name: criterion_figure(criteria[name]) for name in SHOWN_LARGE}
    figures |= {"criteria": criteria_figure(criteria), "dendrogram": dendrogram(_trees(seen), clusters)}
    if matrix.shape[1] > 1:
        found = spectrum(matrix, FLAT, None)
        said_of = f"Two directions hold {found['explained'][FLAT - 1]:.0%} of how the rows vary"
        figures["directions"] = scree(found, said_of)
    agreement = None
    labels = {name: np.array(found) for name, found in _samples(chosen).items()}
    if len(labels) > 1:
        agreed = consensus(labels, seed=seed)
        figures["consensus_matrix"] = consensus_matrix(agreed.together, agreed.names, agreed.overall)
        agreement = Consensus(
            names=agreed.names, overall=agreed.overall, with_others=agreed.with_others, words=agreed.sentence
        )
    study = NumberOfClusters(
        criteria={name: Criterion.model_validate(result.model_dump(mode="json")) for name, result in criteria.items()},
        votes=_votes([result.k for result in criteria.values()]),
        clusters=clusters,
        consensus=agreement,
    )
    return Explained.of(store, study, {name: to_svg(figure) for name, figure in figures.items()})


def _trees(seen: Evidence) -> dict[str, Floats]:
    distances = pdist(seen.X)
    return {"ward": seen.tree, **{name: linkage(distances, name) for name in ("complete", "average", "single")}}


def _votes(numbers: list[int | None]) -> dict[str, int]:
    """How many criteria name each number of clusters."""
    named = [number for number in numbers if number is not None]
    return {str(number): named.count(number) for number in sorted(set(named))}


def _samples(chosen: ClusterSelection) -> dict[str, list[int]]:
    """The labels that each method's best candidate gave the same rows; all candidates where there is one method."""
    values = [(fit, value) for fit in chosen.fits if fit.sample and (value := fit.separation) is not None]
    best: dict[str, tuple[ClusterFit, float]] = {}
    for fit, value in values:
        name = fit.candidate.name
        if name not in best or value > best[name][1]:
            best[name] = fit, value
    compared = [fit for fit, _ in (best.values() if len(best) > 1 else values)]
    return {f"{fit.candidate.name} #{fit.candidate.number}": fit.sample for fit in compared}
