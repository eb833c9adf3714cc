"""Lists of alternatives in the pipeline file: what they may hold, and the file once one is chosen."""

from __future__ import annotations

from typing import Any

import pytest

from penstock.errors import UsageError
from penstock.spec.alternatives import chosen_preparation, preparation_steps
from penstock.spec.base import Choice
from penstock.spec.checks import check_spec
from penstock.spec.pipeline import Spec
from penstock.spec.reading import parse_spec
from penstock.spec.searched import preparation_space


def spec(problem: str = "classification", **parts: Any) -> Spec:
    target = {} if problem == "clustering" else {"target": "left"}
    found = parse_spec({"name": "small", "problem": problem, "data": {"source": "data.csv", **target}, **parts})
    check_spec(found, "pipeline.yaml")
    return found


def refused(**parts: Any) -> UsageError:
    with pytest.raises(UsageError) as caught:
        spec(**parts)
    return caught.value


def test_a_file_without_alternatives_stays_as_it_is() -> None:
    plain = spec(preparation={"scale": "robust", "columns": {"a": {"scale": "power"}}}, features={"extract": "pca"})
    assert preparation_space(plain).options == {}
    assert chosen_preparation(plain.preparation, plain.features, {}) == (plain.preparation, plain.features)


def test_what_is_chosen_takes_the_place_of_the_list() -> None:
    many = spec(
        preparation={
            "scale": ["standard", {"robust": {"unit_variance": [True, False]}}],
            "impute_levels": ["none", "mode"],
            "columns": {"a.b": {"scale": ["power", "none"]}},
        },
        features={"select": ["none", {"mutual-information": {"keep": [10, 20]}}]},
    )
    found = preparation_space(many)
    assert list(found.options) == ["impute_levels", "scale", "select", "columns.a.b.scale"]
    assert found.size() == 2 * 3 * 3 * 2
    preparation, features = chosen_preparation(many.preparation, many.features, found.start)
    assert (preparation.scale, preparation.impute_levels, features.select) == (Choice(name="standard"), None, None)
    chosen = {
        "scale": {"robust": {"unit_variance": True}},
        "select": {"mutual-information": {"keep": 10}},
        "columns.a.b.scale": {"none": {}},
    }
    preparation, features = chosen_preparation(many.preparation, many.features, chosen)
    assert preparation.scale == Choice(name="robust", parameters={"unit_variance": True})
    assert features.select == Choice(name="mutual-information", parameters={"keep": 10})
    assert preparation.columns["a.b"].scale == Choice(name="none")  # of a scaler it is a component


def test_the_catalogue_opens_only_what_the_file_names() -> None:
    opened = spec(preparation={"scale": "robust"}, search={"preparation": True})
    assert set(preparation_space(opened).options) == {"scale"}
    both = spec(preparation={"encode": "one-hot", "rare": 0.05}, search={"preparation": True})
    assert preparation_space(both).options == {}  # its only parameter is said in a key of its own
    assert preparation_steps(both.preparation, both.features)["encode"][0].parameters == {"rare": 0.05}


@pytest.mark.parametrize(
    ("parts", "code", "where", "words"),
    [
        ({"preparation": {"scale": []}}, "PEN003", "preparation.scale", "at least 1 item"),
        ({"features": {"select": []}}, "PEN003", "features.select", "at least 1 item"),
        ({"preparation": {"scale": ["robust", "robust"]}}, "PEN003", "preparation.scale", "lists of values instead"),
        ({"preparation": {"scale": ["robust", 7]}}, "PEN003", "preparation.scale.1", "mapping"),
        ({"preparation": {"scale": ["standard", "robst"]}}, "PEN005", "preparation.scale.1", "did you mean 'robust'?"),
        ({"preparation": {"scale": ["standard", "median"]}}, "PEN009", "preparation.scale.1", "is an imputer"),
        ({"preparation": {"impute": ["none", "median"]}}, "PEN009", "preparation.impute.0", "is a scaler"),
        (
            {"features": {"select": ["none", {"mutual-information": {"kep": [10, 20]}}]}},
            "PEN006",
            "features.select.1: kep",
            "did you mean 'keep'?",
        ),
        (
            {"preparation": {"scale": {"robust": {"unit_variance": []}}}},
            "PEN017",
            "preparation.scale: unit_variance",
            "list at least one value",
        ),
        (
            {"features": {"select": {"mutual-information": {"keep": [10, 0]}}}},
            "PEN017",
            "features.select: keep",
            "give a value that it takes",
        ),
        (
            {"problem": "clustering", "preparation": {"scale": ["standard", "robust"]}},
            "PEN020",
            "preparation.scale",
            "run the pipeline once for each",
        ),
        (
            {"problem": "clustering", "search": {"preparation": True}},
            "PEN020",
            "search.preparation",
            "run the pipeline once for each",
        ),
        (
            {"models": [{"logistic-regression": {"clas_weight": [None]}}]},
            "PEN006",
            "models.0: clas_weight",
            "did you mean 'class_weight'?",
        ),
    ],
)
def test_what_is_wrong_is_said(parts: dict[str, Any], code: str, where: str, words: str) -> None:
    error = refused(**parts)
    assert error.code == code, str(error)
    assert error.where.endswith(where)
    assert words in str(error)
