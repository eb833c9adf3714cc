"""Extractors of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import Card
from penstock.components.catalog import ANY as _ANY
from penstock.components.catalog import Entry
from penstock.components.domains import Float, Int, OneOf

_FOLDER = "penstock.components.dimensionality_reduction"
_FEW = OneOf((2, 3, 5, 10, 20), default=2)

_CARD = Card(
    form="parametric",
    view="neither",
    output="deterministic",
    shape="linear",
    memory="O(n d)",
    time="O(n d^2)",
    capacity=("components",),
)

ENTRIES = (
    Entry(
        name="pca",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.pca:PCA",
        # The other solvers start from random vectors, or square the condition number.
        defaults={"svd_solver": "full"},
        rename={"components": "n_components"},
        space={
            "components": OneOf((0.8, 0.9, 0.95, 0.99, "gap", None), default=0.95),
            "whiten": OneOf((False, True), default=False),
        },
        syllabus=(
            "reduce-pca",
            "reduce-pca-whitening",
            "choosek-pca-variance-ratio",
            "choosek-pca-tolerance",
            "choosek-eigengap",
        ),
        summary="The directions of largest variance: a number of them, a share of it, up to a gap or a tolerance.",
        card=_CARD,
    ),
    Entry(
        name="kernel-pca",
        kind="extractor",
        problems=(_ANY,),
        # Evaluated by how rows come back, it has to learn the way back.
        library={
            _ANY: f"{_FOLDER}.kernel_pca:KernelPCA",
            "reduction": f"{_FOLDER}.kernel_pca:InvertibleKernelPCA",
        },
        defaults={"eigen_solver": "dense"},
        rename={"components": "n_components"},
        space={
            "components": OneOf((2, 5, 10, 20, 50, None), default=10),
            "kernel": OneOf(("linear", "rbf", "poly", "cosine"), default="rbf"),
            "gamma": OneOf((None, 0.001, 0.01, 0.1, 1.0), default=None),
        },
        syllabus=("proc_kernel_pca_order", "reduce-kernel-pca"),
        summary="The directions of largest variance after a bend by a kernel; slow above some thousand rows.",
        card=replace(
            _CARD,
            form="non-parametric",
            shape="by its kernel",
            memory="O(n^2)",
            time="O(n^2 d + n^3)",
            capacity=("components", "kernel", "gamma"),
        ),
    ),
    Entry(
        name="ica",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.independent:ICA",
        rename={"components": "n_components"},
        space={
            "components": OneOf((2, 5, 10, 20, 50, None), default=None),
            "fun": OneOf(("logcosh", "exp", "cube"), default="logcosh"),
        },
        syllabus=("reduce-ica-fastica",),
        summary="Sources that are independent of each other and mixed in the columns (FastICA).",
        card=replace(_CARD, view="generative", time="O(n d^2) and O(n m^2) for each round, m components"),
    ),
    Entry(
        name="nmf",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.non_negative:NMF",
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
        syllabus=("reduce-nmf",),
        summary="Parts that only add up, for counts and amounts; takes no negative numbers.",
        card=replace(_CARD, time="O(n d m) for each round, m components"),
    ),
    Entry(
        name="truncated-svd",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.truncated_svd:TruncatedSVD",
        defaults={"algorithm": "arpack"},
        rename={"components": "n_components"},
        space={"components": _FEW},
        syllabus=("reduce-truncated-svd",),
        summary="The nearest table of low rank, without centring: for counts and tables that are mostly zeros.",
        card=replace(_CARD, time="O(n d m), m components"),
    ),
    Entry(
        name="lsa",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.truncated_svd:LSA",
        defaults={"algorithm": "arpack"},
        rename={"topics": "n_components"},
        space={"topics": _FEW, "weighting": OneOf(("tf-idf", "counts"), default="tf-idf")},
        syllabus=("reduce-lsa",),
        summary="Topics of documents whose columns count words, rare words weighing more (latent semantic analysis).",
        card=replace(_CARD, time="O(n d m), m topics", capacity=("topics",)),
    ),
    Entry(
        name="sparse-pca",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.sparse:SparsePCA",
        rename={"components": "n_components"},
        space={"components": _FEW, "most_weight": Float(low=1.0, high=4.0, default=1.5)},
        syllabus=("reduce-sparse-pca", "proc_factorisation_extensions"),
        summary="Directions of large variance that are made of few columns each, so that they can be read.",
        card=replace(_CARD, time="O(n d) for each round of each component", capacity=("components", "most_weight")),
    ),
    Entry(
        name="als",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.als:AlternatingLeastSquares",
        rename={"components": "n_components"},
        space={"components": _FEW, "penalty": OneOf((0.0, 0.01, 0.1, 1.0), default=0.0)},
        syllabus=("reduce-als",),
        summary="Rows and columns as two thin tables whose product fits the known cells (alternating least squares).",
        card=replace(_CARD, time="O(n d m^2) for each round, m components", capacity=("components", "penalty")),
    ),
    Entry(
        name="iterative-svd",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.completion:IterativeSVD",
        rename={"components": "n_components"},
        space={"components": _FEW, "start": OneOf(("zero", "row", "column"), default="zero")},
        syllabus=("reduce-iterative-svd", "reduce-matrix-completion"),
        summary="Main directions of a table with missing cells, filled on the way; rounds: 1 completes in one shot.",
        card=replace(_CARD, time="O(n d min(n, d)) for each round", capacity=("components", "rounds")),
    ),
    Entry(
        name="entropy-ica",
        kind="extractor",
        problems=(_ANY,),
        library=f"{_FOLDER}.least_entropy:EntropyICA",
        rename={"components": "n_components"},
        space={"components": OneOf((2, 3, 5, 10, None), default=None), "angles": Int(low=30, high=90, default=45)},
        syllabus=("reduce-ica-entropy",),
        summary="Independent sources by least entropy, and the information they still share; slow for many columns.",
        card=replace(_CARD, view="generative", time="O(a d^2 n log n) for each sweep, a angles"),
    ),
    Entry(
        name="total-least-squares",
        kind="regressor",
        problems=("regression",),
        library=f"{_FOLDER}.total_least_squares:TotalLeastSquares",
        complexity=1,
        syllabus=("linreg-total-least-squares", "reduce-total-least-squares"),
        objective="sum of squared distances at right angles to the plane",
        summary="The plane nearest to rows and target at right angles, for columns that are measured with errors too.",
        card=Card(
            form="parametric",
            view="discriminative",
            output="deterministic",
            shape="linear",
            memory="O(n d)",
            time="O(n d^2)",
        ),
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

TRUSTED = (
    "penstock.components.dimensionality_reduction.als.AlternatingLeastSquares",
    "penstock.components.dimensionality_reduction.completion.IterativeSVD",
    "penstock.components.dimensionality_reduction.independent.ICA",
    "penstock.components.dimensionality_reduction.kernel_pca.InvertibleKernelPCA",
    "penstock.components.dimensionality_reduction.kernel_pca.KernelPCA",
    "penstock.components.dimensionality_reduction.least_entropy.EntropyICA",
    "penstock.components.dimensionality_reduction.non_negative.NMF",
    "penstock.components.dimensionality_reduction.pca.PCA",
    "penstock.components.dimensionality_reduction.sparse.SparsePCA",
    "penstock.components.dimensionality_reduction.total_least_squares.TotalLeastSquares",
    "penstock.components.dimensionality_reduction.truncated_svd.LSA",
    "penstock.components.dimensionality_reduction.truncated_svd.TruncatedSVD",
)
