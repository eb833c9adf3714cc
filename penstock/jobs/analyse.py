"""Look at the learning rows: facts for planning, insight for people, and its pictures."""

from __future__ import annotations

from penstock.components.analysis.facts import describe
from penstock.components.analysis.insight import insight
from penstock.components.plots.analysis import analysis_figures
from penstock.components.plots.output import to_svg
from penstock.components.schema import Schema
from penstock.jobs import Progress
from penstock.store import Ref, Store


def work(store: Store, progress: Progress, learning: Ref, schema: Ref, seed: int) -> tuple[Ref, Ref, Ref]:
    """The facts hold nothing of how columns and target go together; the insight does, and planning never reads it."""
    frame, typed = store.frame(learning), Schema(**store.facts(schema))
    found, study = insight(frame, typed, seed)
    figures = {name: to_svg(figure) for name, figure in analysis_figures(found, study).items()}
    return store.put_facts(describe(frame, typed)), store.put_facts(found), store.put_facts(figures)
