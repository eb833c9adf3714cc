from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.schema import infer_schema
from penstock.expectations.builtin import check

ROWS = 200


def clean() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    return pd.DataFrame(
        {
            "height": rng.normal(170, 10, ROWS).round(2),
            "income": rng.lognormal(10, 1, ROWS).round(2),
            "balance": rng.normal(0, 100, ROWS).round(2),
            "town": rng.choice(["Bari", "Como", "Rome"], ROWS),
            "day": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 300, ROWS), unit="D"),
            "y": rng.choice(["a", "b"], ROWS),
        }
    )


def failures(frame: pd.DataFrame) -> list[dict[str, Any]]:
    schema = infer_schema(frame, problem="classification", target_type="classes", target="y")
    return [found for found in check(frame, schema) if not found["passed"]]


@pytest.mark.covers("proc_eda_mistake_rules")
def test_four_mistakes_in_a_clean_frame_are_four_failed_checks_in_order_with_column_and_rows() -> None:
    frame = clean()
    assert failures(frame) == []
    frame.loc[[3, 150], "height"] = [-171.0, -160.5]
    frame["copy"] = frame["balance"]
    frame.loc[7, "income"] = 9e9
    frame.loc[40:, "town"] = None
    found = failures(frame)
    assert [(one["rule"], one["column"], one["count"]) for one in found] == [
        ("impossible values", "height", 2),
        ("duplicate columns", "copy", ROWS),
        ("unreasonable values", "income", 1),
        ("mostly empty columns", "town", 160),
    ]
    assert found[0]["examples"] == ["row 4", "row 151"]
    assert found[2]["examples"] == ["row 8"]
    assert found[3]["examples"][0] == "row 41"
    assert "-171" in found[0]["message"]
    assert "9e+09" in found[2]["message"]
    assert "80%" in found[3]["message"]
    assert {one["severity"] for one in found} == {"warning"}


def test_negative_numbers_are_usual_elsewhere() -> None:
    frame = clean().rename(columns={"height": "change_of_height", "balance": "age"})
    assert failures(frame) == []  # half of "age" is negative: it is no age


def test_words_of_a_name_are_read_in_any_spelling() -> None:
    for name in ("Body_Height_cm", "bodyHeight", "HEIGHT (m)"):
        frame = clean().rename(columns={"height": name})
        frame.loc[0, name] = -1.0
        assert [(one["code"], one["column"]) for one in failures(frame)] == [("CHK012", name)]


@pytest.mark.parametrize("seed", range(3))
def test_long_tails_are_not_taken_for_mistakes(seed: int) -> None:
    rng = np.random.default_rng(seed)
    frame = clean().assign(
        a=rng.lognormal(0, 1.5, ROWS), b=rng.exponential(size=ROWS), c=rng.poisson(0.1, ROWS), d=rng.standard_t(3, ROWS)
    )
    assert failures(frame) == []


def test_a_slipped_comma_is_seen_on_either_side() -> None:
    for value in (17_000.0, -3000.0):
        frame = clean().rename(columns={"height": "level"})
        frame.loc[5, "level"] = value
        assert [(one["code"], one["examples"]) for one in failures(frame)] == [("CHK013", ["row 6"])]


@pytest.mark.covers("proc_independence_check")
def test_rows_in_time_and_rows_that_are_links_are_said() -> None:
    frame = clean()
    series = frame.assign(day=pd.date_range("2024-01-01", periods=ROWS, freq="h"))
    (found,) = failures(series)
    assert (found["code"], found["column"], found["severity"]) == ("CHK015", "day", "warning")
    assert "follow each other in time" in found["message"]
    rng = np.random.default_rng(1)
    people = np.array([f"p{number}" for number in range(30)])
    links = frame.assign(sender=rng.choice(people, ROWS), receiver=rng.choice(people, ROWS))
    (found,) = failures(links)
    assert found["code"] == "CHK015"
    assert "'sender' and 'receiver' name the same 30 things" in found["message"]
    assert "group" in found["remedy"]


def test_columns_that_mostly_agree_are_no_links() -> None:
    rng = np.random.default_rng(2)
    born = rng.choice([f"c{number}" for number in range(30)], ROWS)
    lives = np.where(rng.random(ROWS) < 0.8, born, rng.permutation(born))
    assert failures(clean().assign(born=born, lives=lives)) == []
