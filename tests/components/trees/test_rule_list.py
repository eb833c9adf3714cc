"""Rules that a person writes: the first that holds answers."""

from __future__ import annotations

import itertools
import operator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, check_parameters, find
from penstock.components.explanation.models import Shown, explain
from penstock.components.naming import CLASSES, set_feature_names, words_of
from penstock.components.schema import Column, Schema
from penstock.components.trees.id3 import ID3Classifier
from penstock.components.trees.rule_list import RuleListClassifier
from penstock.components.trees.rule_words import Asked, Written, read_rule
from penstock.errors import UsageError
from penstock.spec.checked import load_checked_spec

TABLE = pd.DataFrame(
    {"outlook": ["sunny", "rain", "sunny", "overcast", None], "humidity": [80.0, 70.0, 60.0, 90.0, np.nan]}
)
COMPARED = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
PLAY = np.array(["no", "no", "yes", "yes", "no"])


def listed(*rules: str, **more: Any) -> Any:
    return build("rule-list", {"rules": list(rules), **more}, seed=0, problem="classification")


def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(RuleListClassifier(), on_skip=None)) > 30


@pytest.mark.covers("tree-rule-post-pruning")
def test_the_first_rule_that_fires_answers_and_the_commonest_class_the_rest() -> None:
    """The list of the pruned tree, written by hand: A=0,B=0 -> Y, A=1 -> N, A=0,B=1 -> N, default N."""
    rules = ("if A = 0 and B = 0 then Y", "if A = 1 then N", "if A = 0 and B = 1 then N")
    X = np.array(list(itertools.product([0, 1], repeat=2)))
    model = listed(*rules, column_names=["A", "B"]).fit(X, ["Y", "N", "N", "N"])
    assert model.predict(X).tolist() == ["Y", "N", "N", "N"]
    assert model.apply(X).tolist() == [0, 2, 1, 1]
    assert model.predict([[7, 7]]).tolist() == ["N"]  # no rule fires
    # What a tree says is what its paths say as a list.
    tree = ID3Classifier().fit(X, ["Y", "N", "N", "N"])
    assert model.predict(X).tolist() == tree.predict(X).tolist()
    # The order decides: the same rules after one that always holds are never heard.
    assert (
        listed("if always then N", *rules, column_names=["A", "B"]).fit(X, list("YNNN")).predict(X).tolist()
        == ["N"] * 4
    )


@pytest.mark.covers("tree-rule-post-pruning")
def test_a_list_may_say_what_no_tree_of_its_tests_says_and_is_never_changed() -> None:
    model = listed("if outlook = sunny and humidity ≤ 75 then yes", "if outlook != sunny then no").fit(TABLE, PLAY)
    assert model.apply(TABLE).tolist() == [2, 1, 0, 1, 2]  # a gap meets no test
    assert model.predict(TABLE).tolist() == ["no", "no", "yes", "no", "no"]
    shares = model.predict_proba(TABLE)
    # Of the second rule's rows one is "no" and one "yes": each counts once more, and the rule's own class wins.
    np.testing.assert_allclose(shares[1], [3 / 5, 2 / 5])
    np.testing.assert_allclose(shares[2], [1 / 3, 2 / 3])
    np.testing.assert_array_equal(model.classes_[shares.argmax(axis=1)], model.predict(TABLE))
    assert listed("if humidity >= 75 then yes", otherwise="yes").fit(TABLE, PLAY).predict(TABLE).tolist() == ["yes"] * 5


def test_a_weight_of_two_is_a_row_twice() -> None:
    rules = ("if humidity > 65 then no",)
    weighed = listed(*rules).fit(TABLE, PLAY, sample_weight=[1, 2, 1, 1, 0])
    repeated = TABLE.iloc[[0, 1, 1, 2, 3]]
    doubled = listed(*rules).fit(repeated, PLAY[[0, 1, 1, 2, 3]])
    np.testing.assert_array_equal(weighed.counts_, doubled.counts_)
    np.testing.assert_array_equal(weighed.predict_proba(TABLE), doubled.predict_proba(TABLE))


