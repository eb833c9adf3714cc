"""The best of the hypotheses that a person gives."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.components.diagnostics import find
from penstock.components.teaching.learning_theory.bounds import deviation
from penstock.errors import UsageError

ROWS = pd.DataFrame({"x": np.arange(10.0), "y": list("+++---+++-")})


@pytest.mark.covers("theory-erm-finite")
def test_hypotheses_that_are_given() -> None:
    listed = ["x > 8.5: -, else +", "x > 2.5: -, else +", "x > 5.5: +, else -", "always +"]
    found = find("empirical-risk")(ROWS, {"target": "y", "hypotheses": listed})
    assert found.facts["hypotheses"] == 4
    assert found.facts["band"] == pytest.approx(deviation(10, 0.05, 4))
    errors = {"x > 8.5: -, else +": 0.3, "x > 2.5: -, else +": 0.3, "x > 5.5: +, else -": 0.4, "always +": 0.4}
    assert found.table["error"].to_dict() == pytest.approx(errors)
    assert (found.facts["best"], found.facts["least"]) == (listed[0], pytest.approx(0.3))
    every = find("empirical-risk")(ROWS, {"target": "y"})
    assert every.facts["least"] == pytest.approx(0.3)
    again = find("empirical-risk")(ROWS, {"target": "y", "hypotheses": every.table.index.tolist()})
    assert again.table["error"].to_dict() == pytest.approx(every.table["error"].to_dict())  # told and read alike


@pytest.mark.covers("theory-erm-finite")
def test_every_hypothesis_that_is_given_is_judged_in_sight() -> None:
    listed = [f"x > {cut}: {sides}" for cut in np.arange(-0.5, 9) for sides in ("+, else -", "-, else +")]
    found = find("empirical-risk")(ROWS, {"target": "y", "hypotheses": listed})
    assert len(listed) == len(found.table) == len(found.facts["evaluated"]) == 20
    assert set(found.table.index) == set(listed)
    assert [one["error"] for one in found.facts["evaluated"]] == found.table["error"].tolist()
    assert found.table["error"].is_monotonic_increasing


@pytest.mark.slow
@pytest.mark.covers("theory-erm-finite")
@settings(max_examples=10, deadline=None, derandomize=True)
@given(seed=st.integers(0, 10_000))
def test_what_is_told_is_read_as_the_same(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x = 1000 + 0.01 * rng.normal(size=60)
    rows = pd.DataFrame({"x": x, "y": np.where(x + 0.003 * rng.normal(size=60) > 1000, "p", "n")})
    every = find("empirical-risk")(rows, {"target": "y"})
    told = every.table.index.tolist()
    assert len(set(told)) == len(told)
    again = find("empirical-risk")(rows, {"target": "y", "hypotheses": told})
    assert again.table["error"].to_dict() == every.table["error"].to_dict()


def test_a_cut_between_decimals_has_no_digits_of_rounding() -> None:
    rows = pd.DataFrame({"x": [0.04891, 0.04891, 0.04893, 0.04893], "y": ["n", "n", "p", "p"]})
    assert find("empirical-risk")(rows, {"target": "y"}).facts["best"] == "x > 0.04892: p, else n"
    near = [1.0, float(np.nextafter(1, 2))]
    assert find("empirical-risk")(pd.DataFrame({"x": near, "y": ["n", "p"]}), {"target": "y"}).facts["least"] == 0


@pytest.mark.parametrize("text", ["x > two: +, else -", "z > 1: +, else -", "x > 1: ?, else -", "always ?", "x < 1"])
def test_what_is_no_hypothesis_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        find("empirical-risk")(ROWS, {"target": "y", "hypotheses": [text]})
    assert caught.value.code == "PEN222"
    assert "'always CLASS', with columns x and classes +, -" in caught.value.remedy
