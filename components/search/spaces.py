"""What the parameters of one component can be tried with."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.components.domains import Domain, OneOf, Value

Parameters = dict[str, Any]


class Space:
    """Of a component's parameters those that are fixed, those that are searched, and where the search starts.

    `given` are the parameters of the pipeline file: a single value is fixed, a list is what to search, unless it is one
    value of the parameters in `lists`. `offered` is what is searched beside them. `always_listed`: what a grid goes
    over even where other parameters are listed.
    """

    def __init__(
        self,
        given: Mapping[str, Any],
        offered: Mapping[str, Domain],
        always_listed: Sequence[str] = (),
        lists: Sequence[str] = (),
    ) -> None:
        searched = {key for key, value in given.items() if isinstance(value, list) and key not in lists}
        self.fixed = {key: value for key, value in given.items() if key not in searched}
        self.listed: dict[str, Domain] = {
            key: _listed(value, offered.get(key)) for key, value in given.items() if key in searched
        }
        self.listed |= {key: offered[key] for key in always_listed if key in offered and key not in given}
        self.space = {key: domain for key, domain in {**offered, **self.listed}.items() if key not in self.fixed}
        self.start: Parameters = {key: domain.default for key, domain in self.space.items()} | self.fixed

    def size(self) -> float:
        """How many combinations there are."""
        return math.prod(domain.size() for domain in self.space.values())

    def draw(self, rng: np.random.Generator) -> Parameters:
        return {key: domain.draw(rng) for key, domain in self.space.items()} | self.fixed

    def grid(self) -> Iterator[Parameters]:
        """Every combination of the listed values; without any list, a grid over the whole space."""
        axes = self._axes()
        return (self.start | dict(zip(axes, values, strict=True)) for values in itertools.product(*axes.values()))

    def grid_size(self) -> int:
        return math.prod(len(values) for values in self._axes().values())

    def _axes(self) -> dict[str, Sequence[Value]]:
        return {key: domain.grid() for key, domain in (self.listed or self.space).items()}


def _listed(values: list[Value], domain: Domain | None) -> OneOf:
    """The values that the pipeline file lists; the search starts at the usual one, if it is among them."""
    distinct = {repr(value): value for value in values}
    usual = values[0] if domain is None else domain.default
    return OneOf(tuple(distinct.values()), default=distinct.get(repr(usual), values[0]))
