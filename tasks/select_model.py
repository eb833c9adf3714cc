"""Select the model: fit every candidate on every fold, then choose, honestly."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel

from penstock.components.clustering.cost import require_affordable
from penstock.components.dissimilarity.levels import row_distances
from penstock.components.kernels.columns import require_kernel_columns
from penstock.components.kernels.gram import MOST_BYTES, gram_bytes
from penstock.components.search.candidates import CLUSTERS, Candidate
from penstock.context import Run
from penstock.errors import DataError, DivergedError, NoCandidateError, PenstockError, examples
from penstock.jobs import Fitted, Prepared, Selection
from penstock.jobs.end_hopeless import Ended
from penstock.pool import MB, Status, memory_limit
from penstock.store import Ref, Volatile
from penstock.tasks.stage import stage
from penstock.tasks.work import DIED, MEMORY, in_worker, try_in_worker

BASELINE = "dummy"
OF_MEANS = ("auto", "k-means", "mini-batch-k-means", "bisecting-k-means", "soft-k-means", "gaussian-mixture")


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


def finished(fit: FoldFit) -> bool:
    return fit.status == "finished"


def _label(candidate: Candidate, fold: int, share: float, **_: Any) -> str:
    return f"{candidate.label}{'' if share == 1 else f' on {share:.0%} of the rows'} fold {fold + 1}"


@stage(job="fit_candidate", label=_label, remember=finished)
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
    return fit_limited(run, candidate, "fit_candidate", arguments)


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
    begun = [fit for fit in fits if fit.results]
    if len(begun) < 2:
        return []
    arguments = {"candidates": candidates, "problem": problem, "folds": folds}
    ended = in_worker(
        run, "end_hopeless", fits=[_fitted(fit) for fit in begun], metric_name=metric, seed=seed, **arguments
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


@stage(job="fit_clusters", label=lambda candidate, **_: candidate.label, remember=finished)
def fit_clusters(run: Run, candidate: Candidate, component: dict[str, Any], prepared: Prepared, seed: int) -> FoldFit:
    """Internal scores and stability of one clustering."""
    return fit_limited(run, candidate, "fit_clusters", {"candidate": candidate, "prepared": prepared, "seed": seed})


@stage(job="choose_clusters")
def choose_clusters(run: Run, fits: list[Fit], structure: Ref, chosen: Ref | None = None) -> Selection:
    """The number of clusters within each method, then the method; one group where the rows have no structure.

    `chosen`: what the rows decided on, which is the first of the fits.
    """
    standing = survivors(fits) if fits else []
    return Selection(**in_worker(run, "choose_clusters", fits=standing, structure=structure, chosen=chosen))


def require_feasible(run: Run, prepared: Prepared, candidates: list[Candidate]) -> None:
    """No more clusters than rows, nor memory than there is, nor time than a fit may take: said before any is fitted."""
    if prepared.train.kind == "pending":
        return
    rows, columns = run.store.matrix(prepared.train).shape
    for one in candidates:
        asked = int(one.parameters.get(CLUSTERS) or 0)
        if asked > rows:
            raise DataError(
                "PEN321",
                f"{asked} clusters are asked for, and there are {rows} learning rows",
                where=f"models: {one.name}",
                remedy=f"ask for at most {rows} clusters, far fewer in practice, or bring more rows",
            )
        memory = memory_limit(run) * MB
        require_affordable(one.name, rows, columns, one.parameters, limit=memory, seconds=run.seconds)


def require_quantities(run: Run, plan: Ref, methods: list[str]) -> None:
    """Means of levels say nothing: methods that take some need a column with numbers, an order or two values."""
    asked = [name for name in methods if name in OF_MEANS]
    if plan.kind == "pending" or not asked:
        return
    groups = run.store.facts(plan)["groups"]
    if all(group["role"] == "nominal" for group in groups):
        names = [name for group in groups for name in group["columns"]]
        raise DataError(
            "PEN324",
            f"'{asked[0]}' takes means, and none of the columns in use holds numbers: {examples(names)}",
            where="data.columns",
            remedy="compare rows pair by pair: `models: [{k-medoids: {dissimilarity: gower}}]`; or say which column "
            "has an order: `columns: {x: {ordinal: [low, mid, high]}}`",
        )


def require_distances(run: Run, plan: Ref, facts: Ref, prepared: Prepared) -> None:
    """Where columns hold the distances between rows, they are numbers, none is missing, and they are distances."""
    if "pending" in (plan.kind, facts.kind, prepared.train.kind):
        return
    _require_numbers(run, plan, facts, "distances", ("numeric",))
    row_distances(run.store.matrix(prepared.train))


def require_kernel(run: Run, plan: Ref, facts: Ref, learning: Ref) -> None:
    """Where columns hold a kernel of the rows, they are numbers, none is missing, and they are a kernel."""
    if "pending" in (plan.kind, facts.kind, learning.kind):
        return
    names = _require_numbers(run, plan, facts, "kernel values", ("numeric", "boolean"))
    matrix = run.store.frame(learning)[names].to_numpy(dtype=float)
    if gram_bytes(len(matrix)) > MOST_BYTES:
        return  # every fit will say so
    try:
        require_kernel_columns(matrix, names)
    except ValueError as error:
        raise DataError(
            "PEN237",
            str(error),
            where="the learning rows",
            remedy="give each row a column with the kernel values to it; divide the kernel by the root of both "
            "diagonals, K(x, z) / sqrt(K(x, x) K(z, z)), so that each row is most alike to itself; scale nothing else, "
            "and write all digits",
        ) from error


def _require_numbers(run: Run, plan: Ref, facts: Ref, what: str, roles: tuple[str, ...]) -> list[str]:
    """The names of the columns, which hold numbers without gaps."""
    groups, told = run.store.facts(plan)["groups"], run.store.facts(facts)["columns"]
    strange = [name for group in groups for name in group["columns"] if group["role"] not in roles]
    if strange:
        raise DataError(
            "PEN223",
            f"every column has to hold {what}, and {len(strange)} hold something else: {examples(strange)}",
            where="data.columns",
            remedy=f"leave them out: `columns: {{{strange[0]}: ignore}}`; or say that they are numbers: "
            f"`columns: {{{strange[0]}: numeric}}`",
        )
    names = [name for group in groups for name in group["columns"]]
    missing = [name for name in names if told[name]["missing"]]
    if missing:
        raise DataError(
            "PEN224",
            f"{what} are missing in {len(missing)} column(s): {examples(missing)}",
            where=f"column '{missing[0]}'",
            remedy=f"fill them in: every {'dissimilarity' if what == 'distances' else 'value'} is needed",
        )
    return names


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
    standing = [fit for fit in fits if fit.status == "finished"]
    asked = [fit for fit in fits if fit.candidate.name != BASELINE]
    if not standing or (asked and all(fit.candidate.name == BASELINE for fit in standing)):
        reasons = "; ".join(f"{fit.candidate.label}: {fit.reason}" for fit in asked[:3])
        raise NoCandidateError(
            "PEN301",
            f"none of {len(asked)} candidate(s) survived: {reasons}",
            where="models",
            remedy="mend what the reasons name, or choose other models; where a limit struck, raise limits.seconds or "
            "limits.memory_mb",
        )
    return [_fitted(fit) for fit in standing]


def _fitted(fit: Fit) -> Fitted:
    return Fitted(candidate=fit.candidate, results=fit.results)


def fit_limited(run: Run, candidate: Candidate, job: str, arguments: dict[str, Any]) -> FoldFit:
    """A fit within the limits of the pipeline file; the baseline has none."""
    try:
        outcome = try_in_worker(run, job, limited=candidate.name != BASELINE, **arguments)
    except DivergedError as error:
        return FoldFit(status="failed", reason=f"{error.code}: {error.what}; {error.remedy}")
    return FoldFit(
        status=outcome.status,
        result=Ref(**outcome.value) if outcome.status == "finished" else None,
        reason=outcome.reason,
        seconds=round(outcome.seconds, 3),
    )
