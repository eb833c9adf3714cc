"""Neurons of the catalogue."""

from __future__ import annotations

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Int, OneOf

_CARD = Card(
    form="parametric",
    view="discriminative",
    output="deterministic",
    shape="linear",
    memory="O(d K)",
    time="O(n d K) for each pass",
    capacity=("max_iter",),
)

ENTRIES = (
    Entry(
        name="perceptron",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.perceptron.rosenblatt:PerceptronClassifier",
        space={
            "rule": OneOf(("passes", "draws"), default="passes"),
            "max_iter": Int(low=5, high=200, log=True, default=50),
        },
        complexity=1,
        syllabus=("percep-rosenblatt", "proc_perceptron_loop"),
        summary="A neuron that learns from its mistakes only: done when a line parts the classes, else restless.",
        card=_CARD,
    ),
    Entry(
        name="delta-rule",
        kind="predictor",
        problems=("regression", "classification"),
        library={
            "regression": "penstock.components.perceptron.delta:DeltaRuleRegressor",
            "classification": "penstock.components.perceptron.delta:DeltaRuleClassifier",
        },
        space={"max_iter": Int(low=50, high=2000, log=True, default=1000)},
        complexity=1,
        syllabus=("percep-delta-linear", "percep-delta-sigmoid"),
        summary="Steps against the slope of a neuron's squared error: linear for quantities, sigmoid for classes.",
        card=_CARD,
    ),
)

TRUSTED = (
    "penstock.components.perceptron.delta.DeltaRuleClassifier",
    "penstock.components.perceptron.delta.DeltaRuleRegressor",
    "penstock.components.perceptron.rosenblatt.PerceptronClassifier",
)
