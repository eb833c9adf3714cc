"""Which candidates are tried: a batch is asked for, its results are told, until the budget is spent."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any, Literal

from penstock.components.catalog import Problem
from penstock.components.search.candidates import (
    BASELINE,
    CLUSTERS,
    Candidate,
    Method,
    default_methods,
    total_size,
)
from penstock.components.search.strategies import Halving, Listed, Search, Tpe, Trial, in_turn, too_many
from penstock.components.search.treatments import Treatments

Strategy = Literal["random", "grid", "halving", "tpe"]

SYLLABUS = ("proc_grid_or_random_search",)

__all__ = [
    "BASELINE",
    "CLUSTERS",
    "Candidate",
    "Search",
    "Strategy",
    "Treatments",
    "Trial",
    "default_methods",
    "make_search",
]


def make_search(
    choices: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    problem: Problem,
    strategy: Strategy,
    candidates: int,
    batch: int,
    seed: int,
    treatments: Treatments | None = None,
) -> Search:
    """Candidates for the chosen methods. The same choices and seed give the same candidates.

    `choices` are names with the parameters of the pipeline file: a single value is fixed, a list is what to search.
    Without any, the usual methods are tried. `candidates` is the budget, the baseline included. What is drawn for a
    method hangs on its name and the seed alone, so that adding another method leaves it as it was. `treatments` are
    searched together with the methods; the baseline, which looks at no column, keeps their start.
    """
    treatments = treatments or Treatments()
    chosen = dict(choices) or {name: {} for name in default_methods(problem)}
    first = []
    if problem in ("classification", "regression"):
        first = [next(Method(BASELINE, chosen.pop(BASELINE, {}), problem, seed).combinations(treatments))]
    methods = [Method(name, given, problem, seed) for name, given in chosen.items()]
    left = candidates - len(first)
    size = total_size(methods, treatments, grid=strategy == "grid")
    needed = int(size) if strategy == "grid" else len(methods)
    if needed > left:
        raise too_many(strategy, needed + len(first), candidates, " with the baseline" if first else "")
    if strategy == "tpe":
        return Tpe(first, methods, treatments, size, left, seed, batch)
    found = in_turn(
        [method.combinations(treatments) if strategy == "grid" else method.draws(treatments) for method in methods]
    )
    if strategy == "halving":
        return Halving(first, found, size, left, batch)
    return Listed(itertools.chain(first, found), len(first) + int(min(left, size)), batch)
