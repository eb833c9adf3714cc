from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_breast_cancer, load_iris
from sklearn.preprocessing import OneHotEncoder
from sklearn.tree import DecisionTreeClassifier
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.trees.attributes import encode
from penstock.components.trees.descent import descend
from penstock.components.trees.growing import LEAF, Tree, grow
from penstock.components.trees.id3 import ID3Classifier
from penstock.components.trees.impurity import gain, impurity
from penstock.components.trees.pruning import reduced_error
from penstock.components.trees.rules import first_that_fires, rules_of, shortened

NAMES = ["Outlook", "Temperature", "Humidity", "Wind"]
# The notes' fourteen days of tennis; the fifth one's outlook is lost where the notes say so.
DAYS = """Sunny Hot High Weak No
Sunny Hot High Strong No
Overcast Hot High Weak Yes
Rain Mild High Weak Yes
Rain Cool Normal Weak Yes
Rain Cool Normal Strong No
Overcast Cool Normal Strong Yes
Sunny Mild High Weak No
Sunny Cool Normal Weak Yes
Rain Mild Normal Weak Yes
Sunny Mild Normal Strong Yes
Overcast Mild High Strong Yes
Overcast Hot Normal Weak Yes
Rain Mild High Strong No"""
TENNIS = np.array([line.split() for line in DAYS.splitlines()], dtype=object)


def id3(**given: Any) -> Any:
    return build("id3", given, seed=0, problem="classification")


def gains(X: Any, y: Any, kind: Any) -> list[float]:
    """The gain of each column at the root, through a tree that asks about it alone."""
    found = []
    for column in np.asarray(X, dtype=object).T:
        model = id3(impurity=kind, max_depth=1).fit(column[:, None], y)
        tree = Tree(**model.tree_)
        children = tree.children[0][tree.children[0] != LEAF]
        found.append(float(gain(tree.counts[children], kind)))
    return found


@pytest.mark.slow
@pytest.mark.parametrize("pruning", ["none", "reduced-error", "rules"])
def test_scikit_learn_agrees(pruning: str) -> None:
    # Which rows are held out is drawn row by row, so a weight of two holds out other rows than a row twice.
    drawn = {} if pruning == "none" else {"check_sample_weight_equivalence_on_dense_data": "rows are held out"}
    checks = check_estimator(ID3Classifier(pruning=pruning), on_skip=None, expected_failed_checks=drawn)
    assert len(checks) > 30


@pytest.mark.covers("tree-id3")
def test_the_first_question_of_tennis() -> None:
    eight = TENNIS[[0, 1, 2, 3, 5, 6, 7, 8]]
    assert impurity(np.array([4.0, 4.0]), "entropy") == pytest.approx(1.0)
    assert gains(eight[:, :4], eight[:, 4], "entropy") == pytest.approx(
        [0.344361, 0.061278, 0.048795, 0.048795], abs=1e-6
    )
    days = np.arange(8).astype(str).astype(object)[:, None]
    assert gains(days, eight[:, 4], "entropy") == pytest.approx([1.0])
    model = id3().fit(eight[:, :4], eight[:, 4])
    assert model.tree_["attribute"][0] == 0
    assert model.predict(np.array([["Sunny", "Hot", "High", "Strong"]], dtype=object)) == ["No"]
    assert model.predict(eight[:, :4]).tolist() == eight[:, 4].tolist()
    assert len(id3(max_depth=1).fit(eight[:, :4], eight[:, 4]).tree_["attribute"]) == 4
    assert len(id3(min_samples_leaf=5).fit(eight[:, :4], eight[:, 4]).tree_["attribute"]) == 1


@pytest.mark.covers("tree-id3-numeric")
def test_numbers_are_cut_between_classes() -> None:
    x = np.array([40.0, 48, 60, 72, 80, 90])[:, None]
    y = np.array(list("NNYYYN"))
    model = id3(few=0, max_depth=1).fit(x, y)
    assert model.tree_["threshold"][0] == 54
    cuts = {54: 0.459148, 85: 0.190875}
    for cut in (44.0, 54, 66, 76, 85):
        parts = [
            np.array([np.sum(y[side] == label) for label in "NY"], float) for side in (x[:, 0] < cut, x[:, 0] >= cut)
        ]
        found = float(gain(np.stack(parts), "entropy"))
        assert found <= cuts[54] + 1e-6
        if cut in cuts:
            assert found == pytest.approx(cuts[cut], abs=1e-6)
    # Half-way between 60 and 72, of one class, is no candidate: of halves of three rows each there are none.
    assert id3(few=0, min_samples_leaf=3).fit(x, y).tree_["attribute"].tolist() == [LEAF]
    assert id3(few=0, min_samples_leaf=2).fit(x, y).tree_["threshold"][0] == 54
    deeper = id3(few=0).fit(x, y)
    assert sorted(deeper.tree_["threshold"][~np.isnan(deeper.tree_["threshold"])]) == [54, 85]
    assert deeper.predict(x).tolist() == y.tolist()


