"""Build, train, store and run a network of dense layers. Everything that touches torch is here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
ROWS_AT_ONCE = 65_536

Output = Literal["identity", "relu", "sigmoid", "softmax"]
HIDDEN = {"relu": "ReLU", "tanh": "Tanh", "elu": "ELU"}
INITIALISATIONS = {"torch": None, "he": "kaiming_normal_", "xavier": "xavier_normal_"}


@dataclass(frozen=True, kw_only=True)
class Shape:
    inputs: int
    outputs: int
    width: int
    depth: int
    activation: str = "relu"


@dataclass(frozen=True, kw_only=True)
class Plan:
    """How to train. `epochs` is the most; training ends `patience` epochs after the best one."""

    dropout: float
    learning_rate: float
    weight_decay: float
    batch_size: int
    epochs: int
    patience: int
    seed: int
    output: Output = "identity"
    initialisation: str = "torch"


class _Rows(NamedTuple):
    """The rows to learn from, and those that judge. Not typed as tensors, whose methods are not typed themselves."""

    X: Any
    y: Any
    X_judge: Any
    y_judge: Any


def train(X: Array, y: Array, judged: Array, shape: Shape, plan: Plan) -> tuple[Array, list[float]]:
    """Fit by Adam; give the weights of the best epoch as bytes, and the loss of every epoch.

    Classes (whole numbers) are learnt by cross-entropy, quantities by squared error of what `plan.output` makes of the
    last layer. The rows of the mask `judged` decide when to stop and are not learnt from, unless they are all there is.
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(plan.seed)
        network = _network(shape, plan.dropout)
        _initialise(network, plan.initialisation)
        loss: Callable[..., Any] = torch.nn.CrossEntropyLoss()
        if y.dtype.kind == "f":
            loss = _squared_error(plan.output)
            y = y.astype(np.float32)[:, None]
            if plan.output == "relu":  # at zero, where it would begin, half of the rows could teach nothing
                torch.nn.init.constant_(list(network.parameters())[-1], float(y.mean()))
        elif shape.outputs == 1:
            loss = torch.nn.BCEWithLogitsLoss()
            y = y.astype(np.float32)[:, None]
        learnt = judged if judged.all() else ~judged
        rows = _Rows(*(torch.from_numpy(part) for part in (X[learnt], y[learnt], X[judged], y[judged])))
        return _descend(network, loss, rows, plan)


def _descend(
    network: torch.nn.Sequential, loss: Callable[..., Any], rows: _Rows, plan: Plan
) -> tuple[Array, list[float]]:
    import torch
    from safetensors.torch import save

    optimiser = torch.optim.Adam(
        network.parameters(), lr=plan.learning_rate, weight_decay=plan.weight_decay, fused=True
    )
    history: list[float] = []
    best = b""
    best_epoch = 0
    for epoch in range(plan.epochs):
        network.train()
        order = torch.randperm(len(rows.X))
        for X_batch, y_batch in zip(
            rows.X[order].split(plan.batch_size), rows.y[order].split(plan.batch_size), strict=True
        ):
            optimiser.zero_grad()
            loss(network(X_batch), y_batch).backward()
            optimiser.step()
        network.eval()
        with torch.no_grad():
            history.append(loss(network(rows.X_judge), rows.y_judge).item())
        if not np.isfinite(history[-1]):
            raise ValueError(f"the loss is no number after epoch {epoch + 1}: try a smaller learning_rate")
        if epoch == 0 or history[-1] < history[best_epoch]:
            best, best_epoch = save(network.state_dict()), epoch
        elif epoch - best_epoch >= plan.patience:
            break
    return np.frombuffer(best, dtype=np.uint8).copy(), history


def activate(outputs: Array, output: Output) -> Array:
    """What the last layer's sums say: themselves, no less than zero, a share, or shares of classes."""
    if output == "relu":
        return np.maximum(outputs, 0.0)
    if output == "sigmoid":
        return np.where(outputs >= 0, 1 / (1 + np.exp(-np.abs(outputs))), 1 - 1 / (1 + np.exp(-np.abs(outputs))))
    if output == "softmax":
        powers = np.exp(outputs - outputs.max(axis=1, keepdims=True))
        shares: Array = powers / powers.sum(axis=1, keepdims=True)
        return shares
    return outputs


def _squared_error(output: Output) -> Callable[..., Any]:
    import torch

    error = torch.nn.MSELoss()
    made: dict[str, Callable[..., Any]] = {"relu": torch.relu, "sigmoid": torch.sigmoid}
    if output not in made:
        return error
    return lambda outputs, y: error(made[output](outputs), y)


def run(state: Array, X: Array, shape: Shape) -> Array:
    """The network's outputs, in double precision, so that a row's answer does not hang on the rows beside it."""
    import torch
    from safetensors.torch import load

    with torch.device("meta"):  # first weights would be drawn from the global generator, only to be overwritten
        network = _network(shape, 0.0)
    network.load_state_dict(load(state.tobytes()), assign=True)
    network.double().eval()
    with torch.no_grad():
        parts = [network(torch.from_numpy(part)).numpy() for part in _parts(X.astype(np.float64))]
    return np.concatenate(parts)


def _parts(X: Array) -> list[Array]:
    return [X[start : start + ROWS_AT_ONCE] for start in range(0, len(X), ROWS_AT_ONCE)]


def _network(shape: Shape, dropout: float) -> torch.nn.Sequential:
    """Layers are numbered alike with and without dropout, so that stored weights fit either."""
    from torch import nn

    layers: list[nn.Module] = []
    inputs = shape.inputs
    for _ in range(shape.depth):
        hidden = getattr(nn, HIDDEN[shape.activation])()
        layers += [nn.Linear(inputs, shape.width), hidden, nn.Dropout(dropout) if dropout else nn.Identity()]
        inputs = shape.width
    return nn.Sequential(*layers, nn.Linear(inputs, shape.outputs))


def _initialise(network: torch.nn.Sequential, how: str) -> None:
    """First weights by another rule than torch's own; then biases are zero."""
    from torch import nn

    name = INITIALISATIONS[how]
    for layer in network if name else ():
        if isinstance(layer, nn.Linear):
            getattr(nn.init, str(name))(layer.weight)
            nn.init.zeros_(layer.bias)
