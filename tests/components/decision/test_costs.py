from __future__ import annotations

from typing import Any

import pytest

from penstock.components.decision.costs import costs_by_class
from penstock.errors import UsageError


@pytest.mark.parametrize(
    ("costs", "classes", "matrix"),
    [
        ({"false_positive": 1, "false_negative": 5}, ["no", "yes"], [[0, 1], [5, 0]]),
        ({"false_negative": 5}, ["no", "yes"], [[0, 1], [5, 0]]),
        ({"yes": {"no": 5}}, ["no", "yes"], [[0, 1], [5, 0]]),
        ({"1": {"3": 7}, "3": {"1": 2.5}}, [1, 2, 3], [[0, 1, 7], [1, 0, 1], [2.5, 1, 0]]),
    ],
    ids=["both", "one", "by class", "numbered classes"],
)
def test_costs_by_class(costs: Any, classes: Any, matrix: Any) -> None:
    assert costs_by_class(costs, classes) == matrix


@pytest.mark.parametrize(
    ("costs", "classes", "what", "remedy"),
    [
        ({"yess": {"no": 2}}, ["no", "yes"], "'yess' is not a class", "did you mean 'yes'?"),
        ({"yes": {"nay": 2}}, ["no", "yes"], "'nay' is not a class", "choose one of: no, yes"),
        ({"True": {"no": 2}}, ["no", "yes"], "'True' is not a class", "put it into quotes"),
        ({"false_positive": 2}, ["a", "b", "c"], "between two classes, and the target has 3", "write `a: {b: 2}`"),
        ({"yes": 2}, ["no", "yes"], "an error has two sides", "write `no: {yes: 2}`"),
        ({"yes": {"yes": 2}}, ["no", "yes"], "is right, and costs nothing", "only errors have a cost"),
    ],
    ids=["true class", "answer", "bare yes", "kinds of many", "one side", "right answer"],
)
def test_costs_that_name_no_error(costs: Any, classes: Any, what: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        costs_by_class(costs, classes)
    assert caught.value.code == "PEN030"
    assert what in caught.value.what
    assert remedy in caught.value.remedy
    assert caught.value.where.startswith("decision.costs")