@pytest.mark.covers("tree-id3-numeric")
@pytest.mark.parametrize("pruning", ["none", "rules"])
def test_a_number_at_the_cut_is_not_below_it(pruning: str) -> None:
    x = np.repeat([40.0, 60.0], 20)[:, None]
    model = id3(few=0, pruning=pruning).fit(x, np.repeat(["N", "Y"], 20))
    assert model.predict([[50.0], [np.nextafter(50.0, 0)]]).tolist() == ["Y", "N"]
    # Between neighbouring numbers lies none: the cut is the upper one.
    close = np.repeat([0.5, np.nextafter(0.5, 1)], 20)[:, None]
    assert id3(few=0, pruning=pruning).fit(close, np.repeat(["N", "Y"], 20)).predict(close[::20]).tolist() == ["N", "Y"]
    lost = id3(few=0).fit(np.vstack([close, [[np.nan]]]), np.repeat(["N", "Y"], [20, 21]))
    assert lost.tree_["fractions"][0].tolist() == [0.5, 0.5]


@pytest.mark.covers("tree-id3", "tree-id3-numeric")
@pytest.mark.parametrize("few", [0, 10])
def test_of_questions_that_save_the_same_the_first_is_asked(few: int) -> None:
    x, y = np.array([1.0, 2.0, 3.0]), np.array(list("NYN"))
    tree = id3(few=few, max_depth=1).fit(np.column_stack([x * 0, x, x]), y).tree_
    assert tree["attribute"][0] == 1
    if few == 0:  # of cuts the lowest
        assert tree["threshold"][0] == 1.5


@pytest.mark.covers("tree-id3-numeric")
def test_numbers_that_save_nothing_are_not_asked_about_further_down() -> None:
    words, numbers = ["a", "a", "b", "b"], [1.5, 2.5, 1.5, 2.5]
    either = np.array(list("NYYN"))
    assert id3(few=0).fit(np.c_[numbers], either).tree_["attribute"].tolist() == [LEAF]
    # Below either word the number would tell the classes apart, but at the root it saves nothing.
    both = np.array(list(zip(words, numbers, strict=True)), dtype=object)
    assert id3(few=0).fit(both, either).tree_["attribute"].tolist() == [0, LEAF, LEAF]
    # One that saves something stays, with another threshold.
    x = np.array([40.0, 48, 60, 72, 80, 90])[:, None]
    asked = id3(few=0).fit(x, list("NNYYYN")).tree_["attribute"]
    assert asked.tolist() == [0, LEAF, 0, LEAF, LEAF]


@pytest.mark.covers(
    "tree-fractional-missing",
    "proc_id3_recursion",
    "proc_missing_values",
    "ex_tennis_fractional_gain",
    "met_entropy_impurity",
    "met_gini",
    "met_misclassification_impurity",
    "met_information_gain",
)
def test_a_lost_outlook_goes_down_every_branch() -> None:
    nine = TENNIS[:9].copy()
    nine[4, 0] = None
    X, y = nine[:, :4], nine[:, 4]
    assert impurity(np.array([4.0, 5.0]), "entropy") == pytest.approx(0.991076059838)
    model = id3().fit(X, y)
    shares = dict(zip(model.levels_[0], model.tree_["fractions"][0], strict=False))
    assert shares == {"Sunny": 0.5, "Overcast": 0.25, "Rain": 0.25}
    expected = {
        "entropy": [0.284159127851, 0.102187170949, 0.0910910076038, 0.0727802257837],
        "gini": [0.148148148148, 0.0679012345679, 0.0604938271605, 0.0493827160494],
        "misclassification": [0.166666666667, 0.111111111111, 0.111111111111, 0.111111111111],
    }
    for kind, values in expected.items():
        assert gains(X, y, kind) == pytest.approx(values, abs=1e-9)
    assert gains(np.arange(9).astype(str)[:, None], y, "entropy") == pytest.approx([0.991076059838])
    unknown = np.array([[None, "Hot", "High", "Weak"]], dtype=object)
    assert model.predict_proba(unknown).sum() == pytest.approx(1.0)
    by_branch = [
        model.predict_proba(np.array([[outlook, "Hot", "High", "Weak"]], dtype=object)) for outlook in model.levels_[0]
    ]
    mixed = sum(share * part for share, part in zip(model.tree_["fractions"][0], by_branch, strict=False))
    assert model.predict_proba(unknown) == pytest.approx(mixed)


