"""Choose among fitted clusterings; where there is no structure, one group is the answer."""

from __future__ import annotations

from pydantic import JsonValue

from penstock.components.clustering.choice import ONE_GROUP, Scores, choose, leaves_number_open
from penstock.components.search.candidates import Candidate
from penstock.components.structure.assess import StructureVerdict
from penstock.components.structure.chooser import Choice
from penstock.problems.clustering.scores import ClusterScores
from penstock.problems.clustering.selection import ClusterFit, ClusterSelection
from penstock.problems.selection import Fitted, Found, Selected, SelectInput, Winner

METRIC = "silhouette"


def select(given: SelectInput) -> Selected:
    """A number of clusters that the pipeline file fixes stands; the gate then hears that there is no structure.

    What the rows decided on (`method`) is the first of the fits, if it could be fitted.
    """
    structure = given.found.read("structure", StructureVerdict)
    fits = [_read(fit) for fit in given.fits]
    decided = _decided(given.found, fits)
    open_number = not fits or leaves_number_open([one.candidate.parameters for one in fits])
    one_group = decided is None and not structure.structured and open_number
    weighed: dict[str, JsonValue] = {}
    if decided:
        position, reason, weighed = 0, decided.reason, decided.evidence
    elif one_group:
        number = max((fit.candidate.number for fit in fits), default=-1) + 1
        position, reason = len(fits), f"one group. {structure.sentence}"
        fits.append(ClusterFit(candidate=Candidate(**ONE_GROUP, number=number), clusters_found=1))
    else:
        position, reason = choose([_scores(one) for one in fits])
    winner = fits[position].candidate
    evidence = ClusterSelection(
        number=winner.number,
        metric=METRIC,
        compared=[one.compared() for one in fits],
        ranked=False,
        added=[winner.number] if one_group else [],
        reason=reason,
        weighed=weighed,
        fits=fits,
        chosen=position,
    )
    component = given.settings.components[winner.name]
    return Selected(Winner(name=winner.name, parameters=winner.parameters, component=component), evidence)


def _read(fit: Fitted) -> ClusterFit:
    (found,) = fit.folds
    scores = found.findings(ClusterScores)
    sample = found.evidence.predicted["cluster"].tolist()
    return ClusterFit(candidate=fit.candidate, clusters_found=scores.clusters_found, scores=scores, sample=sample)


def _decided(found: Found, fits: list[ClusterFit]) -> Choice | None:
    """What the rows decided on, where that could be fitted."""
    if "method" not in found or not fits:
        return None
    choice = found.read("method", Choice)
    return choice if fits[0].candidate.name == choice.method else None


def _scores(one: ClusterFit) -> Scores:
    scores = {} if one.scores is None else one.scores.model_dump()
    return {**scores, "name": one.candidate.name, "parameters": one.candidate.parameters}
