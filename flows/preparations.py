"""The preparations that candidates ask for: each planned once, and fitted once on every fold that needs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from penstock.components.search.treatments import Chosen, Treatments, whole
from penstock.context import Run
from penstock.jobs import Prepared, Selection
from penstock.spec.alternatives import named, settled, treatments
from penstock.spec.pipeline import Spec
from penstock.store import Ref
from penstock.tasks.groundwork import Groundwork
from penstock.tasks.prepare import plan, preparation_components, prepare


def searched_treatments(spec: Spec) -> Treatments:
    """What of the preparation the search chooses among."""
    alternatives = {
        treatment: [(choice.name, choice.parameters) for choice in choices]
        for treatment, choices in treatments(spec.preparation, spec.features).items()
    }
    opened = named(spec.preparation, spec.features) if spec.search.preparation else ()
    return Treatments(alternatives, problem=spec.problem, opened=opened)


def plan_of(run: Run, spec: Spec, facts: Ref, schema: Ref, chosen: Chosen) -> Ref:
    preparation, features = settled(spec.preparation, spec.features, chosen)
    components = preparation_components(preparation, features, spec.problem)
    return plan(run, facts, schema, preparation, features, components, whole(chosen))


class Preparations:
    """By what was chosen and by fold; all candidates that chose the same share them."""

    def __init__(self, run: Run, spec: Spec, ground: Groundwork) -> None:
        self.run, self.spec, self.ground = run, spec, ground
        self.folds = ground.parts.n_folds or _expected_folds(spec)
        self._start = searched_treatments(spec).start
        self._plans = {whole(self._start): ground.plan}
        self._begun: dict[tuple[str, int], Callable[[], Prepared]] = {}
        for fold in range(self.folds):  # the baseline will need them all
            self.begin(self._start, fold)

    def begin(self, chosen: Chosen, fold: int) -> Callable[[], Prepared]:
        """What waits for the fold's matrices."""
        variant = whole(chosen)
        if (variant, fold) not in self._begun:
            begun = prepare.submit(self.run, self._plan(chosen), self.ground.parts, fold, self.spec.split.seed, variant)
            self._begun[variant, fold] = cache(begun)  # every candidate asks, and Prefect takes a while to answer
        return self._begun[variant, fold]

    def of_winner(self, selection: Selection) -> tuple[Groundwork, list[Callable[[], Prepared]]]:
        """The ground with the plan of the winner, and the winner's preparation of every fold."""
        planned = selection.winner.kind == "pending"
        chosen = self._start if planned else self.run.store.facts(selection.winner).get("preparation", {})
        ground = self.ground.model_copy(update={"plan": self._plan(chosen)})
        return ground, [self.begin(chosen, fold) for fold in range(self.folds)]

    def all_folds(self) -> list[Prepared]:
        """The preparation of the pipeline file, where none is searched."""
        return [wait() for wait in [self.begin(self._start, fold) for fold in range(self.folds)]]

    def _plan(self, chosen: Chosen) -> Ref:
        variant = whole(chosen)
        if variant not in self._plans:
            ground = self.ground
            self._plans[variant] = plan_of(self.run, self.spec, ground.analysed.facts, ground.rows.schema_, chosen)
        return self._plans[variant]


def _expected_folds(spec: Spec) -> int:
    """While rows that have not been read are only planned for; leave-one-out has as many as there will be rows."""
    return 1 if spec.split.recipe in ("train-validation-test", "leave-one-out") else spec.split.folds
