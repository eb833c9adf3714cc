"""Candidates, and what a method can be tried with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, NamedTuple

import numpy as np
from pydantic import BaseModel, ConfigDict

from penstock.components.catalog import check_parameters, find, require_extra
from penstock.components.domains import Domain
from penstock.components.search.preparation_space import Chosen, PreparationSpace, brief
from penstock.components.search.spaces import Parameters, Space
from penstock.store import Volatile

BASELINE = "dummy"
CLUSTERS = "clusters"


class Drawn(NamedTuple):
    """A method with its parameters, and what is chosen of the preparation."""

    name: str
    parameters: Parameters
    preparation: Chosen

    @property
    def key(self) -> str:
        """The same for what is the same, in whatever order its parameters stand."""
        chosen = [
            (name, sorted(below.items())) for choice in self.preparation.values() for name, below in choice.items()
        ]
        return f"{self.name} {sorted(self.parameters.items())!r} {chosen!r}"


class Candidate(BaseModel):
    """A method with all its parameters, what it chose of the preparation, and its number in the search."""

    model_config = ConfigDict(frozen=True)

    name: str
    parameters: Parameters
    preparation: Chosen = {}
    number: Annotated[int, Volatile]

    @property
    def label(self) -> str:
        """`ridge #3`, and where preparations are searched `ridge #3 (robust, no select)`."""
        return f"{self.name} #{self.number}" + (f" ({brief(self.preparation)})" if self.preparation else "")

    @staticmethod
    def of(drawn: Drawn, number: int) -> Candidate:
        return Candidate(**drawn._asdict(), number=number)


class Method(Space):
    """One method of the search: what is fixed, what is searched, and where it starts."""

    def __init__(self, name: str, given: Mapping[str, Any], kinds: Sequence[str], problem: str, seed: int) -> None:
        where = f"models: {name}"
        entry = find(name, kinds, problem, where=where)
        require_extra(entry, where)
        check_parameters(entry, given, where, problem=problem)
        self.name = name
        super().__init__(given, _offered(given, entry.space_for(problem)), always_listed=(CLUSTERS,), lists=entry.lists)
        self.seeds = [seed, *name.encode()]

    def draws(self, preparations: PreparationSpace) -> Iterator[Drawn]:
        """The start (of a clusterer, with each number of clusters), then draws, until no combination is left."""
        seen: set[str] = set()
        for drawn in itertools.chain(self._opening(preparations), self._drawn(preparations)):
            if drawn.key not in seen:
                seen.add(drawn.key)
                yield drawn
            if len(seen) == self.size() * preparations.size():
                return

    def _opening(self, preparations: PreparationSpace) -> Iterator[Drawn]:
        starts = [self.start]
        if CLUSTERS in self.space:
            starts = [self.start | {CLUSTERS: count} for count in self.space[CLUSTERS].grid()]
        return (Drawn(self.name, start, preparations.start) for start in starts)

    def _drawn(self, preparations: PreparationSpace) -> Iterator[Drawn]:
        """What is drawn for the model is the same whatever is searched of the preparation."""
        rng, other = np.random.default_rng(self.seeds), np.random.default_rng([*self.seeds, *b" preparation"])
        while True:
            yield Drawn(self.name, self.draw(rng), preparations.draw(other))

    def combinations(self, preparations: PreparationSpace) -> Iterator[Drawn]:
        """A grid over parameters and preparations, the start first."""
        rows = [
            Drawn(self.name, parameters, chosen)
            for parameters, chosen in itertools.product(self.grid(), preparations.grid())
        ]
        rows.sort(key=lambda row: (row.preparation != preparations.start, row.parameters != self.start))
        yield from rows


def _offered(given: Mapping[str, Any], space: Mapping[str, Domain]) -> dict[str, Domain]:
    """What is left to search: a kernel that is given has no width."""
    return {name: domain for name, domain in space.items() if name != "gamma" or given.get("kernel") != "precomputed"}


def total_size(methods: list[Method], preparations: PreparationSpace, *, grid: bool) -> float:
    """How many candidates there are to be tried at all."""
    if grid:
        return math.fsum(method.grid_size() for method in methods) * preparations.grid_size()
    return math.fsum(method.size() for method in methods) * preparations.size()
