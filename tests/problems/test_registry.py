"""The registry of the kinds of question: ours are found as folders, others by their entry point."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from penstock import problems
from penstock.components import catalog
from penstock.errors import UsageError
from penstock.problems import Problem, all_problems, find, names, proposals
from penstock.problems.predictions import Predictions, predictions_of
from penstock.problems.registry import SHARED
from penstock.spec.pipeline import schema
from penstock.spec.reading import parse_spec
from tests.problems.elsewhere import ELSEWHERE, Install

OURS = ["classification", "clustering", "density", "reduction", "regression"]


def refused() -> UsageError:
    with pytest.raises(UsageError) as caught:
        all_problems()
    return caught.value


def test_every_folder_is_a_problem_of_its_name() -> None:
    folders = [one.name for one in Path(problems.__file__).parent.iterdir() if (one / "__init__.py").is_file()]
    assert sorted({*folders} - {SHARED}) == names() == OURS
    assert [find(name).name for name in OURS] == OURS


def test_a_name_that_is_not_there_leads_to_the_nearest() -> None:
    with pytest.raises(UsageError) as caught:
        find("regresion")
    assert (caught.value.code, caught.value.exit_status) == ("PEN009", 2)
    assert caught.value.remedy == "did you mean 'regression'?"


def test_another_package_brings_a_problem(install: Install) -> None:
    install(ELSEWHERE.format(name="sequence"))
    assert names() == [*OURS, "sequence"]
    spec = parse_spec({"name": "a", "problem": "sequence", "data": {"source": "a.csv"}})
    assert (spec.asked, spec.predicts) == ("What follows?", False)
    asked = schema()["properties"]["problem"]
    assert asked["enum"] == [*OURS, "sequence"]
    assert asked["description"].startswith(
        "What is asked for. classification: which class of a column a row belongs to"
    )
    assert asked["description"].endswith("sequence: which rows follow which.")


def test_two_problems_of_one_name_are_refused(install: Install) -> None:
    install(ELSEWHERE.format(name="density"))
    fault = refused()
    assert (fault.code, fault.what) == ("PEN018", "two packages offer a problem named 'density'")
    assert "uninstall it" in fault.remedy


@pytest.mark.parametrize(
    ("source", "why"),
    [
        ("PROBLEM = 'sequence'", "it is a str, and no penstock.problems.Problem"),
        ("import nothing_of_this_name", "ModuleNotFoundError"),
        ("", "AttributeError"),
        (ELSEWHERE.format(name="Two words"), "a problem is named by small letters"),
    ],
)
def test_a_package_whose_problem_cannot_be_used(install: Install, source: str, why: str) -> None:
    install(source)
    fault = refused()
    assert fault.code == "PEN039"
    assert why in fault.what
    assert "problem_elsewhere:PROBLEM" in fault.where
    assert fault.remedy == "correct that package, or uninstall it"


@pytest.mark.parametrize("problem", all_problems().values(), ids=lambda problem: problem.name)
def test_a_declaration_is_complete(problem: Problem) -> None:
    assert problem.summary
    assert issubclass(predictions_of(problem.name), Predictions)
    assert problem.asked("y").endswith("?")
    assert ("churned" in problem.asked("churned")) == problem.answers_known
    for name in (*problem.candidates, *([problem.baseline] if problem.baseline else [])):
        assert catalog.find(name, problem.model_kinds, problem.name).name == name


def test_one_kind_is_proposed_for_each_type_of_target_and_one_without() -> None:
    proposed = [problem.target_type for problem in all_problems().values() if problem.proposed]
    assert len(proposed) == len({*proposed}) == 3
    assert proposals() == {"classes": "classification", "quantity": "regression", None: "clustering"}


def test_the_declarations_cost_nothing_to_read() -> None:
    code = (
        "import sys; from penstock.problems import all_problems; all_problems(); "
        "heavy = {'numpy', 'pandas', 'sklearn', 'pydantic', 'prefect', 'mlflow'}; print(sorted(heavy & {*sys.modules}))"
    )
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert told.stdout.strip() == "[]"
