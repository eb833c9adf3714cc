"""Curves of rows, capacity and chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from matplotlib.patches import Circle

from penstock.components.evaluation.bias_variance import bull_eye, squared_loss
from penstock.components.plots.curves import (
    BoundaryPanel,
    bias_variance_figure,
    boundary_panels,
    learning_curve,
    validation_curve,
)
from penstock.components.plots.output import to_svg


def point(train: float, valid: float | None, **more: Any) -> dict[str, Any]:
    ends = {"low": None, "high": None} if valid is None else {"low": valid - 0.05, "high": valid + 0.05}
    return {"train": train, "valid": valid, **ends, **more}


U_SHAPE = {
    "parameter": "degree",
    "chosen": 4,
    "best": 4,
    "metric": "RMSE",
    "sign": -1,
    "points": [
        point(-0.9, -0.95, value=1), point(-0.5, -0.6, value=2), point(-0.2, -0.3, value=4),
        point(-0.05, -0.8, value=9),
    ],
}  # fmt: skip


@pytest.mark.covers("plot_validation_curve")
def test_the_u_shape_with_its_sweet_spot_and_the_chosen_value() -> None:
    figure = validation_curve(U_SHAPE)
    (axes,) = figure.axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["training rows"].get_ydata().tolist() == [0.9, 0.5, 0.2, 0.05]
    valid = lines["other rows"].get_ydata().tolist()
    assert valid == [0.95, 0.6, 0.3, 0.8]
    assert valid.index(min(valid)) not in (0, len(valid) - 1)
    assert list(lines["chosen: 4"].get_xdata()) == [4, 4]
    ring = next(line for line in axes.get_lines() if line.get_markersize() == 12)
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (4, 0.3)
    svg = to_svg(figure)
    assert "degree" in svg
    assert "less is better" in svg


def test_a_penalty_over_orders_of_magnitude_gets_a_log_axis() -> None:
    points = [point(0.9, 0.8, value=value) for value in (1e-3, 1.0, 1e3)]
    found = {**U_SHAPE, "points": points, "chosen": 1.0, "best": 1.0, "sign": 1}
    assert validation_curve(found).axes[0].get_xscale() == "log"


def test_the_learning_curve_leaves_out_what_is_not_defined() -> None:
    points = [point(1.0, None, rows=10), point(0.9, 0.7, rows=50), point(0.88, 0.8, rows=100)]
    (axes,) = learning_curve({"points": points, "metric": "accuracy", "sign": 1}).axes
    lines = {line.get_label(): line for line in axes.get_lines()}
    assert lines["training rows"].get_xdata().tolist() == [10, 50, 100]
    assert lines["other rows"].get_xdata().tolist() == [50, 100]


@pytest.mark.covers("plot_bull_eye")
def test_the_bull_eye_scatters_refits_around_the_truth_beside_the_trade_off() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=30)
    trade_off = []
    for penalty in (0.1, 1.0, 10.0, 100.0):
        shrunk = (truth + rng.normal(size=(20, 30))) / (1 + penalty)
        trade_off.append({"value": penalty, **squared_loss(shrunk, truth)})
    predictions = truth + 0.5 + rng.normal(scale=0.2, size=(20, 30))
    facts = {
        "rounds": 20, "squared": squared_loss(predictions, truth), "eye": bull_eye(predictions, truth),
        "trade_off": trade_off, "parameter": "alpha", "chosen": 1.0,
    }  # fmt: skip
    eye, trade = bias_variance_figure(facts).axes
    assert len([patch for patch in eye.patches if isinstance(patch, Circle)]) == 3
    dots = next(line for line in eye.get_lines() if len(line.get_xdata()) == 20)
    assert np.mean(dots.get_xdata()) == pytest.approx(facts["eye"]["bias"])
    lines = {line.get_label(): line.get_ydata() for line in trade.get_lines()}
    assert (np.diff(lines["bias²"]) > 0).all()
    assert (np.diff(lines["variance"]) < 0).all()
    assert lines["sum"] == pytest.approx(np.add(lines["bias²"], lines["variance"]))
    assert trade.get_xscale() == "log"
    alone = bias_variance_figure({**facts, "trade_off": []})
    assert len(alone.axes) == 1


@pytest.mark.covers("plot_boundary_panels")
def test_each_panel_has_its_border_and_its_errors() -> None:
    rng = np.random.default_rng(0)
    sides = [np.linspace(-1, 1, 20)] * 2
    classes = (np.add.outer(sides[1], sides[0]) > 0).astype(int)
    points = rng.uniform(-1, 1, size=(60, 2))
    panels = [
        BoundaryPanel(value, train, valid, sides, classes, points, (points.sum(axis=1) > 0).astype(int))
        for value, train, valid in ((1, 0.0, 0.18), (15, 0.1, 0.12), (99, 0.3, 0.31))
    ]
    figure = boundary_panels(panels, "n_neighbors", "east", "north")
    titles = [axes.get_title(loc="left") for axes in figure.axes[:3]]
    assert titles == [
        "1: error 0.0% learnt, 18.0% new",
        "15: error 10.0% learnt, 12.0% new",
        "99: error 30.0% learnt, 31.0% new",
    ]
    svg = to_svg(figure)
    assert "east" in svg
    assert "Borders by n_neighbors" in svg
