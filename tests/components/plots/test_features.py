from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.bases.fits import polynomial_fits
from penstock.components.dimensionality_reduction.described import spectrum
from penstock.components.feature_selection.frequency import chosen_often
from penstock.components.plots import to_svg
from penstock.components.plots.features import feature_figures

NAMES = [f"x{number}" for number in range(40)]


def selection(**more: Any) -> dict[str, Any]:
    folds = [{"offered": NAMES, "kept": ["x3", "x5"]}, {"offered": NAMES, "kept": ["x3", "x7"]}]
    return {"selection": chosen_often(folds, {"offered": NAMES, "kept": ["x3", "x5"]}), **more}


def test_bars_are_shares_of_folds_and_filled_if_in_the_model() -> None:
    figure = feature_figures(selection(), "y")["chosen_features"]
    axes = figure.axes[0]
    bars = dict(zip([tick.get_text() for tick in axes.get_yticklabels()], axes.patches, strict=True))
    assert {name: bar.get_width() for name, bar in bars.items()} == {"x3": 1, "x5": 0.5, "x7": 0.5}
    assert [bool(bar.get_facecolor()[3]) for bar in bars.values()] == [True, True, False]
    assert "3, of 40 offered" in figure.get_suptitle()
    assert "x7: chosen in 1 of 2 folds; not in the model" in to_svg(figure)


@pytest.mark.slow
@pytest.mark.covers("plot_scree")
def test_the_spectrum_its_sums_the_threshold_and_the_gap() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(100, 6)) * [5, 4, 1, 0.9, 0.8, 0.7]
    told = spectrum(X, 2, 0.9)
    figure = feature_figures({"extraction": {"spectrum": told}}, "y")["scree"]
    above, below = figure.axes
    assert [bar.get_height() for bar in above.patches] == pytest.approx(told["variances"])
    assert above.lines[0].get_xdata()[0] == 2.5  # after the second: from 16 to 1
    assert below.lines[0].get_ydata() == pytest.approx(np.cumsum(told["variances"]) / sum(told["variances"]))
    assert below.lines[1].get_ydata()[0] == 0.9
    assert below.lines[2].get_xdata()[0] == 2
    assert figure.get_suptitle().startswith("2 of 6 principal components")
    assert len(to_svg(figure)) < 150_000


@pytest.mark.covers("plot_polynomial_fits")
def test_a_stiff_a_right_and_a_wild_curve() -> None:
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-1, 1, 30))
    y = 2 * x**2 + 0.2 * rng.normal(size=30)
    folds = [(np.setdiff1d(np.arange(30), rows), rows) for rows in np.array_split(rng.permutation(30), 5)]
    told = {"column": "dose", **polynomial_fits(x, y, folds, [1, 2, 12])}
    stiff, right, wild = told["fits"]
    assert stiff["learnt"] > right["learnt"] > wild["learnt"]
    assert right["unseen"] < min(stiff["unseen"], wild["unseen"])
    figure = feature_figures({"polynomial": told}, "effect")["polynomial_fits"]
    axes = figure.axes[0]
    assert [line.get_label().partition(":")[0] for line in axes.lines] == ["degree 1", "degree 2", "degree 12"]
    assert axes.lines[1].get_ydata() == pytest.approx(right["curve"])
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("dose", "effect")
    assert "2 errs least" in " ".join(figure.get_suptitle().split())
    assert len(to_svg(figure)) < 150_000


def test_nothing_to_draw() -> None:
    assert feature_figures({"unseen": {}}, "y") == {}
