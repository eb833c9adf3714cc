"""Extractors of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import OneOf

ENTRIES = (
    Entry(
        name="pca",
        kind="extractor",
        problems=("classification", "regression", "clustering"),
        library="penstock.components.dimensionality_reduction.pca:PCA",
        # The other solvers start from random vectors, or square the condition number.
        defaults={"svd_solver": "full"},
        rename={"components": "n_components"},
        space={
            "components": OneOf((0.8, 0.9, 0.95, 0.99, None), default=0.95),
            "whiten": OneOf((False, True), default=False),
        },
        syllabus=("reduce-pca", "reduce-pca-whitening"),
        summary="The directions of largest variance: a number of them, or as many as explain a share of it.",
    ),
)
