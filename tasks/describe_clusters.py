"""Describe the clusters: size, centre, spread, members, a name, and rules that tell them apart."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.explain import Explained
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tasks.work import in_worker


class DescribedClusters(BaseModel):
    clusters: Explained
    rules: Explained


@stage(job="describe_clusters")
def describe_clusters(run: Run, trained: Trained, parts: Parts, evidence: Ref, seed: int) -> DescribedClusters:
    """The clusters are those of the learning rows; how far the rules hold is seen on the test rows."""
    arguments = {"learning": parts.learning, "test": parts.test, "evidence": evidence, "seed": seed}
    clusters, rules = in_worker(run, "describe_clusters", model=trained.model, **arguments)
    nothing = run.store.put_facts({})
    return DescribedClusters(
        clusters=Explained(facts=Ref(**clusters), figures=nothing),
        rules=Explained(facts=Ref(**rules), figures=nothing),
    )
