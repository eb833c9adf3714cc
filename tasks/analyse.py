"""Analyse: what the learning rows look like, for people and for planning the preparation."""

from __future__ import annotations

from penstock.components.analysis import describe
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.stage import stage


@stage()
def analyse(run: Run, learning: Ref, schema: Ref) -> Ref:
    return run.store.put_facts(describe(run.store.frame(learning), Schema(**run.store.facts(schema))))
