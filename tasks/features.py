"""Describe the features: how often each was chosen, what new ones are made of."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.context import Run
from penstock.jobs import Prepared
from penstock.store import Ref
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tasks.work import in_worker


class Described(BaseModel):
    """Facts for the document, and pictures."""

    facts: Ref
    figures: Ref


@stage(job="describe_features", libraries=("matplotlib",))
def describe_features(run: Run, prepared: list[Prepared], trained: Trained, plan: Ref, parts: Parts) -> Described:
    """From the folds of the winner's preparation, and from the model that ships."""
    arguments = {"model": trained.model, "plan": plan, "learning": parts.learning, "folds": parts.folds}
    facts, figures = in_worker(run, "describe_features", prepared=prepared, **arguments)
    return Described(facts=Ref(**facts), figures=Ref(**figures))
