"""A picture with few different blocks."""

from __future__ import annotations

import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.teaching.clustering.quantisation import quantise
from penstock.components.teaching.inputs.matrix import finite
from penstock.components.teaching.plots.matrix import draw_matrix


def vector_quantisation(frame: pd.DataFrame, *, clusters: int = 16, size: int = 2, seed: int = 0) -> Found:
    """The table is the picture: a row is a line of grey values.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame([[0, 0, 9, 9], [0, 0, 9, 9]])
    >>> find("vector-quantisation")(table, {"clusters": 2}).facts["error"]
    0.0
    """
    picture = finite(frame)
    found = quantise(picture, clusters, size=size, seed=seed)
    blocks = len(found.codes)
    findings = [
        f"{picture.shape[0]} by {picture.shape[1]} pixels are {blocks:,} blocks of {size * size}; "
        f"{len(found.codebook)} blocks stand for them.",
        f"The mean squared error of a pixel is {found.error / picture.size:.6g}"
        + (": nothing is lost." if found.error == 0 else "."),
    ]
    facts = {"blocks": blocks, "codebook": found.codebook.tolist(), "error": found.error}
    table = pd.DataFrame(found.picture, columns=frame.columns)
    return Found(
        findings, table, facts, draw_matrix(found.picture, None, f"With {len(found.codebook)} different blocks")
    )


DIAGNOSTIC = Diagnostic(
    name="vector-quantisation",
    summary="A picture compressed by k-means: each block of pixels replaced by the nearest of a few",
    function=vector_quantisation,
    parameters={
        "clusters": "how many blocks the codebook has, by default 16",
        "size": "a block is so many pixels wide and high, by default 2",
        "seed": "of the starts of k-means, by default 0",
    },
    syllabus=("cluster-vector-quantisation",),
)