def test_words_of_a_rule() -> None:
    said = read_rule('IF "a = b" ≥ 1e3 And town = "Stoke and Rye" then not sure')
    assert said == Written((Asked("a = b", ">=", "1e3"), Asked("town", "=", "Stoke and Rye")), "not sure")
    assert read_rule("always then no") == Written((), "no")


def test_columns_of_ones_and_zeros_are_levels_and_codes_have_names() -> None:
    X = np.array([[1.0, 0.0, 5.0, 1.0], [0.0, 1.0, 9.0, 0.0], [0.0, 0.0, 7.0, 1.0]])
    rules = ["if plan = pro and age < 8 then stays", "if plan = gold then stays", "if new = no then leaves"]
    model = build("rule-list", {"rules": rules, "otherwise": False}, seed=0, problem="classification")
    names = ["plan = pro", "plan = basic", "age", "new"]
    words = {CLASSES: np.array(["stays", "leaves", "no"])}
    told = set_feature_names(model, lambda: names, words).fit(X, [0, 1, 2])
    assert told.apply(X).tolist() == [0, 2, 3]
    assert told.predict(X).tolist() == [0, 1, 2]
    # A class of no training row is known and never answered.
    fewer = set_feature_names(model, lambda: names, words).fit(X[1:], [1, 2])
    assert fewer.predict(X).tolist() == [2, 1, 2]


def test_levels_that_rise_are_compared_by_their_names() -> None:
    X = np.array([[0.0, 1.0], [1.0, 1.0], [2.0, 0.0]])
    columns = [
        Column(name="mood", role="ordinal", levels=["low", "mid", "high"], reason=""),
        Column(name="paid", role="boolean", levels=["nein", "ja"], reason=""),
    ]
    words = words_of(Schema(problem="classification", columns=columns, classes=["no", "yes"]))
    model = listed("if mood >= mid and paid = ja then yes", "if mood < 1 then no", "if mood = high then yes")
    told = set_feature_names(model, lambda: ["mood", "paid"], words).fit(X, [0, 1, 1])
    assert told.apply(X).tolist() == [1, 0, 2]
    assert told.predict(X).tolist() == [0, 1, 1]
    with pytest.raises(ValueError, match="column 'mood' holds the levels 'low', 'mid', 'high', and 'hgh' is none"):
        set_feature_names(listed("if mood = hgh then yes"), lambda: ["mood", "paid"], words).fit(X, [0, 1, 1])


@pytest.mark.parametrize(
    ("rule", "words"),
    [
        ("outlook is sunny", "rule 1: 'outlook is sunny' is no rule: write `if COLUMN = LEVEL"),
        (3, "rule 1: '3' is no rule: write `if COLUMN = LEVEL"),
        ({"if wind": "strong"}, "rule 1: '{'if wind': 'strong'}' is no rule: write `if COLUMN = LEVEL"),
        ("if sunny then yes", "rule 1: 'sunny' is no test of a column"),
        ("if humidity > high then yes", "rule 1: column 'humidity' holds numbers, and 'high' is none of them"),
        ("if humidity = high then yes", "rule 1: column 'humidity' holds numbers, and 'high' is none"),
        ("if outlook > 3 then yes", "rule 1: column 'outlook' holds levels"),
        ("if outlok = sunny then yes", "rule 1: there is no column 'outlok'; did you mean 'outlook'"),
        ("if outlook = sunny then ye", "rule 1: there is no class 'ye'; did you mean 'yes'"),
    ],
)
def test_a_wrong_rule_is_told_by_its_number(rule: Any, words: str) -> None:
    with pytest.raises(ValueError, match=r"rule 1") as caught:
        listed(rule).fit(TABLE, PLAY)
    assert words in str(caught.value)


def test_a_rule_that_cannot_be_read_is_refused_before_the_run() -> None:
    with pytest.raises(UsageError, match="rule 2: 'plan pro' is no test") as caught:
        check_parameters(find("rule-list"), {"rules": ["if a > 1 then yes", "if plan pro then yes"]})
    assert caught.value.code == "PEN017"


