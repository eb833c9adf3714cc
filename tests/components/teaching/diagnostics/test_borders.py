"""Diagnostics of borders and likelihoods: support vectors, lifted columns, decays through a window, hidden signs."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy.stats import truncexpon
from sklearn.datasets import make_circles

from penstock.components.diagnostics import find
from penstock.components.plots.margins import margin_plot
from penstock.components.plots.output import to_svg
from penstock.components.svm.machine import SupportVectorMachine
from penstock.components.svm.optimum import cases
from penstock.components.teaching.diagnostics.decay_length import most_likely, normaliser
from penstock.components.teaching.diagnostics.hidden_signs import overlap_limit
from penstock.errors import DataError, UsageError

SEVEN = pd.DataFrame(
    {"u": [0, 1, 0, 2, 3, 1, 2.5], "v": [0, 0, 1.5, 2, 3, 3, 2], "side": ["-", "-", "-", "+", "+", "+", "-"]}
)
XOR = pd.DataFrame({"a": [1, 1, -1, -1], "b": [1, -1, 1, -1], "y": ["no", "yes", "yes", "no"], "c": [0.0, 1, 2, 4]})


def refused(code: str, name: str, frame: pd.DataFrame, given: dict[str, Any], words: str) -> None:
    with pytest.raises((DataError, UsageError), match=words) as caught:
        find(name)(frame, given)
    assert caught.value.code == code


@pytest.mark.covers("svm-kkt-audit", "proc_svm_pipeline", "plot_margin_plot")
@pytest.mark.parametrize("solver", ["exact", "libsvm", "smo"])
def test_the_audit_of_seven_points_and_their_street(solver: str) -> None:
    found = find("kkt-audit")(SEVEN, {"target": "side", "scale": False, "solver": solver})
    assert found.facts["holds"]
    assert found.table["rows"].tolist() == [3, 2, 2]
    assert found.facts["bias"] == pytest.approx(2.730769, abs=2e-4)  # '-' sorts after '+': the other side is positive
    assert found.facts["width"] == pytest.approx(2 / np.hypot(0.269231, 1.153846), abs=1e-3)
    assert found.facts["support"] == [2, 3, 5, 6]
    assert found.findings[0].startswith("Every condition of the optimum holds")
    assert found.figure is not None
    assert "margin is 1.69 wide" in found.figure.get_suptitle()
    assert bool(found.facts["steps"]) == (solver == "smo")


@pytest.mark.covers("svm-kkt-audit")
def test_an_early_stop_fails_the_audit() -> None:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(80, 3)), columns=list("abc"))
    frame["y"] = np.where(frame["a"] + 0.7 * rng.normal(size=80) > 0, "up", "down")
    early = find("kkt-audit")(frame, {"target": "y", "solver": "smo", "steps": 5, "kernel": "rbf"})
    assert not early.facts["holds"]
    assert early.findings[0].startswith("This is no optimum")
    whole = find("kkt-audit")(frame, {"target": "y", "solver": "smo", "kernel": "rbf"})
    assert whole.facts["holds"]
    assert whole.figure is not None
    (axes,) = whole.figure.axes
    assert axes.get_ylabel() == "Multiplier a"
    refused(
        "PEN072", "kkt-audit", XOR, {"target": "y", "columns": ["a", "b"], "margin": "hard"}, "no boundary of kernel"
    )
    refused("PEN072", "kkt-audit", frame, {"target": "y", "steps": 0}, "margin or number of steps")
    refused("PEN070", "kkt-audit", SEVEN, {"target": "u"}, "has 5 classes")


@pytest.mark.covers("plot_margin_plot")
def test_the_street_widens_as_errors_cost_less_and_shows_three_cases() -> None:
    X, signs = SEVEN[["u", "v"]].to_numpy(float), np.where(SEVEN["side"] == "+", 1.0, -1.0)
    widths = []
    for C in (0.1, 1.0):
        model = SupportVectorMachine("linear", C, solver="exact").fit(X, signs)
        alpha = np.zeros(7)
        alpha[model.support_] = np.abs(model.dual_coef_[0])
        edge, inside = cases(alpha, np.full(7, C))
        widths.append(2 / np.linalg.norm(model.dual_coef_ @ model.support_vectors_))
        held = {"edge": edge, "inside": inside}
        figure = margin_plot(X, signs, model.decision_function, held, ["u", "v"], ["-", "+"], widths[-1])
    assert widths[0] > widths[1]
    names = [line.get_label() for line in figure.axes[0].get_lines()]
    assert names == ["on the edge (0 < a < C): 2 rows", "in the margin or wrong (a = C): 2 rows"]
    drawn = {tuple(point) for line in figure.axes[0].get_lines() for point in line.get_xydata()}
    assert drawn == {(0.0, 1.5), (1.0, 3.0), (2.0, 2.0), (2.5, 2.0)}
    noise = np.vstack([X, [[2.9, 2.9]]]), np.append(signs, -1.0)  # one row on the wrong side
    worse = SupportVectorMachine("linear", 1.0, solver="exact").fit(*noise)
    assert next(worse.audits()).inside == 4
    assert "margin" in to_svg(figure)


@pytest.mark.covers("plot_feature_lift", "ex_radial_lift")
def test_rings_and_exclusive_or_are_separated_after_a_lift() -> None:
    found = find("feature-lift")(XOR, {"target": "y", "columns": ["a", "b"]})
    assert found.facts == {"flat": False, "lifted": {"product": True, "radius": False}, "shown": "product"}
    X, y = make_circles(100, factor=0.3, noise=0.03, random_state=0)
    rings = pd.DataFrame(X, columns=["a", "b"]).assign(y=np.where(y, "inner", "outer"))
    found = find("feature-lift")(rings, {"target": "y", "columns": ["a", "b"]})
    assert found.facts == {"flat": False, "lifted": {"product": False, "radius": True}, "shown": "radius"}
    assert found.figure is not None
    left, right = found.figure.axes
    assert right.get_ylabel() == "x1² + x2²"
    assert len(right.get_lines()) == 1  # the cut
    cut = right.get_lines()[0].get_ydata()[0]
    heights = [dots.get_offsets()[:, 1] for dots in right.collections]
    assert max(heights[0].min(), heights[1].min()) > cut > min(heights[0].max(), heights[1].max())
    assert len(left.collections) == 2
    few = pd.DataFrame([[0.5, 0], [0, -0.5], [-0.3, 0.3], [2, 0], [0, 2], [-1.5, -1.5]], columns=["a", "b"])
    heights = (few**2).sum(axis=1)
    assert (heights[:3].max(), heights[3:].min()) == (0.25, 4.0)
    lifted = find("feature-lift")(few.assign(y=["in"] * 3 + ["out"] * 3), {"target": "y", "columns": ["a", "b"]})
    assert lifted.facts["lifted"]["radius"]
    straight = find("feature-lift")(XOR.assign(y=["no", "no", "yes", "yes"]), {"target": "y", "columns": ["a", "b"]})
    assert straight.facts["flat"]
    refused("PEN073", "feature-lift", XOR, {"target": "y", "columns": ["a"]}, "two are lifted")


def seen_mean(length: float) -> float:
    """The mean of decays of this length that fall between 1 and 20."""
    return float(truncexpon(19 / length, loc=1, scale=length).mean())


@pytest.mark.covers(
    "met_truncated_exponential",
    "proc_bayes_inverse_recipe",
    "ex_decay_truncated_exponential",
    "cl_truncation_mle",
    "plot_likelihood_curve",
)
def test_the_length_of_decays_seen_through_a_window() -> None:
    assert normaliser(4.0, 1.0, 20.0) == pytest.approx(0.772062836072, abs=1e-9)
    for length, mean in ((4.0, 4.83418319468), (30.0, 9.5038625903)):
        assert seen_mean(length) == pytest.approx(mean, abs=1e-8)
        told = find("decay-length")(pd.DataFrame({"x": [mean - 1, mean + 1]}), {"column": "x"})
        assert told.facts["best"] == pytest.approx(length, abs=1e-4)
        assert told.facts["naive"] == pytest.approx(mean)
    assert [most_likely(mean, 1.0, 20.0) for mean in (4.834183, 9.503863)] == pytest.approx([4.0, 30.0], abs=1e-4)
    assert most_likely(10.5, 1.0, 20.0) == np.inf
    rng = np.random.default_rng(0)
    low, high = np.exp(-1 / 4.0), np.exp(-20 / 4.0)
    samples = -4.0 * np.log(low - rng.random((300, 100)) * (low - high))  # the inverse of the distribution
    estimates = [most_likely(float(row.mean()), 1.0, 20.0) for row in samples]
    assert np.median(estimates) == pytest.approx(4.0, abs=0.2)
    assert samples.mean() > 4.7
    found = find("decay-length")(pd.DataFrame({"x": [*samples[0], 25.0]}), {"column": "x"})
    assert found.facts["best"] == pytest.approx(estimates[0], rel=1e-6)
    assert found.facts["naive"] == pytest.approx(samples[0].mean())
    # At the greatest likelihood, what is seen has the mean that decays of that length would show.
    assert seen_mean(found.facts["best"]) == pytest.approx(samples[0].mean(), rel=1e-6)
    assert found.facts["share_seen"] == pytest.approx(normaliser(estimates[0], 1.0, 20.0), rel=1e-6)
    assert "1 values outside the window" in found.findings[1]
    assert found.figure is not None
    curve = found.figure.axes[0].get_lines()[0]
    assert curve.get_xdata()[np.argmax(curve.get_ydata())] == pytest.approx(estimates[0], rel=0.02)
    greatest = {line.get_label(): line.get_xdata()[0] for line in found.figure.axes[0].get_lines()[1:]}
    assert greatest[f"greatest: {estimates[0]:.3g}"] == pytest.approx(estimates[0], rel=1e-6)
    assert greatest[f"plain mean: {samples[0].mean():.3g}"] == pytest.approx(samples[0].mean())
    endless = find("decay-length")(pd.DataFrame({"x": [10.0, 12.0, 15.0]}), {"column": "x"})
    assert endless.facts["best"] is None
    assert "grows without end" in endless.findings[0]
    refused("PEN074", "decay-length", pd.DataFrame({"x": [1.0]}), {"column": "x", "low": 5, "high": 2}, "no window")
    refused("PEN075", "decay-length", pd.DataFrame({"x": [50.0]}), {"column": "x"}, "0 values of 'x' lie in the window")


@pytest.mark.slow
@pytest.mark.covers("plot_overlap_curve")
def test_hidden_signs_are_lost_beyond_a_noise_of_one() -> None:
    limits = overlap_limit(np.array([0.1, 0.25, 0.5, 0.75, 1.0, 2.0]))
    assert limits[:4] == pytest.approx([0.997300203937, 0.916735483336, 0.682689492137, 0.436297138349], abs=1e-5)
    assert limits[4:].tolist() == [0.0, 0.0]
    bounds = {0.25: (0.88, 1.0), 0.5: (0.6, 1.0), 1.5: (0.0, 0.2), 3.0: (0.0, 0.12)}
    size, overlaps = 600, {}
    for noise in bounds:
        found = []
        for seed in range(6):
            rng = np.random.default_rng(seed)
            truth = rng.choice([-1.0, 1.0], size)
            errors = np.triu(rng.normal(scale=np.sqrt(noise), size=(size, size)), 1)
            pairs = np.outer(truth, truth) / np.sqrt(size) + errors + errors.T
            leading = _leading(pairs)
            found.append(abs(np.sign(leading) @ truth) / size)
        overlaps[noise] = np.mean(found)
    for noise, (low, high) in bounds.items():
        assert low < overlaps[noise] < high
    small = np.random.default_rng(0)
    truth = small.choice([-1.0, 1.0], 20)
    noisy = np.triu(small.normal(scale=np.sqrt(0.3), size=(20, 20)), 1)
    frame = pd.DataFrame(np.outer(truth, truth) / np.sqrt(20) + noisy + noisy.T).add_prefix("t").assign(truth=truth)
    told = find("hidden-signs")(frame, {"noise": 0.3, "rho": 0.5, "truth": "truth"})
    assert told.figure is not None
    axes = told.figure.axes[0]
    curve, point = axes.get_lines()[0], axes.get_lines()[-1]
    assert curve.get_ydata()[np.asarray(curve.get_xdata()) > 1].max() == 0.0
    assert point.get_xydata().tolist() == [[0.3, told.facts["scores"]["PCA, signs"]["overlap"]]]


def _leading(pairs: Any) -> Any:
    from scipy.sparse.linalg import eigsh

    return eigsh(pairs, k=1, which="LA", v0=np.ones(len(pairs)))[1][:, 0]


def test_kernels_made_of_others_are_judged() -> None:
    frame = pd.DataFrame(np.random.default_rng(0).normal(size=(20, 2)), columns=["a", "b"])
    found = find("kernel-validity")(frame, {"kernels": ["rbf + 0.5 * linear", "normalised(exponential)"]})
    assert all(found.facts["valid"].values())
    refused("PEN222", "kernel-validity", frame, {"kernels": ["rbff"]}, "there is no kernel named 'rbff'")
    refused("PEN222", "kernel-validity", frame, {"kernels": ["geometric"]}, "needs .* < 1")
