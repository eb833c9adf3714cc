from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from penstock.components.feature_selection.frequency import chosen_often

OFFERED = ["a", "b", "c", "d"]


def fold(*kept: str, offered: list[str] = OFFERED) -> dict[str, list[str]]:
    return {"offered": offered, "kept": list(kept)}


def test_the_choices_of_folds_and_of_the_model_are_counted() -> None:
    told = chosen_often([fold("a", "b"), fold("a", "c"), fold("a", "b")], fold("c", "a"))
    assert [(row["feature"], row["chosen"], row["final"]) for row in told["features"]] == [
        ("a", 3, True),
        ("b", 2, False),
        ("c", 1, True),
        ("d", 0, False),
    ]
    assert told["features"][1]["share"] == pytest.approx(2 / 3)
    assert (told["folds"], told["offered"], told["kept"], told["final"]) == (3, 4, [2, 2, 2], 2)


def test_a_level_that_only_some_folds_have_is_told_with_how_many_offered_it() -> None:
    told = chosen_often([fold("a", "x", offered=[*OFFERED, "x"]), fold("a")], fold("a"))
    assert {row["feature"]: row["offered"] for row in told["features"]}["x"] == 1


def test_agreement_is_one_for_the_same_choice_and_about_zero_for_any_choice() -> None:
    assert chosen_often([fold("a", "b")] * 4, fold("a"))["stability"] == pytest.approx(1)
    every: list[Any] = [fold(*pair) for pair in itertools.combinations(OFFERED, 2)]
    assert chosen_often(every, fold("a"))["stability"] == pytest.approx(-1 / 5)
    rng = np.random.default_rng(0)
    names = [f"x{number}" for number in range(50)]
    random = [fold(*rng.choice(names, 10, replace=False), offered=names) for _ in range(30)]
    assert chosen_often(random, fold("a"))["stability"] == pytest.approx(0, abs=0.03)


def test_too_little_to_tell() -> None:
    assert chosen_often([fold("a")], fold("a"))["stability"] is None
    assert chosen_often([fold(*OFFERED)] * 3, fold("a"))["stability"] is None
    assert chosen_often([], fold("a"))["features"][0] == {
        "feature": "a", "chosen": 0, "offered": 0, "share": 0.0, "final": True,
    }  # fmt: skip