@pytest.mark.parametrize(
    ("preparation", "remedy"),
    [
        ("", "preparation.scale: none"),
        ("preparation: {scale: none}\n", "preparation: {rare: 0}"),
        ("preparation: {scale: none, rare: 0, clip: clip-tukey}\n", "leave preparation.clip out"),
        ("preparation: {scale: none, rare: 0}\nfeatures: {extract: pca}\n", "leave features.extract out"),
    ],
)
def test_rules_ask_for_the_table_as_it_is(preparation: str, remedy: str, tmp_path: Path) -> None:
    path = tmp_path / "pipeline.yaml"
    text = "name: a\nproblem: classification\ndata: {source: a.csv, target: y}\n"
    models = "models: [{rule-list: {rules: [if age < 30 and plan = basic then yes]}}]\n"
    path.write_text(text + models + preparation)
    with pytest.raises(UsageError) as caught:
        load_checked_spec(str(path))
    assert caught.value.code == "PEN038"
    assert remedy in caught.value.remedy
    path.write_text(f"{text}{models}preparation: {{scale: none, rare: 0}}\n")
    load_checked_spec(str(path))


@pytest.mark.parametrize(
    ("problem", "model"),
    [
        ("classification", "{known-densities: {densities: [[{loc: 10, scale: 1}], [{loc: 12, scale: 1}]]}}"),
        ("regression", "sparse-signal"),
    ],
)
def test_so_do_densities_and_signals(problem: str, model: str, tmp_path: Path) -> None:
    path = tmp_path / "pipeline.yaml"
    text = f"name: a\nproblem: {problem}\ndata: {{source: a.csv, target: y}}\nmodels: [{model}]\n"
    path.write_text(text)
    with pytest.raises(UsageError, match="takes columns in the units of the table") as caught:
        load_checked_spec(str(path))
    assert caught.value.code == "PEN038"
    path.write_text(f"{text}preparation: {{scale: none}}\n")
    load_checked_spec(str(path))


def test_the_report_says_what_each_rule_answers_and_how_often_it_is_right() -> None:
    X = np.array([[80.0, 1.0], [70.0, 0.0], [60.0, 1.0], [90.0, 0.0]])
    frame = pd.DataFrame({"humidity": X[:, 0], "outlook": ["sunny", "rain", "sunny", "rain"]})
    model = listed("if humidity ≤ 75 then no", "if outlook = fog then yes")
    names = ["humidity", "outlook = sunny"]
    model = set_feature_names(model, lambda: names, {CLASSES: np.array(["no", "yes"])}).fit(X, [0, 0, 1, 1])
    told = explain(Shown(model, X, np.array([0, 0, 1, 1]), names, frame, X[:2], "play", ["no", "yes"]))
    assert told is not None
    (table,) = told.tables
    assert table.rows == [
        ["if humidity ≤ 75 then no", "2", "50%"],
        ["if outlook = fog then yes", "0", "no row to tell by"],
        ["otherwise no", "2", "50%"],
    ]
    assert "speak of 50% of the training rows" in told.sentences[0]
    assert "Rules that answer no training row: 1." in told.sentences[1]


def test_a_missing_word_of_any_table() -> None:
    frame = pd.DataFrame({"plan": pd.array(["x", pd.NA, "y", "x"], dtype="string"), "age": [1.0, 2.0, 3.0, 4.0]})
    assert listed("if plan != x then 0").fit(frame, [1, 1, 0, 1]).apply(frame).tolist() == [1, 1, 0, 1]
    assert ID3Classifier().fit(frame, [1, 0, 0, 1]).predict(frame[["plan", "age"]]).tolist() == [1, 0, 0, 1]


def test_a_quoted_then_is_a_word() -> None:
    said = read_rule('if town = "now and then gone" and "when then" > 1 then "yes then no"')
    assert said.tests == (Asked("town", "=", "now and then gone"), Asked("when then", ">", "1"))
    assert said.prediction == "yes then no"


def test_the_likeliest_class_is_the_one_answered_whatever_rows_weigh() -> None:
    X, y = np.array([[0.0], [1.0], [1.0]]), np.array(["a", "a", "b"])
    for weight in (1e-8, 1e17):
        model = listed("if x0 > 0.5 then b").fit(X, y, sample_weight=np.array([1.0, 1.0, 1.0]) * weight)
        assert model.classes_[model.predict_proba(X).argmax(axis=1)].tolist() == ["a", "b", "b"]


