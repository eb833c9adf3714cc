"""Linear classifiers of the catalogue."""

from __future__ import annotations

import math

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Float, OneOf

ENTRIES = (
    Entry(
        name="logistic-regression",
        kind="classifier",
        problems=("classification",),
        library="sklearn.linear_model:LogisticRegression",
        defaults={"max_iter": 10_000, "l1_ratio": 0.5},  # the ratio counts for elastic-net alone
        # scikit-learn says the penalty through C and l1_ratio; only its solver saga knows all of them.
        means={
            "penalty": {
                "none": {"C": math.inf, "l1_ratio": 0.0},
                "l1": {"l1_ratio": 1.0, "solver": "saga"},
                "l2": {"l1_ratio": 0.0},
                "elastic-net": {"solver": "saga"},
            }
        },
        space={
            "penalty": OneOf(("l2", "l1", "elastic-net"), default="l2"),
            "C": Float(low=1e-3, high=1e2, log=True, default=1.0),
            "class_weight": OneOf((None, "balanced"), default=None),
        },
        complexity=1,
        simpler={"C": "less"},
        syllabus=("linclf-logistic", "linclf-softmax", "met_p_out_logistic", "met_softmax"),
        objective="sum of log(1 + exp(-margin)) + sum of squared weights / (2 * C); the sum is minus the "
        "log-likelihood of y log h + (1 - y) log(1 - h), a minus that is missing in print at times, and C is 1 / (2 "
        "lambda)",
        summary="Linear log-odds, by default with a squared penalty; fast, well calibrated, and its weights can be "
        "read. Without a penalty they grow without end where a plane parts the classes: keep one there.",
        card=Card(
            form="parametric",
            view="discriminative",
            output="probabilistic",
            shape="linear",
            memory="O(d K)",
            time="O(n d K) for each step",
            capacity=("C", "penalty"),
        ),
    ),
)

TRUSTED = (
    "penstock.components.linear_classification.bridge.BridgeClassifier",
    "penstock.components.linear_classification.risk.PenalisedRiskClassifier",
)
