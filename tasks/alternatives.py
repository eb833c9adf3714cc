"""Whether the alternatives that a pipeline file lists suit the columns that there are."""

from __future__ import annotations

from penstock.components.preprocessing.plan import make_plan, require_users
from penstock.components.schema import Schema
from penstock.components.search.preparation_space import PreparationSpace
from penstock.context import Run
from penstock.problems.data import TableFacts
from penstock.spec.alternatives import chosen_preparation, place_of
from penstock.spec.preparation import Features, Preparation
from penstock.stage import check
from penstock.store import Ref
from penstock.tasks.prepare import plan_settings


@check
def check_alternatives(
    run: Run,
    facts: Ref[TableFacts],
    schema: Ref[Schema],
    preparation: Preparation,
    features: Features,
    preparations: PreparationSpace,
) -> None:
    """Refuse, before the search begins, what no column could use and what cannot be done to one."""
    typed, columns = run.store.facts(schema), run.store.facts(facts)["columns"]
    for step, options in preparations.options.items():
        require_users(step, typed, place_of(step))
        for name, option in options.items():
            chosen = {**preparations.start, step: {name: option.start}}
            make_plan(typed, columns, **plan_settings(*chosen_preparation(preparation, features, chosen)))