def test_narrow_floats_are_compared_as_they_are_written() -> None:
    X = np.array([[0.1], [0.2]], dtype=np.float32)
    assert listed("if x0 = 0.1 then 0", "if x0 > 0.2 then 0").fit(X, [0, 1]).apply(X).tolist() == [0, 2]


def test_a_rule_for_a_class_of_no_training_row_leaves_its_rows_to_the_next() -> None:
    X = np.array([[5.0], [9.0], [7.0]])
    rules = ["if age < 6 then stays", "if age < 8 then leaves"]
    names = ["stays", "leaves", "waits"]
    model = listed(*rules, column_names=["age"], class_names=names).fit(X, [1, 2, 2])
    assert model.apply(X).tolist() == [1, 2, 1]
    assert model.predict(X).tolist() == [1, 2, 1]
    with pytest.raises(ValueError, match="2 column_names are given for 1 features"):
        listed(*rules, column_names=["age", "plan"]).fit(X, [1, 2, 2])


@pytest.mark.parametrize(
    ("no", "yes"), [(False, True), ("false", "true"), ("no", "yes"), ("No", "Yes"), ("False", "True")]
)
def test_yes_without_quotes_is_true(no: Any, yes: Any) -> None:
    X, y = np.array([[0.0], [1.0], [2.0]]), np.array([no, no, yes])
    assert listed(otherwise=True).fit(X, y).predict(X).tolist() == [yes] * 3
    assert listed(otherwise=False).fit(X, np.array([no, yes, yes])).predict(X).tolist() == [no] * 3


@pytest.mark.parametrize(
    ("rule", "place"),
    [
        ("if x0 == 1 then a", 1),
        ("IF x0 ≠ 1 THEN b", 0),
        ("if ALWAYS then b", 0),
        ("if x0 = YES then a", 1),
        ("x0 ≥ 2 then a", 2),
    ],
)
def test_signs_and_capitals(rule: str, place: int) -> None:
    X = np.array([[0.0], [1.0], [2.0]])
    assert listed(rule).fit(X, ["b", "a", "a"]).apply(X).tolist().index(0) == place


def test_not_a_level_of_columns_of_ones_and_zeros() -> None:
    X, names = np.array([[1.0, 0.0], [0.0, 1.0], [0.0, 0.0]]), ["plan = pro", "plan = basic"]
    for level, answered in (("pro", [1, 0, 0]), ("gold", [0, 0, 0])):
        model = listed(f"if plan != {level} then b", column_names=names).fit(X, ["a", "b", "b"])
        assert model.apply(X).tolist() == answered


@settings(max_examples=25, deadline=None, derandomize=True)
@given(
    rules=st.lists(
        st.tuples(
            st.lists(
                st.tuples(st.sampled_from([0, 1]), st.sampled_from(sorted(COMPARED)), st.integers(-1, 3)), max_size=3
            ),
            st.sampled_from("pqr"),
        ),
        max_size=4,
    ),
    cells=st.lists(st.tuples(*[st.sampled_from([0.0, 1.0, 2.0, np.nan])] * 2), min_size=4, max_size=9),
)
def test_row_by_row(rules: list[Any], cells: list[tuple[float, float]]) -> None:
    """The first rule all of whose tests hold, by hand; a missing value meets none."""
    X, y = np.array(cells), np.array(list("pqrrrrrrr"))[: len(cells)]
    words = [
        f"if {' and '.join(f'x{j} {sign} {value}' for j, sign, value in tests) or 'always'} then {answer}"
        for tests, answer in rules
    ]
    model = listed(*words, otherwise="q").fit(X, y)
    for row, place in zip(X, model.apply(X), strict=True):
        holds = (
            all(row[j] == row[j] and COMPARED[sign](row[j], value) for j, sign, value in tests) for tests, _ in rules
        )
        assert place == next((number for number, held in enumerate(holds) if held), len(rules))
    answers = np.array([*(answer for _, answer in rules), "q"])
    assert np.array_equal(model.predict(X), answers[model.apply(X)])
    assert np.array_equal(model.classes_[model.predict_proba(X).argmax(axis=1)], model.predict(X))
