"""What is drawn equals what scikit-learn computes."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.stats import binomtest
from sklearn import calibration, metrics

from penstock.components.plots.classification import (
    calibration_curve,
    confusion_matrix,
    precision_recall_curve,
    roc_curve,
    score_distribution,
    threshold_curve,
)


@pytest.fixture(scope="module")
def binary() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(3)
    p = rng.random(300)
    return (rng.random(300) < p**1.5).astype(np.int64), p


@pytest.fixture(scope="module")
def three() -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(4)
    y = rng.integers(0, 3, 200)
    proba = rng.dirichlet(np.ones(3), 200) + np.eye(3)[y] * 0.4
    return y, proba / proba.sum(axis=1, keepdims=True)


def lines(figure, axes=0):
    return {line.get_label(): line for line in figure.axes[axes].lines}


@pytest.mark.covers("plot_confusion_matrix")
def test_confusion_matrix_shows_the_counts_of_each_true_and_predicted_class() -> None:
    y = np.array([0] * 6 + [1] * 3 + [2])
    predicted = np.array([0, 0, 0, 0, 1, 2, 1, 1, 0, 2])
    figure = confusion_matrix(y, predicted, ["cat", "dog", "emu"])
    axes = figure.axes[0]
    shown = {(text.get_position()[1] - 0.5, text.get_position()[0] - 0.5): text.get_text() for text in axes.texts}
    counts = metrics.confusion_matrix(y, predicted)
    assert {place: int(text.split("\n")[0]) for place, text in shown.items()} == dict(np.ndenumerate(counts))
    assert shown[0, 0] == "4\n67%"
    assert np.allclose(axes.collections[0].get_array(), counts / counts.sum(axis=1, keepdims=True))
    assert axes.yaxis_inverted()
    assert [tick.get_text() for tick in axes.get_xticklabels()] == ["cat", "dog", "emu"]
    assert axes.get_xlabel() == "Predicted class"
    assert axes.get_ylabel() == "True class"
    assert figure.get_suptitle() == "Confusion matrix: 7 of 10 rows right"


def test_confusion_matrix_keeps_classes_that_never_occur() -> None:
    figure = confusion_matrix(np.array([0, 0]), np.array([0, 1]), ["a", "b", "c"])
    assert len(figure.axes[0].texts) == 9


@pytest.mark.covers("plot_roc")
def test_roc_curve_of_two_classes_is_scikit_learns(binary) -> None:
    y, p = binary
    figure = roc_curve(y, np.column_stack([1 - p, p]), ["no", "yes"], interval={"low": 0.7, "high": 0.85})
    false_alarms, found, _ = metrics.roc_curve(y, p)
    area = metrics.roc_auc_score(y, p)
    drawn = lines(figure)[f"yes (AUC {area:.3f})"]
    assert np.array_equal(drawn.get_xdata(), false_alarms)
    assert np.array_equal(drawn.get_ydata(), found)
    assert np.trapezoid(drawn.get_ydata(), drawn.get_xdata()) == pytest.approx(area)
    assert figure.get_suptitle() == f"ROC curve: AUC {area:.3f} (0.700 to 0.850)"
    assert list(lines(figure)["guessing (AUC 0.500)"].get_ydata()) == [0, 1]


@pytest.mark.covers("plot_roc")
def test_roc_curves_of_three_classes_are_one_against_the_rest(three) -> None:
    y, proba = three
    drawn = lines(roc_curve(y, proba, ["a", "b", "c"]))
    for code, name in enumerate("abc"):
        false_alarms, found, _ = metrics.roc_curve(y == code, proba[:, code])
        line = drawn[f"{name} (AUC {metrics.auc(false_alarms, found):.3f})"]
        assert np.array_equal(line.get_xdata(), false_alarms)
        assert np.array_equal(line.get_ydata(), found)


def test_roc_curves_leave_out_classes_without_rows(three) -> None:
    y, proba = three
    drawn = lines(roc_curve(np.where(y == 2, 0, y), proba, ["a", "b", "c"]))
    assert [name[0] for name in drawn] == ["g", "a", "b"]


def test_precision_recall_is_scikit_learns(binary) -> None:
    y, p = binary
    figure = precision_recall_curve(y, p, "yes")
    precision, recall, _ = metrics.precision_recall_curve(y, p)
    drawn = lines(figure)["yes"]
    assert np.array_equal(drawn.get_xdata(), recall)
    assert np.array_equal(drawn.get_ydata(), precision)
    assert f"{metrics.average_precision_score(y, p):.3f}" in figure.get_suptitle()
    assert lines(figure)[f"guessing ({y.mean():.3f})"].get_ydata()[0] == y.mean()


@pytest.mark.covers("plot_threshold_curve")
def test_threshold_curve_shows_precision_recall_and_f1_at_each_threshold(binary) -> None:
    y, p = binary
    figure = threshold_curve(y, p, "yes")
    drawn = lines(figure)
    thresholds = drawn["F1"].get_xdata()
    assert np.array_equal(thresholds, np.sort(p))
    for place in (0, 100, 250):
        flagged = p >= thresholds[place]
        assert drawn["precision"].get_ydata()[place] == pytest.approx(metrics.precision_score(y, flagged))
        assert drawn["recall"].get_ydata()[place] == pytest.approx(metrics.recall_score(y, flagged))
        assert drawn["F1"].get_ydata()[place] == pytest.approx(metrics.f1_score(y, flagged))
    assert figure.get_suptitle().endswith("on the test rows")
    assert all(line.get_marker() != "o" for line in figure.axes[0].lines)  # no best one to be tempted by


def test_calibration_is_scikit_learns_with_counts_and_intervals(binary) -> None:
    y, p = binary
    figure = calibration_curve(y, p, "yes")
    observed, promised = calibration.calibration_curve(y, p, n_bins=10)
    drawn = lines(figure)
    assert np.allclose(drawn["observed, with 95% interval"].get_xdata(), promised)
    assert np.allclose(drawn["observed, with 95% interval"].get_ydata(), observed)
    assert list(drawn["perfect"].get_xdata()) == list(drawn["perfect"].get_ydata()) == [0, 1]
    rows = [int(bar.get_height()) for bar in figure.axes[1].patches]
    assert rows == np.histogram(p, np.linspace(0, 1, 11))[0].tolist()
    whiskers = figure.axes[0].collections[0].get_segments()
    expected = binomtest(int(y[p < 0.1].sum()), rows[0]).proportion_ci(method="wilson")
    assert whiskers[0][:, 1] == pytest.approx([expected.low, expected.high])


def test_calibration_survives_empty_bins_and_certainty() -> None:
    figure = calibration_curve(np.array([0, 1, 1]), np.array([0.0, 1.0, 1.0]), "yes")
    assert list(lines(figure)["observed, with 95% interval"].get_ydata()) == [0, 1]
    assert [int(bar.get_height()) for bar in figure.axes[1].patches] == [1, 0, 0, 0, 0, 0, 0, 0, 0, 2]


def test_score_distribution_is_a_share_of_each_class(binary) -> None:
    y, p = binary
    figure = score_distribution(y, p, ["no", "yes"])
    outlines = {patch.get_label(): patch for patch in figure.axes[0].patches if not patch.get_fill()}
    for code, name in enumerate(["no", "yes"]):
        values, edges, _ = outlines[f"{name} ({(y == code).sum()} rows)"].get_data()
        assert np.allclose(values, np.histogram(p[y == code], edges)[0] / (y == code).sum())
        assert values.sum() == pytest.approx(1)
