"""Reductions and densities: fit them on every fold, choose, study; judged by rows that a fit has not seen."""

from __future__ import annotations

from typing import Any

from penstock.components.search.candidates import Candidate
from penstock.context import Run
from penstock.jobs import Prepared, Selection
from penstock.store import Ref
from penstock.tasks.explain import Explained
from penstock.tasks.select_model import Fit, FoldFit, finished, fit_limited, survivors
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tasks.work import in_worker


def _label(candidate: Candidate, fold: int, **_: Any) -> str:
    return f"{candidate.label} fold {fold + 1}"


@stage(job="fit_held_out", label=_label, remember=finished)
def fit_held_out(
    run: Run,
    candidate: Candidate,
    component: dict[str, Any],
    problem: str,
    prepared: Prepared,
    fold: int,
    share: float,
    seed: int,
) -> FoldFit:
    """What one candidate, fitted on a share of a fold's training rows, is worth on its other rows."""
    arguments = {"candidate": candidate, "problem": problem, "prepared": prepared, "fold": fold, "share": share}
    return fit_limited(run, candidate, "fit_held_out", {**arguments, "seed": seed})


@stage(job="choose_held_out")
def choose_held_out(run: Run, fits: list[Fit], problem: str, folds: Ref, seed: int) -> Selection:
    """The winner, with its score corrected for having been picked."""
    arguments = {"fits": survivors(fits), "problem": problem, "folds": folds}
    return Selection(**in_worker(run, "choose_held_out", **arguments, seed=seed))


@stage(job="study_held_out", libraries=("matplotlib",))
def study_held_out(run: Run, trained: Trained, parts: Parts, seed: int) -> Explained:
    """What the new columns are made of, or which rows are rare."""
    arguments = {"model": trained.model, "learning": parts.learning, "test": parts.test, "seed": seed}
    facts, figures = in_worker(run, "study_held_out", **arguments)
    return Explained(facts=Ref(**facts), figures=Ref(**figures))
