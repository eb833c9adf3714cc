"""Support vectors, kernels, hypotheses, naive Bayes, neighbours, neurons and discriminants tell how they decide."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle
from sklearn.datasets import load_iris, make_blobs
from sklearn.metrics.pairwise import rbf_kernel

from penstock.components.catalog import build
from penstock.components.explanation.models import Explanation, Shown, explain
from penstock.components.kernels.columns import AS_COLUMNS
from penstock.components.plots import to_svg
from penstock.components.plots.deciding import margin_histogram
from penstock.components.plots.epochs import gradient_norms, training_curves
from penstock.problems.rows.supervised.captions import CAPTIONS, PLACES

TWO = ["no", "yes"]


def asked(name: str, X: Any, y: Any, names: list[str] | None = None, classes: Any = TWO, **given: Any) -> Explanation:
    X = np.asarray(X, dtype=float)
    problem = "regression" if classes is None else "classification"
    model = build(name, given, seed=0, problem=problem).fit(X, y)
    names = names or [f"x{place}" for place in range(X.shape[1])]
    raw = pd.DataFrame(X, columns=names)
    found = explain(Shown(model, X, np.asarray(y), names, raw, X[:4] + 0.1, "kept", classes))
    assert found is not None
    for figure in found.figures.values():
        assert to_svg(figure).startswith("<svg")
    assert found.facts["sentences"]
    return found


def rows_of(found: Explanation, title: str) -> dict[str, list[Any]]:
    return {row[0]: row[1:] for table in found.tables if table.title == title for row in table.rows}


def test_a_street_between_two_points_is_as_wide_as_they_are_apart() -> None:
    X = [[2.0, 0.0], [0.0, 0.0], [5.0, 1.0], [-4.0, 1.0], [6.0, 0.0], [-3.0, 0.0]]
    y = [1, 0, 1, 0, 1, 0]
    found = asked("svm", X, y, kernel="linear", margin="hard", folds=2)
    assert "The margin is 2 wide in the prepared columns" in found.sentences[2]
    assert "the nearest row is 1 from the border" in found.sentences[2]
    assert found.sentences[1] == "2 of 6 training rows hold the border."
    where = rows_of(found, "Training rows and the margin")
    assert (where["on its edge"], where["outside the margin"], where["on the wrong side"]) == ([2], [4], [0])
    assert list(found.figures) == ["margin"]
    assert "is 2 wide" in found.figures["margin"].get_suptitle()


def test_by_a_kernel_the_width_is_of_its_space_and_the_hardest_rows_are_named() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = (X[:, 0] + 0.5 * rng.normal(size=80) > 0).astype(int)
    found = asked("rbf-svm", X, y, ["age", "size", "speed"], gamma=0.5, folds=2)
    machine = build("rbf-svm", {"gamma": 0.5, "folds": 2}, seed=0, problem="classification").fit(X, y).machine_
    g, V = machine.dual_coef_[0], machine.support_vectors_
    gram = np.exp(-0.5 * np.sum((V[:, None] - V) ** 2, axis=2))
    width = 2 / np.sqrt(g @ gram @ g)
    assert f"The margin is {width:.3g} wide in the space of the kernel" in found.sentences[2]
    assert f"{len(V)} of 80 training rows hold the border." in found.sentences
    fits_least = next(table for table in found.tables if table.title == "Training rows that fit least")
    assert fits_least.heads == ["Row", "y f(x)", "kept", "age", "size", "speed"]
    scores = np.where(y == 1, 1, -1) * machine.decision_function(X)
    assert fits_least.rows[0][0] == f"row {scores.argmin() + 1}"
    assert fits_least.rows[0][1] == pytest.approx(scores.min())


def test_no_bar_reaches_from_outside_the_street_into_it() -> None:
    for scores in ([-4.6, -0.999, 0.998, 4.8], [-1.001, 1.0, 17.3], [-0.3, 0.2]):
        (axes,) = margin_histogram(np.array(scores), np.array(scores) > 0, TWO).axes
        bars = [one.get_bbox() for one in axes.patches if isinstance(one, Rectangle) and one.get_width() < 2]
        for end in (-1, 0, 1):
            assert not [bar for bar in bars if bar.x0 + 1e-9 < end < bar.x1 - 1e-9], (scores, end)
        inside = sum(bar.height for bar in bars if abs(bar.x0 + bar.x1) < 2 - 1e-9)
        assert inside == sum(abs(score) < 0.99 for score in scores), scores


def test_a_straight_machine_also_tells_its_weights() -> None:
    X, y = make_blobs(60, centers=2, n_features=3, cluster_std=3.0, random_state=0)
    found = asked("linear-svm", X, y)
    assert {"margin", "coefficients"} <= set(found.figures)
    assert any(table.title.startswith("Weights") for table in found.tables)
    assert "wide in the prepared columns" in found.sentences[2]


@pytest.mark.parametrize(("name", "given"), [("rbf-svm", {}), ("linear-svm", {}), ("svm", {"solver": "libsvm"})])
def test_several_classes_have_several_borders(name: str, given: dict[str, Any]) -> None:
    X, y = load_iris(return_X_y=True)
    found = asked(name, X, y, classes=["setosa", "versicolor", "virginica"], folds=2, **given)
    held = rows_of(found, "Rows that hold a border")
    assert held["setosa"][2] < held["versicolor"][2]
    assert sum(row[1] for row in held.values()) <= 150
    assert "setosa is the hardest" not in found.sentences[2]


def test_a_tube_costs_nothing_inside() -> None:
    x = np.linspace(0, 1, 40)[:, None]
    y = 3 * x[:, 0]
    y[7] += 2
    found = asked("svr", x, y, classes=None, kernel="linear", C=100.0, epsilon=0.2)
    assert found.sentences[0].startswith(f"Errors below {0.2 * y.std():.3g} cost nothing.")
    assert "epsilon_tube" in found.figures
    (least, *_) = next(table for table in found.tables if table.title == "Training rows that fit least").rows
    assert least[0] == "row 8"
    assert least[1] == pytest.approx(2.0, abs=0.3)


@pytest.mark.parametrize("problem", ["classification", "regression"])
def test_a_kernel_machine_names_the_rows_that_pull_most(problem: str) -> None:
    X = np.random.default_rng(1).normal(size=(30, 2))
    classes = TWO if problem == "classification" else None
    y = (X[:, 0] > 0).astype(int) if classes else X[:, 0]
    found = asked("kernel-machine", X, y, classes=classes)
    weights = build("kernel-machine", {}, seed=0, problem=problem).fit(X, y).row_weights_[:, 0]
    first = next(table for table in found.tables if table.title == "Training rows that pull most").rows[0]
    assert first[:2] == [f"row {np.abs(weights).argmax() + 1}", pytest.approx(weights[np.abs(weights).argmax()])]
    assert "a sum over 30 training rows" in found.sentences[0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "classes"),
    [("svm", TWO), ("svm", ["a", "b", "c"]), ("kernel-machine", TWO), ("kernel-perceptron", TWO), ("svr", None),
     ("kernel-neighbours", TWO)],
)  # fmt: skip
def test_a_kernel_given_as_columns_is_told_as_by_its_name(name: str, classes: list[str] | None) -> None:
    X = np.random.default_rng(0).normal(size=(40, 2))
    y = X[:, 0] if classes is None else (X[:, 0] > 0).astype(int) + (len(classes) == 3) * (X[:, 1] > 1)
    given = {"solver": "libsvm"} if name == "svm" else {}
    named = asked(name, X, y, classes=classes, kernel="rbf", gamma=0.5, **given)
    by_columns = asked(name, rbf_kernel(X, gamma=0.5), y, classes=classes, kernel=AS_COLUMNS, **given)
    found = [sentences.replace("the kernel rbf", "the kernel that was given") for sentences in named.sentences]
    assert by_columns.sentences == found
    assert [table.title for table in by_columns.tables] == [table.title for table in named.tables]


def test_kernel_ridge_names_the_rows_that_pull_most_and_the_mean() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2)) + 5
    y = X[:, 0] ** 2
    y[7] += 20
    found = asked("kernel-ridge", X, y, ["age", "size"], classes=None, gamma=0.5)
    model = build("kernel-ridge", {"gamma": 0.5}, seed=0, problem="regression").fit(X, y)
    assert found.sentences[0].startswith("The answer is a sum over 40 training rows")
    assert found.sentences[1] == f"The mean of kept, {y.mean():.3g}, is added."
    (table,) = found.tables
    assert table.rows[0][:2] == ["row 8", pytest.approx(model.dual_coef_[7])]
    whole = asked("kernel-ridge", X, y.round(), classes=None, gamma=0.5)
    assert all(isinstance(row[2], int) for row in whole.tables[0].rows)  # outcomes as they were read


def test_a_kernel_perceptron_tells_its_mistakes() -> None:
    X = np.array([[0.0, 0.0], [1.0, 1.0], [0.0, 1.0], [1.0, 0.0]] * 3)
    y = np.array([0, 0, 1, 1] * 3)
    found = asked("kernel-perceptron", X, y, gamma=1.0, folds=2)
    machine = (
        build("kernel-perceptron", {"gamma": 1.0, "folds": 2}, seed=0, problem="classification").fit(X, y).machine_
    )
    assert found.sentences[1].endswith(f"{machine.counts_.sum():,} mistakes until a pass had none.")
    assert len(next(iter(found.tables)).rows) == len(machine.support_)
    assert all(isinstance(row[1], int) for row in found.tables[0].rows)  # mistakes are counted
    never = asked("kernel-perceptron", np.vstack([X, X]), np.r_[y, 1 - y], gamma=1.0, folds=2)
    assert "of which the last was not clean" in never.sentences[1]


def test_hypotheses_are_told_by_their_probability() -> None:
    X = np.linspace(0, 1, 20)[:, None]
    found = asked("finite-hypotheses", X, (X[:, 0] > 0.5).astype(int), ["dose"])
    model = build("finite-hypotheses", {}, seed=0, problem="classification").fit(X, (X[:, 0] > 0.5).astype(int))
    words, share = found.tables[0].rows[0]
    assert share == pytest.approx(model.posterior_.max())
    assert words.startswith("dose up to ")
    assert words.endswith(": no, beyond: yes")
    assert "The answer is the vote of all of them" in found.sentences[0]
    alone = asked("finite-hypotheses", X, (X[:, 0] > 2).astype(int), ["dose"], classes=["no"])
    assert alone.tables[0].rows[0][0].startswith("always no")


def test_bells_are_told_by_mean_and_spread_the_farthest_apart_first() -> None:
    rng = np.random.default_rng(0)
    y = np.arange(200) % 2
    X = np.column_stack([rng.normal(size=200), rng.normal(size=200) + 5 * y])
    found = asked("gaussian-naive-bayes", X, y, ["noise", "signal"])
    assert "no 50.0%, yes 50.0%" in found.sentences[1]
    (table,) = found.tables
    assert [row[0] for row in table.rows] == ["signal", "noise"]
    assert table.rows[0][2].startswith(f"{X[y == 1, 1].mean():.3g} ± ")
    assert list(found.figures) == ["class_densities"]
    assert len(found.figures["class_densities"].axes[0].get_lines()) == 2


@pytest.mark.parametrize("kind", ["bernoulli", "categorical", "multinomial", "mixed"])
def test_shares_inside_the_classes_are_the_model_s(kind: str) -> None:
    rng = np.random.default_rng(0)
    y = np.arange(120) % 2
    flag = (rng.random(120) < np.where(y == 1, 0.9, 0.2)).astype(float)
    X = np.column_stack([flag, rng.integers(0, 3, 120), rng.normal(size=120)])
    found = asked(f"{kind}-naive-bayes", X, y, ["plan = pro", "rooms", "age"])
    title = "Share of each column in all that is counted" if kind == "multinomial" else "How likely a value is"
    shares = next(rows_of(found, one.title) for one in found.tables if one.title.startswith(title))
    assert "class_shares" in found.figures
    if kind in ("bernoulli", "categorical"):
        counted = [(flag[y == code].sum() + 1) / (60 + 2) for code in (0, 1)]
        assert shares["plan = pro"] == pytest.approx(counted)
    if kind == "categorical":
        both = np.array(shares["plan = pro"]) + shares["plan ≠ pro"]
        assert both == pytest.approx([1, 1])
        assert any(name.startswith("age > ") and ", ≤ " in name for name in shares)
    if kind == "mixed":
        assert {"class_densities", "class_shares"} <= set(found.figures)
        assert rows_of(found, "Mean and standard deviation of prepared columns inside each class").keys() == {"age"}


def test_a_long_table_says_that_it_is_the_beginning() -> None:
    rng = np.random.default_rng(0)
    found = asked("gaussian-naive-bayes", rng.normal(size=(40, 14)), np.arange(40) % 2)
    assert found.tables[0].title.endswith("inside each class, the 12 of 14 that differ most")
    assert len(found.tables[0].rows) == 12


@pytest.mark.parametrize("name", ["k-nearest-neighbours", "kernel-neighbours"])
def test_neighbours_are_shown_row_by_row(name: str) -> None:
    X, y = make_blobs(60, centers=2, random_state=0)
    found = asked(name, X, y, ["a", "b"], n_neighbors=3)
    (table,) = found.tables
    assert table.heads == ["Asked about", "Neighbour", "Distance", "kept", "a", "b"]
    assert len(table.rows) == 9
    nearest = table.rows[0]
    assert nearest[4:] == X[np.linalg.norm(X - X[0] - 0.1, axis=1).argmin()].tolist()
    assert [row[1] for row in table.rows[:3]] == [1, 2, 3]
    assert nearest[3] == TWO[y[np.linalg.norm(X - X[0] - 0.1, axis=1).argmin()]]
    assert "of the 3 training rows that are most alike" in found.sentences[0]
    assert "neighbours" in found.figures
    amounts = asked(name, X, X[:, 0], ["a", "b"], classes=None, n_neighbors=3)
    assert amounts.sentences[0].startswith("The answer is the mean outcome")


def test_of_balanced_rows_no_neighbour_is_named() -> None:
    X, y = make_blobs(60, centers=2, random_state=0)
    model = build("k-nearest-neighbours", {}, seed=0, problem="classification").fit(X[:40], y[:40])
    raw = pd.DataFrame(X, columns=["a", "b"])
    found = explain(Shown(model, X, y, ["a", "b"], raw, X[:4], "kept", TWO))
    assert found is not None
    assert found.tables == []
    assert "neighbours" in found.figures


@pytest.mark.slow
def test_a_neuron_says_whether_it_came_to_rest_and_discriminants_where_classes_are() -> None:
    X, y = make_blobs(60, centers=[[-5, 0], [5, 0]], random_state=0)
    rest = asked("perceptron", X, y)
    assert rest.sentences[0].startswith("The score of yes")
    assert any("no training row is a mistake" in line for line in rest.sentences)
    wild = asked("perceptron", X, np.arange(60) % 2)
    assert any("never comes to rest" in line for line in wild.sentences)
    classes = asked("linear-discriminant-analysis", X, y)
    assert "no 50.0%, yes 50.0%" in classes.sentences[2]
    means = rows_of(classes, "Means of the classes")
    assert means["x0"] == pytest.approx([X[y == 0, 0].mean(), X[y == 1, 0].mean()])


@pytest.mark.slow
@pytest.mark.covers("proc_training_curves")
def test_a_network_tells_its_training_and_the_curves_come_again_from_what_is_stored() -> None:
    X, y = make_blobs(200, centers=2, n_features=3, cluster_std=6.0, random_state=0)
    found = asked("mlp", X, y, epochs=60, patience=3, learning_rate=0.02, depth=2, width=8)
    stored = json.loads(json.dumps(found.facts))["history"]
    assert {len(values) for values in stored["series"].values()} == {stored["best_epoch"] + 3}
    assert found.sentences[0] == "A network with 2 hidden layers, each of 8 units (relu)."
    assert f"the weights of epoch {stored['best_epoch']}, the lowest loss of held-out" in found.sentences[1]
    assert found.sentences[2].startswith("Gradients are in good health: ")
    assert list(found.figures) == ["training_curves", "gradient_norms"]
    assert stored == found.history
    assert np.array_equal(_drawn(training_curves(stored)), _drawn(found.figures["training_curves"]))
    assert np.array_equal(_drawn(gradient_norms(stored)), _drawn(found.figures["gradient_norms"]))
    assert all(PLACES[name] == "deciding" and CAPTIONS[name] for name in found.figures)


def _drawn(figure: Figure) -> Any:
    return np.concatenate([np.asarray(line.get_xydata()) for axes in figure.axes for line in axes.get_lines()])


def test_a_network_of_few_rows_or_of_no_layers_says_so() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    found = asked("mlp", X, X[:, 0] * 5, classes=None, epochs=2, depth=0)
    assert found.sentences[0] == "A network without hidden layers, which is a linear model."
    assert "too few rows to hold some out" in found.sentences[1]
    assert "the mean absolute error of kept is" in found.sentences[1]
    assert found.sentences[2] == "There are no layers between which a gradient could vanish or explode."
