"""Models that explain themselves, in the terms of the table that was read."""

from __future__ import annotations

import re
from itertools import combinations
from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from sklearn.ensemble import VotingClassifier
from sklearn.neural_network import MLPClassifier

from penstock.components.catalog import build
from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.explanation.models import Explanation, Shown, explain, explainer_of
from penstock.components.explanation.models.nodes import Node
from penstock.components.explanation.models.terms import Terms
from penstock.components.plots import to_svg
from penstock.components.plots.trees import tree_diagram
from penstock.problems.rows.supervised.captions import PLACES

AGES = np.array([20.0, 25, 30, 35, 41, 45, 50, 55, 60, 65])


def shown(model: Any, y: Any, *, columns: int = 3, classes: list[str] | None = None) -> Shown:
    """Ages, standardised; whether the plan is pro; whether the age was missing (never)."""
    raw = pd.DataFrame({"age": AGES, "plan": ["pro", "free"] * 5})
    scaled = (AGES - AGES.mean()) / AGES.std()
    X = np.column_stack([scaled, raw["plan"] == "pro", np.zeros(10)]).astype(float)[:, :columns]
    names = ["age", "plan = pro", "age_missing"][:columns]
    return Shown(model.fit(X, y), X, np.asarray(y), names, raw, X[:2], "left", classes)


def explained(*given: Any, **more: Any) -> Explanation:
    found = explain(shown(*given, **more))
    assert found is not None
    return found


def tree(problem: str = "classification", **given: Any) -> Any:
    return build("decision-tree", given, seed=0, problem=problem)


OLD = (AGES > 43).astype(int)
OLD_AND_PRO = OLD * (np.arange(10) % 2 == 0)


def test_a_tree_speaks_of_the_columns_as_they_were_read() -> None:
    found = explained(tree(), OLD, classes=["no", "yes"])
    assert found.sentences == ["A tree of 1 question at most, with 2 leaves; it asks about age."]
    assert found.texts["Rules, those of most rows first"] == [
        "if age ≤ 43: no (100% of 5 rows)",
        "if age > 43: yes (100% of 5 rows)",
    ]
    assert found.texts["yes, if"] == ["age > 43"]


def test_levels_are_called_by_their_names() -> None:
    found = explained(tree(), OLD_AND_PRO, classes=["no", "yes"])
    assert found.texts["yes, if"] == ["(age > 47.5 and plan = pro)"]
    assert any("plan ≠ pro" in line for line in found.texts["no, if"])


@pytest.mark.covers("plot_tree_plot")
def test_a_tree_is_drawn_with_its_splits_leaves_and_steps() -> None:
    found = explained(tree(), OLD_AND_PRO, classes=["no", "yes"])
    assert list(found.figures) == ["tree"]
    svg = to_svg(found.figures["tree"])
    assert all(words in svg for words in (">age<", ">plan<", "= pro", "≠ pro", ">no<", ">yes<", "3 leaves"))

    values = np.where(AGES < 43, 10.0, 20.0)
    steps = explained(tree("regression"), values, columns=1)
    assert "if age > 43: 20 (5 rows)" in steps.texts["Rules, those of most rows first"]
    (axes,) = steps.figures["tree_regions"].axes
    line = axes.get_lines()[0]
    x, fitted = (np.asarray(data) for data in line.get_data())
    assert set(fitted) == {10.0, 20.0}
    assert 41 < x[fitted == 20].min() < 45.2
    to_svg(steps.figures["tree_regions"])

    regions = explained(tree(), OLD_AND_PRO, columns=2, classes=["no", "yes"])
    to_svg(regions.figures["tree_regions"])
    assert len(regions.figures["tree_regions"].axes[0].collections) == 4


def test_boxes_of_a_tree_lie_on_nothing() -> None:
    def grown(depth: int) -> Node:
        branches = [("≤ 1,269,066", grown(0)), ("= a long level", grown(depth - 1))] if depth else []
        return Node("WWW a very long class", 5.0, 0.8, "a very long column (W)", branches)

    for depth in (1, 2, 4):
        figure = tree_diagram(grown(depth), "left")
        canvas = FigureCanvasAgg(figure)
        canvas.draw()
        (axes,) = figure.axes
        words = [text for text in axes.texts if text.get_text()]
        boxes = [text.get_bbox_patch() or text for text in words]
        placed = [box.get_window_extent(canvas.get_renderer()) for box in boxes]
        assert not [one for one, other in combinations(placed, 2) if one.overlaps(other)], depth
        assert max(box.x1 for box in placed) <= figure.bbox.x1
        lines = [text.arrow_patch.get_window_extent() for text in axes.texts if not text.get_text()]
        rim = 3  # a line leaves from the words, past the rim of their box
        assert not [line for line in lines for box in placed if line.overlaps(box) and line.x0 + rim < box.x1 < line.x1]


