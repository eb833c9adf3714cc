"""All criteria by name, and the rule that goes through them in order."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

from penstock.components.number_of_clusters import elbow, gap, likelihood, separation, spectrum, stability, tree
from penstock.components.number_of_clusters.evidence import Evidence
from penstock.components.number_of_clusters.result import Best, CriterionResult
from penstock.errors import UsageError, did_you_mean


@dataclass(frozen=True)
class Criterion:
    """`best`: which end of its scale is the good one, if one is. `says_one`: whether one cluster can be its answer."""

    name: str
    label: str
    evaluate: Callable[[Evidence], CriterionResult]
    summary: str
    best: Best | None = None
    says_one: bool = True
    syllabus: tuple[str, ...] = ()


CRITERIA: dict[str, Criterion] = {
    one.name: one
    for one in (
        Criterion(
            name="elbow",
            label="Spread inside, W(K)",
            evaluate=elbow.elbow,
            summary="Where the spread inside the clusters bends; may be ambiguous.",
            says_one=False,
            syllabus=("choosek-elbow",),
        ),
        Criterion(
            name="kink",
            label="Change of spread, W(K+1) \N{MINUS SIGN} W(K)",
            evaluate=elbow.kink,
            summary="Where what another cluster changes falls off at once; may be ambiguous.",
            says_one=False,
            syllabus=("choosek-elbow",),
        ),
        Criterion(
            name="gap",
            label="Gap(K)",
            evaluate=gap.gap,
            summary="Tighter than clusters of uniform rows; the first K that one more does not clearly improve on.",
            best="greatest",
            syllabus=("choosek-gap",),
        ),
        Criterion(
            name="gap-maximum",
            label="Gap(K)",
            evaluate=gap.gap_maximum,
            summary="Tighter than clusters of uniform rows, by the greatest gap.",
            best="greatest",
            syllabus=("choosek-gap",),
        ),
        Criterion(
            name="silhouette",
            label="Mean silhouette",
            evaluate=separation.silhouette,
            summary="Rows nearer to their own cluster than to the next; below 0.25 it says one.",
            best="greatest",
        ),
        Criterion(
            name="calinski-harabasz",
            label="Calinski-Harabasz",
            evaluate=separation.calinski_harabasz,
            summary="Spread between clusters over spread inside them.",
            best="greatest",
            says_one=False,
        ),
        Criterion(
            name="davies-bouldin",
            label="Davies-Bouldin",
            evaluate=separation.davies_bouldin,
            summary="Overlap of each cluster with the one nearest to it.",
            best="least",
            says_one=False,
        ),
        Criterion(
            name="bic",
            label="BIC",
            evaluate=likelihood.bic,
            summary="Likelihood of Gaussian clusters, with a price that grows with the rows.",
            best="least",
        ),
        Criterion(
            name="aic",
            label="AIC",
            evaluate=likelihood.aic,
            summary="Likelihood of Gaussian clusters, with a fixed price; often more than BIC says.",
            best="least",
        ),
        Criterion(
            name="eigengap",
            label="Gap after the K-th eigenvalue, share",
            evaluate=spectrum.eigengap,
            summary="Parts of the graph of nearest neighbours, of whatever form.",
            best="greatest",
        ),
        Criterion(
            name="dendrogram-gap",
            label="Climb of the merge height",
            evaluate=tree.dendrogram_gap,
            summary="The widest climb in Ward's tree.",
            best="greatest",
            syllabus=("choosek-dendrogram-cut",),
        ),
        Criterion(
            name="stability",
            label="Prediction strength",
            evaluate=stability.stability,
            summary="The most clusters of one half of the rows that are found again in the other.",
        ),
    )
}


def find(name: str) -> Criterion:
    if name not in CRITERIA:
        raise UsageError(
            "PEN344",
            f"there is no criterion for the number of clusters named '{name}'",
            where="number of clusters",
            remedy=did_you_mean(name, list(CRITERIA)),
        )
    return CRITERIA[name]


def evaluate_criteria(evidence: Evidence, names: Iterable[str] = CRITERIA) -> dict[str, CriterionResult]:
    """What each of these criteria says."""
    return {name: find(name).evaluate(evidence) for name in names}


def choose(evidence: Evidence) -> CriterionResult:
    """The bend of the spread where elbow and kink see the same clear one, else the greatest gap."""
    bend, change = elbow.elbow(evidence), elbow.kink(evidence)
    if bend.k is not None and bend.k == change.k:
        return bend
    return gap.gap_maximum(evidence)
