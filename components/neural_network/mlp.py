"""Multi-layer perceptrons on torch that save as plain arrays."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.neural_network import training

Array = np.ndarray[Any, Any]
FEWEST_JUDGES = 10


class _TorchMLP(BaseEstimator):  # type: ignore[misc]
    """What the classifier and the regressor share."""

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "width": [Interval(Integral, 1, None, closed="left")],
        "depth": [Interval(Integral, 0, None, closed="left")],
        "dropout": [Interval(Real, 0, 1, closed="left")],
        "learning_rate": [Interval(Real, 0, None, closed="neither")],
        "weight_decay": [Interval(Real, 0, None, closed="left")],
        "batch_size": [Interval(Integral, 1, None, closed="left")],
        "epochs": [Interval(Integral, 1, None, closed="left")],
        "patience": [Interval(Integral, 1, None, closed="left")],
        "validation_share": [Interval(Real, 0, 1, closed="left")],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        width: int = 64,
        depth: int = 2,
        dropout: float = 0.0,
        learning_rate: float = 1e-3,
        weight_decay: float = 1e-4,
        batch_size: int = 256,
        epochs: int = 100,
        patience: int = 10,
        validation_share: float = 0.1,
        random_state: Any = None,
    ) -> None:
        self.width = width
        self.depth = depth
        self.dropout = dropout
        self.learning_rate = learning_rate
        self.weight_decay = weight_decay
        self.batch_size = batch_size
        self.epochs = epochs
        self.patience = patience
        self.validation_share = validation_share
        self.random_state = random_state

    def _train(self, X: Array, y: Array, outputs: int) -> None:
        random = check_random_state(self.random_state)
        plan = training.Plan(
            dropout=self.dropout,
            learning_rate=self.learning_rate,
            weight_decay=self.weight_decay,
            batch_size=self.batch_size,
            epochs=self.epochs,
            patience=self.patience,
            seed=int(random.randint(np.iinfo(np.int32).max)),
        )
        self.n_outputs_ = outputs
        self.state_, self.history_ = training.train(X, y, self._judges(y, random), self._shape(), plan)

    def _judges(self, y: Array, random: np.random.RandomState) -> Array:
        """The rows that tell when to stop; all rows, where the share of them would be too few to tell anything."""
        count = int(self.validation_share * len(y))
        if count < FEWEST_JUDGES:
            return np.ones(len(y), dtype=bool)
        classes = None
        if y.dtype.kind != "f":
            sizes = np.bincount(y)
            if sizes.min() >= 2 and len(sizes) <= count:
                classes = y
        _, judges = train_test_split(np.arange(len(y)), test_size=count, stratify=classes, random_state=random)
        mask = np.zeros(len(y), dtype=bool)
        mask[judges] = True
        return mask

    def _shape(self) -> training.Shape:
        return training.Shape(inputs=self.n_features_in_, outputs=self.n_outputs_, width=self.width, depth=self.depth)

    def _run(self, X: Any) -> Array:
        check_is_fitted(self)
        return training.run(self.state_, validate_data(self, X, dtype=np.float32, reset=False), self._shape())


class TorchMLPClassifier(ClassifierMixin, _TorchMLP):  # type: ignore[misc]
    """Dense layers with ReLU and a softmax, trained by Adam until held-out rows stop gaining.

    Parameters
    ----------
    width, depth : int
        Units of each hidden layer, and how many such layers; with none it is a linear model.
    dropout : float
        Share of hidden units left out at each step of training.
    learning_rate, weight_decay : float
        Step of Adam, and weight of the squared penalty on the weights.
    batch_size, epochs : int
        Rows of a step, and the most passes over the rows.
    patience : int
        Passes without a gain after which training ends; the best weights are kept.
    validation_share : float
        Share of rows held out to see the gain; where that is fewer than ten rows, all rows teach and judge.
    random_state : int, RandomState or None
        Seed of the first weights, the held-out rows, the batches and the dropout.

    Attributes
    ----------
    classes_ : ndarray
        The classes, sorted.
    history_ : list of float
        Mean cross-entropy of the judging rows after each pass.
    state_ : ndarray of uint8
        The weights as safetensors bytes.
    """

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float32)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self._train(X, codes.astype(np.int64), len(self.classes_))
        return self

    def predict_proba(self, X: Any) -> Array:
        outputs = self._run(X)
        powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        shares: Array = powers / powers.sum(axis=1, keepdims=True)
        return shares

    def predict(self, X: Any) -> Array:
        best: Array = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]


class TorchMLPRegressor(RegressorMixin, _TorchMLP):  # type: ignore[misc]
    """Dense layers with ReLU for a quantity, which is standardised while training; otherwise as TorchMLPClassifier.

    Attributes
    ----------
    mean_, scale_ : float
        Mean and standard deviation of the target.
    history_ : list of float
        Mean squared error of the judging rows after each pass, in units of the target's variance.
    state_ : ndarray of uint8
        The weights as safetensors bytes.
    """

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float32, y_numeric=True)
        y = y.astype(np.float64)
        self.mean_ = float(y.mean())
        self.scale_ = float(y.std()) or 1.0
        self._train(X, (y - self.mean_) / self.scale_, 1)
        return self

    def predict(self, X: Any) -> Array:
        return self._run(X)[:, 0] * self.scale_ + self.mean_