def test_a_deep_tree_is_cut_to_what_can_be_read() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(600, 4)), rng.integers(0, 2, 600)
    raw = pd.DataFrame(X, columns=list("abcd"))
    found = explain(Shown(tree().fit(X, y), X, y, list("abcd"), raw, X[:2], "left", ["no", "yes"]))
    assert found is not None
    assert len(found.texts["Rules, those of most rows first"]) == 21
    assert "its first" in found.figures["tree"].get_suptitle()
    assert found.figures["tree"].get_figheight() < 12


def test_id3_tells_its_formula_or_its_rules() -> None:
    id3 = build("id3", {}, seed=0, problem="classification")
    found = explained(id3, OLD_AND_PRO, classes=["no", "yes"])
    assert len(found.texts["yes, if"]) == 1
    assert set(found.texts["yes, if"][0].strip("()").split(" and ")) & {"age > 47.5", "plan = pro"}
    assert "tree" in found.figures
    rules = build("id3", {"pruning": "rules", "validation": 0.3}, seed=0, problem="classification")
    listed = explained(rules, OLD_AND_PRO, classes=["no", "yes"]).texts["Rules: the first that holds answers"]
    assert listed[-1].startswith("otherwise: ")
    assert all(line.startswith("if ") for line in listed[:-1])


def test_the_rows_of_a_shortened_rule_are_those_that_it_answers() -> None:
    rng = np.random.default_rng(2)
    X = rng.normal(size=(200, 3))
    y = ((X[:, 0] > 0) ^ (rng.random(200) < 0.2)).astype(int)
    raw = pd.DataFrame(X, columns=list("abc"))
    model = build("id3", {"pruning": "rules", "max_depth": 3}, seed=0, problem="classification").fit(X, y)
    assert len({len(tests) for tests, _, _ in model.rules_}) > 1  # some were shortened
    found = explain(Shown(model, X, y, list("abc"), raw, X[:2], "left", ["no", "yes"]))
    assert found is not None
    listed = found.texts["Rules: the first that holds answers"]
    rows_said = [int(re.findall(r"(\d+) rows?\)$", line)[0]) for line in listed]
    deciding = model.deciding_rules(X)
    assert rows_said == [*((deciding == place).sum() for place in range(len(model.rules_))), (deciding < 0).sum()]
    assert sum(rows_said) == 200
    right = sum(
        int(re.findall(r"\((\d+)%", line)[0]) * rows / 100 for line, rows in zip(listed, rows_said, strict=True) if rows
    )
    assert right == pytest.approx((model.predict(X) == y).sum(), abs=2)
    assert found.sentences[1].startswith(f"Its paths became a list of {len(model.rules_)} rules, each shortened by 50")


def test_a_line_tells_its_weights_and_their_path() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = 3 * X[:, 0] - X[:, 1] + 5
    names, raw = ["a", "b", "c"], pd.DataFrame(X, columns=["a", "b", "c"])
    lasso = build("lasso", {"alpha": 0.1}, seed=0, problem="regression").fit(X, y)
    found = explain(Shown(lasso, X, y, names, raw, X[:2], "price"))
    assert found is not None
    assert found.sentences[0].startswith(f"price is {lasso.intercept_:.3g} and the sum")
    assert found.tables[0].rows[0][0] == "a"
    assert found.tables[0].rows[0][1] == pytest.approx(lasso.coef_[0])
    assert "1 of 3 columns has no weight" in found.sentences[2]
    (axes,) = found.figures["coefficient_path"].axes
    path = {line.get_label(): np.asarray(line.get_ydata()) for line in axes.get_lines()}
    assert path["a"][6] == pytest.approx(lasso.coef_[0])
    assert path["a"][-1] == 0
    assert path["a"][0] == pytest.approx(3, abs=0.05)
    for figure in found.figures.values():
        to_svg(figure)


