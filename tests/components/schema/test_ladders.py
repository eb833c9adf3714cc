from __future__ import annotations

import random

import pytest

from penstock.components.schema.ladders import order_of


@pytest.mark.parametrize(
    "levels",
    [
        ["low", "medium", "high"],
        ["Low", "Mid", "High", "Very High"],
        ["small", "medium", "large"],
        ["XS", "S", "M", "L", "XL"],
        ["Poor", "Fair", "Average", "Good", "Excellent"],
        ["Po", "Fa", "TA", "Gd", "Ex"],
        ["Very_Poor", "Below_Average", "Very-Good"],
        ["Strongly disagree", "Disagree", "Neutral", "Agree", "Strongly agree"],
        ["never", "sometimes", "always"],
        ["no", "maybe", "yes"],
        ["1 - bad", "2 - fair", "10 - splendid"],
        ["1. never", "2. once", "3. often"],
        ["stage i", "stage ii", "stage iv"],
        ["1st class", "2nd class", "3rd class"],
        ["<18", "18-25", "26-35", "36+"],
        ["under 18", "18 to 64", "65 and over"],
        ["0-9", "10-99", "100-999"],
        ["$0-10k", "$10k-20k", "$20k+"],
        ["1,000-1,999", "2,000-2,999"],
        ["0", "1", "2", "3+"],
        ["(0, 5]", "(5, 10]", "(10, 20]"],
    ],
    ids=lambda levels: "/".join(levels),
)
def test_known_words_are_put_in_order(levels: list[str]) -> None:
    shuffled = list(levels)
    random.Random(1).shuffle(shuffled)
    found = order_of(shuffled)
    assert found is not None
    assert found[0] == levels
    assert f"{levels[0]} <" in found[1]


@pytest.mark.parametrize(
    "words",
    [
        ["red", "green", "blue"],
        ["low", "high"],
        ["low", "medium", "high", "unknown"],
        ["Low", "low", "high"],
        ["medium", "moderate", "high"],
        ["1", "2", "3"],
        ["2-0", "3-1", "1-1"],
        ["1-3", "2-4", "5-6"],
        ["555-1234", "555-9999"],
        ["2024-12", "2024-11"],
        ["stage 1", "level 2", "grade 3"],
        ["a", "b", "c"],
        ["room 1", "room 2", "room 3"],
        [str(n) for n in range(30)] + ["30+"],
    ],
    ids=lambda words: "/".join(words[:4]),
)
def test_what_is_in_doubt_is_left_alone(words: list[str]) -> None:
    assert order_of(words) is None
