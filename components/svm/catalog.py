"""Support vector machines of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Float, OneOf

_C = Float(low=1e-2, high=1e3, log=True, default=1.0)
_GAMMA = OneOf(("scale", 1e-3, 1e-2, 1e-1, 1.0), default="scale")
_CLASSIFIER = "penstock.components.svm.classifier:CalibratedSVC"

_CARD = Card(
    form="non-parametric",
    view="discriminative",
    output="deterministic",
    shape="by its kernel",
    memory="O(s d), s support vectors",
    time="O(n^2 d) to O(n^3)",
    capacity=("kernel", "C", "gamma"),
)

ENTRIES = (
    Entry(
        name="linear-svm",
        kind="classifier",
        problems=("classification",),
        library=_CLASSIFIER,
        defaults={"kernel": "linear"},
        space={"C": Float(low=1e-3, high=1e2, log=True, default=1.0)},
        complexity=1,
        simpler={"C": "less"},
        syllabus=("svm-soft-margin",),
        objective="half the squared weights + C * sum of squared hinge losses, the bias all but free (other solvers: "
        "of hinge losses, the bias free)",
        summary="The straight border with the widest margin; its distances are turned into probabilities.",
        card=replace(
            _CARD, form="parametric", shape="linear", memory="O(d K)", time="O(n d) for each pass", capacity=("C",)
        ),
    ),
    Entry(
        name="rbf-svm",
        kind="classifier",
        problems=("classification",),
        library=_CLASSIFIER,
        space={"C": _C, "gamma": _GAMMA},
        complexity=4,
        simpler={"C": "less"},
        summary="A bent border with the widest margin, by a Gaussian kernel; for some thousand rows.",
        card=replace(_CARD, shape="non-linear", capacity=("C", "gamma")),
    ),
    Entry(
        name="svm",
        kind="classifier",
        problems=("classification",),
        library=_CLASSIFIER,
        space={"kernel": OneOf(("rbf", "poly", "sigmoid", "linear"), default="rbf"), "C": _C, "gamma": _GAMMA},
        complexity=4,
        simpler={"C": "less"},
        syllabus=("proc_joint_search_kernel", "svm-kernel"),
        objective="half the squared length of the function + C * sum of hinge losses, the bias free (linear by solver "
        "auto: of squared ones, as linear-svm)",
        summary="The widest margin by a kernel that is searched together with C and gamma; soft or hard, with or "
        "without a bias, by several solvers; for some thousand rows.",
        card=_CARD,
    ),
    Entry(
        name="svr",
        kind="regressor",
        problems=("regression",),
        library="penstock.components.svm.regressor:ScaledSVR",
        space={
            "kernel": OneOf(("rbf", "linear"), default="rbf"),
            "C": _C,
            "epsilon": Float(low=1e-3, high=1.0, log=True, default=0.1),
            "gamma": _GAMMA,
        },
        complexity=4,
        simpler={"C": "less"},
        syllabus=("svm-svr",),
        objective="half the squared length of the function + C * sum of errors beyond epsilon",
        summary="Support vector regression: errors below epsilon cost nothing, outliers little; for some thousand "
        "rows.",
        card=replace(_CARD, capacity=("kernel", "C", "gamma", "epsilon")),
    ),
)

TRUSTED = (
    "penstock.components.svm.centred.CentredSVC",
    "penstock.components.svm.classifier.CalibratedSVC",
    "penstock.components.svm.machine.SupportVectorMachine",
    "penstock.components.svm.regressor.ScaledSVR",
)
