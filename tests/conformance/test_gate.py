"""The gate, of every kind: the first model, a better one, an equal one, a worse one."""

from __future__ import annotations

import pytest

from penstock.document.run import RunDocument
from penstock.problems import find
from tests.conformance.projects import Done
from tests.kinds.installing import installed as installing

pytestmark = pytest.mark.slow
Verdicts = dict[str, RunDocument]


@pytest.fixture(scope="session")
def contested(finished: Done) -> Verdicts:
    """One pipeline after the other, by the same name: a weak model first. Where it stays the champion, it is not
    compared with itself.
    """
    example = finished.example
    with installing(), finished.at_home():
        worse = example.weak if find(finished.problem).sets_apart else example.good
        models = {"first": example.weak, "better": example.good, "equal": example.alike, "worse": worse}
        return {what: finished.run(finished.write("contested", asked)) for what, asked in models.items()}


def test_the_first_enters(contested: Verdicts) -> None:
    assert contested["first"].verdict.verdict == "first"


def test_a_better_one_enters_where_units_are_set_apart(contested: Verdicts) -> None:
    verdict = contested["better"].verdict
    apart = find(contested["better"].problem).sets_apart
    assert verdict.verdict == ("promoted" if apart else "held"), verdict.reason
    assert verdict.champion == "1"


@pytest.mark.parametrize("what", ["equal", "worse"])
def test_others_are_held(contested: Verdicts, what: str) -> None:
    verdict = contested[what].verdict
    apart = find(contested[what].problem).sets_apart
    assert verdict.verdict == "held" or (what == "equal" and verdict.verdict == "inconclusive"), verdict.reason
    assert verdict.champion == ("2" if apart else "1")


def test_a_worse_one_is_known_to_be_worse(contested: Verdicts) -> None:
    verdict = contested["worse"].verdict
    if find(contested["worse"].problem).sets_apart:
        assert verdict.verdict == "held"
        assert verdict.difference is not None
        assert verdict.difference.high < 0
    else:
        assert "sets no rows apart" in verdict.reason
