"""Select: the winner among the fitted candidates, honestly."""

from __future__ import annotations

from penstock.components.search.candidates import BASELINE
from penstock.errors import NoCandidateError
from penstock.evidence.folds import Folds
from penstock.problems import find
from penstock.problems.fits import Fit
from penstock.problems.selection import Fitted, Found, Selected, SelectInput, Selection, SelectRequest
from penstock.stage import stage
from penstock.store import Store


@stage(worker=True, asks="select")
def select(store: Store, problem: str, request: SelectRequest) -> Selection:
    """The winner, its score corrected for having been picked, and each other candidate compared with it."""
    fits = [Fitted.load(store, fit) for fit in survivors(request.fits)]
    given = SelectInput(problem, request.settings, fits, Folds.load(store, request.folds), Found(store, request.found))
    selected: Selected = find(problem).function("select")(given)
    return selected.save(store)


def survivors(fits: list[Fit]) -> list[Fit]:
    """The candidates that finished; at least one beside the baseline, if more than it was asked for."""
    standing = [fit for fit in fits if fit.status == "finished"]
    asked = [fit for fit in fits if fit.candidate.name != BASELINE]
    if (fits and not standing) or (asked and all(fit.candidate.name == BASELINE for fit in standing)):
        reasons = "; ".join(f"{fit.candidate.label}: {fit.reason}" for fit in asked[:3])
        raise NoCandidateError(
            "PEN301",
            f"none of {len(asked)} candidate(s) survived: {reasons}",
            where="models",
            remedy="mend what the reasons name, or choose other models; where a limit struck, raise limits.seconds or "
            "limits.memory_mb",
        )
    return standing
