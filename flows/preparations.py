"""The preparations that candidates ask for: each planned once, and fitted once on every fold that needs it."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from penstock.components.schema import Schema
from penstock.components.search.preparation_space import Chosen, whole
from penstock.context import Run
from penstock.problems import find
from penstock.problems.data import TableFacts
from penstock.problems.fits import Prepared
from penstock.problems.selection import Selection
from penstock.spec.alternatives import chosen_preparation
from penstock.spec.pipeline import Spec
from penstock.spec.searched import preparation_space
from penstock.stage import known
from penstock.store import Ref
from penstock.tasks.prepare import PreparedPlan, plan, preparation_components, prepare
from penstock.tasks.prepared_data import PreparedData


def plan_of(run: Run, spec: Spec, facts: Ref[TableFacts], schema: Ref[Schema], chosen: Chosen) -> Ref[PreparedPlan]:
    preparation, features = chosen_preparation(spec.preparation, spec.features, chosen)
    components = preparation_components(preparation, features, spec.problem, run.store)
    return plan(run, facts, schema, preparation, features, components, whole(chosen))


class Preparations:
    """By what was chosen and by fold; all candidates that chose the same share them."""

    def __init__(self, run: Run, spec: Spec, ground: PreparedData) -> None:
        self.run, self.spec, self.ground = run, spec, ground
        # The spec's where rows that have not been read are only planned for.
        self.by_fold = find(spec.problem).cross_validated
        self.prepares = find(spec.problem).prepares
        self.folds = (ground.data_split.n_folds or spec.split.n_folds or 1) if self.by_fold else 1
        self._start = preparation_space(spec).start
        self._plans = {whole(self._start): ground.plan}
        self._begun: dict[tuple[str, int], Callable[[], Prepared]] = {}
        for fold in self._prepared_folds:  # the baseline will need them all
            self.begin(self._start, fold)

    def begin(self, chosen: Chosen, fold: int) -> Callable[[], Prepared]:
        """What waits for the fold's matrices."""
        variant = whole(chosen)
        if (variant, fold) not in self._begun:
            rows = fold if self.by_fold else None
            begun = prepare.submit(
                self.run, self._plan(chosen), self.ground.data_split, rows, self.spec.split.seed, variant
            )
            self._begun[variant, fold] = cache(begun)  # every candidate asks, and Prefect takes a while to answer
        return self._begun[variant, fold]

    def of_winner(self, selection: Selection) -> tuple[PreparedData, list[Callable[[], Prepared]]]:
        """The ground with the plan of the winner, and the winner's preparation of every fold."""
        chosen = self._start
        if known(self.run, selection.winner):
            chosen = self.run.store.facts(selection.winner).preparation
        ground = self.ground.model_copy(update={"plan": self._plan(chosen)})
        return ground, [self.begin(chosen, fold) for fold in self._prepared_folds]

    @property
    def first(self) -> Prepared | None:
        """Of the pipeline file's preparation, the first fold."""
        return self.begin(self._start, 0)() if self.prepares else None

    def all_folds(self) -> list[Prepared]:
        """The preparation of the pipeline file, where none is searched."""
        return [wait() for wait in [self.begin(self._start, fold) for fold in self._prepared_folds]]

    @property
    def _prepared_folds(self) -> range:
        return range(self.folds if self.prepares else 0)

    def _plan(self, chosen: Chosen) -> Ref[PreparedPlan]:
        variant = whole(chosen)
        if variant not in self._plans:
            ground = self.ground
            self._plans[variant] = plan_of(self.run, self.spec, ground.analysed.facts, ground.rows.schema_, chosen)
        return self._plans[variant]
