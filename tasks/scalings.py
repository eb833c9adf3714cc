"""Compare scalings: whether the clusters are those of the data or of the units."""

from __future__ import annotations

from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.explain import Explained
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


class Scalings(Explained):
    """`labels` under every scaling."""

    labels: Ref


@stage(job="compare_scalings", libraries=("matplotlib",))
def compare_scalings(run: Run, plan: Ref, parts: Parts, winner: Ref, seed: int) -> Scalings:
    """The winner fitted again with its numbers scaled otherwise, and how far the answers agree."""
    arguments = {"plan": plan, "learning": parts.learning, "winner": winner, "seed": seed}
    facts, figures, labels = in_worker(run, "compare_scalings", **arguments)
    return Scalings(facts=Ref(**facts), figures=Ref(**figures), labels=Ref(**labels))
