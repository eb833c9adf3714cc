"""Extractors of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry, Problem
from penstock.components.domains import OneOf

_ALL: tuple[Problem, ...] = ("classification", "regression", "clustering")

ENTRIES = (
    Entry(
        name="pca",
        kind="extractor",
        problems=_ALL,
        library="penstock.components.dimensionality_reduction.pca:PCA",
        # The other solvers start from random vectors, or square the condition number.
        defaults={"svd_solver": "full"},
        rename={"components": "n_components"},
        space={
            "components": OneOf((0.8, 0.9, 0.95, 0.99, "gap", None), default=0.95),
            "whiten": OneOf((False, True), default=False),
        },
        syllabus=("reduce-pca", "reduce-pca-whitening"),
        summary="The directions of largest variance: a number of them, a share of it, up to a gap or a tolerance.",
    ),
    Entry(
        name="kernel-pca",
        kind="extractor",
        problems=_ALL,
        library="sklearn.decomposition:KernelPCA",
        defaults={"eigen_solver": "dense"},
        rename={"components": "n_components"},
        space={
            "components": OneOf((2, 5, 10, 20, 50, None), default=10),
            "kernel": OneOf(("linear", "rbf", "poly", "cosine"), default="rbf"),
            "gamma": OneOf((None, 0.001, 0.01, 0.1, 1.0), default=None),
        },
        syllabus=("proc_kernel_pca_order",),
        summary="The directions of largest variance after a bend by a kernel; slow above some thousand rows.",
    ),
    Entry(
        name="ica",
        kind="extractor",
        problems=_ALL,
        library="penstock.components.dimensionality_reduction.independent:ICA",
        rename={"components": "n_components"},
        space={
            "components": OneOf((2, 5, 10, 20, 50, None), default=None),
            "fun": OneOf(("logcosh", "exp", "cube"), default="logcosh"),
        },
        syllabus=("reduce-ica-fastica",),
        summary="Sources that are independent of each other and mixed in the columns (FastICA).",
    ),
    Entry(
        name="nmf",
        kind="extractor",
        problems=_ALL,
        library="penstock.components.dimensionality_reduction.non_negative:NMF",
        defaults={"init": "nndsvda"},
        rename={"components": "n_components"},
        means={
            "loss": {
                "squares": {"solver": "cd", "beta_loss": "frobenius"},
                "counts": {"solver": "mu", "beta_loss": "kullback-leibler"},
            }
        },
        space={
            "components": OneOf((2, 5, 10, 20, "auto"), default=5),
            "loss": OneOf(("squares", "counts"), default="squares"),
        },
        summary="Parts that only add up, for counts and amounts; takes no negative numbers.",
    ),
    Entry(
        name="discriminants",
        kind="extractor",
        problems=("classification",),
        library="sklearn.discriminant_analysis:LinearDiscriminantAnalysis",
        rename={"components": "n_components"},
        summary="The directions along which the classes are furthest apart (LDA): at most one fewer than classes.",
    ),
)
