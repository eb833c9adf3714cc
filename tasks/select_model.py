"""Select the model: fit every candidate on every fold, then choose, honestly."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import BaseModel

from penstock.components.search import Candidate
from penstock.context import Run
from penstock.errors import NoCandidateError
from penstock.jobs import Fitted, Prepared, Selection
from penstock.pool import Status
from penstock.store import Ref, Volatile
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker, try_in_worker

BASELINE = "dummy"


class Fit(BaseModel):
    """How a candidate fared; a failed one has a reason instead of a result."""

    candidate: Candidate
    status: Status
    result: Ref | None = None
    reason: Annotated[str | None, Volatile] = None
    seconds: Annotated[float, Volatile] = 0.0


def _finished(fit: Fit) -> bool:
    return fit.status == "finished"


def _label(candidate: Candidate, **_: Any) -> str:
    return candidate.label


@stage(job="fit_candidate", label=_label, remember=_finished)
def fit_candidate(
    run: Run,
    candidate: Candidate,
    component: dict[str, Any],
    problem: str,
    prepared: list[Prepared],
    folds: Ref,
    metric: str | None,
    seed: int,
) -> Fit:
    """Scores and out-of-fold predictions of one candidate. What exceeds its limits is ended and said, not raised."""
    arguments = {
        "candidate": candidate,
        "problem": problem,
        "prepared": prepared,
        "folds": folds,
        "metric_name": metric,
        "seed": seed,
    }
    return _fit(run, candidate, "fit_candidate", arguments)


@stage(job="choose_winner")
def choose_winner(run: Run, fits: list[Fit], problem: str, folds: Ref, metric: str | None, seed: int) -> Selection:
    """The best candidate, with its score corrected for having been picked among all."""
    results = survivors(fits)
    arguments = {"fits": results, "problem": problem, "folds": folds, "metric_name": metric, "seed": seed}
    return Selection(**in_worker(run, "choose_winner", **arguments))


@stage(job="fit_clusters", label=_label, remember=_finished)
def fit_clusters(run: Run, candidate: Candidate, component: dict[str, Any], prepared: Prepared, seed: int) -> Fit:
    """Internal scores and stability of one clustering."""
    return _fit(run, candidate, "fit_clusters", {"candidate": candidate, "prepared": prepared, "seed": seed})


@stage(job="choose_clusters")
def choose_clusters(run: Run, fits: list[Fit]) -> Selection:
    """The number of clusters within each method, then the method."""
    return Selection(**in_worker(run, "choose_clusters", fits=survivors(fits)))


def survivors(fits: list[Fit]) -> list[Fitted]:
    """The candidates that finished; at least one beside the baseline, if more than it was asked for."""
    finished = [fit for fit in fits if fit.result is not None]
    asked = [fit for fit in fits if fit.candidate.name != BASELINE]
    if not finished or (asked and all(fit.candidate.name == BASELINE for fit in finished)):
        reasons = "; ".join(f"{fit.candidate.label}: {fit.reason}" for fit in asked[:3])
        raise NoCandidateError(
            "PEN301",
            f"none of {len(asked)} candidate(s) survived: {reasons}",
            where="models",
            remedy="read the reasons above; raise limits.seconds or limits.memory_mb, or choose other models",
        )
    return [Fitted(candidate=fit.candidate, result=fit.result) for fit in finished if fit.result is not None]


def _fit(run: Run, candidate: Candidate, job: str, arguments: dict[str, Any]) -> Fit:
    outcome = try_in_worker(run, job, limited=candidate.name != BASELINE, **arguments)
    run.note({"event": "candidate", "label": candidate.label, "status": outcome.status, "reason": outcome.reason})
    return Fit(
        candidate=candidate,
        status=outcome.status,
        result=Ref(**outcome.value) if outcome.status == "finished" else None,
        reason=outcome.reason,
        seconds=round(outcome.seconds, 3),
    )
