"""Build, train, store and run a network of dense layers. Everything that touches torch is here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

import numpy as np

from penstock.errors import DivergedError

if TYPE_CHECKING:
    import torch

Array = np.ndarray[Any, Any]
ROWS_AT_ONCE = 65_536

Output = Literal["identity", "relu", "sigmoid", "softmax"]
HIDDEN = {"relu": "ReLU", "tanh": "Tanh", "elu": "ELU", "sigmoid": "Sigmoid"}
SERIES = ("training_loss", "validation_loss", "training_error", "validation_error")
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


class History(NamedTuple):
    """What each epoch measured once it had ended: `SERIES` by name, and the gradient's norm, epochs by layers.

    The norms are of a layer's weights, and means over the epoch's steps. `best_epoch` counts from zero; `validated`:
    whether the validation rows are others than the training rows.
    """

    series: dict[str, Array]
    gradient_norms: Array
    best_epoch: int
    validated: bool


class _Rows(NamedTuple):
    """The rows to learn from, and those that evaluate. Not typed as tensors, whose methods are not typed themselves."""

    X: Any
    y: Any
    X_valid: Any
    y_valid: Any


class _Measures(NamedTuple):
    """What training lowers, and what people count: rows given the wrong class, or how far a quantity is missed."""

    loss: Callable[..., Any]
    error: Callable[..., Any]


def train(X: Array, y: Array, valid_mask: Array, shape: Shape, plan: Plan) -> tuple[Array, History]:
    """Fit by Adam; give the weights of the best epoch as bytes, and what every epoch measured.

    Classes (whole numbers) are learnt by cross-entropy, quantities by squared error of what `plan.output` makes of the
    last layer. The rows of `valid_mask` decide when to stop and are not trained on, unless they are all there is.
    """
    import torch

    with torch.random.fork_rng(devices=[]):
        torch.default_generator.manual_seed(plan.seed)
        network = _network(shape, plan.dropout)
        _initialise(network, plan.initialisation)
        measures = _Measures(torch.nn.CrossEntropyLoss(), lambda outputs, y: _share(outputs.argmax(dim=1) != y))
        if y.dtype.kind == "f":
            made = _made(plan.output)
            measures = _Measures(_of_made(torch.nn.MSELoss(), made), _of_made(torch.nn.L1Loss(), made))
            y = y.astype(np.float32)[:, None]
            if plan.output == "relu":  # at zero, where it would begin, half of the rows could teach nothing
                torch.nn.init.constant_(list(network.parameters())[-1], float(y.mean()))
        elif shape.outputs == 1:
            measures = _Measures(torch.nn.BCEWithLogitsLoss(), lambda outputs, y: _share((outputs > 0) != (y > 0)))
            y = y.astype(np.float32)[:, None]
        learnt = valid_mask if valid_mask.all() else ~valid_mask
        training = [torch.from_numpy(part[learnt]) for part in (X, y)]
        validation = training if valid_mask.all() else [torch.from_numpy(part[valid_mask]) for part in (X, y)]
        return _descend(network, measures, _Rows(*training, *validation), plan)


def _descend(network: torch.nn.Sequential, measures: _Measures, rows: _Rows, plan: Plan) -> tuple[Array, History]:
    import torch
    from safetensors.torch import save

    weights = [layer.weight for layer in network if isinstance(layer, torch.nn.Linear)]
    validated = rows.X is not rows.X_valid
    optimiser = torch.optim.Adam(
        network.parameters(), lr=plan.learning_rate, weight_decay=plan.weight_decay, fused=True
    )
    measured: list[list[float]] = []
    norms: list[Any] = []
    best = b""
    best_epoch = 0
    for epoch in range(plan.epochs):
        network.train()
        order = torch.randperm(len(rows.X))
        steps: list[Any] = []
        for X_batch, y_batch in zip(
            rows.X[order].split(plan.batch_size), rows.y[order].split(plan.batch_size), strict=True
        ):
            optimiser.zero_grad()
            measures.loss(network(X_batch), y_batch).backward()
            steps += [torch.linalg.vector_norm(weight.grad) for weight in weights]
            optimiser.step()
        network.eval()
        valid = _measure(network, measures, rows.X_valid, rows.y_valid)
        train = _measure(network, measures, rows.X, rows.y) if validated else valid
        measured.append([train[0], valid[0], train[1], valid[1]])
        norms.append(torch.stack(steps).view(-1, len(weights)).mean(dim=0).double().numpy())
        _require_finite(measured[-1], norms[-1], epoch)
        if epoch == 0 or valid[0] < measured[best_epoch][1]:
            best, best_epoch = save(network.state_dict()), epoch
        elif epoch - best_epoch >= plan.patience:
            break
    series = dict(zip(SERIES, np.array(measured).T.copy(), strict=True))
    history = History(series, np.array(norms), best_epoch, validated)
    return np.frombuffer(best, dtype=np.uint8).copy(), history


def _measure(network: torch.nn.Sequential, measures: _Measures, X: Any, y: Any) -> list[float]:
    """Mean over the rows of each measure, as the network now is."""
    import torch

    sums = np.zeros(len(measures))
    with torch.no_grad():
        for X_part, y_part in zip(X.split(ROWS_AT_ONCE), y.split(ROWS_AT_ONCE), strict=True):
            outputs = network(X_part)
            sums += [len(X_part) / len(X) * measure(outputs, y_part).item() for measure in measures]
    return [float(value) for value in sums]


def _require_finite(measured: list[float], norms: Array, epoch: int) -> None:
    """Once a number is lost, every later one is: training that goes on would only take time."""
    named = {name.replace("_", " "): value for name, value in zip(SERIES, measured, strict=True)}
    named |= {f"gradient norm of layer {place + 1}": float(norm) for place, norm in enumerate(norms)}
    lost = [name for name, value in named.items() if not np.isfinite(value)]
    if lost:
        raise DivergedError(
            "PEN316",
            f"training diverged: the {lost[0]} is {'infinite' if np.isinf(named[lost[0]]) else 'not a number'} after "
            f"epoch {epoch + 1}",
            where="models: mlp",
            remedy="try a smaller learning_rate, another activation (tanh), initialisation: he (for relu) or xavier "
            "(for tanh), or a scaler in preparation.scale",
        )


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


def _made(output: Output) -> Callable[..., Any]:
    import torch

    made: dict[str, Callable[..., Any]] = {"relu": torch.relu, "sigmoid": torch.sigmoid}
    return made.get(output, lambda outputs: outputs)


def _of_made(measure: Callable[..., Any], made: Callable[..., Any]) -> Callable[..., Any]:
    return lambda outputs, y: measure(made(outputs), y)


def _share(wrong: Any) -> Any:
    return wrong.float().mean()


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
