"""Networks on torch, where it is installed, against scikit-learn's of as many layers, batches and passes."""

from __future__ import annotations

import warnings
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from sklearn.exceptions import ConvergenceWarning
from sklearn.neural_network import MLPClassifier, MLPRegressor

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import five_classes, numbers
from penstock.components.neural_network.mlp import TorchMLPClassifier, TorchMLPRegressor

PASSES = 20
OURS: dict[str, Any] = {"epochs": PASSES, "patience": PASSES, "random_state": 0}


class OfPasses:
    """scikit-learn's, evaluated on a tenth of the rows after every pass as ours is, and quiet when passes are over."""

    def __init__(self, network: Any) -> None:
        self.network = network(
            hidden_layer_sizes=64,
            batch_size=256,
            max_iter=PASSES,
            early_stopping=True,
            n_iter_no_change=PASSES,
            random_state=0,
        )

    def fit(self, X: Any, y: Any) -> None:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", ConvergenceWarning)
            self.network.fit(X, y)

    def predict(self, X: Any) -> Any:
        return self.network.predict(X)


if find_spec("torch") is None:
    PAIRS: tuple[Pair, ...] = ()
else:
    import_module("torch")  # now, since the limit on threads holds for what is loaded
    PAIRS = (
        Pair("mlp, classes", partial(TorchMLPClassifier, **OURS), partial(OfPasses, MLPClassifier), five_classes),
        Pair("mlp, values", partial(TorchMLPRegressor, **OURS), partial(OfPasses, MLPRegressor), numbers),
    )
