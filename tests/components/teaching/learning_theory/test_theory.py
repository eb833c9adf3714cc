"""Bounds, capacity, separability, bias and variance: the numbers of the courses, through their diagnostics."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import norm
from sklearn.compose import ColumnTransformer
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

from penstock.components.analysis.hyperplane import separating
from penstock.components.catalog import build
from penstock.components.diagnostics import Found, find
from penstock.components.plots import to_svg
from penstock.components.teaching.learning_theory.bounds import (
    hoeffding,
    log_most_labellings,
    majority_bound,
    majority_error,
    most_labellings,
    rows_needed,
    rows_needed_by_class,
    vc_confidence,
)
from penstock.components.teaching.learning_theory.dimension import nearest_to_farthest
from penstock.components.teaching.learning_theory.hyperplanes import (
    labellings,
    labellings_in_general_position,
    least_slack,
    widest_margin,
)
from penstock.components.teaching.learning_theory.perceptron import perceptron_updates
from penstock.components.teaching.learning_theory.risk import minimise_risk, stumps
from penstock.components.teaching.learning_theory.simulation import ridge_bias_variance
from penstock.errors import PenstockError, UsageError

CORNERS = np.array([[0.0, 0], [0, 1], [1, 0], [1, 1]])
ABOVE = np.array([1, 1, 1, 0, 0, 0, 1, 1, 1, 0])


def diagnose(name: str, frame: pd.DataFrame | None = None, **given: Any) -> Found:
    """What it finds; its picture must be one that can be drawn."""
    found = find(name)(frame, given)
    if found.figure is not None:
        assert to_svg(found.figure).startswith("<svg")
    return found


def labelled(X: np.ndarray[Any, Any], y: Any) -> pd.DataFrame:
    return pd.DataFrame(X, columns=[f"x{place}" for place in range(X.shape[1])]).assign(y=y)


@pytest.mark.slow
@pytest.mark.covers("theory-hoeffding", "ex_hoeffding_bound", "ex_union_bound_vacuous", "met_hoeffding")
def test_hoeffding() -> None:
    found = diagnose("hoeffding", epsilon=0.1, rows=200)
    assert found.facts["bound"] == pytest.approx(0.03663127777746833, abs=1e-15)
    many = diagnose("hoeffding", epsilon=0.1, rows=200, hypotheses=100)
    assert many.facts["bound"] == pytest.approx(3.66312777775, abs=1e-9)
    assert not many.facts["says_something"]
    some = diagnose("hoeffding", epsilon=0.1, rows=200, hypotheses=10)
    assert (some.facts["bound"], some.facts["says_something"]) == (pytest.approx(0.366312777775, abs=1e-9), True)
    assert "says nothing" in many.findings[0]
    assert (found.facts["rows_needed"], many.facts["rows_needed"]) == (185, 415)
    assert hoeffding(0.1, 185) <= 0.05 < hoeffding(0.1, 184)
    assert rows_needed(0.1, 0.05, 100) == 415
    # A class that can label the rows in every way has two to their number; one of low dimension in far fewer.
    assert most_labellings(10, 10) == 2**10
    assert diagnose("hoeffding", rows=10, dimension=3).facts["hypotheses"] == 176
    assert diagnose("hoeffding", pd.DataFrame({"x": range(50)})).facts["rows"] == 50


@pytest.mark.slow
@pytest.mark.covers("theory-hoeffding", "met_hoeffding")
def test_the_rows_that_a_class_needs_do_not_hang_on_those_there_are() -> None:
    for rows in (10, 1153, 100_000):
        found = diagnose("hoeffding", rows=rows, dimension=3)
        assert found.facts["rows_needed"] == 1153
    assert hoeffding(0.1, 1153, most_labellings(1153, 3)) <= 0.05 < hoeffding(0.1, 1152, most_labellings(1152, 3))
    for rows, dimension in ((5, 9), (9, 9), (40, 7), (900, 2)):
        assert log_most_labellings(rows, dimension) == pytest.approx(math.log(most_labellings(rows, dimension)))
    # Few rows that can be labelled in every way are enough where an error may be far off.
    assert rows_needed_by_class(0.9, 0.05, 50) == next(n for n in range(99) if hoeffding(0.9, n, 2.0**n) <= 0.05)


@pytest.mark.covers("theory-hoeffding")
@pytest.mark.parametrize("dimension", [1500, 2000, 50_000])
def test_a_class_that_labels_in_more_ways_than_numbers_hold(dimension: int) -> None:
    found = diagnose("hoeffding", rows=2000, dimension=dimension)
    assert (found.facts["says_something"], found.facts["bound"], found.facts["hypotheses"]) == (False, None, None)
    assert "about 10^602 hypotheses" in found.findings[0]
    assert "which says nothing" in found.findings[0]
    assert found.facts["within"] > 0.5


@pytest.mark.covers("theory-hoeffding")
def test_the_ends_of_what_may_be_asked_have_an_answer_too() -> None:
    found = diagnose("hoeffding", epsilon=1e-6, delta=1e-300, rows=10**15, hypotheses=10**300)
    assert found.facts["rows_needed"] == pytest.approx(600 * math.log(10) / 2e-12, rel=1e-3)
    beyond: list[dict[str, Any]] = [{"epsilon": 1e-10}, {"rows": 10**30}, {"hypotheses": 10**400}]
    for one in beyond:
        with pytest.raises(UsageError, match="does not fit"):
            diagnose("hoeffding", **one)


@pytest.mark.covers("theory-erm-finite")
def test_the_best_of_a_finite_list() -> None:
    found = diagnose("empirical-risk", labelled(np.arange(10.0)[:, None], np.where(ABOVE, "+", "-")), target="y")
    assert found.facts["least"] == pytest.approx(0.3)
    assert found.facts["hypotheses"] == 2 * 9 + 2
    assert hoeffding(found.facts["band"], 10, 20) == pytest.approx(0.05)
    rng = np.random.default_rng(0)
    hypotheses = stumps(np.arange(10.0)[:, None])
    inside = 0
    for _ in range(200):
        x = rng.integers(0, 10, 100)
        y = np.where(rng.random(100) < 0.1, 1 - ABOVE[x], ABOVE[x])
        risk = minimise_risk(hypotheses, x[:, None].astype(float), y, delta=0.05)
        answers = hypotheses[risk.best](np.arange(10.0)[:, None])
        true = np.mean(np.where(answers == ABOVE, 0.1, 0.9))
        assert risk.band == pytest.approx(0.182820, abs=1e-6)  # sqrt(ln(2 M / delta) / 2 n) of M = 20, n = 100
        inside += abs(risk.errors[risk.best] - true) <= risk.band
    assert inside >= 190


@pytest.mark.slow
@pytest.mark.covers("theory-shattering", "ex_vc_hyperplanes_plane", "met_vc_dimension", "met_linear_separability")
def test_labellings_that_lines_realise() -> None:
    three = diagnose("shattering", pd.DataFrame(CORNERS[:3]))
    assert (three.facts["realised"], three.facts["shattered"], three.facts["vc_dimension"]) == (8, True, 3)
    assert labellings(np.array([[0.0, 0], [1, 1], [2, 2]]))[-1] == 6
    four = diagnose("shattering", pd.DataFrame(CORNERS))
    assert (four.facts["realised"], four.facts["possible"], four.facts["shattered"]) == (14, 16, False)
    assert labellings(np.vstack([np.zeros(3), np.eye(3)])) == [2, 4, 8, 16]
    rng = np.random.default_rng(0)
    for points, dimension in ((6, 2), (5, 3), (5, 1)):
        counted = labellings(rng.normal(size=(points, dimension)))
        assert counted == [labellings_in_general_position(size, dimension) for size in range(1, points + 1)]
    drawn = diagnose("shattering", labelled(rng.normal(size=(40, 2)), "a"), points=4, target="y")
    assert (drawn.facts["points"], drawn.facts["realised"]) == (4, 14)


@pytest.mark.slow
@pytest.mark.covers("theory-linear-separability", "met_linear_separability")
def test_what_a_plane_parts() -> None:
    both, either = CORNERS.all(axis=1), CORNERS.sum(axis=1) == 1
    assert diagnose("linear-separability", labelled(CORNERS, both), target="y").facts["separable"]
    xor = diagnose("linear-separability", labelled(CORNERS, either), target="y")
    assert not xor.facts["separable"]
    assert "No hyperplane" in xor.findings[0]
    assert diagnose("linear-separability", labelled(CORNERS, either), target="y", products=True).facts["separable"]
    three = diagnose(
        "linear-separability", labelled(np.arange(9.0)[:, None], np.repeat(["a", "b", "c"], 3)), target="y"
    )
    assert three.table["separable"].tolist() == [True, False, True]


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 10_000), st.booleans())
def test_a_plane_that_is_found_parts_and_a_hard_margin_agrees(seed: int, apart: bool) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(20, 2))
    y = X @ [1.0, -2.0] > 0 if apart else rng.random(20) < 0.5
    if len(np.unique(y)) < 2:
        return
    plane = separating(X * 1e6 + 5, y)
    hard = SVC(kernel="linear", C=1e8, max_iter=200_000).fit(X, y) if apart else None
    if plane is not None:
        assert ((X * 1e6 + 5) @ plane[0] + plane[1] > 0).tolist() == y.tolist()
    if apart:
        assert plane is not None
        assert hard is not None
        assert hard.score(X, y) == 1


@pytest.mark.slow
@pytest.mark.covers("theory-vc-srm", "met_hoeffding")
def test_the_least_bound() -> None:
    assert diagnose("vc-bound", dimension=3, rows=1000).facts["confidence"] == pytest.approx(0.163978, abs=5e-7)
    assert vc_confidence(10, 1000, 0.05) == pytest.approx(0.259548, abs=5e-7)
    assert vc_confidence(3, 100, 0.05) == pytest.approx(0.447003, abs=5e-7)
    assert vc_confidence(3, 1000, 0.01) == pytest.approx(0.168814, abs=5e-7)
    assert vc_confidence(3, 2000, 0.05) < vc_confidence(3, 1000, 0.05) < vc_confidence(4, 1000, 0.05)
    rng = np.random.default_rng(0)
    x = rng.uniform(-1, 1, 1500)
    y = (x**3 - 0.4 * x + rng.normal(scale=0.03, size=1500)) > 0
    found = diagnose("vc-bound", pd.DataFrame({"x": x, "y": y}), target="y", degrees=[1, 2, 3, 5, 7])
    assert found.facts["chosen"] == 3
    assert found.table["VC dimension"].tolist() == [2, 3, 4, 6, 8]
    assert found.table["confidence"].is_monotonic_increasing
    with pytest.raises(PenstockError) as caught:
        diagnose(
            "vc-bound", labelled(np.random.default_rng(0).normal(size=(30, 40)), [0, 1] * 15), target="y", degrees=[3]
        )
    assert caught.value.code == "PEN082"


@pytest.mark.covers("theory-perceptron-bound", "ex_perceptron_updates", "met_mistake_bound")
def test_the_perceptron_ends_within_its_bound() -> None:
    found = diagnose("perceptron-bound", labelled(CORNERS, CORNERS.all(axis=1)), target="y", standardise=False)
    assert found.facts["bound"] == pytest.approx(51)
    assert found.facts["updates"] == 18
    xor = diagnose("perceptron-bound", labelled(CORNERS, CORNERS.sum(axis=1) == 1), target="y")
    assert not xor.facts["separable"]
    assert xor.figure is not None
    X = np.array([[1.0, 2], [2, -1], [-1, 1], [-2, -1.5]])
    signs = np.array([1.0, 1, -1, -1])
    run = perceptron_updates(X, signs, 100)
    assert run is not None
    assert (run[0].tolist(), run[1]) == ([3, 1], 2)
    margin = (signs * (X @ [1.0, 0])).min()  # of the course's unit vector, which is not the widest
    assert (np.linalg.norm(X, axis=1).max() / margin) ** 2 == pytest.approx(6.25)
    widest = widest_margin(X, signs, run[0])
    assert 1 / np.linalg.norm(widest) >= margin - 1e-9
    assert perceptron_updates(CORNERS, np.array([-1.0, 1, 1, -1]), 50) is None


@pytest.mark.slow
@pytest.mark.covers("theory-perceptron-bound")
@pytest.mark.parametrize("intercept", [True, False])
def test_classes_that_overlap_are_drawn_by_the_least_shortfall(intercept: bool) -> None:
    X = np.random.default_rng(0).normal([3.0, 0.0], size=(40, 2))
    own = X[:, 0] + np.random.default_rng(1).normal(size=40) > 3
    found = diagnose("perceptron-bound", labelled(X, own), target="y", intercept=intercept, standardise=False)
    assert (found.facts["separable"], found.figure is None) == (False, False)
    w, b = least_slack(X, own, intercept=intercept)
    assert (b != 0) == intercept
    signs = np.where(own, 1.0, -1.0)

    def short(v: Any) -> float:
        return float(np.maximum(0, 1 - signs * (X @ v[:2] + v[2])).sum())

    for moved in np.random.default_rng(2).normal(scale=0.1, size=(50, 3)) * [1, 1, intercept]:
        assert short(np.append(w, b)) <= short(np.append(w, b) + moved) + 1e-9


@pytest.mark.covers("theory-ensemble-bound", "ex_ensemble_majority_error", "met_ensemble_error")
def test_a_majority() -> None:
    for voters, error, exact, bound in (
        (11, 0.3, 0.07822479096, 0.414782911682),
        (21, 0.3, 0.0263899407013, 0.186373976039),
        (51, 0.4, 0.0735292019866, 0.360594940173),
        (101, 0.3, 1.29425543352e-05, 0.000309671035419),
    ):
        assert majority_error(voters, error) == pytest.approx(exact, abs=1e-9)
        assert majority_bound(voters, error) == pytest.approx(bound, abs=1e-9)
    found = diagnose("ensemble-bound", voters=21)
    assert found.facts == {"wrong": pytest.approx(0.02639, abs=1e-5), "bound": pytest.approx(0.186374, abs=1e-6)}
    assert found.table.loc[21, "wrong"] == found.facts["wrong"]
    for wrong in ({"voters": 10}, {"error": 0.6}):
        with pytest.raises(PenstockError) as caught:
            diagnose("ensemble-bound", **wrong)
        assert caught.value.code == "PEN082"


@pytest.mark.slow
@pytest.mark.covers("met_ensemble_error", "cl_correlated_voters")
def test_voters_that_err_together_gain_little() -> None:
    rng = np.random.default_rng(0)
    truth = rng.integers(0, 2, 20_000)
    own, shared = rng.normal(size=(20_000, 51)), rng.normal(size=(20_000, 1))
    limit = norm.ppf(0.3)  # each is wrong in 0.3 of all cases, whatever they share
    majority = {}
    for share in (0.0, 0.6):
        wrong = np.sqrt(share) * shared + np.sqrt(1 - share) * own < limit
        majority[share] = float(np.mean(vote_of(np.where(wrong.T, 1 - truth, truth).T, truth) != truth))
    assert majority_bound(51, 0.3) == pytest.approx(0.0169, abs=5e-5)
    assert majority[0.0] < 0.005 < majority_bound(51, 0.3)
    assert majority[0.0] == pytest.approx(majority_error(51, 0.3), abs=0.001)
    assert majority[0.6] > 0.2


def vote_of(said: np.ndarray[Any, Any], truth: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The majority, by the catalogue's ensemble: each member is a tree that sees the column of its voter alone."""
    members = " + ".join(["decision-tree"] * said.shape[1])
    model = build("voting", {"members": members, "vote": "majority"}, seed=0, problem="classification")
    model.fit(said[:50], truth[:50])
    model.ensemble_.estimators_ = [
        make_pipeline(ColumnTransformer([("own", "passthrough", [voter])]), member).fit(said, truth)
        for voter, member in enumerate(model.ensemble_.estimators_)
    ]
    return np.asarray(model.predict(said))


