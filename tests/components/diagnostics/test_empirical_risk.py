"""The best of the hypotheses that a person gives."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from penstock.components.diagnostics import find
from penstock.components.learning_theory.bounds import deviation
from penstock.errors import UsageError

ROWS = pd.DataFrame({"x": np.arange(10.0), "y": list("+++---+++-")})


@pytest.mark.covers("theory-erm-finite")
def test_hypotheses_that_are_given() -> None:
    given = ["x > 8.5: -, else +", "x > 2.5: -, else +", "x > 5.5: +, else -", "always +"]
    found = find("empirical-risk")(ROWS, {"target": "y", "hypotheses": given})
    assert found.facts["hypotheses"] == 4
    assert found.facts["band"] == pytest.approx(deviation(10, 0.05, 4))
    errors = {"x > 8.5: -, else +": 0.3, "x > 2.5: -, else +": 0.3, "x > 5.5: +, else -": 0.4, "always +": 0.4}
    assert found.table["error"].to_dict() == pytest.approx(errors)
    assert (found.facts["best"], found.facts["least"]) == (given[0], pytest.approx(0.3))
    every = find("empirical-risk")(ROWS, {"target": "y"})
    assert every.facts["least"] == pytest.approx(0.3)
    again = find("empirical-risk")(ROWS, {"target": "y", "hypotheses": every.table.index.tolist()})
    assert again.table["error"].to_dict() == pytest.approx(every.table["error"].to_dict())  # told and read alike


@pytest.mark.parametrize("text", ["x > two: +, else -", "z > 1: +, else -", "x > 1: ?, else -", "always ?", "x < 1"])
def test_what_is_no_hypothesis_is_refused(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        find("empirical-risk")(ROWS, {"target": "y", "hypotheses": [text]})
    assert caught.value.code == "PEN222"
    assert "'always CLASS', with columns x and classes +, -" in caught.value.remedy
