"""Kernel methods of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Float, OneOf

ENTRIES = (
    Entry(
        name="kernel-ridge",
        kind="regressor",
        problems=("regression",),
        library="penstock.components.kernels.ridge:CentredKernelRidge",
        space={
            "kernel": OneOf(("rbf", "laplacian", "poly", "linear"), default="rbf"),
            "alpha": Float(low=1e-3, high=1e2, log=True, default=1.0),
            "gamma": OneOf((None, 1e-3, 1e-2, 1e-1, 1.0), default=None),
        },
        complexity=4,
        simpler={"alpha": "more"},
        syllabus=("kernel-ridge",),
        objective="sum of squared errors + alpha * squared length of the function",
        summary="Ridge in the space of a kernel: smooth curves from few rows; a matrix of rows by rows is solved.",
    ),
)
