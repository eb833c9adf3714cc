"""Does the answer hang on how the numbers were scaled?"""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from sklearn.metrics import adjusted_rand_score

from penstock.components.preprocessing.plan import Plan, Step

Labels = NDArray[np.integer[Any]]

SCALINGS = ("none", "standard", "robust", "min-max")
SAME = 0.8
"""Answers that agree less than this (adjusted Rand) are different answers."""


def rescaled(plan: Plan, scaling: str) -> Plan:
    """The plan of a preparation with another scaling wherever there was one."""
    groups = [group.model_copy(update={"scale": group.scale and Step(name=scaling)}) for group in plan.groups]
    return plan.model_copy(update={"groups": groups})


def scaled_by(plan: Plan) -> list[str]:
    """The scalings that a plan uses; none where no column is scaled."""
    return list(dict.fromkeys(group.scale.name for group in plan.groups if group.scale))


def compare_scalings(labelings: Mapping[str, Labels], chosen: str) -> dict[str, Any]:
    """The adjusted Rand index between the answers of all scalings, and what it means; `chosen` is what ships."""
    agreement = {
        f"{one} and {other}": float(adjusted_rand_score(labelings[one], labelings[other]))
        for one, other in itertools.combinations(labelings, 2)
    }
    with_chosen = {
        name: float(adjusted_rand_score(labelings[chosen], labels))
        for name, labels in labelings.items()
        if name != chosen
    }
    apart = [name for name, value in with_chosen.items() if value < SAME]
    return {
        "chosen": chosen,
        "clusters": {name: _sizes(labels) for name, labels in labelings.items()},
        "agreement": agreement,
        "with_chosen": with_chosen,
        "depends": bool(apart),
        "words": _words(chosen, with_chosen, apart),
    }


def _sizes(labels: Labels) -> dict[str, int]:
    clusters, counts = np.unique(labels, return_counts=True)
    return {str(int(cluster)): int(count) for cluster, count in zip(clusters, counts, strict=True)}


def _words(chosen: str, with_chosen: Mapping[str, float], apart: list[str]) -> str:
    if not with_chosen:
        return "no column is scaled, so that scaling makes no difference"
    if not apart:
        least = min(with_chosen.values())
        return (
            f"the answer does not hang on the scaling: with {_listed(list(with_chosen))} in the place of '{chosen}' "
            f"the adjusted Rand index to it is at least {least:.2f}"
        )
    values = _listed([f"'{name}' {with_chosen[name]:.2f}" for name in apart], quote=False)
    return (
        f"the answer depends on the scaling: it was found with '{chosen}', and with others it is another one (adjusted "
        f"Rand index {values}); decide by what the columns mean which differences should count alike"
    )


def _listed(names: list[str], *, quote: bool = True) -> str:
    names = [f"'{name}'" for name in names] if quote else names
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