@pytest.mark.covers("met_curse_side", "ex_hypercube_side", "ex_input_space_size")
def test_the_side_of_a_cube_that_holds_a_share() -> None:
    found = diagnose("dimension", share=0.1, levels=10)
    sides = [found.facts["sides"][columns] for columns in (2, 10, 100)]
    assert sides == pytest.approx([0.316227766017, 0.794328234724, 0.977237220956], abs=1e-9)
    assert found.table["different rows"][2] == "100"
    assert "have 100 different rows if there are two" in found.findings[1]


@pytest.mark.slow
@pytest.mark.covers("met_curse_side", "cl_distance_concentration")
def test_in_many_columns_everything_is_far_from_everything() -> None:
    for columns, low, high in ((2, 0.0, 0.1), (10, 0.1, 0.5), (100, 0.5, 0.85), (1000, 0.85, 1.0)):
        X = np.random.default_rng(0).random((500, columns))
        assert low < nearest_to_farthest(X, np.arange(1))[0] < high
    found = diagnose("dimension")
    assert list(found.facts["ratios"].values()) == sorted(found.facts["ratios"].values())
    rng = np.random.default_rng(0)
    wide, narrow = (labelled(rng.normal(size=(60, columns)), "a") for columns in (300, 2))
    assert diagnose("dimension", narrow, target="y").facts["own_ratio"] < 0.2
    assert diagnose("dimension", wide, target="y").facts["own_ratio"] > 0.7
    assert "beware of distances" in diagnose("dimension", wide, target="y").findings[-1]
    with pytest.raises(PenstockError) as caught:
        diagnose("dimension", pd.DataFrame({"word": ["a", "b", "c"]}))
    assert caught.value.code == "PEN076"


