"""Margins do not depend on how large the numbers are, nor on where their zero is."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_breast_cancer

from penstock.components.analysis.hyperplane import separating
from penstock.components.diagnostics import find
from penstock.components.teaching.learning_theory.bounds import vc_confidence
from penstock.components.teaching.learning_theory.hyperplanes import widest_margin
from penstock.components.teaching.plots.penalties import coefficient_path
from penstock.components.teaching.plots.theory import two_sides

Array = np.ndarray[Any, Any]


def cells() -> pd.DataFrame:
    frame: pd.DataFrame = load_breast_cancer(as_frame=True).frame
    return frame


def ask(name: str, frame: pd.DataFrame | None, **given: Any) -> Any:
    return find(name)(frame, given)


@pytest.mark.parametrize("standardise", [True, False])
def test_the_perceptron_ends_where_a_hyperplane_parts_the_rows(standardise: bool) -> None:
    assert ask("linear-separability", cells(), target="target").facts["separable"]
    found = ask("perceptron-bound", cells(), target="target", standardise=standardise, most=2000)
    assert found.facts["separable"]
    assert found.figure is not None
    assert found.facts["bound"] == pytest.approx(2.18204382e8 if standardise else 1.44593e16, rel=1e-5)


@pytest.mark.parametrize(("scale", "shift"), [(1.0, 0.0), (1e-9, 0.0), (1e9, 0.0), (1.0, 1e6), (1e-6, 1.0)])
def test_units_do_not_decide(scale: float, shift: float) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    X = X[np.abs(X @ [1.0, -2.0, 0.5]) > 0.1]
    frame = pd.DataFrame(X * scale + shift, columns=list("abc")).assign(y=X @ [1.0, -2.0, 0.5] > 0)
    found = ask("perceptron-bound", frame, target="y")
    plain = ask("perceptron-bound", pd.DataFrame(X, columns=list("abc")).assign(y=frame["y"]), target="y")
    assert found.facts["bound"] == pytest.approx(plain.facts["bound"], rel=1e-5)
    assert found.facts["updates"] <= found.facts["bound"]
    mixed = frame.assign(y=np.arange(len(X)) % 2)
    assert not ask("perceptron-bound", mixed, target="y").facts["separable"]


@pytest.mark.parametrize("scale", [1e-9, 1.0, 1e9])
def test_the_widest_margin_rests_on_rows_of_both_sides(scale: float) -> None:
    X = scale * np.array([[3.0, 1], [4, -1], [5, 5], [-1, 2], [-2, -3]])
    signs = np.array([1.0, 1, 1, -1, -1])
    parting = separating(X, signs > 0, intercept=False)
    assert parting is not None
    assert parting[1] == 0
    widest = widest_margin(X, signs, parting[0])
    scores = signs * (X @ widest)
    assert scores.min() == pytest.approx(1)
    # How far the hull of y x is from zero: the line from (1, -2) to (2, 3).
    assert 1 / np.linalg.norm(widest) == pytest.approx(scale * 7 / np.sqrt(26))


def test_through_the_origin_it_may_be_impossible() -> None:
    X, y = np.array([[1.0], [2.0], [3.0]]), np.array([True, False, False])
    assert separating(X, y) is not None
    assert separating(X, y, intercept=False) is None
    found = ask(
        "perceptron-bound", pd.DataFrame({"x": X[:, 0], "y": y}), target="y", intercept=False, standardise=False
    )
    assert "through the origin" in found.findings[0]


def test_a_class_that_can_label_anything_is_promised_nothing() -> None:
    assert vc_confidence(2000, 1000, 0.05) == vc_confidence(5000, 1000, 0.05) > 1
    assert vc_confidence(61, 10, 0.05) > 1
    assert "says nothing" in ask("vc-bound", None, dimension=5000, rows=1000).findings[-1]
    assert "says nothing" not in ask("vc-bound", None, dimension=3, rows=1000).findings[-1]


@pytest.mark.parametrize(
    "scores", [np.linspace(-0.7, 3, 50), np.linspace(1, 2, 9), np.zeros(4), np.array([-3e-9, 1e-9])]
)
def test_no_bin_has_rows_of_both_sides(scores: Array) -> None:
    axes = two_sides("Two sides", scores, scores > 0, ("no", "yes")).axes[0]
    spans = [(bar.get_x(), bar.get_x() + bar.get_width()) for bar in axes.patches]
    width = max(right - left for left, right in spans)
    assert not any(left < -1e-9 * width and right > 1e-9 * width for left, right in spans)
    assert sum(bar.get_height() for bar in axes.patches) == len(scores)


@pytest.mark.parametrize("name", ["x", "a name of many small letters", "A NAME OF MANY CAPITAL LETTERS"])
def test_the_names_of_a_path_fit_under_it(name: str) -> None:
    names = [f"{name} {place}" for place in range(12)]
    figure = coefficient_path("Path", np.geomspace(100, 1, 5), np.outer(np.arange(12), np.arange(5.0)), names)
    figure.canvas.draw()
    legend = figure.legends[0].get_window_extent()
    assert 0 <= legend.x0 < legend.x1 <= figure.bbox.width
