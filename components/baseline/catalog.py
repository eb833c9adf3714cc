"""Baselines of the catalogue."""

from __future__ import annotations

from penstock.components.cards import Card
from penstock.components.catalog import Entry

ENTRIES = (
    Entry(
        name="dummy",
        kind="baseline",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.dummy:DummyClassifier",
            "regression": "sklearn.dummy:DummyRegressor",
        },
        complexity=0,
        summary="The shares of the classes, or the mean: what is known without looking at any column.",
        card=Card(
            form="parametric",
            view="discriminative",
            output="probabilistic",
            shape="linear",
            memory="O(K)",
            time="O(n)",
            capacity=("strategy",),
        ),
    ),
)