@pytest.mark.covers("tree-fractional-missing", "proc_missing_values")
def test_several_lost_values_multiply_their_weights() -> None:
    """Of the rows that have values, 0.4 have u and 0.6 have v, and 0.3 have p and 0.7 have q."""
    rows = [("u", "p", "N")] + [("u", "q", "N")] * 3 + [("v", "p", "N")] * 2 + [("v", "q", "Y")] * 4
    table = np.array([*rows, (None, None, "Y")], dtype=object)
    model = id3().fit(table[:, :2], table[:, 2])
    tree = Tree(**model.tree_)
    expected = {
        "up": [1, 0.4 * 0.3],
        "uq": [3, 0.4 * 0.7],
        "vp": [2, 0.6 * 0.3],
        "vq": [0, 4 + 0.6 * 0.7],
    }
    leaves = {
        "".join(model.levels_[test.attribute][int(test.value)] for test in rule.tests): tree.counts[rule.node]
        for rule in rules_of(tree)
    }
    assert leaves.keys() == expected.keys()
    for path, counts in expected.items():
        assert leaves[path] == pytest.approx(counts)
    assert tree.counts[0] == pytest.approx([6, 5])
    # Asked about a row that has lost both, the leaves answer by the same weights: only v and q say yes.
    lost = np.array([[None, None]], dtype=object)
    weights = {"up": 0.12, "uq": 0.28, "vp": 0.18, "vq": 0.42}
    shares = sum(weights[path] * np.array(counts) / sum(counts) for path, counts in expected.items())
    assert model.predict_proba(lost)[0] == pytest.approx(shares)
    ended, _ = descend(tree, [np.array([-1]), np.array([-1])], model.levels_, 1)
    assert ended.weight is not None
    assert ended.weight.tolist() == pytest.approx(list(weights.values()))
    assert model.predict(lost).tolist() == ["N"]
    assert model.predict(np.array([[None, "q"]], dtype=object)).tolist() == ["Y"]


@pytest.mark.covers("proc_missing_values")
def test_gaps_can_be_filled_instead() -> None:
    nine = TENNIS[:9].copy()
    nine[4, 0] = None
    X, y = nine[:, :4], nine[:, 4]
    # Of all days with a value half are sunny.
    common = id3(missing="mode", max_depth=1).fit(X, y)
    sunny = common.tree_["children"][0][common.levels_[0].index("Sunny")]
    assert common.tree_["counts"][sunny].tolist() == [3, 2]
    assert common.predict(np.array([[None, "Hot", "High", "Weak"]], dtype=object)).tolist() == ["No"]
    # Of the days of play, rain, overcast, overcast and sun: overcast is the commonest.
    filled = id3(missing="class-mode", max_depth=1).fit(X, y)
    overcast = filled.tree_["children"][0][filled.levels_[0].index("Overcast")]
    assert filled.tree_["counts"][overcast].tolist() == [0, 3]


# Two yes-or-no columns; the last days are held out.
GROWN = (np.array([[0, 0]] * 3 + [[0, 1]] + [[1, 0]] * 2 + [[1, 1]]), np.array([1, 1, 1, 0, 0, 0, 0]))
HELD = (np.array([[0, 1], [0, 1], [0, 0], [1, 0]]), np.array([1, 1, 1, 0]))
LEVELS: list[list[Any] | None] = [[0, 1], [0, 1]]


def grown() -> Tree:
    X, y = GROWN
    columns = list(X.T)
    return grow(
        columns, LEVELS, y, np.ones(len(y)), n_classes=2, impurity="entropy", max_depth=None, min_samples_leaf=1
    )


def catalogued(pruning: str, held: Any = HELD) -> Any:
    """The catalogue's tree, told which rows are held out instead of drawing them."""
    (X, y), (others, truth) = GROWN, held
    model = id3(pruning=pruning)
    if pruning == "none":
        return model.fit(X, y)
    rows = np.arange(len(y) + len(truth))
    model._held_out = lambda codes: (rows[: len(y)], rows[len(y) :])
    model.fit(np.vstack([X, others]), np.concatenate([y, truth]))
    assert model.validation_rows_.tolist() == rows[len(y) :].tolist()
    return model


