"""Fit: every candidate on every fold, within the limits of the pipeline file."""

from __future__ import annotations

from typing import Any, Literal

from penstock.actions.component import Fingerprint
from penstock.components.search.candidates import BASELINE, Candidate
from penstock.errors import PenstockError
from penstock.problems import find
from penstock.problems.fits import Fit, FitRequest, FitResult, FoldFit
from penstock.problems.selection import Ended
from penstock.stage import DIED, MEMORY, Status, stage
from penstock.store import Store


def finished(fit: FoldFit) -> bool:
    return fit.status == "finished"


def _label(request: FitRequest, **_: Any) -> str:
    settings = request.settings
    share = "" if settings.share == 1 else f" on {settings.share:.0%} of the rows"
    return f"{settings.candidate.label}{share} fold {settings.fold + 1}"


@stage(
    worker=True,
    asks="fit",
    label=_label,
    remember=finished,
    failed=FoldFit.of,
    limited=lambda request, **_: request.settings.candidate.name != BASELINE,
)
def fit(store: Store, problem: str, request: FitRequest, component: Fingerprint) -> FoldFit:
    """Scores of one candidate on one fold. What exceeds its limits is ended and said, not raised; the baseline has
    none. `component`: what the candidate's method is, for the key.
    """
    found: FitResult = find(problem).function("fit")(request.load(store, problem))
    return FoldFit(status="finished", result=found.save(store, request.settings.fold))


def not_prepared(error: PenstockError) -> FoldFit:
    """Of several preparations one may fail; then the candidates that chose it do."""
    struck: dict[str, Status] = {MEMORY: "memory", DIED: "died"}
    return FoldFit(status=struck.get(error.code, "failed"), reason=f"its preparation failed: {error.what}")


def gather(candidate: Candidate, fits: list[FoldFit], ended: Ended | None = None, share: float = 1.0) -> Fit:
    """A candidate's fits as one: the first that failed speaks for all. Fits on a share of the rows are no result."""
    failed = next((fit for fit in fits if fit.result is None), None)
    status: Status | Literal["pruned"] = "finished"
    reason = None
    if failed:
        status, reason = failed.status, failed.reason
    elif ended:
        status = "pruned"
        gap = ended.gap
        reason = f"after one fold it is {gap.behind:.3g} behind {ended.leader}; chance explains {gap.explained:.3g}"
    elif share < 1:
        status, reason = "pruned", f"others were better when all were fitted on {share:.0%} of the rows"
    return Fit(
        candidate=candidate,
        share=share,
        status=status,
        results=[] if failed else [fit.result for fit in fits if fit.result is not None],
        reason=reason,
        seconds=round(sum(fit.seconds or 0.0 for fit in fits), 3),
    )
