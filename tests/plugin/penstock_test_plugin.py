"""Methods that misbehave on purpose, added to the catalogue as another package would add its own."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier
from sklearn.preprocessing import StandardScaler

from penstock.components.catalog import Entry


class Hanging(DummyClassifier):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Hanging:
        time.sleep(3600)
        return self


class Hungry(DummyClassifier):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Hungry:
        kept = []
        while True:
            kept.append(np.ones(2**23))
            time.sleep(0.02)


class Failing(DummyClassifier):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Failing:
        raise ValueError("this method always fails")


class Dying(DummyClassifier):
    def fit(self, X: Any, y: Any, sample_weight: Any = None) -> Dying:
        os._exit(9)


class Unscalable(StandardScaler):
    def fit(self, X: Any, y: Any = None, sample_weight: Any = None) -> Unscalable:
        raise ValueError("this scaler always fails")


KINDS: dict[type, str] = {
    Hanging: "classifier",
    Hungry: "classifier",
    Failing: "classifier",
    Dying: "classifier",
    Unscalable: "scaler",
}
ENTRIES = tuple(
    Entry(
        name=f"test-{made.__name__.lower()}",
        kind=kind,
        problems=("classification",),
        library=f"penstock_test_plugin:{made.__name__}",
        summary="Misbehaves on purpose.",
    )
    for made, kind in KINDS.items()
)
TRUSTED = ("penstock_test_plugin.Failing",)
