"""What the kinds of question refuse of the pipeline file."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.errors import UsageError
from penstock.problems import Problem, all_problems, find
from penstock.spec.checks import check_spec
from penstock.spec.checks.refused import keys_set
from penstock.spec.pipeline import schema
from penstock.spec.reading import parse_spec

ROLES = {"data.columns.weight"}
"""Refused by the role that a column is declared with."""


def known(key: str) -> bool:
    document = schema()
    part: dict[str, Any] = document
    for step in key.split("."):
        inner = part.get("allOf") or part.get("anyOf") or [part]
        named = next((one["$ref"] for one in inner if "$ref" in one), None)
        part = document["$defs"][named.rpartition("/")[2]] if named else part
        if step == "*":
            return bool(part["properties"])
        if step not in part["properties"]:
            return False
        part = part["properties"][step]
    return True


@pytest.mark.parametrize("problem", all_problems().values(), ids=lambda problem: problem.name)
def test_what_is_refused_are_keys_of_the_file(problem: Problem) -> None:
    assert not [key for key in problem.refuses if key not in ROLES and not known(key)]
    words = {"key": "a.b", "name": "b", "problem": problem.name, "value": "c"}
    for refusal in filter(None, problem.refuses.values()):
        assert "{" not in refusal.what.format(**words)
        assert refusal.remedy.format(**words)


def test_a_key_that_is_named_comes_before_its_section() -> None:
    assert find("regression").refusal("decision.coverage") is None
    assert find("regression").refusal("decision.costs") is not None
    assert find("density").refusal("decision.coverage") != find("density").refusal("decision.costs")
    assert find("density").refusal("split.seed") is None


def spec(problem: str, **keys: Any) -> Any:
    data = {"source": "a.csv", **({"target": "y"} if find(problem).answers_known else {})}
    return parse_spec({"name": "a", "problem": problem, "data": data, **keys})


def test_keys_are_told_that_differ_from_their_defaults() -> None:
    found = set(keys_set(spec("density", decision={"coverage": 0.9, "ties": "negative"}, split={"seed": 3})))
    assert {"decision", "decision.coverage", "split.seed", "data.source"} <= found
    assert "decision.ties" not in found


@pytest.mark.parametrize(
    ("problem", "keys", "code", "where", "words"),
    [
        ("regression", {"decision": {"calibrate": "sigmoid"}}, "PEN032", "decision.calibrate", "`coverage` gives"),
        ("density", {"decision": {"coverage": 0.9}}, "PEN032", "decision.coverage", "which a density does not have"),
        ("reduction", {"evaluation": {"curves": True}}, "PEN025", "evaluation.curves", "about predictions"),
        ("clustering", {"search": {"strategy": "tpe"}}, "PEN025", "search.strategy", "use grid or random"),
        ("regression", {"evaluation": {"fairness": ["a"]}}, "PEN045", "evaluation.fairness", "evaluation.slices"),
        ("regression", {"evaluation": {"pictures": ["t-sne"]}}, "PEN025", "evaluation.pictures", "{extract: pca}"),
        ("regression", {"preparation": {"balance": "smote"}}, "PEN027", "preparation.balance", "'smote' balances"),
        ("density", {"models": "auto"}, "PEN323", "models", "is for clustering alone"),
    ],
)
def test_a_refused_key_is_named_with_its_remedy(
    problem: str, keys: dict[str, Any], code: str, where: str, words: str
) -> None:
    with pytest.raises(UsageError) as caught:
        check_spec(spec(problem, **keys), "p.yaml")
    assert (caught.value.code, caught.value.where) == (code, f"p.yaml: {where}")
    assert words in str(caught.value)
