"""Study the clusters: what else speaks for their number, and where candidates agree."""

from __future__ import annotations

from penstock.context import Run
from penstock.jobs import Prepared
from penstock.store import Ref
from penstock.tasks.explain import Explained
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


@stage(job="study_clusters", libraries=("matplotlib",))
def study_clusters(run: Run, prepared: Prepared, evidence: Ref, seed: int) -> Explained:
    """For people: the choice is made."""
    facts, figures = in_worker(run, "study_clusters", prepared=prepared, evidence=evidence, seed=seed)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))
