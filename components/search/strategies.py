"""How candidates are found: batch by batch, each told of before the next is asked for."""

from __future__ import annotations

import itertools
import math
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from penstock.components.domains import Domain, Float, Int, OneOf
from penstock.components.search.candidates import Candidate, Drawn, Method
from penstock.components.search.preparation_space import Chosen, PreparationSpace
from penstock.components.search.spaces import Parameters, Space


class Trial(NamedTuple):
    """A candidate, and the share of the training rows that it is fitted on."""

    candidate: Candidate
    share: float = 1.0


class Search(ABC):
    """`total`: how many candidates there will be. A batch is asked for, and its scores are told, until none is left."""

    total: int

    def __init__(self, batch: int) -> None:
        self._batch = batch
        self._waiting = 0

    def ask(self) -> list[Trial]:
        """The next batch; empty when the search is over."""
        if self._waiting:
            raise RuntimeError(f"{self._waiting} candidate(s) were asked for and not told of")
        batch = self._next(self._batch)
        self._waiting = len(batch)
        return batch

    def tell(self, scores: Sequence[float | None]) -> None:
        """The scores of the batch, in its order; None of a candidate that failed."""
        self._waiting -= len(scores)

    @property
    def foreseen(self) -> bool:
        """Whether the next batch is the same whatever scores were told."""
        return False

    @abstractmethod
    def _next(self, size: int) -> list[Trial]: ...


class Listed(Search):
    """Candidates that are known beforehand: random draws or a grid. What is told changes nothing."""

    def __init__(self, found: Iterator[Drawn], total: int, batch: int) -> None:
        super().__init__(batch)
        self.total = total
        self._trials = (
            Trial(Candidate.of(drawn, number)) for number, drawn in enumerate(itertools.islice(found, total))
        )

    @property
    def foreseen(self) -> bool:
        return True

    def _next(self, size: int) -> list[Trial]:
        return list(itertools.islice(self._trials, size))


