"""Whether the alternatives that a pipeline file lists suit the columns that there are."""

from __future__ import annotations

from penstock.components.preprocessing.plan import make_plan, require_users
from penstock.components.schema import Schema
from penstock.components.search.treatments import Treatments
from penstock.context import Run
from penstock.spec.alternatives import place_of, settled
from penstock.spec.preparation import Features, Preparation
from penstock.stage import check
from penstock.store import Ref
from penstock.tasks.prepare import plan_settings


@check
def check_alternatives(
    run: Run, facts: Ref, schema: Ref, preparation: Preparation, features: Features, treatments: Treatments
) -> None:
    """Refuse, before the search begins, what no column could use and what cannot be done to one."""
    typed, columns = run.store.facts(schema, Schema), run.store.facts(facts)["columns"]
    for treatment, options in treatments.options.items():
        require_users(treatment, typed, place_of(treatment))
        for name, option in options.items():
            chosen = {**treatments.start, treatment: {name: option.start}}
            make_plan(typed, columns, **plan_settings(*settled(preparation, features, chosen)))
