from __future__ import annotations

import json
from itertools import pairwise
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression
from sklearn.model_selection import cross_val_score

from penstock.components.analysis.insight import SECTIONS, for_people, insight
from penstock.components.analysis.table import MAX_COLUMNS, Table, as_codes, binned
from penstock.components.schema import Column, conform, infer_schema
from penstock.problems import find, proposals

ORDER = ["mistakes", "assumptions", "signal", "relations", "methods", "predictors"]


def look(frame: pd.DataFrame, problem: Any, seed: int = 0, **more: Any) -> dict[str, Any]:
    schema = infer_schema(frame, problem=problem, target_type=find(problem).target_type, **more)
    found, _ = insight(
        conform(frame, schema, strict=True), schema, seed, goal=find(problem).goal, proposals=proposals()
    )
    assert json.loads(json.dumps(found, allow_nan=False)) == found
    return found


def section(found: dict[str, Any], name: str) -> dict[str, Any]:
    return next(one for one in found["sections"] if one["name"] == name)


def kinds_of(found: dict[str, Any]) -> set[str]:
    return {one["kind"] for one in found["findings"]}


def straight(rows: int = 400) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(rng.normal(size=(rows, 4)), columns=["x1", "x2", "x3", "x4"])
    return frame.assign(y=3 * frame["x1"] + rng.normal(size=rows))


def labelled(rows: int = 600) -> pd.DataFrame:
    rng = np.random.default_rng(1)
    x = rng.normal(size=rows)
    town = rng.choice(["Bari", "Como", "Rome"], rows)
    odds = 1 / (1 + np.exp(-2 * x - 1.5 * (town == "Rome")))
    return pd.DataFrame(
        {"x": x, "town": town, "noise": rng.normal(size=rows), "y": np.where(rng.random(rows) < odds, "yes", "no")}
    )


@pytest.mark.slow
@pytest.mark.covers("proc_single_predictor_baseline")
def test_the_one_predictor_that_works_is_first_with_its_sign_and_size() -> None:
    frame = straight()
    found = look(frame, "regression", target="y")
    alone = section(found, "signal")["baselines"]
    assert alone["measure"] == "r2"
    assert alone["columns"][0]["column"] == "x1"
    features = frame[["x1", "x2", "x3", "x4"]]
    whole = cross_val_score(LinearRegression(), features, frame["y"], scoring="r2").mean()
    assert whole - 0.06 < alone["columns"][0]["score"] < whole + 0.02
    assert all(one["score"] < 0.1 for one in alone["columns"][1:])
    first = section(found, "relations")["columns"][0]
    assert (first["column"], first["direction"]) == ("x1", "+")
    assert first["effect"] == pytest.approx(np.polyfit(frame["x1"], frame["y"], 1)[0] * frame["x1"].std(), rel=1e-5)
    assert first["pearson"] == pytest.approx(frame["x1"].corr(frame["y"]), rel=1e-5)
    assert "1 of 4 columns tells something about 'y' on its own; the best is 'x1'" in found["headline"][0]


@pytest.mark.slow
@pytest.mark.covers("proc_eda_order")
def test_sections_stand_in_the_order_of_exploration_and_stay_small_for_37_columns() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(rng.normal(size=(800, 30)), columns=[f"n{place}" for place in range(30)])
    for place in range(7):
        frame[f"c{place}"] = rng.choice([f"level {level}" for level in range(400)], 800)
    frame["y"] = np.where(frame["n0"] + rng.normal(size=800) > 0, "yes", "no")
    assert frame.shape[1] - 1 == 37
    found = look(frame, "classification", target="y")
    assert [one["name"] for one in found["sections"]] == ORDER == [one.name for one in SECTIONS]
    people = for_people(found)
    assert [one["name"] for one in people["sections"]] == ORDER
    assert len(json.dumps(people)) < 60_000
    assert len(json.dumps(found)) < 200_000


@pytest.mark.slow
@pytest.mark.covers("proc_correlation_study")
def test_a_duplicated_feature_is_flagged_and_the_matrix_holds_the_outcome() -> None:
    found = look(straight().assign(copy=lambda made: made["x2"] * -2), "regression", target="y")
    pair = section(found, "predictors")["pairs"][0]
    assert {pair["column"], pair["other"]} == {"x2", "copy"}
    assert abs(pair["pearson"]) == 1
    assert "near-copies" in kinds_of(found)
    assert section(found, "methods")["collinearity"]["branch"] == "remove-redundant"
    matrix = section(found, "predictors")["matrices"]["pearson"]
    assert set(matrix["columns"]) == {"x1", "x2", "x3", "x4", "copy", "y"}
    assert abs(matrix["columns"].index("x2") - matrix["columns"].index("copy")) == 1
    assert "matrices" not in section(for_people(found), "predictors")


