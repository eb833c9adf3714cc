"""Methods that misbehave on purpose, added to the catalogue as another package would add its own."""

from __future__ import annotations

import os
import time
from typing import Any

import numpy as np
from sklearn.dummy import DummyClassifier

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


ENTRIES = tuple(
    Entry(
        name=f"test-{kind.__name__.lower()}",
        kind="classifier",
        problems=("classification",),
        library=f"penstock_test_plugin:{kind.__name__}",
        summary="Misbehaves on purpose.",
    )
    for kind in (Hanging, Hungry, Failing, Dying)
)
TRUSTED = ("penstock_test_plugin.Failing",)