@pytest.mark.covers("tree-reduced-error-pruning")
def test_a_branch_that_held_out_rows_speak_against_is_cut() -> None:
    X, y = HELD
    before = grown()
    after = reduced_error(before, list(X.T), LEVELS, y, np.ones(len(y)))
    inner = [np.flatnonzero(tree.attribute != LEAF).tolist() for tree in (before, after)]
    assert [len(nodes) for nodes in inner] == [2, 1]
    (cut,) = set(inner[0]) - set(inner[1])
    assert before.attribute[0] == 0
    assert before.children[0][0] == cut
    assert before.labels[cut] == 1
    for tree, accuracy in ((before, 0.5), (after, 1.0)):
        rules = rules_of(tree)
        chosen = first_that_fires(rules, list(X.T), len(y))
        assert np.mean([rules[rule].label for rule in chosen] == y) == accuracy
    assert np.mean(before.labels[0] == y) == 0.25
    for pruning, accuracy in (("none", 0.5), ("reduced-error", 1.0)):
        model = catalogued(pruning)
        assert model.score(X, y) == accuracy
        assert (model.tree_["attribute"] != LEAF).sum() == (2 if pruning == "none" else 1)


@pytest.mark.covers("tree-reduced-error-pruning")
def test_a_branch_that_makes_no_difference_stays() -> None:
    undecided = np.array([[0, 1], [0, 1], [0, 0], [1, 0]]), np.array([1, 0, 1, 0])
    model = catalogued("reduced-error", undecided)
    assert model.score(*undecided) == 0.75  # and as much without the second question
    assert (model.tree_["attribute"] != LEAF).sum() == 2
    unasked = np.array([[1, 0], [1, 0]]), np.array([0, 0])
    assert (catalogued("reduced-error", unasked).tree_["attribute"] != LEAF).sum() == 2


@pytest.mark.covers("tree-reduced-error-pruning", "tree-fractional-missing")
@pytest.mark.parametrize(("unsure", "nodes"), [(3, 2), (4, 1)])
def test_parts_of_held_out_rows_count_by_their_weight(unsure: int, nodes: int) -> None:
    """Four in seven rows have A = 0: so much of each row that lacks it is answered rightly by pruning there."""
    rows = np.array([[np.nan, 1]] * unsure + [[0, 1]] * 2)
    model = catalogued("reduced-error", (rows, np.array([1] * unsure + [0] * 2)))
    assert (model.tree_["attribute"] != LEAF).sum() == nodes


@pytest.mark.covers("tree-rule-post-pruning")
def test_rules_are_shortened_and_ordered() -> None:
    X, y = HELD
    values = list(X.T)
    tree = grown()
    rules = rules_of(tree)
    told = [([(test.attribute, int(test.value)) for test in rule.tests], rule.label) for rule in rules]
    assert told == [([(0, 0), (1, 0)], 1), ([(0, 0), (1, 1)], 0), ([(0, 1)], 0)]
    even = np.ones(len(y))
    ordered = shortened(rules, values, y, even)
    assert ordered == [rules[0], rules[2], rules[1]]
    assert [rule.accuracy(values, y, even) for rule in ordered] == [1.0, 1.0, 0.0]
    assert tree.labels[0] == 0  # the answer where no rule fires
    for before, after in zip(rules, (shortened([rule], values, y, even)[0] for rule in rules), strict=True):
        assert after.accuracy(values, y, even) >= before.accuracy(values, y, even)
    everything = np.array(list(itertools.product([0, 1], repeat=2)))
    chosen = first_that_fires(rules, list(everything.T), 4)
    model = id3().fit(*GROWN)
    assert [rules[rule].label for rule in chosen] == model.predict(everything).tolist()
    listed = catalogued("rules")
    assert listed.explain(["A", "B"]) == {"1": "(A = 0 and B = 0)", "0": "A = 1 or (A = 0 and B = 1)"}
    assert listed.predict(everything).tolist() == model.predict(everything).tolist()
    # Where no rule fires, the commonest class answers, whatever the last rule says.
    other = catalogued("rules", (np.array([[0, 0], [1, 0], [0, 1]]), np.array([0, 0, 0])))
    assert [label for _, label, _ in other.rules_] == [0, 0, 1]
    for model in (listed, other):
        assert model.predict([[7, 7]]).tolist() == [0]
        assert model.predict_proba([[7, 7]])[0] == pytest.approx([4 / 7, 3 / 7])