@pytest.mark.slow
def test_ties_alone_do_not_make_copies() -> None:
    """Four of five rows were never called: ranks agree for these alone."""
    rng = np.random.default_rng(11)
    called = rng.random(1000) < 0.2
    frame = straight(1000).assign(
        days=np.where(called, rng.integers(1, 800, 1000), -1), calls=np.where(called, rng.integers(1, 20, 1000), 0)
    )
    found = look(frame, "regression", target="y")
    (pair,) = [
        one for one in section(found, "predictors")["pairs"] if {one["column"], one["other"]} == {"days", "calls"}
    ]
    assert pair["spearman"] > 0.95 > 0.8 > pair["pearson"]
    assert "near-copies" not in kinds_of(found)
    assert not any("almost the same" in line for line in found["headline"])
    bent = look(straight(1000).assign(grown=lambda made: np.exp(2 * made["x2"])), "regression", target="y")
    (copies,) = [one for one in bent["findings"] if one["kind"] == "near-copies"]
    assert copies["advice"] in {
        f"one of them is enough: to leave the second out, set data: {{columns: {{{name}: ignore}}}}"
        for name in ("x2", "grown")
    }


@pytest.mark.slow
def test_columns_of_many_rare_levels_do_not_pass_for_related() -> None:
    rng = np.random.default_rng(12)
    levels = [[f"{sign}{place}" for place in rng.permutation(np.repeat(np.arange(100), 2))] for sign in "tc"]
    frame = straight(200).assign(ticket=levels[0], cabin=levels[1])
    found = look(frame, "regression", target="y", roles={"ticket": "nominal", "cabin": "nominal"})
    matrix = section(found, "predictors")["matrices"]["cramers_v"]
    places = [matrix["columns"].index(name) for name in ("ticket", "cabin")]
    assert matrix["values"][places[0]][places[1]] < 0.2
    assert not [one for one in section(found, "predictors")["pairs"] if one["column"] in ("ticket", "cabin")]


@pytest.mark.slow
def test_classes_by_column() -> None:
    frame = labelled()
    found = look(frame, "classification", target="y", positive="yes")
    columns = {one["column"]: one for one in section(found, "relations")["columns"]}
    towns = {group["group"]: group for group in columns["town"]["groups"]}
    for town, group in towns.items():
        inside = frame[frame["town"] == town]
        assert (group["rows"], group["target"]) == (len(inside), pytest.approx((inside["y"] == "yes").mean(), rel=1e-5))
    assert columns["x"]["direction"] == "+"
    assert columns["x"]["cramers_v"] > 0.4 > columns["town"]["cramers_v"] > 0.1
    assert columns["noise"]["information"] < 0.01 < columns["x"]["information"]
    assert [*columns] == ["x", "town", "noise"]
    assert columns["x"]["effect"] == pytest.approx(
        np.polyfit(frame["x"], frame["y"] == "yes", 1)[0] * frame["x"].std(), rel=1e-5
    )


def test_more_than_two_classes() -> None:
    rng = np.random.default_rng(3)
    which = rng.integers(0, 3, 300)
    frame = pd.DataFrame(
        {"x": which + rng.normal(scale=0.3, size=300), "z": rng.normal(size=300), "y": np.array(["a", "b", "c"])[which]}
    )
    frame.loc[300] = [0.5, 0.1, "rare"]
    found = look(frame, "classification", target="y")
    alone = section(found, "signal")["baselines"]
    assert alone["measure"] == "roc_auc_ovr"
    assert "1 row(s) of 1 class(es)" in alone["reason"]
    assert alone["columns"][0]["column"] == "x"
    first = section(found, "relations")["columns"][0]
    assert "pearson" not in first
    assert {group["class"] for group in first["groups"]} >= {"a", "b", "c"}
    assert "rare-class" in kinds_of(found)


def test_without_a_target_everything_else_is_there() -> None:
    frame = labelled().drop(columns="y").assign(twin=lambda made: made["x"] * 2 + 1)
    found = look(frame, "clustering")
    assert found["target"] is None
    assert section(found, "signal")["baselines"] is None
    assert section(found, "relations")["columns"] == []
    assert section(found, "mistakes")["contradictions"] is None
    assert section(found, "assumptions")["task"]["goal"] == "grouping"
    assert "near-copies" in kinds_of(found)


