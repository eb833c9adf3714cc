"""What the width of a Gaussian kernel does to the rows, beside plain principal components."""

from __future__ import annotations

from typing import Annotated, Any

import numpy as np
import pandas as pd
from pydantic import Field
from sklearn.neighbors import NearestNeighbors

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.dimensionality_reduction.kernel_pca import KernelPCA
from penstock.components.dimensionality_reduction.pca import PCA
from penstock.components.teaching.inputs.plane import codes_of, in_a_plane, whole_numbers
from penstock.components.teaching.plots.planes import widths_figure

Array = np.ndarray[Any, Any]
Width = Annotated[float, Field(gt=0)]

MAX_ROWS = 1000
GAMMAS = (0.01, 0.1, 1.0, 10.0, 100.0)


def kernel_widths(
    frame: pd.DataFrame,
    *,
    target: str | None = None,
    gammas: Annotated[list[Width], Field(min_length=1, max_length=7)] | None = None,
    scale: bool = True,
    seed: int = 0,
) -> Found:
    """The first two components without a kernel and with kernels exp(-gamma d^2), from wide to narrow.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"a": [0.0, 0.1, 0.2, 5.0, 5.1, 5.2], "b": [0.0, 0.2, 0.1, 5.0, 5.2, 5.1]})
    >>> len(find("kernel-widths")(table, {"gammas": [0.1]}).facts["kernels"])
    2
    """
    if len(frame) > MAX_ROWS:
        frame = frame.sample(MAX_ROWS, random_state=seed).reset_index(drop=True)
    X = in_a_plane(whole_numbers(frame, target), scale=scale)[0]
    groups = codes_of(frame, target)
    panels = {"no kernel (PCA)": PCA(2, svd_solver="full").fit_transform(X)}
    for gamma in sorted(gammas or GAMMAS):
        panels[f"gamma {gamma:g}"] = KernelPCA(2, kernel="rbf", gamma=gamma, eigen_solver="dense").fit_transform(X)
    rows = [
        {"kernel": name, "first of both": _first(points), **({"same group": _same(points, groups)} if target else {})}
        for name, points in panels.items()
    ]
    table = pd.DataFrame(rows).set_index("kernel")
    findings = ["A wide kernel (small gamma) is nearly linear; a narrow one puts each row in a direction of its own."]
    if target:
        best = str(table["same group"].idxmax())
        findings.append(
            f"The nearest other row is most often of the same '{target}' with {best}: {table['same group'].max():.0%}; "
            f"without a kernel {table['same group'].iloc[0]:.0%}."
        )
    facts = {"kernels": table.reset_index().to_dict("records")}
    return Found(
        findings, table, facts, widths_figure(panels, groups, "The same rows through kernels of several widths")
    )


def _first(points: Array) -> float:
    """The share of the variance of both components that the first holds."""
    spread = points.var(axis=0)
    return float(spread[0] / spread.sum()) if spread.sum() > 0 else 1.0


def _same(points: Array, groups: Array) -> float:
    nearest = NearestNeighbors(n_neighbors=1).fit(points).kneighbors(return_distance=False)[:, 0]
    return float(np.mean(groups[nearest] == groups))


DIAGNOSTIC = Diagnostic(
    name="kernel-widths",
    summary="What kernel PCA shows at several widths of a Gaussian kernel, beside plain PCA",
    function=kernel_widths,
    parameters={
        "target": "a column that colours the rows; it is not among the columns that are reduced",
        "gammas": f"widths to try, as exp(-gamma d^2); by default {list(GAMMAS)}",
        "scale": "false to leave the columns in their own units",
        "seed": f"seed of the rows that are drawn where there are more than {MAX_ROWS:,}",
    },
)
