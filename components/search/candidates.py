"""Candidates, and what a method can be tried with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import numpy as np
from pydantic import BaseModel, ConfigDict

from penstock.components.catalog import MODELS, Problem, check_parameters, find, require_extra
from penstock.components.domains import Domain, OneOf, Value
from penstock.store import Volatile

BASELINE = "dummy"
CLUSTERS = "clusters"
Parameters = dict[str, Any]

_DEFAULTS: dict[Problem, list[str]] = {
    "classification": ["logistic-regression", "random-forest", "hist-gradient-boosting"],
    "regression": ["ridge", "random-forest", "hist-gradient-boosting"],
    "clustering": ["k-means", "gaussian-mixture"],
}


def default_methods(problem: Problem) -> list[str]:
    """What is tried when the pipeline file names no model."""
    return list(_DEFAULTS[problem])


class Candidate(BaseModel):
    """A method with all its parameters, and its number in the search."""

    model_config = ConfigDict(frozen=True)

    name: str
    parameters: Parameters
    number: Annotated[int, Volatile]

    @property
    def label(self) -> str:
        return f"{self.name} #{self.number}"


class Method:
    """One method of the search: what is fixed, what is searched, and where it starts."""

    def __init__(self, name: str, given: Mapping[str, Any], problem: Problem, seed: int) -> None:
        where = f"models: {name}"
        entry = find(name, MODELS, problem, where=where)
        require_extra(entry, where)
        check_parameters(entry, given, where, problem=problem)
        self.name = name
        self.fixed = {key: value for key, value in given.items() if not isinstance(value, list)}
        space = entry.space_for(problem)
        self.listed: dict[str, Domain] = {
            key: _listed(value, space.get(key)) for key, value in given.items() if isinstance(value, list)
        }
        if CLUSTERS in space and CLUSTERS not in given:
            self.listed[CLUSTERS] = space[CLUSTERS]
        self.space = {key: domain for key, domain in (space | self.listed).items() if key not in self.fixed}
        self.start: Parameters = {key: domain.default for key, domain in self.space.items()} | self.fixed
        self.rng = np.random.default_rng([seed, *name.encode()])

    def draws(self) -> Iterator[tuple[str, Parameters]]:
        """The start (of a clusterer, with each number of clusters), then draws, until no combination is left."""
        seen: set[str] = set()
        for parameters in itertools.chain(self._opening(), self._drawn()):
            key = repr(sorted(parameters.items()))
            if key not in seen:
                seen.add(key)
                yield self.name, parameters
            if len(seen) == self.size():
                return

    def size(self) -> float:
        """How many combinations there are."""
        return math.prod(domain.size() for domain in self.space.values())

    def _opening(self) -> list[Parameters]:
        if CLUSTERS in self.space:
            return [self.start | {CLUSTERS: count} for count in self.space[CLUSTERS].grid()]
        return [self.start]

    def _drawn(self) -> Iterator[Parameters]:
        while True:
            yield {key: domain.draw(self.rng) for key, domain in self.space.items()} | self.fixed

    def grid(self) -> Iterator[tuple[str, Parameters]]:
        """Every combination of the listed values, the start first; without any list, a grid over the whole space."""
        axes = self._axes()
        rows = [self.start | dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values())]
        rows.sort(key=lambda row: row != self.start)
        yield from ((self.name, row) for row in rows)

    def grid_size(self) -> int:
        return math.prod(len(values) for values in self._axes().values())

    def _axes(self) -> dict[str, Sequence[Value]]:
        return {key: domain.grid() for key, domain in (self.listed or self.space).items()}


def _listed(values: list[Value], domain: Domain | None) -> OneOf:
    """The values that the pipeline file lists; the search starts at the usual one, if it is among them."""
    distinct = {repr(value): value for value in values}
    usual = values[0] if domain is None else domain.default
    return OneOf(tuple(distinct.values()), default=distinct.get(repr(usual), values[0]))