def test_what_people_should_look_at_is_said_in_words() -> None:
    rng = np.random.default_rng(4)
    frame = labelled(800)
    frame["after"] = (frame["y"] == "yes") * 10 + rng.normal(size=800)
    frame["income"] = np.where(rng.random(800) < 0.3, np.nan, rng.lognormal(10, 2, 800))
    frame["age"] = np.where(frame["income"].isna() & (rng.random(800) < 0.7), np.nan, rng.integers(18, 80, 800))
    frame.loc[5, "noise"] = 900.0
    found = look(frame, "classification", target="y", positive="yes")
    texts = {one["kind"]: one["text"] for one in reversed(found["findings"])}
    assert texts["too-good"].startswith("'after' alone predicts 'y' almost perfectly (ROC AUC ")
    assert texts["missing"].endswith("of rows, more often when 'age' is missing")
    assert "'noise' has 1 far value(s), such as 900 in row" in texts["far-values"]
    lopsided = [one["text"] for one in found["findings"] if one["kind"] == "skewed"]
    assert any(text.startswith("'income' is lopsided: a few very large values") for text in lopsided)
    weights = [one["weight"] for one in found["findings"]]
    assert weights == sorted(weights, reverse=True)
    assert found["findings"][0]["kind"] == "too-good"


def test_gaps_that_give_the_outcome_away_are_told() -> None:
    frame = labelled(800)
    frame["closed"] = np.where(frame["y"] == "yes", np.nan, frame["noise"])
    found = look(frame, "classification", target="y", positive="yes")
    (gap,) = [one for one in found["findings"] if one["kind"] == "telling-gaps"]
    assert gap["text"] == "where 'closed' is missing, 100% are 'yes', elsewhere 0%"


def test_noise_has_no_signal() -> None:
    rng = np.random.default_rng(5)
    frame = pd.DataFrame(rng.normal(size=(300, 3)), columns=["a", "b", "c"]).assign(y=rng.choice(["u", "v"], 300))
    found = look(frame, "classification", target="y")
    assert "too-good" not in kinds_of(found)
    assert found["headline"][0].startswith("No column alone tells 'y' better than guessing")


def test_the_sample_is_drawn_by_the_seed_and_said() -> None:
    rng = np.random.default_rng(6)
    frame = pd.DataFrame({"a": rng.normal(size=7_000), "b": rng.normal(size=7_000)})
    first, again, other = (look(frame, "clustering", seed=seed) for seed in (1, 1, 2))
    assert first == again != other
    assert first["sample"] == {"rows": 5_000, "of": 7_000, "seed": 1}


@pytest.mark.slow
def test_of_many_columns_the_most_telling_are_looked_at_closely() -> None:
    rng = np.random.default_rng(7)
    frame = pd.DataFrame(rng.normal(size=(200, 90)), columns=[f"n{place}" for place in range(90)])
    frame["y"] = frame["n77"] * 5 + rng.normal(size=200)
    found = look(frame, "regression", target="y")
    assert found["left_out"]["count"] == 90 - MAX_COLUMNS
    assert section(found, "relations")["columns"][0]["column"] == "n77"
    assert len(section(found, "predictors")["matrices"]["cramers_v"]["columns"]) == MAX_COLUMNS + 1
    assert len(section(found, "signal")["baselines"]["columns"]) == MAX_COLUMNS


def test_groups_stay_on_one_side_of_the_baselines_folds() -> None:
    """A column that only names the group says nothing about groups it has not seen."""
    rng = np.random.default_rng(8)
    who = np.repeat(np.arange(60), 10)
    frame = pd.DataFrame({"who": who, "trace": who + 0.5, "x": rng.normal(size=600)})
    frame["y"] = rng.normal(size=60)[who]
    free = look(frame.drop(columns="who"), "regression", target="y")
    held = look(frame, "regression", target="y", group="who")
    scores = [
        next(one["score"] for one in section(found, "signal")["baselines"]["columns"] if one["column"] == "trace")
        for found in (free, held)
    ]
    assert scores[0] > 0.05 > scores[1]


