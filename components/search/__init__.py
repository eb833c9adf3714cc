"""Which candidates are tried: a batch is asked for, its results are told, until the budget is spent."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

from penstock.components.search.candidates import BASELINE, CLUSTERS, Candidate
from penstock.components.search.preparation_space import PreparationSpace
from penstock.components.search.scope import Scope, Strategy, require_members, scope_of, too_many
from penstock.components.search.strategies import Halving, Listed, Search, Tpe, Trial, in_turn

__all__ = [
    "BASELINE",
    "CLUSTERS",
    "Candidate",
    "PreparationSpace",
    "Scope",
    "Search",
    "Strategy",
    "Trial",
    "make_search",
    "require_members",
    "scope_of",
    "too_many",
]


def make_search(
    choices: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    problem: str,
    kinds: Sequence[str],
    baseline: str | None,
    strategy: Strategy,
    candidates: int,
    batch: int,
    seed: int,
    preparations: PreparationSpace | None = None,
) -> Search:
    """Candidates for the chosen methods. The same choices and seed give the same candidates.

    `choices` are names with the parameters of the pipeline file: a single value is fixed, a list is what to search.
    `kinds` are those of the catalogue that the methods may be of. `candidates` is the budget, the baseline included.
    What is drawn for a method hangs on its name and the seed alone, so that adding another method leaves it as it was.
    `preparations` are searched together with the methods; the baseline, which looks at no column, keeps their start.
    """
    preparations = preparations or PreparationSpace()
    scope = scope_of(
        choices,
        problem=problem,
        kinds=kinds,
        baseline=baseline,
        strategy=strategy,
        seed=seed,
        preparations=preparations,
    )
    if scope.needed > candidates:
        raise too_many(scope, candidates)
    first = [next(scope.baseline.combinations(preparations))] if scope.baseline else []
    left = candidates - len(first)
    if strategy == "tpe":
        return Tpe(first, scope.methods, preparations, scope.size, left, seed, batch)
    found = in_turn(
        [
            method.combinations(preparations) if strategy == "grid" else method.draws(preparations)
            for method in scope.methods
        ]
    )
    if strategy == "halving":
        return Halving(first, found, scope.size, left, batch)
    return Listed(itertools.chain(first, found), scope.total(candidates), batch)
