"""What there is to be tried: how many candidates a search needs at least, and how many it will have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Literal, NamedTuple

from penstock.components.search.candidates import Method, total_size
from penstock.components.search.preparation_space import PreparationSpace
from penstock.components.search.strategies import Halving
from penstock.errors import UsageError

Strategy = Literal["random", "grid", "halving", "tpe"]
MIN_FOR_ENSEMBLES = 3


class Scope(NamedTuple):
    """`size`: how many candidates there are beside the baseline, which is tried first where rows are predicted."""

    strategy: Strategy
    baseline: Method | None
    methods: list[Method]
    size: float

    @property
    def needed(self) -> int:
        """The fewest candidates that would do: every combination of a grid, else every method once."""
        return self._first + (int(self.size) if self.strategy == "grid" else len(self.methods))

    def total(self, candidates: int) -> int:
        """How many there will be of this budget."""
        left = candidates - self._first
        drawn = Halving.opening(self.size, left) if self.strategy == "halving" else int(min(left, self.size))
        return self._first + drawn

    @property
    def _first(self) -> int:
        return int(self.baseline is not None)


def scope_of(
    choices: Sequence[tuple[str, Mapping[str, Any]]],
    *,
    problem: str,
    kinds: Sequence[str],
    baseline: str | None,
    strategy: Strategy,
    seed: int,
    preparations: PreparationSpace,
) -> Scope:
    """Of the chosen methods, which are of these kinds, and the baseline; each with what is searched beside."""
    chosen = dict(choices)
    first = None if baseline is None else Method(baseline, chosen.pop(baseline, {}), kinds, problem, seed)
    methods = [Method(name, given, kinds, problem, seed) for name, given in chosen.items()]
    return Scope(strategy, first, methods, total_size(methods, preparations, grid=strategy == "grid"))


def too_many(scope: Scope, candidates: int, folds: int | None = None, where: str = "search.fits") -> UsageError:
    """More candidates are needed than the budget has. `folds`: None while it is not known how many there are."""
    grid = scope.strategy == "grid"
    beside = " with the baseline" if scope.baseline else ""
    fits = f"{scope.needed} times the number of folds"
    if folds is not None:
        fits = f"{scope.needed * folds}, {scope.needed} candidates on {folds} fold{'s' if folds > 1 else ''}"
    return UsageError(
        "PEN013",
        f"{'the grid has' if grid else 'trying every model once takes'} {scope.needed} candidates{beside}, but the "
        f"budget is {candidates}",
        where=where,
        remedy=f"raise search.fits to at least {fits}, or {'list fewer values' if grid else 'name fewer models'}",
    )


def require_members(candidates: int, where: str = "search.ensembles") -> None:
    """An ensemble has two members at least, and the baseline is none."""
    if candidates < MIN_FOR_ENSEMBLES:
        raise UsageError(
            "PEN042",
            f"an ensemble needs two candidates beside the baseline, and this search has {candidates - 1}",
            where=where,
            remedy="name another model, list more values of a parameter, raise search.fits, or leave out ensembles",
        )