def test_free_text_alone() -> None:
    words = np.array(["red", "green", "blue", "pear", "river", "mountain"])
    rng = np.random.default_rng(9)
    frame = pd.DataFrame({"note": [" ".join(rng.choice(words, rng.integers(4, 30))) for _ in range(100)]})
    frame["y"] = np.where(frame["note"].str.len() > 80, "long", "short")
    found = look(frame, "classification", target="y")
    assert section(found, "signal")["baselines"]["left_out"] == {"note": "free text"}
    assert section(found, "methods") == {
        "name": "methods", "title": "Which methods suit", "collinearity": None, "separability": None,
    }  # fmt: skip
    assert section(found, "relations")["columns"][0]["information"] > 0.3
    assert [one["name"] for one in for_people(found)["sections"]] == [
        "mistakes", "assumptions", "relations", "predictors",
    ]  # fmt: skip


def test_contradictions_name_the_ceiling() -> None:
    frame = pd.DataFrame({"x": np.repeat(np.arange(20.0) + 0.5, 10), "y": ["a", "a", "a", "b", "a"] * 40})
    (found,) = [one for one in look(frame, "classification", target="y")["findings"] if one["kind"] == "contradictions"]
    assert found["text"].endswith("differ in 'y': accuracy on all rows cannot be above 80.0%")


@pytest.mark.parametrize("rows", [2, 3, 12])
@pytest.mark.parametrize("problem", ["classification", "regression", "clustering"])
def test_few_rows_are_no_reason_to_stop(rows: int, problem: Any) -> None:
    frame = pd.DataFrame(
        {"x": np.arange(rows) * 1.5, "w": ["u", "v", None] * (rows // 3) + ["u", "v", "w"][: rows % 3]}
    )
    target = {"classification": ["a", "b"] * (rows // 2) + ["a"] * (rows % 2), "regression": np.arange(rows) ** 0.5}
    if problem != "clustering":
        frame["y"] = target[problem]
    found = look(frame, problem, target=None if problem == "clustering" else "y")
    assert found["rows"] == rows


def test_numbers_fall_into_groups_of_about_equal_size() -> None:
    values = pd.Series([*np.arange(100.0), np.nan])
    coded = binned(values)
    assert np.bincount(coded.codes + 1).tolist() == [1] + [10] * 10
    assert coded.names[:2] == ["0 to 9", "10 to 19"]
    few = binned(pd.Series([3.0, 1.0, np.nan, 3.0]))
    assert (few.codes.tolist(), few.names) == ([1, 0, -1, 1], ["1", "3"])
    towns = pd.Series([f"t{place}" for place in range(30) for _ in range(30 - place)])
    coded = as_codes(towns, Column(name="town", role="nominal", reason=""))
    assert (len(coded.names), coded.names[0], coded.names[-1]) == (20, "t0", "(other)")


def test_equal_values_stay_in_one_group() -> None:
    values = pd.Series([-1.0] * 80 + [5.0] * 5 + list(np.arange(10.0, 25.0)))
    coded = binned(values)
    assert coded.names[0] == "-1"
    assert all(len(set(coded.codes[values == value])) == 1 for value in values.unique())
    assert [int(name.split(" to ")[0]) for name in coded.names] == sorted(
        int(values[coded.codes == code].min()) for code in range(len(coded.names))
    )


def test_groups_of_a_column_hold_all_rows_and_do_not_overlap() -> None:
    rng = np.random.default_rng(10)
    frame = labelled(600).assign(
        rooms=rng.integers(1, 15, 600), shop=[f"s{place}" for place in np.minimum(rng.geometric(0.2, 600), 12)]
    )
    frame.loc[:49, "rooms"] = np.nan
    found = look(frame, "classification", target="y", positive="yes")
    columns = {one["column"]: one["groups"] for one in section(found, "relations")["columns"]}
    for groups in columns.values():
        assert sum(group["rows"] for group in groups) == 600
        assert len(groups) <= 6
    assert columns["rooms"][0]["group"] == "(missing)"
    ends = [[float(end) for end in group["group"].split(" to ")] for group in columns["rooms"][1:]]
    assert all(before[-1] < after[0] for before, after in pairwise(ends))
    assert [group["group"] for group in columns["shop"]] == ["s1", "s2", "s3", "s4", "(other)"]


def test_a_column_of_one_value_is_not_compared() -> None:
    frame = pd.DataFrame({"x": [1.5, 2.5], "same": [1.0, 1.0]})
    schema = infer_schema(frame, problem="clustering")
    assert [column.name for column in Table.of(frame, schema, 0).columns] == ["x"]
