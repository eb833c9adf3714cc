"""How many clusters a table of numbers holds, by every criterion."""

from __future__ import annotations

import pandas as pd
from sklearn.preprocessing import StandardScaler

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.number_of_clusters import CRITERIA, Evidence, choose, draw, evaluate_criteria
from penstock.components.number_of_clusters.evidence import MAX_CLUSTERS
from penstock.components.plots.number_of_clusters import criteria_figure, describe
from penstock.components.teaching.inputs.matrix import finite


def number_of_clusters(
    frame: pd.DataFrame, *, most: int = MAX_CLUSTERS, criterion: str | None = None, scale: bool = True, seed: int = 0
) -> Found:
    """What each criterion says, and why; by k-means, from one cluster to `most`.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2], "b": [0.0, 0.2, 0.1, 5.0, 5.2, 5.1]})
    >>> find("number-of-clusters")(table, {"most": 3, "criterion": "silhouette"}).facts["chosen"]
    2
    """
    numbers = finite(frame)
    rows = draw(numbers, seed)
    X = StandardScaler().fit_transform(numbers[rows]) if scale else numbers[rows]
    evidence = Evidence(X, range(1, min(most, len(X)) + 1) if most >= 1 else [most], seed=seed)
    found = evaluate_criteria(evidence, [criterion] if criterion else CRITERIA)
    chosen = choose(evidence)
    findings = [f"{describe(chosen).capitalize()} by the {chosen.criterion}. {chosen.reason}."]
    if len(rows) < len(numbers):
        findings.append(f"{len(rows):,} of {len(numbers):,} rows were looked at, drawn at random.")
    findings += [f"{result.criterion}: {describe(result)}. {result.reason}." for result in found.values()]
    table = pd.DataFrame({name: result.values for name, result in found.items()}).sort_index().rename_axis("clusters")
    facts = {"chosen": chosen.k, "criteria": {name: result.model_dump() for name, result in found.items()}}
    return Found(findings, table, facts, criteria_figure(found))


DIAGNOSTIC = Diagnostic(
    name="number-of-clusters",
    summary="How many clusters the rows of a table of numbers form, by every criterion; one is an answer",
    function=number_of_clusters,
    parameters={
        "most": f"the largest number to try, by default {MAX_CLUSTERS}",
        "criterion": f"one criterion alone: {', '.join(CRITERIA)}",
        "scale": "false to leave the columns in their own units; by default each gets mean 0 and variance 1",
        "seed": "seed of what is drawn at random, by default 0",
    },
)
