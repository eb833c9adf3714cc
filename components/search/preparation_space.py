"""What of the preparation is searched: for each treatment its alternatives, each with its parameters."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from typing import Any

import numpy as np

from penstock.components import catalog
from penstock.components.search.spaces import Parameters, Space

Chosen = dict[str, dict[str, Parameters]]
"""By treatment the chosen component with its parameters, as a pipeline file has it: {"scale": {"robust": {}}}."""

NONE = "none"


class PreparationSpace:
    """The treatments among whose alternatives the search chooses; those that leave no choice are not in it.

    `alternatives` are names with the parameters of the pipeline file, the one to start with first. `opened`:
    treatments of which the catalogue's ranges of the other parameters are searched as well.
    """

    def __init__(
        self,
        alternatives: Mapping[str, Sequence[tuple[str, Mapping[str, Any]]]] | None = None,
        *,
        problem: str = catalog.ANY,
        opened: Collection[str] = (),
    ) -> None:
        self.options: dict[str, dict[str, Space]] = {}
        for step, choices in (alternatives or {}).items():
            options = {name: _space(name, given, problem, step in opened) for name, given in choices}
            if len(options) > 1 or any(option.space for option in options.values()):
                self.options[step] = options

    @property
    def start(self) -> Chosen:
        firsts = {step: next(iter(options.items())) for step, options in self.options.items()}
        return {step: {name: option.start} for step, (name, option) in firsts.items()}

    def size(self) -> float:
        """How many preparations there are."""
        return math.prod(sum(option.size() for option in options.values()) for options in self.options.values())

    def draw(self, rng: np.random.Generator) -> Chosen:
        chosen: Chosen = {}
        for step, options in self.options.items():
            name = list(options)[int(rng.integers(len(options)))]
            chosen[step] = {name: options[name].draw(rng)}
        return chosen

    def grid(self) -> list[Chosen]:
        axes = [
            [(step, {name: parameters}) for name, option in options.items() for parameters in option.grid()]
            for step, options in self.options.items()
        ]
        return [dict(choices) for choices in itertools.product(*axes)]

    def grid_size(self) -> int:
        return math.prod(sum(option.grid_size() for option in options.values()) for options in self.options.values())


def brief(chosen: Chosen) -> str:
    """`robust, no select`: which components, without their parameters."""
    names = {step: name for step, choice in chosen.items() for name in choice}
    return ", ".join(f"no {step}" if name == NONE else name for step, name in names.items())


def flat(chosen: Chosen) -> Parameters:
    """`preparation.scale: robust` and `preparation.scale.unit_variance: True`, as a table of parameters has it."""
    found: Parameters = {}
    for step, choice in chosen.items():
        for name, parameters in choice.items():
            place = f"preparation.{step}"
            found |= {place: name, **{f"{place}.{key}": value for key, value in parameters.items()}}
    return found


def whole(chosen: Chosen) -> str:
    """`scale robust, select mutual-information keep=10`."""
    return ", ".join(
        " ".join([step, name, *(f"{key}={value}" for key, value in parameters.items())])
        for step, choice in chosen.items()
        for name, parameters in choice.items()
    )


def _space(name: str, given: Mapping[str, Any], problem: str, opened: bool) -> Space:
    entry = catalog.find(name)
    offered = entry.space_for(problem)
    listed = {key: domain for key, domain in offered.items() if isinstance(given.get(key), list)}
    return Space(given, offered if opened else listed, lists=entry.lists)
