"""How a network came to decide as it does: its layers, its training epoch by epoch, and the health of its gradients."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components.explanation.models.base import Explainer, Explanation, Shown
from penstock.components.neural_network.mlp import TorchMLPClassifier, TorchMLPRegressor
from penstock.components.plots.epochs import gradient_norms, training_curves
from penstock.components.plots.style import label, short_number

Array = np.ndarray[Any, Any]
VANISHING, EXPLODING = 1e-3, 1e3


def explain_network(shown: Shown) -> Explanation:
    history = history_of(shown.model, shown.target)
    return Explanation(
        [_layers(shown.model), _training(history), gradient_health(np.array(history["gradient_norms"]))],
        figures={"training_curves": training_curves(history), "gradient_norms": gradient_norms(history)},
        history=history,
    )


def history_of(model: Any, target: str) -> dict[str, Any]:
    """All that the curves are drawn from, as JSON; epochs count from one."""
    classifies = isinstance(model, TorchMLPClassifier)
    return {
        "best_epoch": model.best_epoch_ + 1,
        "validated": model.held_out_,
        "loss": "Cross-entropy" if classifies else "Squared error, scaled",
        "error": "Share of wrong predictions" if classifies else f"Mean absolute error of {label(target, 16)}",
        "series": {name: values.tolist() for name, values in model.history_.items()},
        "gradient_norms": model.gradient_norms_.tolist(),
    }


def gradient_health(norms: Array) -> str:
    """Whether the gradient keeps its size on the way from the last layer to the first; `norms` is epochs by layers."""
    first, last = norms[:, 0], norms[:, -1]
    if norms.shape[1] == 1 or not (last > 0).any():
        return "There are no layers between which a gradient could vanish or explode."
    ratio = float(np.median(first[last > 0] / last[last > 0]))
    seen = f"the gradient of the first layer is {short_number(ratio)} times that of the last (median over epochs)"
    if ratio < VANISHING:
        return (
            f"Gradients vanish: {seen}, so that the first layers hardly learn. Try activation: relu or tanh, "
            "initialisation: he or xavier, or fewer layers."
        )
    if ratio > EXPLODING:
        return (
            f"Gradients explode: {seen}, so that the first layers are thrown about. Try initialisation: he or xavier, "
            "a smaller learning_rate, scaled columns, or fewer layers."
        )
    return f"Gradients are in good health: {seen}."


def _layers(model: Any) -> str:
    if not model.depth:
        return "A network without hidden layers, which is a linear model."
    layers = "1 hidden layer" if model.depth == 1 else f"{model.depth} hidden layers, each"
    return f"A network with {layers} of {model.width} units ({model.activation})."


def _training(history: dict[str, Any]) -> str:
    epochs, best, series = len(history["gradient_norms"]), history["best_epoch"], history["series"]
    on_training, on_validation = (
        short_number(series[f"{part}_error"][best - 1]) for part in ("training", "validation")
    )
    kept = f"It was trained for {epochs} epochs; the weights of epoch {best}, the lowest loss of "
    error = history["error"][0].lower() + history["error"][1:]
    if not history["validated"]:
        few = "(too few rows to hold some out)"
        return f"{kept}the training rows, are kept {few}. There, the {error} is {on_training}."
    others = f"on rows trained on, {on_validation} on others"
    return f"{kept}held-out training rows, are kept. There, the {error} is {on_training} {others}."


EXPLAINER = Explainer(
    name="network",
    suits=lambda model: isinstance(model, TorchMLPClassifier | TorchMLPRegressor),
    explain=explain_network,
)