@pytest.mark.covers("theory-bias-variance", "cl_bias_variance_noise_sum")
def test_bias_variance_and_noise_sum_to_the_error() -> None:
    found = diagnose("bias-variance", degrees=[0], rows=10, noise=0.3, at=1.0, rounds=20_000)
    parts = found.facts["parts"]["degree 0"]
    assert parts["bias"] == pytest.approx(0.708073, abs=0.006)
    assert parts["variance"] == pytest.approx(0.059, abs=0.001)
    assert parts["noise"] == pytest.approx(0.09)
    assert parts["loss"] == pytest.approx(0.857073, abs=0.006)
    assert parts["measured"] == pytest.approx(0.8561, abs=0.015)
    swept = diagnose("bias-variance", degrees=[0, 3, 7], rows=30, even=True).table
    assert swept["bias"].is_monotonic_decreasing
    assert swept["variance"].is_monotonic_increasing
    assert swept["measured"].to_numpy() == pytest.approx(swept["loss"].to_numpy(), rel=0.03)


def test_bias_and_variance_of_models_on_a_table() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(150, 2))
    found = diagnose("bias-variance", labelled(X, X @ [1.0, 2] + rng.normal(size=150)), target="y")
    assert found.table.loc["linear-regression", "variance"] < found.table.loc["decision-tree", "variance"]
    classes = diagnose("bias-variance", labelled(X, X[:, 0] > 0), target="y", models=["decision-tree"])
    assert list(classes.table.index) == ["decision-tree"]


