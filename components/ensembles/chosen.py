"""The model that a search has chosen, not fitted: a method of the catalogue, or an ensemble of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from penstock.components import catalog
from penstock.components.kernels.columns import columns_for


def build_chosen(chosen: Mapping[str, Any], *, seed: int, problem: str) -> Any:
    """`chosen`: name and parameters; of an ensemble also `members`, each with name, parameters and weight."""
    if not chosen.get("members"):
        return _built(chosen, seed, problem)
    from sklearn.base import is_classifier
    from sklearn.ensemble import VotingClassifier, VotingRegressor

    members = [
        (f"{member['name']}-{number}", _built(member, seed, problem))
        for number, member in enumerate(chosen["members"], start=1)
    ]
    weights = [member["weight"] for member in chosen["members"]]
    if all(is_classifier(member) for _, member in members):
        return VotingClassifier(members, voting="soft", weights=weights)
    return VotingRegressor(members, weights=weights)


def _built(one: Mapping[str, Any], seed: int, problem: str) -> Any:
    return columns_for(catalog.build(one["name"], one["parameters"], seed=seed, problem=problem))
