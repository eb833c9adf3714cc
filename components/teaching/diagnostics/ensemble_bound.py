"""How often a majority of independent voters is wrong."""

from __future__ import annotations

import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.inputs.outcome import Chance, Positive
from penstock.components.teaching.learning_theory.bounds import majority_bound, majority_error
from penstock.components.teaching.plots.theory import curves
from penstock.errors import UsageError


def ensemble_bound(frame: pd.DataFrame | None, *, voters: Positive = 11, error: Chance = 0.3) -> Found:
    """The exact chance and its bound; real voters err together, so a real vote is worse.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> round(find("ensemble-bound")(None, {"voters": 21, "error": 0.3}).facts["wrong"], 3)
    0.026
    """
    if voters % 2 == 0 or error >= 0.5:
        raise UsageError(
            "PEN082",
            f"a vote of {voters} with an error of {error:g} each has no such bound",
            where="--set voters, --set error",
            remedy="give an odd number of voters, so that there are no ties, and an error below 0.5",
        )
    exact, bound = majority_error(voters, error), majority_bound(voters, error)
    sizes = list(range(1, max(2 * voters, 21) + 1, 2))
    table = pd.DataFrame(
        {
            "voters": sizes,
            "wrong": [majority_error(size, error) for size in sizes],
            "bound": [majority_bound(size, error) for size in sizes],
        }
    )
    findings = [
        f"Of {voters} voters that are each wrong in {error:.4g} of all cases, independently of each other, the "
        f"majority is wrong in {exact:.4g}; Hoeffding's bound says at most {bound:.4g}.",
        "Voters that are wrong in the same cases gain nothing from voting.",
    ]
    figure = curves(
        f"A majority of voters with error {error:g}",
        sizes,
        {"wrong": table["wrong"].tolist(), "bound": table["bound"].tolist(), "one voter": [error] * len(sizes)},
        across="Voters",
        up="Share of cases",
        marks={"these voters": voters},
    )
    return Found(findings, table.set_index("voters"), {"wrong": exact, "bound": bound}, figure)


DIAGNOSTIC = Diagnostic(
    name="ensemble-bound",
    summary="How often a majority of independent voters is wrong, and Hoeffding's bound on it",
    function=ensemble_bound,
    parameters={
        "voters": "how many vote, an odd number, by default 11",
        "error": "how often each is wrong, below 0.5, by default 0.3",
    },
    needs_table=False,
    syllabus=("theory-ensemble-bound",),
)
