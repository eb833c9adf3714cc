"""Neural networks of the catalogue."""

from __future__ import annotations

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Float, Int, OneOf

ENTRIES = (
    Entry(
        name="mlp",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "penstock.components.neural_network.mlp:TorchMLPClassifier",
            "regression": "penstock.components.neural_network.mlp:TorchMLPRegressor",
        },
        space={
            "width": Int(low=16, high=256, log=True, default=64),
            "depth": Int(low=1, high=4, default=1),
            "dropout": OneOf((0.0, 0.1, 0.3), default=0.0),
            "learning_rate": Float(low=3e-4, high=1e-2, log=True, default=1e-3),
            "weight_decay": Float(low=1e-6, high=1e-2, log=True, default=1e-4),
        },
        complexity=6,
        simpler={"depth": "less", "width": "less", "weight_decay": "more"},
        syllabus=("nn-reg-early-stopping",),
        extra="torch",
        summary="Layers of weighted sums and kinks, trained until held-out rows stop gaining.",
        card=Card(
            form="parametric",
            view="discriminative",
            output="by its loss",
            shape="non-linear",
            memory="O(n d + w), w weights",
            time="O(n w) for each epoch, w weights",
            capacity=("depth", "width", "dropout", "weight_decay", "epochs"),
        ),
    ),
)

TRUSTED = (
    "penstock.components.neural_network.mlp.TorchMLPClassifier",
    "penstock.components.neural_network.mlp.TorchMLPRegressor",
)
