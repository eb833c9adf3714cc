"""Pictures of the rows that are asked for: for people alone, nothing is fitted to them or judged by them."""

from __future__ import annotations

from penstock.context import Run
from penstock.store import Ref
from penstock.tasks.explain import Explained
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tasks.work import in_worker


@stage(job="draw_pictures", libraries=("matplotlib",))
def draw_pictures(run: Run, trained: Trained, parts: Parts, names: list[str], seed: int) -> Explained:
    arguments = {"model": trained.model, "test": parts.test, "names": names}
    facts, figures = in_worker(run, "draw_pictures", **arguments, seed=seed)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))
