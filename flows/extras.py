"""The stages that only this kind of problem has."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from penstock.context import Run
from penstock.problems.declaration import Problem
from penstock.problems.training import Explained
from penstock.spec.pipeline import Spec
from penstock.stage import Stage, stage_at
from penstock.store import Ref


class Extras:
    """Begun where the declaration says, all at once; waited for when what they found is needed."""

    def __init__(self, run: Run, spec: Spec, problem: Problem) -> None:
        self.run, self.spec, self.problem = run, spec, problem
        self._waiting: dict[str, Callable[[], Explained]] = {}
        self._found: dict[str, Explained] = {}

    def begin(self, when: str, **offered: Any) -> None:
        """Each with those of the values that its stage takes; without all of them it has nothing to look at."""
        for extra in self.problem.extras:
            if extra.when != when or not _is_asked(self.spec, extra.asked):
                continue
            stage: Stage[..., Explained] = stage_at(extra.stage)
            takes = [name for name in stage.signature.parameters if name != "run"]
            if set(takes) <= offered.keys():
                self._waiting[extra.section] = stage.submit(self.run, **{name: offered[name] for name in takes})

    def wait(self) -> dict[str, Explained]:
        """By section, once all that has begun is done."""
        for section, wait in list(self._waiting.items()):
            self._found[section] = wait()
            del self._waiting[section]
        return self._found

    def facts(self) -> dict[str, Ref]:
        return {section: one.facts for section, one in self.wait().items()}


def _is_asked(spec: Spec, key: str) -> bool:
    section, _, name = key.partition(".")
    return not key or bool(getattr(getattr(spec, section), name))
