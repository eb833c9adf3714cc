"""Kernel methods of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Domain, Float, Int, OneOf

_ALL = ("classification", "regression", "clustering")
_KERNEL: dict[str, Domain] = {
    "kernel": OneOf(("rbf", "laplacian", "poly", "linear"), default="rbf"),
    "gamma": OneOf(("scale", 1e-3, 1e-2, 1e-1, 1.0), default="scale"),
}

_CARD = Card(
    form="non-parametric",
    view="discriminative",
    output="deterministic",
    shape="by its kernel",
    memory="O(n^2)",
    time="O(n^2 d + n^3)",
    capacity=("kernel", "gamma", "penalty"),
)

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
        card=replace(_CARD, capacity=("kernel", "gamma", "alpha")),
    ),
    Entry(
        name="kernel-machine",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "penstock.components.kernels.machine:KernelMachineClassifier",
            "regression": "penstock.components.kernels.machine:KernelMachineRegressor",
        },
        space={
            **_KERNEL,
            "penalty": Float(low=1e-3, high=1e2, log=True, default=1.0),
            "loss": {
                "classification": OneOf(("logistic", "square"), default="logistic"),
                "regression": OneOf(("square", "huber", "absolute"), default="square"),
            },
        },
        complexity=4,
        simpler={"penalty": "more"},
        syllabus=("kernel-erm",),
        objective="sum of losses + penalty * squared length of the function",
        summary="Any loss with any kernel, also sums and products of kernels: kernel logistic regression, kernel "
        "ridge, robust curves; for some thousand rows.",
        card=replace(_CARD, output="by its loss"),
    ),
    Entry(
        name="kernel-perceptron",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.kernels.perceptron:CalibratedKernelPerceptron",
        space={**_KERNEL, "passes": OneOf((1, 5, 20, 50), default=20)},
        complexity=4,
        syllabus=("kernel-perceptron",),
        summary="The perceptron with a kernel, which counts its mistakes by row; quick where classes separate.",
        card=replace(_CARD, time="O(n^2 d) and O(n^2) for each pass", capacity=("kernel", "gamma", "passes")),
    ),
    Entry(
        name="explicit-kernel-map",
        kind="extractor",
        problems=_ALL,
        library="penstock.components.kernels.maps:ExplicitKernelMap",
        space={
            "kernel": OneOf(("poly", "rbf", "exponential"), default="poly"),
            "degree": Int(low=1, high=3, default=2),
            "gamma": Float(low=0.01, high=1.0, log=True, default=1.0),
        },
        syllabus=("kernel-explicit-map",),
        summary="Weighted products of columns whose inner product is a kernel: exactly for poly, up to a degree for "
        "others.",
    ),
    Entry(
        name="kernel-map",
        kind="extractor",
        problems=_ALL,
        library="penstock.components.kernels.maps:ApproximateKernelMap",
        space={
            "components": Int(low=10, high=500, log=True, default=100),
            "gamma": OneOf((None, 0.01, 0.1, 1.0), default=None),
        },
        syllabus=("kernel-linearisation",),
        summary="Columns that stand for a kernel (points, random waves, a sketch), so that linear models bend.",
    ),
    Entry(
        name="random-features",
        kind="extractor",
        problems=_ALL,
        library="penstock.components.kernels.maps:RandomFeatures",
        space={
            "components": Int(low=20, high=1000, log=True, default=200),
            "activation": OneOf(("relu", "sign", "tanh"), default="relu"),
        },
        syllabus=("kernel-random-features", "proc_random_features"),
        summary="A layer of random directions that is not learnt, before a linear model; cheaper than a kernel.",
    ),
)

TRUSTED = (
    "penstock.components.kernels.machine.KernelMachineClassifier",
    "penstock.components.kernels.machine.KernelMachineRegressor",
    "penstock.components.kernels.maps.ApproximateKernelMap",
    "penstock.components.kernels.maps.ExplicitKernelMap",
    "penstock.components.kernels.maps.RandomFeatures",
    "penstock.components.kernels.perceptron.CalibratedKernelPerceptron",
    "penstock.components.kernels.perceptron.KernelPerceptron",
    "penstock.components.kernels.ridge.CentredKernelRidge",
)