@pytest.mark.slow
@pytest.mark.covers("theory-ridge-bias-variance", "ex_ridge_bias_variance", "met_ridge_bias_variance")
def test_what_a_penalty_trades() -> None:
    frame = pd.DataFrame({"one": [1.0, 1, 1], "x": [0.0, 1, 2]})
    found = diagnose("ridge-bias-variance", frame, weights=[1, 2], penalty=1.0)
    assert found.facts["bias"] == pytest.approx([0, -1 / 3], abs=1e-9)
    assert found.facts["factors"] == pytest.approx([0.107504940885, 0.24805061467], abs=1e-9)
    assert found.facts["variance"] == pytest.approx(0.355556, abs=1e-6)
    assert found.facts["least_squares_variance"] == pytest.approx(1.333333, abs=1e-6)
    X, weights = frame.to_numpy(), np.array([1.0, 2])
    assert ridge_bias_variance(X, weights, 1e-12).bias == pytest.approx([0, 0], abs=1e-9)
    assert ridge_bias_variance(X, weights, 1e12).bias == pytest.approx(-weights, abs=1e-6)
    rng = np.random.default_rng(0)
    table = labelled(rng.normal(size=(60, 3)), 0).assign(y=lambda rows: 2 * rows["x0"] + rng.normal(size=60))
    learnt = diagnose("ridge-bias-variance", table, target="y")
    assert learnt.table.loc["x0", "weight"] == pytest.approx(2, abs=0.5)
    assert learnt.facts["noise"] == pytest.approx(1, abs=0.4)


