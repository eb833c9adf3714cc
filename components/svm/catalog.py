"""Support vector machines of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Float, OneOf

_C = Float(low=1e-2, high=1e3, log=True, default=1.0)
_GAMMA = OneOf(("scale", 1e-3, 1e-2, 1e-1, 1.0), default="scale")
_CLASSIFIER = "penstock.components.svm.classifier:CalibratedSVC"

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
        summary="The straight border with the widest margin; its distances are turned into probabilities.",
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
    ),
    Entry(
        name="svm",
        kind="classifier",
        problems=("classification",),
        library=_CLASSIFIER,
        space={"kernel": OneOf(("rbf", "poly", "sigmoid", "linear"), default="rbf"), "C": _C, "gamma": _GAMMA},
        complexity=4,
        simpler={"C": "less"},
        syllabus=("proc_joint_search_kernel",),
        summary="The widest margin by a kernel that is searched together with C and gamma; for some thousand rows.",
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
        summary="Support vector regression: errors below epsilon cost nothing, outliers little; for some thousand "
        "rows.",
    ),
)
