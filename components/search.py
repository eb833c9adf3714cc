"""Which candidates are tried: a batch is asked for, its results are told, until the budget is spent."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any, Literal

import numpy as np
from pydantic import BaseModel, ConfigDict

from penstock.components.catalog import MODELS, Problem, check_parameters, find, require_extra
from penstock.components.domains import Domain, OneOf, Value
from penstock.errors import UsageError
from penstock.store import Volatile

BASELINE = "dummy"
CLUSTERS = "clusters"
Strategy = Literal["random", "grid"]
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


class Search:
    """Candidates for the chosen methods. The same choices and seed give the same candidates.

    `choices` are names with the parameters of the pipeline file: a single value is fixed, a list is what to search.
    Without any, the usual methods are tried. `candidates` is the budget, the baseline included. What is drawn for a
    method hangs on its name and the seed alone, so that adding another method leaves it as it was.
    """

    def __init__(
        self,
        choices: Sequence[tuple[str, Mapping[str, Any]]],
        *,
        problem: Problem,
        strategy: Strategy,
        candidates: int,
        batch: int,
        seed: int,
        baseline: bool = True,
    ) -> None:
        chosen = dict(choices) or {name: {} for name in default_methods(problem)}
        first: list[tuple[str, Parameters]] = []
        if baseline and problem != "clustering":
            first = [next(_Method(BASELINE, chosen.pop(BASELINE, {}), problem, seed).grid())]
        methods = [_Method(name, given, problem, seed) for name, given in chosen.items()]
        left = candidates - len(first)
        if strategy == "grid":
            sources = [method.grid() for method in methods]
            needed = available = sum(method.grid_size() for method in methods)
        else:
            sources = [method.draws() for method in methods]
            needed, available = len(methods), int(min(left, sum(method.size() for method in methods)))
        if needed > left:
            raise _too_many(strategy, needed + len(first), candidates, " with the baseline" if first else "")
        self.total = len(first) + available
        found = itertools.chain(first, itertools.islice(_in_turn(sources), left))
        self._candidates = (
            Candidate(name=name, parameters=parameters, number=number)
            for number, (name, parameters) in enumerate(found)
        )
        self._batch = batch
        self._waiting = 0

    def ask(self) -> list[Candidate]:
        """The next batch; empty when the search is over."""
        if self._waiting:
            raise RuntimeError(f"{self._waiting} candidate(s) were asked for and not told of")
        batch = list(itertools.islice(self._candidates, self._batch))
        self._waiting = len(batch)
        return batch

    def tell(self, results: Sequence[object]) -> None:
        """The results of a batch: the barrier between two batches. Random and grid search learn nothing from them."""
        self._waiting -= len(results)


class _Method:
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


def _in_turn(sources: list[Iterator[tuple[str, Parameters]]]) -> Iterator[tuple[str, Parameters]]:
    """One of each in turn; those that end drop out."""
    while sources:
        for source in list(sources):
            item = next(source, None)
            if item is None:
                sources.remove(source)
            else:
                yield item


def _too_many(strategy: Strategy, needed: int, budget: int, beside: str) -> UsageError:
    grid = strategy == "grid"
    return UsageError(
        "PEN013",
        f"{'the grid has' if grid else 'trying every model once takes'} {needed} candidates{beside}, but the budget "
        f"is {budget}",
        where="search.fits",
        remedy=f"raise search.fits to at least {needed} times the number of folds, or "
        + ("list fewer values" if grid else "name fewer models"),
    )
