"""Analyse: what the training rows look like, for planning the preparation and for people."""

from __future__ import annotations

from typing import Any

from pydantic import BaseModel

from penstock.components.analysis.facts import describe
from penstock.components.analysis.insight import insight
from penstock.components.schema import Schema
from penstock.problems import find, proposals
from penstock.problems.data import TableFacts
from penstock.stage import stage
from penstock.store import Figures, Ref, Store

Insight = dict[str, Any]
"""What the document shows of it, and whole matrices for the figures."""


class Analysed(BaseModel):
    """`facts` is all that planning may read; `insight` and its `figures` look at the target too, and are for people."""

    facts: Ref[TableFacts]
    insight: Ref[Insight]
    figures: Ref[Figures]


@stage(worker=True, libraries=("matplotlib",))
def analyse(store: Store, train: Ref, schema: Ref[Schema], seed: int) -> Analysed:
    """The facts hold nothing of how columns and target go together; the insight does, and planning never reads it."""
    from penstock.components.plots.analysis import analysis_figures  # it draws, so it takes a while to load
    from penstock.components.plots.output import to_svg

    frame, typed = store.frame(train), store.facts(schema)
    problem = find(typed.problem)
    found, study = insight(frame, typed, seed, goal=problem.goal, proposals=proposals())
    figures = {name: to_svg(figure) for name, figure in analysis_figures(found, study).items()}
    return Analysed(
        facts=store.put_facts(describe(frame, typed)), insight=store.put_facts(found), figures=store.put_facts(figures)
    )