@pytest.mark.covers("tree-dnf", "proc_id3_recursion", "ex_tennis_dnf")
def test_the_tree_as_a_formula() -> None:
    model = id3().fit(TENNIS[:, :4], TENNIS[:, 4])
    formula = model.explain(NAMES)
    assert set(formula["Yes"].split(" or ")) == {
        "(Outlook = Sunny and Humidity = Normal)",
        "Outlook = Overcast",
        "(Outlook = Rain and Wind = Weak)",
    }
    levels = [["Sunny", "Overcast", "Rain"], ["Hot", "Mild", "Cool"], ["High", "Normal"], ["Weak", "Strong"]]
    every = np.array(list(itertools.product(*levels)), dtype=object)
    assert len(every) == 36

    def holds(label: str, row: Any) -> bool:
        known = {f"{name} = {value}" for name, value in zip(NAMES, row, strict=True)}
        return any(set(path.strip("()").split(" and ")) <= known for path in formula[label].split(" or "))

    for label in ("Yes", "No"):
        assert [holds(label, row) for row in every] == (model.predict(every) == label).tolist()
    assert holds("No", ["Sunny", "Hot", "High", "Strong"])


@pytest.mark.covers("proc_pruning_validation_split")
@pytest.mark.parametrize("pruning", ["reduced-error", "rules"])
def test_pruning_asks_rows_taken_from_the_training_rows(pruning: str) -> None:
    X, y = load_breast_cancer(return_X_y=True)
    test = np.arange(len(y)) % 4 == 0
    model = id3(pruning=pruning).fit(X[~test], y[~test])
    asked = model.validation_rows_
    assert len(asked) == round(0.25 * (~test).sum())
    assert len(np.unique(asked)) == len(asked)
    assert asked.max() < (~test).sum()
    assert model.tree_["counts"][0].sum() == (~test).sum() - len(asked)
    assert model.score(X[test], y[test]) > 0.88
    assert len(id3().fit(X[~test], y[~test]).validation_rows_) == 0


@pytest.mark.covers("proc_pruning")
def test_pruning_never_makes_held_out_rows_worse_and_shrinks_a_tree_grown_on_noise() -> None:
    rng = np.random.default_rng(0)
    X = rng.integers(0, 3, (300, 5)).astype(float)
    y = np.where(rng.random(300) < 0.25, rng.integers(0, 2, 300), X[:, 0] == 2).astype(int)
    columns = [column.astype(int) for column in X.T]
    levels: list[list[Any] | None] = [[0, 1, 2]] * 5
    grows, asks = slice(0, 200), slice(200, 300)
    tree = grow(
        [column[grows] for column in columns], levels, y[grows], np.ones(200),
        n_classes=2, impurity="entropy", max_depth=None, min_samples_leaf=1,
    )  # fmt: skip
    asked = [column[asks] for column in columns]

    def right(one: Tree) -> float:
        ended, _ = descend(one, asked, levels, 100)
        return float(np.mean(one.labels[ended.node][np.argsort(ended.row)] == y[asks]))

    even = np.ones(len(y[asks]))
    pruned = reduced_error(tree, asked, levels, y[asks], even)
    assert right(pruned) > right(tree)
    assert len(rules_of(pruned)) < len(rules_of(tree)) / 2
    rules = rules_of(tree)
    for rule in rules:
        (short,) = shortened([rule], asked, y[asks], even)
        assert short.accuracy(asked, y[asks], even) >= rule.accuracy(asked, y[asks], even)
        assert len(short.tests) <= len(rule.tests)


