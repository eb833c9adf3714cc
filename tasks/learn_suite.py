"""Learn the suite: what future data must look like, from the learning rows; tried at once on the test rows."""

from __future__ import annotations

from typing import Any, Literal

from penstock.components.contract import compile_suite
from penstock.components.policies import Policies
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.expectations.learnt import learn
from penstock.expectations.suite import run_suite
from penstock.problems.data import Suite
from penstock.stage import stage
from penstock.store import Ref


@stage(libraries=("great-expectations",))
def learn_suite(
    run: Run,
    learning: Ref,
    test: Ref,
    schema: Ref,
    suite: Literal["learnt", "none"],
    written: list[dict[str, Any]],
    policies: dict[str, Any] | None = None,
) -> Suite:
    """`policies`: what becomes of new rows that break the rules."""
    store = run.store
    typed = store.facts(schema, Schema)
    Policies(**(policies or {})).require_columns([column.name for column in typed.features], "scoring.columns")
    learnt = learn(store.frame(learning), typed) if suite == "learnt" else []
    on_test = run_suite(store.frame(test), learnt, source="learnt")
    rules = written + learnt
    return Suite(
        rules=store.put_facts(rules),
        contract=store.put_facts(compile_suite(rules, typed, policies)),
        on_test=store.put_facts(on_test),
    )
