"""Learn the suite: what future data must look like, from the training rows; tried at once on the test rows."""

from __future__ import annotations

from typing import Any, Literal

from penstock.components.contract import Rule, compile_suite, of_first_table, of_table
from penstock.components.policies import Policies
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.document.data import DataCheck
from penstock.expectations.learnt import learn
from penstock.expectations.suite import run_suite
from penstock.problems.data import Sides, Suite
from penstock.stage import stage
from penstock.store import Ref, Store


@stage(libraries=("great-expectations",))
def learn_suite(
    run: Run,
    sides: Sides,
    schemas: dict[str, Ref[Schema]],
    suite: Literal["learnt", "none"],
    written: list[dict[str, Any]],
    policies: dict[str, Any] | None = None,
) -> Suite:
    """`policies`: what becomes of new rows that break the rules."""
    store = run.store
    typed = store.facts(schemas[""])
    Policies(**(policies or {})).require_columns([column.name for column in typed.features], "scoring.columns")
    learnt = _learn(store, sides, typed, suite)
    on_test = run_suite(store.frame(sides.test), learnt, source="learnt")
    rules = written + learnt
    for name, table in sides.tables.items():
        more = [of_table(rule, name) for rule in _learn(store, table, store.facts(schemas[name]), suite)]
        on_test += run_suite(store.frame(table.test), more, source="learnt")
        rules += more
    return Suite(
        rules=store.put_facts(rules),
        contract=store.put_facts(compile_suite(of_first_table(rules), typed, policies)),
        on_test=store.put_facts([DataCheck.model_validate(one) for one in on_test]),
    )


def _learn(store: Store, sides: Sides, schema: Schema, suite: str) -> list[Rule]:
    return learn(store.frame(sides.train), schema) if suite == "learnt" else []
