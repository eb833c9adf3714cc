"""Check: whether what the pipeline file asks for is possible with these rows; said before anything is fitted."""

from __future__ import annotations

from penstock.components.dissimilarity.levels import row_distances
from penstock.components.kernels.columns import require_kernel_columns
from penstock.components.kernels.gram import MAX_BYTES, gram_bytes
from penstock.components.preprocessing.plan import Plan
from penstock.components.search.candidates import Candidate
from penstock.context import Run
from penstock.errors import DataError, examples
from penstock.executors.pool import MB, memory_limit
from penstock.problems import find
from penstock.problems.data import TableFacts
from penstock.problems.fits import Prepared
from penstock.stage import check
from penstock.store import Ref

OF_MEANS = ("auto", "k-means", "mini-batch-k-means", "bisecting-k-means", "soft-k-means", "gaussian-mixture")


@check
def check_candidates(run: Run, problem: str, prepared: Prepared | None, candidates: list[Candidate]) -> None:
    """What the kind of problem asks of candidates, said before any of them is fitted."""
    kind = find(problem)
    if kind.brings("check_candidates"):
        limits = {"memory": memory_limit(run) * MB, "seconds": run.seconds}
        kind.function("check_candidates")(run.store, prepared, candidates, **limits)


@check
def require_quantities(run: Run, plan: Ref[Plan], methods: list[str]) -> None:
    """Means of levels say nothing: methods that take some need a column with numbers, an order or two values."""
    asked = [name for name in methods if name in OF_MEANS]
    if not asked:
        return
    groups = run.store.facts(plan).groups
    if all(group.role == "nominal" for group in groups):
        names = [name for group in groups for name in group.columns]
        raise DataError(
            "PEN324",
            f"'{asked[0]}' takes means, and none of the columns in use holds numbers: {examples(names)}",
            where="data.columns",
            remedy="compare rows pair by pair: `models: [{k-medoids: {dissimilarity: gower}}]`; or say which column "
            "has an order: `columns: {x: {ordinal: [low, mid, high]}}`",
        )


@check
def require_distances(run: Run, plan: Ref[Plan], facts: Ref[TableFacts], prepared: Prepared) -> None:
    """Where columns hold the distances between rows, they are numbers, none is missing, and they are distances."""
    _require_numbers(run, plan, facts, "distances", ("numeric",))
    row_distances(run.store.matrix(prepared.train))


@check
def require_kernel(run: Run, plan: Ref[Plan], facts: Ref[TableFacts], train: Ref) -> None:
    """Where columns hold a kernel of the rows, they are numbers, none is missing, and they are a kernel."""
    names = _require_numbers(run, plan, facts, "kernel values", ("numeric", "boolean"))
    matrix = run.store.frame(train)[names].to_numpy(dtype=float)
    if gram_bytes(len(matrix)) > MAX_BYTES:
        return  # every fit will say so
    try:
        require_kernel_columns(matrix, names)
    except ValueError as error:
        raise DataError(
            "PEN237",
            str(error),
            where="the training rows",
            remedy="give each row a column with the kernel values to it; divide the kernel by the root of both "
            "diagonals, K(x, z) / sqrt(K(x, x) K(z, z)), so that each row is most alike to itself; scale nothing else, "
            "and write all digits",
        ) from error


def _require_numbers(run: Run, plan: Ref[Plan], facts: Ref[TableFacts], what: str, roles: tuple[str, ...]) -> list[str]:
    """The names of the columns, which hold numbers without gaps."""
    groups, told = run.store.facts(plan).groups, run.store.facts(facts)["columns"]
    strange = [name for group in groups for name in group.columns if group.role not in roles]
    if strange:
        raise DataError(
            "PEN223",
            f"every column has to hold {what}, and {len(strange)} hold something else: {examples(strange)}",
            where="data.columns",
            remedy=f"leave them out: `columns: {{{strange[0]}: ignore}}`; or say that they are numbers: "
            f"`columns: {{{strange[0]}: numeric}}`",
        )
    names = [name for group in groups for name in group.columns]
    missing = [name for name in names if told[name]["missing"]]
    if missing:
        raise DataError(
            "PEN224",
            f"{what} are missing in {len(missing)} column(s): {examples(missing)}",
            where=f"column '{missing[0]}'",
            remedy=f"fill them in: every {'dissimilarity' if what == 'distances' else 'value'} is needed",
        )
    return names
