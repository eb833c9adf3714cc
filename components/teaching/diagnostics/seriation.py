"""A matrix with the things that are alike side by side."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.dissimilarity.validity import require_dissimilarities, symmetrised
from penstock.components.teaching.dissimilarity.seriation import seriate
from penstock.components.teaching.inputs.matrix import square
from penstock.components.teaching.plots.matrix import draw_matrix


def seriation(frame: pd.DataFrame, *, similarity: bool = False) -> Found:
    """Rows and columns in the same new order; of a graph or of similarities, large means alike.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame([[0.0, 2.0, 1.0], [2.0, 0.0, 1.0], [1.0, 1.0, 0.0]])
    >>> find("seriation")(table).facts["neighbours"]
    1.0
    """
    names, matrix = square(frame)
    even = symmetrised(matrix)
    apart = even.max() - even if similarity else even
    if similarity:
        np.fill_diagonal(apart, 0.0)
    order = seriate(require_dissimilarities(apart))
    moved = even[np.ix_(order, order)]
    ordered = [names[place] for place in order]
    table = pd.DataFrame(moved, index=pd.Index(ordered, name="name"), columns=ordered)
    steps = np.diag(apart[np.ix_(order, order)], 1)
    before = np.diag(apart, 1)
    findings = [
        f"{len(names)} things in an order in which neighbours are {steps.mean():.4g} unlike on average; as given "
        f"{before.mean():.4g}.",
        "Blocks along the diagonal are groups; where the picture has none, there are none to see.",
    ]
    facts = {"order": [int(place) for place in order], "neighbours": float(steps.mean())}
    return Found(findings, table, facts, draw_matrix(moved, ordered, "In an order that shows blocks"))


DIAGNOSTIC = Diagnostic(
    name="seriation",
    summary="A square table with rows and columns put in an order that shows its blocks",
    function=seriation,
    parameters={"similarity": "true where large means alike, as in a graph's matrix"},
    syllabus=("dissim-seriation",),
)
