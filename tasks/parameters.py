"""What MLflow records of a run's parameters: every value that was in force, also those that nobody gave."""

from __future__ import annotations

from typing import Any

from penstock.components import catalog
from penstock.components.search.preparation_space import flat
from penstock.document.candidates import Member, Tried, Winner
from penstock.spec.pipeline import Spec

# The parts of a pipeline file that change numbers: seed, tie rule, scalings and the like stand in them. The methods'
# own conventions, such as a divisor or whether the intercept is penalised, are among the methods' parameters.
SECTIONS = {"split", "preparation", "features", "search", "decision", "evaluation"}


def of_pipeline(spec: Spec) -> dict[str, Any]:
    """`split.seed: 7`, by the names of the pipeline file, defaults included."""
    sections = spec.model_dump(mode="json", by_alias=True, include=SECTIONS)
    return {f"{section}.{key}": value for section, values in sections.items() for key, value in values.items()}


def of_candidate(candidate: Tried | Winner, problem: str) -> dict[str, Any]:
    """The values of its method's parameters and the preparation that was chosen with it."""
    return {**_of_method(candidate, problem), **flat(candidate.preparation)}


def of_winner(winner: Winner, problem: str) -> dict[str, Any]:
    """As of a candidate; of an ensemble that the search put together, also those of its members."""
    chosen = of_candidate(winner, problem)
    for number, member in enumerate(winner.members, start=1):
        facts = {"method": member.name, "weight": member.weight, **_of_method(member, problem)}
        chosen |= {f"member {number}.{name}": value for name, value in facts.items()}
    return {"winner": winner.name, **{f"winner.{name}": value for name, value in chosen.items()}}


def _of_method(chosen: Tried | Winner | Member, problem: str) -> dict[str, Any]:
    """An ensemble that the search put together is no method of the catalogue: it has what is told of it."""
    if chosen.name not in catalog.entries():
        return dict(chosen.parameters)
    return catalog.settings(chosen.name, chosen.parameters, problem)
