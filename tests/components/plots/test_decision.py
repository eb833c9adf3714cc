from __future__ import annotations

import numpy as np
import pytest

from penstock.components.decision.threshold import threshold_curve
from penstock.components.evaluation.calibration import calibration
from penstock.components.evaluation.metrics import metric
from penstock.components.plots.decision import before_and_after, prediction_intervals, threshold_choice


@pytest.mark.covers("plot_threshold_curve")
@pytest.mark.parametrize(("name", "label"), [("f_beta:2", "F2"), ("neg_cost:0,1,5,0", "Mean cost")])
def test_the_choice_of_a_threshold_is_drawn(name: str, label: str) -> None:
    rng = np.random.default_rng(0)
    p = rng.random(150)
    y = (rng.random(150) < p).astype(int)
    judge = metric(name, 2)
    found = threshold_curve(judge, y, p)
    facts = {**found.model_dump(), "value": 0.4, "label": judge.label, "sign": judge.sign, "metric": judge.name}
    figure = threshold_choice(facts)
    (axes,) = figure.axes
    curve, best, in_use = axes.lines
    assert np.array_equal(curve.get_xdata(), found.thresholds)
    assert np.array_equal(curve.get_ydata(), judge.sign * np.array(found.scores))
    assert (best.get_xdata()[0], best.get_ydata()[0]) == (found.best, judge.sign * found.best_score)
    assert in_use.get_xdata()[0] == 0.4
    assert axes.get_ylabel() == label
    assert f"at {found.best:.3g}" in figure.get_suptitle()


@pytest.mark.parametrize("n_classes", [2, 3])
def test_calibration_is_drawn_before_and_after(n_classes: int) -> None:
    rng = np.random.default_rng(1)
    after = rng.dirichlet(np.ones(n_classes), size=300)
    before = after**2 / (after**2).sum(axis=1, keepdims=True)
    y = (after.cumsum(axis=1) > rng.random((300, 1))).argmax(axis=1)
    (axes,) = before_and_after(y, before, after).axes
    _, first, second = axes.lines
    for line, prediction in ((first, before), (second, after)):
        bins = calibration(y, prediction, seed=0)["bins"]
        assert line.get_xdata() == pytest.approx(bins["promised"])
        assert line.get_ydata() == pytest.approx(bins["happened"])
    assert [text.get_text() for text in axes.get_legend().get_texts()] == ["perfect", "before", "after"]


def test_intervals_are_drawn_about_the_predictions() -> None:
    rng = np.random.default_rng(2)
    prediction = rng.normal(size=100)
    y = prediction + rng.normal(size=100)
    figure = prediction_intervals(y, prediction, 1.5, "price")
    (axes,) = figure.axes
    inside = np.abs(y - prediction) <= 1.5
    assert len(axes.collections[0].get_offsets()) == inside.sum()
    assert len(axes.collections[1].get_offsets()) == (~inside).sum()
    low, high = axes.lines
    assert high.get_ydata() - low.get_ydata() == pytest.approx([3.0, 3.0])
    assert figure.get_suptitle().startswith(f"Intervals: {inside.mean():.1%}")
