"""The model that a search has chosen, not fitted: a method of the catalogue, or an ensemble of them."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel, ConfigDict

from penstock.components import catalog
from penstock.components.kernels.columns import columns_for
from penstock.components.search.spaces import Parameters


class Method(BaseModel):
    """A method of the catalogue with its parameters."""

    model_config = ConfigDict(frozen=True)

    name: str
    parameters: Parameters = {}


class Member(Method):
    """Of an ensemble, with its weight there. `component`: what it is, for keys."""

    weight: float
    component: dict[str, Any] = {}


class Chosen(Method):
    """A method, or by its `members` an ensemble, whose name is no method's."""

    members: list[Member] = []


def build_chosen(chosen: Chosen, *, seed: int, problem: str) -> Any:
    if not chosen.members:
        return _built(chosen, seed, problem)
    from sklearn.base import is_classifier
    from sklearn.ensemble import VotingClassifier, VotingRegressor

    named = [
        (f"{member.name}-{number}", _built(member, seed, problem)) for number, member in enumerate(chosen.members, 1)
    ]
    weights = [member.weight for member in chosen.members]
    if all(is_classifier(member) for _, member in named):
        return VotingClassifier(named, voting="soft", weights=weights)
    return VotingRegressor(named, weights=weights)


def _built(one: Method, seed: int, problem: str) -> Any:
    return columns_for(catalog.build(one.name, one.parameters, seed=seed, problem=problem))
