"""Judge by the truth: the finished answer beside a grouping that is known, which nothing before has seen."""

from __future__ import annotations

from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.explain import Explained
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tasks.work import in_worker


@stage(job="judge_by_known", libraries=("matplotlib",))
def judge_by_known(run: Run, trained: Trained, parts: Parts, truth: Ref, name: str, seed: int) -> Explained:
    """The same for a reduction or a density."""
    arguments = {"test": parts.test, "truth": truth, "name": name, "seed": seed}
    facts, figures = in_worker(run, "judge_by_known", model=trained.model, **arguments)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))


@stage(job="judge_truth", libraries=("matplotlib",))
def judge_truth(run: Run, trained: Trained, parts: Parts, truth: Ref, name: str, seed: int) -> Explained:
    """For the report alone: neither the choice nor the gate hears of it."""
    arguments = {"test": parts.test, "truth": truth, "name": name, "seed": seed}
    facts, figures = in_worker(run, "judge_truth", model=trained.model, **arguments)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))
