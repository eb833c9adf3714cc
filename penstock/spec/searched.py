"""What a pipeline file leaves to the search: its methods, and what of the preparation."""

from __future__ import annotations

from typing import Any

from penstock.components.catalog import takes_weights
from penstock.components.search import PreparationSpace, Scope, scope_of
from penstock.problems import find
from penstock.spec.alternatives import named, preparation_steps
from penstock.spec.pipeline import Spec


def preparation_space(spec: Spec) -> PreparationSpace:
    """What of the preparation the search chooses among."""
    alternatives = {
        step: [(choice.name, choice.parameters) for choice in choices]
        for step, choices in preparation_steps(spec.preparation, spec.features).items()
    }
    opened = named(spec.preparation, spec.features) if spec.search.preparation else ()
    return PreparationSpace(alternatives, problem=spec.problem, opened=opened)


def searched_methods(spec: Spec) -> list[tuple[str, dict[str, Any]]]:
    """The models of the pipeline file. Of the usual ones, where it names none, those that can take its weights."""
    if spec.models:
        return [(choice.name, dict(choice.parameters)) for choice in spec.models]
    usual = find(spec.problem).candidates
    return [(name, {}) for name in usual if not spec.data.weighted or takes_weights(name, spec.problem)]


def search_scope(spec: Spec) -> Scope:
    problem = find(spec.problem)
    return scope_of(
        searched_methods(spec),
        problem=problem.name,
        kinds=problem.model_kinds,
        baseline=problem.baseline,
        strategy=spec.search.strategy,
        seed=spec.split.seed,
        preparations=preparation_space(spec),
    )
