"""Training epoch by epoch, drawn from what was stored of it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.axes import Axes

from penstock.components.plots import to_svg
from penstock.components.plots.epochs import gradient_norms, training_curves

SERIES = {
    "training_loss": [0.9, 0.6, 0.4, 0.2],
    "validation_loss": [1.0, 0.7, 0.8, 0.9],
    "training_error": [0.4, 0.3, 0.2, 0.1],
    "validation_error": [0.5, 0.4, 0.4, 0.5],
}
HISTORY: dict[str, Any] = {
    "best_epoch": 2,
    "validated": True,
    "loss": "Cross-entropy",
    "error": "Share of wrong predictions",
    "series": SERIES,
    "gradient_norms": [[1e-6, 1.0], [1e-7, 0.5], [0.0, 0.2], [1e-8, 0.1]],
}


def lines(axes: Axes) -> dict[Any, list[float]]:
    return {line.get_label(): list(np.asarray(line.get_ydata(), dtype=float)) for line in axes.get_lines()}


@pytest.mark.covers("plot_learning_curves")
def test_losses_and_errors_of_both_parts_with_the_kept_epoch_marked() -> None:
    figure = training_curves(HISTORY)
    for axes, measure in zip(figure.axes, ("loss", "error"), strict=True):
        drawn = lines(axes)
        assert drawn["training rows"] == SERIES[f"training_{measure}"]
        assert drawn["rows held out"] == SERIES[f"validation_{measure}"]
        mark = next(line for line in axes.get_lines() if line.get_label() == "kept: epoch 2")
        assert list(np.asarray(mark.get_xdata())) == [2, 2]
        ring = axes.get_lines()[-1].get_xydata()
        assert np.array_equal(np.asarray(ring), [[2.0, SERIES[f"validation_{measure}"][1]]])
    assert [axes.get_ylabel() for axes in figure.axes] == ["Cross-entropy", "Share of wrong predictions"]
    svg = to_svg(figure)
    assert "epoch 3, error of rows held out: 0.4" in svg
    assert svg == to_svg(training_curves(HISTORY))


@pytest.mark.covers("plot_gradient_norms")
def test_a_line_of_norms_for_each_layer_by_orders_of_magnitude() -> None:
    figure = gradient_norms(HISTORY)
    (axes,) = figure.axes
    assert axes.get_yscale() == "log"
    drawn = lines(axes)
    assert drawn["layer 2"] == [1.0, 0.5, 0.2, 0.1]
    assert drawn["layer 1"][:2] == [1e-6, 1e-7]
    assert np.isnan(drawn["layer 1"][2])
    assert "epoch 4, layer 1: 1e-08" in to_svg(figure)


def test_one_epoch_whose_gradient_is_zero_can_be_drawn() -> None:
    short = {name: values[:1] for name, values in SERIES.items()}
    history = {**HISTORY, "best_epoch": 1, "validated": False, "series": short, "gradient_norms": [[0.0, 0.0]]}
    assert "the same rows" in to_svg(training_curves(history))
    assert to_svg(gradient_norms(history)).startswith("<svg")