@pytest.mark.slow
@settings(max_examples=30, deadline=None)
@given(st.integers(0, 10_000), st.sampled_from(["entropy", "gini"]), st.sampled_from([1, 2, 3, None]))
def test_on_yes_or_no_columns_it_is_the_one_hot_tree(seed: int, kind: str, depth: int | None) -> None:
    """Fully grown trees agree on their rows whatever they ask first: it is the shallow ones that can differ."""
    rng = np.random.default_rng(seed)
    X = rng.integers(0, 2, (120, 5)).astype(float)
    y = rng.integers(0, 2, 120)
    weight = rng.uniform(0.5, 2, 120)  # no two questions are equally good then
    parameters: dict[str, Any] = {"impurity": kind, "max_depth": depth}
    ours = id3(**parameters).fit(X, y, sample_weight=weight).predict_proba(X)
    one_hot = OneHotEncoder().fit(X)
    theirs = DecisionTreeClassifier(criterion=kind, max_depth=depth, random_state=0)
    theirs.fit(one_hot.transform(X), y, sample_weight=weight)
    assert ours == pytest.approx(theirs.predict_proba(one_hot.transform(X)))
    order = rng.permutation(120)
    shuffled = id3(**parameters).fit(X[order], y[order], sample_weight=weight[order])
    assert shuffled.predict_proba(X) == pytest.approx(ours)
    # Shares that sum to one are weights as good as any.
    assert id3(**parameters).fit(X, y, sample_weight=weight / weight.sum()).predict_proba(X) == pytest.approx(ours)
    counts = rng.integers(1, 3, 120)
    weighted = id3(**parameters).fit(X, y, sample_weight=counts.astype(float))
    repeated = id3(**parameters).fit(np.repeat(X, counts, axis=0), np.repeat(y, counts))
    assert weighted.predict_proba(X) == pytest.approx(repeated.predict_proba(X))


@pytest.mark.slow
@settings(max_examples=20, deadline=None)
@given(st.integers(0, 10_000), st.integers(-40, 40), st.integers(-40, 40))
def test_units_do_not_matter_to_trees(seed: int, one: int, other: int) -> None:
    """Powers of two, which round nothing."""
    rng = np.random.default_rng(seed)
    X, fresh = rng.normal(size=(50, 2)), rng.normal(size=(40, 2))
    y = (X[:, 0] + X[:, 1] ** 2 + 0.5 * rng.normal(size=50) > 0.5).astype(int)
    units = 2.0 ** np.array([one, other])
    for parameters in ({"few": 0, "max_depth": 3}, {"few": 0, "pruning": "rules"}):
        plain, scaled = (id3(**parameters).fit(X * unit, y) for unit in (1.0, units))
        assert np.array_equal(plain.predict_proba(fresh), scaled.predict_proba(fresh * units))


def test_on_numbers_it_is_as_good_as_the_library_tree() -> None:
    X, y = load_iris(return_X_y=True)
    odd = np.arange(150) % 2 == 1
    ours = id3().fit(X[odd], y[odd]).score(X[~odd], y[~odd])
    theirs = DecisionTreeClassifier(criterion="entropy", random_state=0).fit(X[odd], y[odd]).score(X[~odd], y[~odd])
    assert ours >= theirs - 0.03
    scaled = id3(few=0).fit(X * [1e-9, 1e9, 1, 1] + 5e3, y)
    assert scaled.score(X * [1e-9, 1e9, 1, 1] + 5e3, y) > 0.95


def test_new_levels_and_frames() -> None:
    frame = pd.DataFrame({"colour": ["red", "red", "blue", "blue"], "size": [1.5, 2.5, 1.6, 2.6]})
    model = id3().fit(frame, [0, 0, 1, 1])
    assert model.predict(pd.DataFrame({"colour": ["green", "blue"], "size": [1.0, 9.0]})).tolist() == [0, 1]
    assert encode(np.array(["green", None], dtype=object), ["blue", "red"]).tolist() == [-2, -1]


@pytest.mark.parametrize("missing", ["fractional", "mode", "class-mode"])
def test_gaps_may_stand_anywhere_and_levels_be_of_any_type(missing: str) -> None:
    y = np.array([0, 0, 1, 1])
    first = np.array([[None, 1], ["red", 1], ["blue", 2], ["blue", 2]], dtype=object)
    nothing = np.array([[None, 1], [None, 1], [None, 2], [None, 2]], dtype=object)
    several = np.array([["red", None], [7, "u"], [True, None], ["blue", 2.5]], dtype=object)
    for X in (first, nothing, several):
        model = id3(missing=missing).fit(X, y)
        assert model.predict(X[1:]).tolist() == y[1:].tolist()
        asked = np.array([[None, None], ["red", 9]], dtype=object)
        assert model.predict_proba(asked).sum(axis=1) == pytest.approx([1.0, 1.0])


@pytest.mark.parametrize("missing", ["mode", "class-mode", "fractional"])
def test_columns_in_which_nothing_is_known_are_never_asked_about(missing: str) -> None:
    X, y = np.full((6, 2), np.nan), np.array([0, 0, 0, 0, 1, 1])
    model = ID3Classifier(missing=missing).fit(X, y)
    for asked in (X, np.ones((6, 2))):
        assert model.predict_proba(asked) == pytest.approx(np.tile([2 / 3, 1 / 3], (6, 1)))
