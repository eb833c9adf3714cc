"""Multi-layer perceptrons on torch that save as plain arrays."""

from __future__ import annotations

from numbers import Integral, Real
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.model_selection import train_test_split
from sklearn.utils import check_random_state
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import check_is_fitted, validate_data

from penstock.components.neural_network import training

Array = np.ndarray[Any, Any]
MIN_JUDGES = 10


def output_for(classes: int | None, target: str = "any") -> training.Output:
    """The last layer's function: by the number of classes, or by what values a quantity can have."""
    if classes is not None:
        return "sigmoid" if classes <= 2 else "softmax"
    outputs: dict[str, training.Output] = {"any": "identity", "positive": "relu", "bounded": "sigmoid"}
    return outputs[target]


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
        "activation": [StrOptions(set(training.HIDDEN))],
        "initialisation": [StrOptions(set(training.INITIALISATIONS))],
        "random_state": ["random_state"],
    }

    def __init__(
        self,
        width: int = 64,
        depth: int = 1,
        dropout: float = 0.0,
        learning_rate: float = 1e-3,
        weight_decay: float = 1e-4,
        batch_size: int = 256,
        epochs: int = 100,
        patience: int = 10,
        validation_share: float = 0.1,
        activation: str = "relu",
        initialisation: str = "torch",
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
        self.activation = activation
        self.initialisation = initialisation
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
            output=self.output_,
            initialisation=self.initialisation,
        )
        self.n_outputs_ = outputs
        self.state_, history = training.train(X, y, self._validation_mask(y, random), self._shape(), plan)
        self.history_, self.gradient_norms_, self.best_epoch_, self.held_out_ = history

    def _validation_mask(self, y: Array, random: np.random.RandomState) -> Array:
        """The rows that tell when to stop; all rows, where the share of them would be too few to tell anything."""
        count = int(self.validation_share * len(y))
        if count < MIN_JUDGES:
            return np.ones(len(y), dtype=bool)
        classes = None
        if y.dtype.kind != "f":
            sizes = np.bincount(y)
            if sizes.min() >= 2 and len(sizes) <= count:
                classes = y
        _, valid = train_test_split(np.arange(len(y)), test_size=count, stratify=classes, random_state=random)
        mask = np.zeros(len(y), dtype=bool)
        mask[valid] = True
        return mask

    def _shape(self) -> training.Shape:
        return training.Shape(
            inputs=self.n_features_in_,
            outputs=self.n_outputs_,
            width=self.width,
            depth=self.depth,
            activation=self.activation,
        )

    def _run(self, X: Any) -> Array:
        check_is_fitted(self)
        outputs = training.run(self.state_, validate_data(self, X, dtype=np.float32, reset=False), self._shape())
        return training.activate(outputs, self.output_)


class TorchMLPClassifier(ClassifierMixin, _TorchMLP):  # type: ignore[misc]
    """Multilayer perceptron: dense layers, then a sigmoid or a softmax, trained by Adam with early stopping.

    Parameters
    ----------
    width : int, default=64
        Units of each hidden layer.
    depth : int, default=1
        Number of hidden layers; with none it is a linear model.
    dropout : float, default=0.0
        Share of hidden units left out at each training step.
    learning_rate : float, default=0.001
        Learning rate of Adam.
    weight_decay : float, default=0.0001
        Weight of the squared penalty on the weights.
    batch_size : int, default=256
        Rows of a training step.
    epochs : int, default=100
        Maximum number of passes over the rows.
    patience : int, default=10
        Epochs without a gain after which training ends; the best weights are kept.
    validation_share : float, default=0.1
        Share of rows held out to measure the gain; where that is fewer than ten rows, all rows both train and validate.
    activation : {"relu", "tanh", "elu", "sigmoid"}, default="relu"
        Activation of hidden units. With sigmoids, gradients vanish in deep networks.
    initialisation : {"torch", "he", "xavier"}, default="torch"
        How the first weights are drawn: torch's own way, or scaled by the inputs, or by inputs and outputs.
    random_state : int, RandomState instance or None, default=None
        Seed of the first weights, the validation rows, the batches and the dropout.

    Attributes
    ----------
    classes_ : ndarray of shape (n_classes,)
        The class labels, sorted.
    output_ : str
        The function of the last layer.
    history_ : dict of ndarray
        After each epoch, the loss (mean cross-entropy) and the error (share of rows given the wrong class) of the
        training and of the validation rows: `training_loss`, `validation_loss`, `training_error`, `validation_error`.
    gradient_norms_ : ndarray of shape (n_epochs, n_layers)
        Norm of the gradient of each layer's weights: the mean over the steps of an epoch.
    best_epoch_ : int
        The epoch whose weights are kept, the first being 0.
    held_out_ : bool
        Whether the validation rows are others than the training rows.
    state_ : ndarray of uint8
        The weights as safetensors bytes.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.neural_network.mlp import TorchMLPClassifier
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal(size=(200, 2))
    >>> y = np.where(X[:, 0] * X[:, 1] > 0, "same", "other")
    >>> model = TorchMLPClassifier(width=16, learning_rate=0.02, random_state=0).fit(X, y)
    >>> model.predict([[2.0, 2.0], [2.0, -2.0]]).tolist()
    ['same', 'other']
    """

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float32)
        check_classification_targets(y)
        self.classes_, codes = np.unique(y, return_inverse=True)
        self.output_ = output_for(len(self.classes_))
        self._train(X, codes.astype(np.int64), 1 if self.output_ == "sigmoid" else len(self.classes_))
        return self

    def predict_proba(self, X: Any) -> Array:
        shares = self._run(X)
        if len(self.classes_) == 1:
            return np.ones_like(shares)
        return np.hstack([1 - shares, shares]) if self.output_ == "sigmoid" else shares

    def predict(self, X: Any) -> Array:
        best: Array = self.predict_proba(X).argmax(axis=1)
        return self.classes_[best]


