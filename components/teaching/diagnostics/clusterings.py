"""How well clusterings of the same rows agree, with known groups or with one another."""

from __future__ import annotations

import numpy as np
import pandas as pd
from matplotlib.figure import Figure

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.plots.agreement import contingency
from penstock.components.schema import require_columns
from penstock.components.structure.consensus import consensus
from penstock.components.structure.external import AMI_NORMALISER, external_scores
from penstock.components.teaching.clustering.counts import all_clusterings, clusterings
from penstock.errors import DataError

MAX_COUNTED = 100
SCORES = (
    "purity", "purity_unweighted", "inverse_purity", "rand", "pair_precision", "pair_recall", "adjusted_rand",
    "mutual_information", "adjusted_mutual_information", "homogeneity", "completeness", "v_measure",
)  # fmt: skip


def agreement(frame: pd.DataFrame, *, truth: str | None = None, noise: str = "-1") -> Found:
    """Every column is a clustering of the rows; against `truth`, or else against the first column.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"truth": ["u", "u", "v", "v"], "found": [0, 0, 1, 0]})
    >>> find("clusterings")(table).facts["found"]["purity"]
    0.75
    """
    reference = truth or str(frame.columns[0])
    require_columns(frame, [reference])
    others = [str(name) for name in frame.columns if str(name) != reference]
    if not others:
        raise DataError(
            "PEN354",
            f"'{reference}' is the only column: there is nothing to compare it with",
            where="diagnose clusterings",
            remedy="bring a table with two columns or more, each of them a clustering of the same rows",
        )
    codes = {name: _codes(frame[name], noise) for name in others}
    scores = {name: external_scores(labels, frame[reference]) for name, labels in codes.items()}
    table = pd.DataFrame(
        {name: {score: getattr(one, score) for score in SCORES} for name, one in scores.items()}
    ).T.rename_axis("column")
    best = max(scores, key=lambda name: scores[name].adjusted_rand)
    findings = [
        f"{len(frame)} rows, {scores[best].groups} groups in '{reference}'. The adjusted Rand index is greatest for "
        f"'{best}': {scores[best].adjusted_rand:.3f} (1 is the same, 0 is chance).",
        f"Adjusted mutual information divides by the {AMI_NORMALISER}imum of the two entropies.",
    ]
    facts: dict[str, object] = {name: one.model_dump() for name, one in scores.items()}
    if len(others) > 1:
        together = consensus(codes)
        findings.append(f"Among one another, {together.sentence}.")
        facts["agreement"] = together.agreement.tolist()
    if len(frame) <= MAX_COUNTED:
        into = clusterings(len(frame), scores[best].groups)
        findings.append(
            f"There are {into:.6g} ways to put {len(frame)} rows into {scores[best].groups} clusters, and "
            f"{all_clusterings(len(frame)):.6g} into any number: no method tries them all."
        )
        facts["clusterings"] = {"into_as_many": str(into), "in_all": str(all_clusterings(len(frame)))}
    return Found(findings, table, facts, _figure(frame[reference], frame[best], (reference, best)))


def _codes(labels: pd.Series, noise: str) -> np.ndarray:
    return np.where(labels.astype("string") == noise, -1, pd.factorize(labels, use_na_sentinel=False)[0])


def _figure(groups: pd.Series, labels: pd.Series, names: tuple[str, str]) -> Figure:
    counts = pd.crosstab(groups, labels)
    return contingency(counts.to_numpy(), list(counts.index), list(counts.columns), names=names)


DIAGNOSTIC = Diagnostic(
    name="clusterings",
    summary="How well clusterings of the same rows agree: with known groups, and with one another",
    function=agreement,
    parameters={
        "truth": "the column with the known groups; by default the first one",
        "noise": "the label of rows that a clustering leaves out, by default -1",
    },
    syllabus=("proc_clustering_evaluation", "plot_contingency"),
)
