from __future__ import annotations

import numpy as np
import pytest

from penstock.components.plots.regression import predicted_vs_actual, residuals


@pytest.fixture(scope="module")
def rows() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(2)
    y = rng.normal(10, 3, 120)
    return y, y + rng.normal(0, 1, 120)


@pytest.mark.covers("plot_residuals")
def test_residuals_are_actual_minus_predicted_against_the_prediction(rows) -> None:
    y, prediction = rows
    figure = residuals(y, prediction, "price")
    left, right = figure.axes
    assert np.array_equal(left.collections[0].get_offsets(), np.column_stack([prediction, y - prediction]))
    counts, edges, _ = right.patches[0].get_data()
    assert np.array_equal(counts, np.histogram(y - prediction, edges)[0])
    assert counts.sum() == len(y)
    assert left.get_xlabel() == "Predicted price"
    assert left.get_ylabel() == "Actual minus predicted"
    half = float(figure.get_suptitle().split("±")[1])
    assert np.mean(np.abs(y - prediction) <= half) == pytest.approx(0.5, abs=0.02)


@pytest.mark.covers("plot_residuals")
def test_predictions_are_drawn_against_the_truth_and_the_line_of_equality(rows) -> None:
    y, prediction = rows
    figure = predicted_vs_actual(y, prediction, "price")
    axes = figure.axes[0]
    assert np.array_equal(axes.collections[0].get_offsets(), np.column_stack([y, prediction]))
    (line,) = axes.lines
    assert list(line.get_xdata()) == list(line.get_ydata())
    assert min(line.get_xdata()) == min(y.min(), prediction.min())
    assert f"{np.corrcoef(y, prediction)[0, 1]:.3f}" in figure.get_suptitle()
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("Actual price", "Predicted price")


def test_a_constant_prediction_has_no_correlation(rows) -> None:
    y, _ = rows
    assert predicted_vs_actual(y, np.full(len(y), 10.0)).get_suptitle() == "Predicted against actual values"
    residuals(np.ones(5), np.ones(5))