@pytest.mark.slow
@pytest.mark.covers("cl_oob_estimates_test_error", "ens-oob-error")
def test_out_of_bag_tells_what_other_rows_tell() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1800, 6))
    y = (X[:, 0] + X[:, 1] * X[:, 2] + rng.normal(scale=0.5, size=1800)) > 0
    y = np.where(rng.random(1800) < 0.05, ~y, y)
    found = diagnose("out-of-bag", labelled(X, y), target="y", trees=60)
    assert abs(found.facts["out_of_bag"] - found.facts["kept_away"]) < 0.04
    assert found.facts["trained_on"] < 0.01
    # Only trees that did not draw a row evaluate it, as the library's own score has it of the same rows.
    taught, scaled = np.random.default_rng(0).permutation(1800)[600:], (X - X.mean(axis=0)) / X.std(axis=0)
    given = {"n_estimators": 60, "oob_score": True}
    forest = build("random-forest", given, seed=0, problem="classification").fit(scaled[taught], y[taught])
    assert found.facts["out_of_bag"] == pytest.approx(1 - forest.oob_score_)
    numbers = diagnose("out-of-bag", labelled(X[:200], X[:200, 0]), target="y", trees=20)
    assert numbers.facts["trained_on"] < numbers.facts["out_of_bag"]


@pytest.mark.parametrize(
    ("name", "given", "code"),
    [
        ("empirical-risk", {"target": "three"}, "PEN081"),
        ("linear-separability", {"target": "x"}, "PEN081"),
        ("perceptron-bound", {"target": "x"}, "PEN081"),
        ("out-of-bag", {"target": "words"}, "PEN080"),
        ("hoeffding", {"epsilon": 2}, "PEN222"),
        ("shattering", {"points": 50}, "PEN222"),
    ],
    ids=["three classes", "numbers", "no classes", "no columns", "no chance", "too many"],
)
def test_what_cannot_be_asked(name: str, given: dict[str, Any], code: str) -> None:
    table = pd.DataFrame({"x": np.linspace(0, 1, 12), "three": list("abc") * 4, "words": list("ab") * 6})
    frame = table[["three", "words"]] if code == "PEN080" else table.assign(z=table["x"] ** 2)
    with pytest.raises(PenstockError) as caught:
        find(name)(frame, given)
    assert caught.value.code == code
