"""Whom the decisions of a classifier favour."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from fairlearn.metrics import demographic_parity_difference, equalized_odds_difference

from penstock.components.explanation.fairness import fairness, require_two_classes
from penstock.errors import UsageError


def decisions(gap: float, seed: int = 0) -> tuple[np.ndarray, np.ndarray, pd.Series[Any]]:
    """`gap`: how much likelier a positive decision is for group b, whatever the truth."""
    rng = np.random.default_rng(seed)
    names = pd.Series(rng.choice(["a", "b"], 800))
    y = rng.integers(2, size=800)
    p = 0.3 + 0.3 * y + gap * (names == "b").to_numpy()
    return y, (rng.random(800) < p).astype(int), names


def test_differences_are_those_of_fairlearn_with_what_chance_would_show() -> None:
    y, decision, names = decisions(0.25)
    found = fairness(y, decision, names, seed=0)
    parity, odds = found["demographic_parity"], found["equalised_odds"]
    assert parity["value"] == pytest.approx(demographic_parity_difference(y, decision, sensitive_features=names))
    assert odds["value"] == pytest.approx(equalized_odds_difference(y, decision, sensitive_features=names))
    assert parity["low"] < 0.25 < parity["high"]
    assert parity["beyond"]
    assert odds["beyond"]
    assert parity["random_level"] < 0.1
    by_group = {group["group"]: group for group in found["groups"]}
    assert by_group["b"]["selected"] - by_group["a"]["selected"] == pytest.approx(parity["value"])
    assert by_group["a"]["rows"] + by_group["b"]["rows"] == 800


def test_a_row_of_weight_two_is_that_row_twice() -> None:
    y, decision, names = decisions(0.1)
    weight = np.random.default_rng(1).integers(0, 4, 800).astype(float)
    copies = np.repeat(np.arange(800), weight.astype(int))
    weighted = fairness(y, decision, names, weight=weight, seed=0)
    copied = fairness(y[copies], decision[copies], names[copies].reset_index(drop=True), seed=0)
    given = {"sensitive_features": names, "sample_weight": weight}
    assert weighted["demographic_parity"]["value"] == pytest.approx(demographic_parity_difference(y, decision, **given))
    assert weighted["equalised_odds"]["value"] == pytest.approx(equalized_odds_difference(y, decision, **given))
    for one, other in zip(weighted["groups"], copied["groups"], strict=True):
        assert [one[rate] for rate in ("selected", "found", "false_alarms")] == pytest.approx(
            [other[rate] for rate in ("selected", "found", "false_alarms")]
        )
        assert one["rows"] < other["rows"]
    # Rows that count for several are still one piece of evidence each.
    parity = weighted["demographic_parity"]
    assert parity["low"] < parity["value"] < parity["high"]
    assert parity["random_level"] > copied["demographic_parity"]["random_level"]


def test_what_chance_shows_is_larger_where_groups_of_rows_are_decided_together() -> None:
    """Twenty households of forty rows: which group they belong to is dealt out to households, not to rows."""
    rng = np.random.default_rng(1)
    households = np.repeat(np.arange(20), 40)
    names = pd.Series(np.repeat(np.where(np.arange(20) % 2, "a", "b"), 40))
    decision, y = np.repeat(rng.integers(2, size=20), 40), rng.integers(2, size=800)
    alone = fairness(y, decision, names, seed=0)["demographic_parity"]
    together = fairness(y, decision, names, groups=households, seed=0)["demographic_parity"]
    assert together["random_level"] > 3 * alone["random_level"]
    assert together["high"] - together["low"] > 2 * (alone["high"] - alone["low"])
    assert alone["beyond"]
    assert not together["beyond"]


def test_no_difference_in_few_rows_is_not_certain() -> None:
    y, names = np.arange(40) % 2, pd.Series(np.where(np.arange(40) < 10, "a", "b"))
    found = fairness(y, np.ones(40, dtype=int), names, seed=0)
    assert (found["demographic_parity"]["value"], found["demographic_parity"]["low"]) == (0.0, 0.0)
    assert found["demographic_parity"]["high"] == pytest.approx(1 - 0.025 ** (1 / 10))
    assert found["equalised_odds"]["high"] == pytest.approx(1 - 0.025 ** (1 / 5))


def test_a_group_without_positive_rows_tells_nothing_of_those_found() -> None:
    y = np.r_[np.zeros(20, int), np.arange(40) % 2]
    names = pd.Series(["a"] * 20 + ["b"] * 40)
    found = fairness(y, y, names, seed=0)
    assert found["equalised_odds"]["value"] == 0


@pytest.mark.slow
def test_fair_decisions_are_within_chance() -> None:
    beyond = [fairness(*decisions(0.0, seed), seed=seed)["demographic_parity"]["beyond"] for seed in range(8)]
    assert sum(beyond) <= 2


def test_fairness_is_of_two_classes() -> None:
    with pytest.raises(UsageError, match=r"evaluation\.slices") as caught:
        require_two_classes(["gender"], 3)
    assert caught.value.code == "PEN045"
    require_two_classes([], 3)
    require_two_classes(["gender"], 2)