class Halving(Search):
    """Successive halving: many candidates on few rows, the best third of them on three times as many, and so on.

    The candidates of all rounds together cost as much as `budget` of them on all rows. The baseline goes through every
    round, so that it stands beside the others in the last one.
    """

    FACTOR = 3
    ROUNDS = 3

    def __init__(
        self, first: Sequence[Drawn], found: Iterator[Drawn], available: float, budget: int, batch: int
    ) -> None:
        super().__init__(batch)
        drawn = [*first, *itertools.islice(found, self.opening(available, budget))]
        self._spared = len(first)
        self._round = 0
        self._going = [Candidate.of(one, number) for number, one in enumerate(drawn)]
        self.total = len(self._going)
        self._scores: list[float | None] = []

    @classmethod
    def opening(cls, available: float, budget: int) -> int:
        """How many begin, so that all rounds together cost as much as the budget."""
        return max(1, int(min(available, budget * cls.FACTOR ** (cls.ROUNDS - 1) // cls.ROUNDS)))

    @property
    def foreseen(self) -> bool:
        return self._round == 0 and len(self._scores) < len(self._going)

    def _next(self, size: int) -> list[Trial]:
        if self._scores and len(self._scores) == len(self._going):
            self._halve()
        share = self.FACTOR ** (self._round - self.ROUNDS + 1)
        start = len(self._scores)
        return [Trial(candidate, float(share)) for candidate in self._going[start : start + size]]

    def tell(self, scores: Sequence[float | None]) -> None:
        super().tell(scores)
        self._scores += scores

    def _halve(self) -> None:
        self._round += 1
        if self._round == self.ROUNDS:
            self._going = []
        else:
            contestants = range(self._spared, len(self._going))
            kept = math.ceil(len(contestants) / self.FACTOR)
            best = sorted(contestants, key=lambda place: _worth(self._scores[place]), reverse=True)[:kept]
            self._going = self._going[: self._spared] + [self._going[place] for place in sorted(best)]
        self._scores = []


class Tpe(Search):
    """Optuna's tree-structured Parzen estimator over the method, its parameters and the preparation.

    A whole batch is suggested before any of it is told, so that the suggestions do not hang on the number of workers.
    What is known of a preparation counts for all methods.
    """

    TRIES = 20

    def __init__(
        self,
        first: Sequence[Drawn],
        methods: Sequence[Method],
        preparations: PreparationSpace,
        available: float,
        budget: int,
        seed: int,
        batch: int,
    ) -> None:
        import optuna

        super().__init__(batch)
        optuna.logging.set_verbosity(optuna.logging.ERROR)
        sampler = optuna.samplers.TPESampler(seed=seed)
        self._study = optuna.create_study(direction="maximize", sampler=sampler)
        self._methods = {method.name: method for method in methods}
        self._preparations = preparations
        self._first = list(first)
        start: dict[str, Any] = {}
        for step, choice in preparations.start.items():
            ((option, parameters),) = choice.items()
            prefix = _prefix(step)
            start |= {prefix: option}
            start |= _as_suggested(f"{prefix}.{option}", parameters, preparations.options[step][option])
        for method in methods:
            opening = {"method": method.name, **_as_suggested(method.name, method.start, method)}
            self._study.enqueue_trial({**opening, **start})
        self.total = len(first) + int(min(available, budget))
        self._number = 0
        self._seen: dict[str, float | None] = {}
        self._asked: list[Any] = []

    def _next(self, size: int) -> list[Trial]:
        batch: list[Trial] = []
        while len(batch) < size and self._number < self.total:
            if self._first:
                trial, drawn = None, self._first.pop(0)
            else:
                found = self._suggest()
                if found is None:
                    break
                trial, drawn = found
            self._asked.append((trial, drawn.key))
            batch.append(Trial(Candidate.of(drawn, self._number)))
            self._number += 1
        return batch

    def tell(self, scores: Sequence[float | None]) -> None:
        from optuna.trial import TrialState

        super().tell(scores)
        for (trial, key), score in zip(self._asked, scores, strict=True):
            self._seen[key] = score
            if trial is not None and score is not None and math.isfinite(score):
                self._study.tell(trial, score)
            elif trial is not None:
                self._study.tell(trial, state=TrialState.FAIL)
        self._asked = []

    def _suggest(self) -> tuple[Any, Drawn] | None:
        """A combination that was not tried before; None when the sampler offers no other."""
        from optuna.trial import TrialState

        waiting = {key for _, key in self._asked}
        for _ in range(self.TRIES):
            trial = self._study.ask()
            name = trial.suggest_categorical("method", list(self._methods))
            drawn = Drawn(name, _parameters(trial, name, self._methods[name]), self._preparation(trial))
            if drawn.key not in self._seen and drawn.key not in waiting:
                return trial, drawn
            known = self._seen.get(drawn.key)
            if known is not None and math.isfinite(known):
                self._study.tell(trial, known)
            else:
                self._study.tell(trial, state=TrialState.FAIL)
        return None

    def _preparation(self, trial: Any) -> Chosen:
        chosen: Chosen = {}
        for step, options in self._preparations.options.items():
            prefix = _prefix(step)
            name = trial.suggest_categorical(prefix, list(options))
            chosen[step] = {name: _parameters(trial, f"{prefix}.{name}", options[name])}
        return chosen


def in_turn(sources: list[Iterator[Drawn]]) -> Iterator[Drawn]:
    """One of each in turn; those that end drop out."""
    while sources:
        for source in list(sources):
            item = next(source, None)
            if item is None:
                sources.remove(source)
            else:
                yield item


def _prefix(step: str) -> str:
    return f"preparation.{step}"


def _as_suggested(prefix: str, start: Parameters, space: Space) -> dict[str, Any]:
    """Parameters as the study knows them. Listed values go by their place: Optuna takes texts and numbers only."""
    return {
        f"{prefix}.{key}": domain.values.index(start[key]) if isinstance(domain, OneOf) else start[key]
        for key, domain in space.space.items()
    }


def _parameters(trial: Any, prefix: str, space: Space) -> Parameters:
    found = {key: _suggested(trial, f"{prefix}.{key}", domain) for key, domain in space.space.items()}
    return found | space.fixed


def _suggested(trial: Any, name: str, domain: Domain) -> Any:
    if isinstance(domain, Float):
        # As many digits as draws have, so that suggestions can be read and typed.
        value = float(f"{trial.suggest_float(name, domain.low, domain.high, log=domain.log):.4g}")
        return min(max(value, domain.low), domain.high)
    if isinstance(domain, Int):
        return trial.suggest_int(name, domain.low, domain.high, log=domain.log and domain.low > 0)
    return domain.values[trial.suggest_categorical(name, list(range(len(domain.values))))]


def _worth(score: float | None) -> float:
    return -math.inf if score is None or math.isnan(score) else score
