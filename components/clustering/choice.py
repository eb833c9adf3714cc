"""Which K within a method, and which method.

1. Within a method, the K with the best BIC if the method has a likelihood (gaussian-mixture) and all columns are
   quantities, otherwise the one with the best silhouette. In a column of zeros and ones a Gaussian can become as narrow
   as its floor allows, so that BIC would ask for ever more clusters. In the silhouette a row that is called noise
   counts as 0: a method that keeps to the densest few rows would win otherwise.
2. A method whose pick does not hold two clusters is out: one cluster of everything is always stable.
3. Between methods BIC cannot be compared. The most stable pick leads; picks whose mean stability is not below the
   leader's interval count as equally stable, and of these the best silhouette wins.
4. Equal values: fewer clusters first, then the candidate that stands first.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from penstock.errors import NoCandidateError

Criterion = Literal["neg_bic", "silhouette"]
Scores = Mapping[str, Any]

# The same partition under other label numbers differs in the last bits, which must not decide.
DIGITS = 9
FEW_LEVELS = 10


ONE_GROUP: dict[str, Any] = {"name": "k-means", "parameters": {"clusters": 1}}
"""What ships where there is no structure: it assigns every row to one group, and still tells outliers."""


def choose(candidates: Sequence[Scores]) -> tuple[int, str]:
    """The position of the best candidate, over all methods and numbers of clusters, and why.

    A candidate has `name` (of the method), `parameters`, what `internal_scores` gave, and `stability` (value, low,
    high); the stability is read of each method's pick alone, so the others may go without.
    """
    methods = list(dict.fromkeys(candidate["name"] for candidate in candidates))
    picks = [pick for method in methods if (pick := _pick(candidates, method)) is not None]
    if not picks and all(candidate.get("clusters_found") == 0 for candidate in candidates):
        raise _only_noise(methods)
    if not picks:
        raise _no_clusters(methods)
    stabilities = {pick: candidates[pick]["stability"] for pick in picks}
    leader = _first(candidates, {pick: stability["value"] for pick, stability in stabilities.items()})
    stable = [pick for pick in picks if stabilities[pick]["value"] >= stabilities[leader]["low"]]
    separations = {pick: value for pick in stable if (value := _value(candidates[pick], "silhouette")) is not None}
    best = _first(candidates, separations)
    return best, _reason(candidates, picks, stable, best)


def separation(scores: Scores) -> float | None:
    """The silhouette that decides: rows that are called noise count as 0."""
    found: float | None = scores.get("silhouette_with_noise", scores.get("silhouette"))
    return found


def leaves_number_open(parameters: Sequence[Mapping[str, Any]]) -> bool:
    """Whether candidates differ in the number of clusters, or find it themselves."""
    asked = {given.get("clusters") for given in parameters}
    return len(asked) > 1 or None in asked


def likelihood_counts(X: NDArray[np.float64]) -> bool:
    """Whether every column holds quantities; a column of a few levels is none (rule 1)."""
    return all(len(np.unique(column)) > FEW_LEVELS for column in X.T)


def _pick(candidates: Sequence[Scores], method: str) -> int | None:
    """The position of the method's best candidate, or None if that is not a clustering."""
    own = [position for position, candidate in enumerate(candidates) if candidate["name"] == method]
    criterion = _criterion(candidates[position] for position in own)
    values = {position: value for position in own if (value := _value(candidates[position], criterion)) is not None}
    if not values:
        return None
    best = _first(candidates, values)
    return best if candidates[best]["silhouette"] is not None else None


def _criterion(scores: Iterable[Scores]) -> Criterion:
    return "neg_bic" if any(one["neg_bic"] is not None for one in scores) else "silhouette"


def _value(scores: Scores, criterion: Criterion) -> float | None:
    found: float | None = scores[criterion]
    return separation(scores) if criterion == "silhouette" else found


def _first(candidates: Sequence[Scores], values: Mapping[int, float]) -> int:
    """The position with the greatest value (rule 4 for equal ones)."""
    return min(values, key=lambda position: (_falling(values[position]), _clusters(candidates[position]), position))


def _clusters(candidate: Scores) -> float:
    return float(candidate["parameters"].get("clusters", math.inf))


def _falling(value: float) -> float:
    return -round(value, DIGITS)


def _reason(candidates: Sequence[Scores], picks: list[int], stable: list[int], best: int) -> str:
    named = f"{_title(candidates[best])}: stability {candidates[best]['stability']['value']:.3f}"
    noise = candidates[best].get("noise_share") or 0.0
    counted = f" with the {noise:.0%} of noise as 0" if noise else ""
    silhouette = f"silhouette {_value(candidates[best], 'silhouette'):.3f}{counted}"
    if len(picks) == 1:
        return f"{named}, {silhouette}; no other method found clusters"
    if len(stable) == 1:
        return f"{named}, the most stable of {len(picks)} methods; {silhouette}"
    rivals = ", ".join(_title(candidates[pick]) for pick in stable if pick != best)
    return f"{named}, as stable as {rivals}; {silhouette}, the highest of these"


def _title(candidate: Scores) -> str:
    parameters = candidate["parameters"]
    return (
        f"{candidate['name']} with {parameters['clusters']} clusters" if "clusters" in parameters else candidate["name"]
    )


def _no_clusters(methods: list[str]) -> NoCandidateError:
    return NoCandidateError(
        "PEN310",
        "no candidate found two clusters in the training rows",
        where=f"models: {', '.join(methods)}",
        remedy="check that the columns in use vary from row to row, list several numbers of clusters, or try other "
        "methods: these find one group only",
    )


def _only_noise(methods: list[str]) -> NoCandidateError:
    return NoCandidateError(
        "PEN322",
        "every candidate calls all training rows noise",
        where=f"models: {', '.join(methods)}",
        remedy="ask for less density (a greater `eps`, a smaller `min_samples` or `min_cluster_size`), or let "
        "`models: auto` look for a method",
    )
