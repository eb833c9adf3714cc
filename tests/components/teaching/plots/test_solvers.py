from __future__ import annotations

import numpy as np

from penstock.components.teaching.plots.solvers import solver_figure, stopping_figure


def test_a_rule_is_marked_at_the_step_that_its_legend_says() -> None:
    losses = 1.0 / np.arange(1, 32)
    (axes,) = stopping_figure({"training rows": losses}, {"step": 26, "error": 0}).axes
    curve, *marks = axes.get_lines()
    assert {mark.get_label(): list(mark.get_xdata()) for mark in marks} == {"step: 26": [26, 26], "error: 0": [0, 0]}
    assert dict(zip(curve.get_xdata(), curve.get_ydata(), strict=True))[26] == losses[26]
    assert axes.get_xlim()[0] == 0


def test_no_solver_has_made_less_than_no_step() -> None:
    path = np.array([[1.0, 1.0], [0.5, 0.2], [0.0, 0.0]])
    figure = solver_figure(lambda w: float(w @ w), {"descent": path}, {"descent": (path**2).sum(axis=1)}, ["a", "b"])
    assert figure.axes[1].get_xlim()[0] == 0
