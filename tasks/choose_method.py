"""Choose the method: which one suits these rows, and how many clusters it looks for, where the file leaves it open."""

from __future__ import annotations

from penstock.context import Run
from penstock.jobs import Prepared
from penstock.store import Ref
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


@stage(job="choose_method")
def choose_method(run: Run, prepared: Prepared, structure: Ref, seed: int) -> Ref:
    """From the prepared rows and from what is known of their structure."""
    return Ref(**in_worker(run, "choose_method", prepared=prepared, structure=structure, seed=seed))
