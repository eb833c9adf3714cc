"""Select the model: fit every candidate on every fold, then choose, honestly."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel

from penstock.components.search.candidates import Candidate
from penstock.context import Run
from penstock.errors import NoCandidateError, PenstockError
from penstock.jobs import Fitted, Prepared, Selection
from penstock.jobs.end_hopeless import Ended
from penstock.pool import Status
from penstock.store import Ref, Volatile
from penstock.tasks.stage import stage
from penstock.tasks.work import DIED, MEMORY, in_worker, try_in_worker

BASELINE = "dummy"


class FoldFit(BaseModel):
    """How a candidate fared on one fold; a failed fit has a reason instead of a result."""

    status: Status
    result: Ref | None = None
    reason: Annotated[str | None, Volatile] = None
    seconds: Annotated[float, Volatile] = 0.0


class Fit(BaseModel):
    """How a candidate fared; one that was ended early has results of the first fold only, or on a share of the rows."""

    candidate: Candidate
    share: float = 1.0
    status: Status | Literal["ended"]
    results: list[Ref] = []
    reason: Annotated[str | None, Volatile] = None
    seconds: Annotated[float, Volatile] = 0.0


def _finished(fit: FoldFit) -> bool:
    return fit.status == "finished"


def _label(candidate: Candidate, fold: int, share: float, **_: Any) -> str:
    return f"{candidate.label}{'' if share == 1 else f' on {share:.0%} of the rows'} fold {fold + 1}"


@stage(job="fit_candidate", label=_label, remember=_finished)
def fit_candidate(
    run: Run,
    candidate: Candidate,
    component: dict[str, Any],
    problem: str,
    prepared: Prepared,
    folds: Ref,
    fold: int,
    share: float,
    metric: str | None,
    seed: int,
) -> FoldFit:
    """Score and predictions of one candidate on one fold, fitted on a share of its training rows.

    What exceeds its limits is ended and said, not raised.
    """
    arguments = {
        "candidate": candidate,
        "problem": problem,
        "prepared": prepared,
        "folds": folds,
        "fold": fold,
        "share": share,
        "metric_name": metric,
        "seed": seed,
    }
    return _fit(run, candidate, "fit_candidate", arguments)


@stage(job="end_hopeless")
def end_hopeless(
    run: Run,
    fits: list[Fit],
    candidates: int,
    problem: str,
    folds: Ref,
    metric: str | None,
    seed: int,
) -> list[Ended]:
    """The candidates that are so far behind after one fold that the others need not be fitted."""
    finished = [fit for fit in fits if fit.results]
    if len(finished) < 2:
        return []
    arguments = {"candidates": candidates, "problem": problem, "folds": folds}
    ended = in_worker(
        run, "end_hopeless", fits=[_fitted(fit) for fit in finished], metric_name=metric, seed=seed, **arguments
    )
    spared = {fit.candidate.number for fit in fits if fit.candidate.name == BASELINE}
    return [found for found in map(Ended.model_validate, ended) if found.number not in spared]


@stage(job="choose_winner")
def choose_winner(
    run: Run,
    fits: list[Fit],
    problem: str,
    folds: Ref,
    metric: str | None,
    rule: str,
    simplicity: dict[str, Any],
    ensembles: list[str],
    seed: int,
) -> Selection:
    """The winner among candidates and ensembles of them, with its score corrected for having been picked."""
    arguments = {"fits": survivors(fits), "problem": problem, "folds": folds, "metric_name": metric}
    asked = {"rule": rule, "simplicity": simplicity, "ensembles": ensembles}
    return Selection(**in_worker(run, "choose_winner", **arguments, **asked, seed=seed))


@stage(job="fit_clusters", label=lambda candidate, **_: candidate.label, remember=_finished)
def fit_clusters(run: Run, candidate: Candidate, component: dict[str, Any], prepared: Prepared, seed: int) -> FoldFit:
    """Internal scores and stability of one clustering."""
    return _fit(run, candidate, "fit_clusters", {"candidate": candidate, "prepared": prepared, "seed": seed})


@stage(job="choose_clusters")
def choose_clusters(run: Run, fits: list[Fit]) -> Selection:
    """The number of clusters within each method, then the method."""
    return Selection(**in_worker(run, "choose_clusters", fits=survivors(fits)))


def not_prepared(error: PenstockError) -> FoldFit:
    """Of several preparations one may fail; then the candidates that chose it do."""
    struck: dict[str, Status] = {MEMORY: "memory", DIED: "died"}
    return FoldFit(status=struck.get(error.code, "failed"), reason=f"its preparation failed: {error.what}")


def gather(candidate: Candidate, fits: list[FoldFit], ended: Ended | None = None, share: float = 1.0) -> Fit:
    """A candidate's fits as one: the first that failed speaks for all. Fits on a share of the rows are no result."""
    failed = next((fit for fit in fits if fit.result is None), None)
    status: Status | Literal["ended"] = "finished"
    reason = None
    if failed:
        status, reason = failed.status, failed.reason
    elif ended:
        status = "ended"
        gap = ended.gap
        reason = f"after one fold it is {gap.behind:.3g} behind {ended.leader}; chance explains {gap.explained:.3g}"
    elif share < 1:
        status, reason = "ended", f"others were better when all were fitted on {share:.0%} of the rows"
    return Fit(
        candidate=candidate,
        share=share,
        status=status,
        results=[] if failed else [fit.result for fit in fits if fit.result is not None],
        reason=reason,
        seconds=round(sum(fit.seconds or 0.0 for fit in fits), 3),
    )


def survivors(fits: list[Fit]) -> list[Fitted]:
    """The candidates that finished; at least one beside the baseline, if more than it was asked for."""
    finished = [fit for fit in fits if fit.status == "finished"]
    asked = [fit for fit in fits if fit.candidate.name != BASELINE]
    if not finished or (asked and all(fit.candidate.name == BASELINE for fit in finished)):
        reasons = "; ".join(f"{fit.candidate.label}: {fit.reason}" for fit in asked[:3])
        raise NoCandidateError(
            "PEN301",
            f"none of {len(asked)} candidate(s) survived: {reasons}",
            where="models",
            remedy="read the reasons above; raise limits.seconds or limits.memory_mb, or choose other models",
        )
    return [_fitted(fit) for fit in finished]


def _fitted(fit: Fit) -> Fitted:
    return Fitted(candidate=fit.candidate, results=fit.results)


def _fit(run: Run, candidate: Candidate, job: str, arguments: dict[str, Any]) -> FoldFit:
    outcome = try_in_worker(run, job, limited=candidate.name != BASELINE, **arguments)
    return FoldFit(
        status=outcome.status,
        result=Ref(**outcome.value) if outcome.status == "finished" else None,
        reason=outcome.reason,
        seconds=round(outcome.seconds, 3),
    )
