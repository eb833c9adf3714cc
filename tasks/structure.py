"""Find structure: whether there are groups to be found, before any is."""

from __future__ import annotations

from penstock.context import Run
from penstock.jobs import Prepared
from penstock.store import Ref
from penstock.tasks.explain import Explained
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


@stage(job="find_structure", libraries=("matplotlib",))
def find_structure(run: Run, prepared: Prepared, seed: int) -> Explained:
    """The verdict, its p-value and what it rests on: the learning rows against references that have no groups."""
    facts, figures = in_worker(run, "find_structure", prepared=prepared, seed=seed)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))