def test_of_classes_each_has_its_weights() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(90, 2)), np.repeat([0, 1, 2], 30)
    logistic = build("logistic-regression", {}, seed=0, problem="classification").fit(X, y)
    raw = pd.DataFrame(X, columns=["a", "b"])
    found = explain(Shown(logistic, X, y, ["a", "b"], raw, X[:2], "kind", ["u", "v", "w"]))
    assert found is not None
    assert found.tables[0].heads == ["Column", "u", "v", "w"]
    two = explain(Shown(logistic.fit(X[:60], y[:60]), X[:60], y[:60], ["a", "b"], raw[:60], X[:2], "kind", ["u", "v"]))
    assert two is not None
    assert two.sentences[0].startswith("The log-odds of v")
    # Where the rows were weighted, fits without the weights would show another model.
    weighted = logistic.fit(X[:60], y[:60], sample_weight=np.where(y[:60] == 1, 20, 1))
    other = explain(Shown(weighted, X[:60], y[:60], ["a", "b"], raw[:60], X[:2], "kind", ["u", "v"]))
    assert other is not None
    assert "coefficient_path" not in other.figures


@pytest.mark.slow
@pytest.mark.covers("plot_sigmoid_probability")
@pytest.mark.parametrize("threshold", [None, 0.2])
def test_the_score_of_two_classes_becomes_a_probability(threshold: float | None) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(120, 2))
    y = (X[:, 0] + rng.normal(size=120) > 0).astype(int)
    logistic = build("logistic-regression", {}, seed=0, problem="classification")
    model = (DecidingClassifier(logistic, threshold=threshold) if threshold else logistic).fit(X, y)
    raw = pd.DataFrame(X, columns=["a", "b"])
    found = explain(Shown(model, X, y, ["a", "b"], raw, X[:2], "left", ["no", "yes"]))
    assert found is not None
    figure = found.figures["probability_curve"]
    (axes,) = figure.axes
    drawn = {line.get_label(): line for line in axes.get_lines()}
    score, probability = np.asarray(drawn["probability"].get_xdata()), np.asarray(drawn["probability"].get_ydata())
    assert probability == pytest.approx(1 / (1 + np.exp(-score)))
    assert np.all(np.diff(score) >= 0)
    (border,) = (line.get_xdata()[0] for name, line in drawn.items() if name.startswith("answered as such from"))
    assert 1 / (1 + np.exp(-border)) == pytest.approx(threshold or 0.5, abs=0.03)
    rows = {dots.get_label(): len(dots.get_offsets()) for dots in axes.collections}
    assert rows == {"rows that are yes": y.sum(), "rows that are not yes": 120 - y.sum()}
    assert PLACES["probability_curve"] == "deciding"
    to_svg(figure)


def test_the_rule_and_the_vote_around_a_model_are_looked_through() -> None:
    deciding = DecidingClassifier(tree(), threshold=0.3)
    assert explained(deciding, OLD, classes=["no", "yes"]).texts["yes, if"] == ["age > 43"]
    vote = VotingClassifier(
        [("net", MLPClassifier(hidden_layer_sizes=(2,), solver="lbfgs")), ("tree", tree())],
        voting="soft",
        weights=[0.7, 0.3],
    )
    found = explained(vote, OLD, classes=["no", "yes"])
    assert found.tables[0].rows == [["net", 0.7], ["tree", 0.3]]
    assert found.sentences[1] == "What follows is of tree."
    assert explainer_of(MLPClassifier()) is None


def test_thresholds_are_told_in_the_units_of_the_table() -> None:
    given = shown(tree(), OLD)
    terms = Terms(given)
    assert terms.in_own_units(0, float((43 - AGES.mean()) / AGES.std())) == 43
    assert terms.prepared(0, np.array([43.0])) == pytest.approx((43 - AGES.mean()) / AGES.std())
    assert terms.cut(1, 0.5) == ("≠ pro", "= pro")
    assert terms.cut(2, 0.5) == ("is known", "is missing")
    assert terms.column(2) == "age"
    turned = Shown(**{**vars(given), "X": -given.X})  # the order was not kept
    assert Terms(turned).raw(0) is None
    assert Terms(turned).in_own_units(0, 0.25) == 0.25