class TorchMLPRegressor(RegressorMixin, _TorchMLP):  # type: ignore[misc]
    """Multilayer perceptron for regression, trained on the standardised target by Adam with early stopping.

    Parameters
    ----------
    width : int, default=64
        Units of each hidden layer.
    depth : int, default=1
        Number of hidden layers; with none it is a linear model.
    dropout : float, default=0.0
        Share of hidden units left out at each training step.
    learning_rate : float, default=0.001
        Learning rate of Adam.
    weight_decay : float, default=0.0001
        Weight of the squared penalty on the weights.
    batch_size : int, default=256
        Rows of a training step.
    epochs : int, default=100
        Maximum number of passes over the rows.
    patience : int, default=10
        Epochs without a gain after which training ends; the best weights are kept.
    validation_share : float, default=0.1
        Share of rows held out to measure the gain; where that is fewer than ten rows, all rows both train and validate.
    activation : {"relu", "tanh", "elu", "sigmoid"}, default="relu"
        Activation of hidden units. With sigmoids, gradients vanish in deep networks.
    initialisation : {"torch", "he", "xavier"}, default="torch"
        How the first weights are drawn: torch's own way, or scaled by the inputs, or by inputs and outputs.
    target : {"any", "positive", "bounded"}, default="any"
        What values the target can have: any; none below zero (the last layer is a ReLU); or none beyond the smallest
        and the largest of the training rows (a sigmoid).
    random_state : int, RandomState instance or None, default=None
        Seed of the first weights, the validation rows, the batches and the dropout.

    Attributes
    ----------
    mean_, scale_ : float
        What the target is centred at and divided by: mean and standard deviation, zero and standard deviation, or the
        smallest value and the range.
    output_ : str
        The function of the last layer.
    history_ : dict of ndarray
        As of TorchMLPClassifier; the loss is the mean squared error in units of the squared scale, the error is the
        mean absolute one in units of the target.
    gradient_norms_ : ndarray of shape (n_epochs, n_layers)
        Norm of the gradient of each layer's weights: the mean over the steps of an epoch.
    best_epoch_ : int
        The epoch whose weights are kept, the first being 0.
    held_out_ : bool
        Whether the validation rows are others than the training rows.
    state_ : ndarray of uint8
        The weights as safetensors bytes.

    Examples
    --------
    >>> import numpy as np
    >>> from penstock.components.neural_network.mlp import TorchMLPRegressor
    >>> X = np.linspace(-1, 1, 100)[:, None]
    >>> model = TorchMLPRegressor(learning_rate=0.02, random_state=0).fit(X, 100 * np.abs(X[:, 0]))
    >>> bool(abs(model.predict([[0.5]])[0] - 50) < 10)
    True
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        **_TorchMLP._parameter_constraints,
        "target": [StrOptions({"any", "positive", "bounded"})],
    }

    def __init__(
        self,
        width: int = 64,
        depth: int = 1,
        dropout: float = 0.0,
        learning_rate: float = 1e-3,
        weight_decay: float = 1e-4,
        batch_size: int = 256,
        epochs: int = 100,
        patience: int = 10,
        validation_share: float = 0.1,
        activation: str = "relu",
        initialisation: str = "torch",
        target: str = "any",
        random_state: Any = None,
    ) -> None:
        super().__init__(
            width=width,
            depth=depth,
            dropout=dropout,
            learning_rate=learning_rate,
            weight_decay=weight_decay,
            batch_size=batch_size,
            epochs=epochs,
            patience=patience,
            validation_share=validation_share,
            activation=activation,
            initialisation=initialisation,
            random_state=random_state,
        )
        self.target = target

    def fit(self, X: Any, y: Any) -> Self:
        self._validate_params()
        X, y = validate_data(self, X, y, dtype=np.float32, y_numeric=True)
        y = y.astype(np.float64)
        if self.target == "positive" and y.min() < 0:
            raise ValueError(f"target='positive', but the smallest value is {y.min():g}")
        self.output_ = output_for(None, self.target)
        self.mean_ = float({"any": y.mean(), "positive": 0.0, "bounded": y.min()}[self.target])
        self.scale_ = float(np.ptp(y) if self.target == "bounded" else y.std()) or 1.0
        self._train(X, (y - self.mean_) / self.scale_, 1)
        for name in ("training_error", "validation_error"):
            self.history_[name] = self.history_[name] * self.scale_
        return self

    def predict(self, X: Any) -> Array:
        return self._run(X)[:, 0] * self.scale_ + self.mean_
