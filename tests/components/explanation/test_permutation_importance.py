"""What a model goes by, in columns as they came."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.inspection import permutation_importance as of_scikit_learn
from sklearn.linear_model import LinearRegression

from penstock.components.evaluation.metrics import METRICS
from penstock.components.explanation.partial_dependence import partial_dependence
from penstock.components.explanation.permutation_importance import permutation_importance
from penstock.components.schema import Column

TOWNS = {"Bari": 0.0, "Como": 2.0, "Pisa": 4.0}


@pytest.fixture(scope="module")
def table() -> tuple[pd.DataFrame, np.ndarray]:
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        {
            "size": rng.normal(size=300),
            "noise": rng.normal(size=300),
            "town": rng.choice(list(TOWNS), 300),
            "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 100, 300), unit="D"),
            "member": rng.choice([0.0, 1.0], 300),
        }
    )
    frame.loc[::9, "size"] = np.nan
    return frame, predictions(frame) + rng.normal(scale=0.1, size=300)


def predictions(frame: pd.DataFrame) -> np.ndarray:
    """A model that has learnt the truth: size works twice as much for members."""
    days = (frame["since"] - pd.Timestamp("2024-01-01")).dt.days.to_numpy()
    size = frame["size"].fillna(0).to_numpy() * (1 + frame["member"].to_numpy())
    return size + frame["town"].map(TOWNS).to_numpy() + 0.01 * days


def test_columns_of_any_kind_are_ranked_by_what_the_score_loses(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, y = table
    found = permutation_importance(
        predictions, frame, list(frame), lambda prediction: METRICS["r2"].function(y, prediction), seed=0
    )
    assert [one["column"] for one in found[:2]] == ["town", "size"]
    noise = next(one for one in found if one["column"] == "noise")
    assert (noise["value"], noise["low"], noise["high"]) == (0, 0, 0)
    assert all(one["low"] <= one["value"] <= one["high"] for one in found)
    assert next(one for one in found if one["column"] == "since")["low"] > 0


def test_it_is_what_scikit_learn_finds() -> None:
    rng = np.random.default_rng(1)
    X = pd.DataFrame(rng.normal(size=(400, 3)), columns=["a", "b", "c"])
    y = (3 * X["a"] + X["b"] + rng.normal(size=400)).to_numpy()
    model = LinearRegression().fit(X, y)
    known = of_scikit_learn(model, X, y, scoring="r2", n_repeats=30, random_state=0)["importances_mean"]
    found = permutation_importance(
        model.predict, X, ["a", "b", "c"], lambda prediction: METRICS["r2"].function(y, prediction), seed=0, repeats=30
    )
    by_name = {one["column"]: one["value"] for one in found}
    assert [by_name[name] for name in "abc"] == pytest.approx(known.tolist(), abs=0.03)


def test_a_score_that_these_rows_do_not_define_gives_no_importance(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    assert permutation_importance(predictions, table[0], ["size"], lambda _: float("nan"), seed=0) == []


def column(name: str, role: str, **more: object) -> Column:
    return Column(name=name, role=role, reason="", **more)  # type: ignore[arg-type]


def test_dependence_on_numbers_shows_the_slope_and_where_rows_differ(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame, _ = table
    found = partial_dependence(predictions, frame.iloc[:100], frame["size"].dropna(), column("size", "numeric"), None)
    assert found is not None
    grid, (curve,) = np.array(found["grid"]), found["curves"]
    slope = np.polyfit(grid, curve["mean"], 1)[0]
    assert slope == pytest.approx(1 + frame["member"].iloc[:100].mean())
    width = np.array(curve["high"]) - curve["low"]
    assert width[0] > 2 * width[len(width) // 2]  # members and others move apart towards the ends
    assert (np.array(curve["low"]) <= curve["mean"]).all()


def test_dependence_on_levels_dates_and_truth(table: tuple[pd.DataFrame, np.ndarray]) -> None:
    frame = table[0].iloc[:60]
    towns = partial_dependence(predictions, frame, frame["town"], column("town", "nominal"), None)
    assert towns is not None
    means = dict(zip(towns["grid"], towns["curves"][0]["mean"], strict=True))
    assert means["Pisa"] - means["Bari"] == pytest.approx(4)
    dates = partial_dependence(predictions, frame, frame["since"], column("since", "date"), None)
    assert dates is not None
    assert dates["grid"] == sorted(dates["grid"])
    assert dates["grid"][0].startswith("2024-0")
    truth = column("member", "boolean", levels=["no", "yes"])
    member = partial_dependence(predictions, frame, frame["member"], truth, None)
    assert member is not None
    assert set(member["grid"]) == {"no", "yes"}
    constant = frame.assign(size=1.0)
    assert partial_dependence(predictions, constant, constant["size"], column("size", "numeric"), None) is None


def test_a_missing_value_is_a_point_of_its_own_and_levels_are_few() -> None:
    cabins = pd.Series(["c1", "c1", None, None, None, *(f"d{place}" for place in range(9))], dtype="str")
    frame = pd.DataFrame({"cabin": cabins, "size": np.where(cabins.isna(), np.nan, np.arange(14.0))})

    def by_gaps(part: pd.DataFrame) -> np.ndarray:
        return part["cabin"].isna().to_numpy() + 10.0 * part["size"].isna().to_numpy()

    cabin = partial_dependence(by_gaps, frame, frame["cabin"], column("cabin", "nominal"), None)
    assert cabin is not None
    assert (cabin["grid"][0], cabin["grid"][-1], len(cabin["grid"]), cabin["distinct"]) == ("c1", "(missing)", 7, 10)
    *known, missing = cabin["curves"][0]["mean"]
    assert missing - 1 == pytest.approx(known[0])
    assert len(set(known)) == 1
    size = partial_dependence(by_gaps, frame, frame["size"], column("size", "numeric"), None)
    assert size is not None
    assert size["grid"][-2:] == [13.0, "(missing)"]
    assert size["curves"][0]["mean"][-1] - 10 == pytest.approx(size["curves"][0]["mean"][0])


def test_of_two_classes_the_positive_one_of_more_each() -> None:
    frame = pd.DataFrame({"x": np.linspace(-2, 2, 40)})

    def two(part: pd.DataFrame) -> np.ndarray:
        p = 1 / (1 + np.exp(-part["x"].to_numpy()))
        return np.stack([1 - p, p], axis=1)

    found = partial_dependence(two, frame, frame["x"], column("x", "numeric"), ["no", "yes"])
    assert found is not None
    assert [curve["of"] for curve in found["curves"]] == ["yes"]
    assert found["curves"][0]["mean"] == sorted(found["curves"][0]["mean"])

    def more(part: pd.DataFrame) -> np.ndarray:
        return np.column_stack([two(part), np.zeros(len(part))])

    three = partial_dependence(more, frame, frame["x"], column("x", "numeric"), ["a", "b", "c"])
    assert three is not None
    assert [curve["of"] for curve in three["curves"]] == ["a", "b", "c"]
