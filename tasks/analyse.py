"""Analyse: what the learning rows look like, for planning the preparation and for people."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


class Analysed(BaseModel):
    """`facts` is all that planning may read; `insight` and its `figures` look at the target too, and are for people."""

    facts: Ref
    insight: Ref
    figures: Ref


@stage(job="analyse", libraries=("matplotlib",))
def analyse(run: Run, learning: Ref, schema: Ref, seed: int) -> Analysed:
    facts, insight, figures = in_worker(run, "analyse", learning=learning, schema=schema, seed=seed)
    return Analysed(facts=Ref(**facts), insight=Ref(**insight), figures=Ref(**figures))
