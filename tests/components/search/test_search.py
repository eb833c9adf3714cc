from __future__ import annotations

from typing import Any

import pytest

from penstock.components.catalog import entries
from penstock.components.search import Candidate
from penstock.errors import UsageError
from penstock.problems import find
from tests.searching import make_search


def searched(choices: list[tuple[str, dict[str, Any]]], **changes: Any) -> list[Candidate]:
    settings: dict[str, Any] = {
        "problem": "classification",
        "strategy": "random",
        "candidates": 12,
        "batch": 5,
        "seed": 0,
    }
    search = make_search(choices, **(settings | changes))
    found: list[Candidate] = []
    while batch := search.ask():
        assert len(batch) <= (settings | changes)["batch"]
        found += [trial.candidate for trial in batch]
        search.tell([None] * len(batch))
    assert len(found) == search.total
    return found


def refused(code: str, choices: list[tuple[str, dict[str, Any]]], **changes: Any) -> UsageError:
    with pytest.raises(UsageError) as caught:
        searched(choices, **changes)
    assert caught.value.code == code
    return caught.value


def test_the_baseline_comes_first_then_the_defaults_of_every_method() -> None:
    found = searched([("logistic-regression", {}), ("random-forest", {})])
    assert [candidate.number for candidate in found] == list(range(12))
    assert [candidate.name for candidate in found[:3]] == ["dummy", "logistic-regression", "random-forest"]
    assert found[1].parameters == {"penalty": "l2", "C": 1.0, "class_weight": None}
    assert found[2].parameters == {"n_estimators": 100, "max_features": "sqrt", "min_samples_leaf": 1}
    assert found[2].label == "random-forest #2"


def test_a_list_is_one_value_where_the_parameter_is_a_list() -> None:
    densities = [[{"family": "bernoulli", "p": 0.1}], [{"family": "bernoulli", "p": 0.9}]]
    given = {"densities": densities, "priors": [0.99, 0.01]}
    assert [one.parameters for one in searched([("known-densities", given)])] == [{}, given]
    coins = {"hypotheses": [1.0, 0.0], "prior": [0.4, 0.6], "predict_by": ["map", "vote"]}
    answers = searched([("finite-hypotheses", coins)], strategy="grid")
    assert [one.parameters["predict_by"] for one in answers[1:]] == ["vote", "map"]
    assert all(one.parameters["prior"] == [0.4, 0.6] for one in answers[1:])
    assert "array-like" in str(refused("PEN017", [("linear-discriminant-analysis", {"priors": 0.5})]))


def test_methods_take_turns() -> None:
    found = searched([("logistic-regression", {}), ("random-forest", {})])
    assert [candidate.name for candidate in found[1:]] == ["logistic-regression", "random-forest"] * 5 + [
        "logistic-regression"
    ]


def test_draws_stay_in_the_space() -> None:
    for candidate in searched([("hist-gradient-boosting", {})], candidates=40)[1:]:
        for name, domain in entries()["hist-gradient-boosting"].space_for("classification").items():
            assert candidate.parameters[name] in domain


def test_the_same_seed_gives_the_same_candidates_and_another_seed_others() -> None:
    choices: list[tuple[str, dict[str, Any]]] = [("logistic-regression", {}), ("mlp", {})]
    assert searched(choices, seed=3) == searched(choices, seed=3)
    assert searched(choices, seed=3) == searched(choices, seed=3, batch=1)
    assert searched(choices, seed=3) != searched(choices, seed=4)


def test_another_method_beside_it_changes_nothing_that_is_drawn() -> None:
    alone = [candidate.parameters for candidate in searched([("mlp", {})], candidates=6)]
    among = [
        candidate.parameters
        for candidate in searched([("random-forest", {}), ("mlp", {})], candidates=11)
        if candidate.name in ("dummy", "mlp")
    ]
    assert alone == among


def test_a_scalar_is_fixed_and_a_list_is_searched() -> None:
    found = searched([("random-forest", {"n_estimators": [200, 50], "max_depth": 3})], candidates=30)[1:]
    assert {candidate.parameters["n_estimators"] for candidate in found} == {200, 50}
    assert {candidate.parameters["max_depth"] for candidate in found} == {3}
    assert found[0].parameters["n_estimators"] == 200
    assert len({candidate.parameters["min_samples_leaf"] for candidate in found}) > 3


def test_a_listed_default_is_where_the_search_starts() -> None:
    found = searched([("random-forest", {"n_estimators": [200, 100]})])
    assert found[1].parameters["n_estimators"] == 100


def test_nothing_is_tried_twice_and_an_exhausted_method_drops_out() -> None:
    found = searched(
        [("k-nearest-neighbours", {"n_neighbors": [3, 5, 5], "p": 2}), ("logistic-regression", {})], candidates=20
    )
    assert sum(candidate.name == "k-nearest-neighbours" for candidate in found) == 6
    assert sum(candidate.name == "logistic-regression" for candidate in found) == 13
    assert len({(candidate.name, repr(candidate.parameters)) for candidate in found}) == 20


def test_a_search_ends_when_every_space_is_exhausted() -> None:
    found = searched([("k-nearest-neighbours", {"n_neighbors": [3, 5]})], candidates=1000)
    assert len(found) == 1 + 2 * 3 * 2


def test_a_grid_is_the_product_of_the_listed_values() -> None:
    choices: list[tuple[str, dict[str, Any]]] = [
        ("logistic-regression", {"C": [0.1, 1.0, 10.0], "class_weight": [None, "balanced"]}),
        ("random-forest", {"n_estimators": [50, 100], "min_samples_leaf": 2}),
    ]
    found = searched(choices, strategy="grid", candidates=9)
    assert [candidate.name for candidate in found].count("logistic-regression") == 6
    assert found[1].parameters == {"penalty": "l2", "C": 1.0, "class_weight": None}
    forests = [candidate.parameters for candidate in found if candidate.name == "random-forest"]
    assert forests == [{"n_estimators": leaves, "max_features": "sqrt", "min_samples_leaf": 2} for leaves in (100, 50)]


def test_a_grid_without_lists_goes_over_the_whole_space() -> None:
    found = searched([("logistic-regression", {})], strategy="grid", candidates=19)
    assert len(found) == 19
    assert found[1].parameters == {"penalty": "l2", "C": 1.0, "class_weight": None}
    assert len({candidate.parameters["C"] for candidate in found[1:]}) == 3


def test_a_grid_beyond_the_budget_is_refused_with_the_numbers() -> None:
    error = refused("PEN013", [("logistic-regression", {"C": [0.1, 1, 10, 100]})], strategy="grid", candidates=4)
    assert "the grid has 5 candidates with the baseline, but the budget is 4" in str(error)
    assert error.remedy == "raise search.fits to at least 5 times the number of folds, or list fewer values"


def test_a_budget_that_leaves_a_method_untried_is_refused() -> None:
    error = refused("PEN013", [("logistic-regression", {}), ("mlp", {}), ("random-forest", {})], candidates=3)
    assert "takes 4 candidates with the baseline, but the budget is 3" in str(error)
    assert error.remedy.endswith("or name fewer models")


@pytest.mark.parametrize("problem", ["classification", "regression", "clustering", "reduction", "density"])
def test_the_usual_methods_fit_the_problem(problem: Any) -> None:
    for name in find(problem).candidates:
        assert entries()[name].fits(problem)
        assert entries()[name].extra is None
    found = searched([], problem=problem, candidates=20)
    assert {candidate.name for candidate in found} - {"dummy"} == set(find(problem).candidates)


@pytest.mark.parametrize("strategy", ["random", "grid"])
def test_clustering_tries_two_to_eight_clusters_and_no_baseline(strategy: str) -> None:
    found = searched([], problem="clustering", strategy=strategy, candidates=14)
    for name in ("k-means", "gaussian-mixture"):
        counts = [candidate.parameters["clusters"] for candidate in found if candidate.name == name]
        assert sorted(counts) == [2, 3, 4, 5, 6, 7, 8]
    assert {candidate.parameters.get("covariance_type") for candidate in found} == {None, "full"}


def test_clustering_goes_on_to_the_rest_of_the_space() -> None:
    found = searched([("gaussian-mixture", {})], problem="clustering", candidates=100)
    assert len(found) == 7 * 4


def test_listed_clusters_replace_the_usual_ones() -> None:
    choices: list[tuple[str, dict[str, Any]]] = [("k-means", {"clusters": [3, 12], "init": ["random"]})]
    found = searched(choices, problem="clustering", strategy="grid")
    assert [candidate.parameters["clusters"] for candidate in found] == [3, 12]
    fixed = searched([("k-means", {"clusters": 4})], problem="clustering", strategy="grid")
    assert {candidate.parameters["clusters"] for candidate in fixed} == {4}


def test_a_baseline_that_is_named_is_not_tried_twice() -> None:
    found = searched([("dummy", {"strategy": "uniform"}), ("logistic-regression", {})], candidates=3)
    assert [candidate.name for candidate in found] == ["dummy", "logistic-regression", "logistic-regression"]
    assert found[0].parameters == {"strategy": "uniform"}
    assert [candidate.name for candidate in searched([("dummy", {})])] == ["dummy"]


def test_names_parameters_and_values_are_checked() -> None:
    assert refused("PEN005", [("rigde", {})], problem="regression").remedy == "did you mean 'ridge'?"
    assert refused("PEN009", [("ridge", {})]).where == "models: ridge"
    assert refused("PEN009", [("pca", {})]).what == "'pca' is an extractor, which cannot stand here"
    assert refused("PEN006", [("ridge", {"alhpa": 1})], problem="regression").where == "models: ridge: alhpa"
    refused("PEN006", [("random-forest", {"class_weight": "balanced"})], problem="regression")
    refused("PEN017", [("ridge", {"alpha": [1.0, -1.0]})], problem="regression")


def test_a_batch_must_be_told_before_the_next_is_asked_for() -> None:
    search = make_search([("mlp", {})], problem="regression", strategy="random", candidates=9, batch=4, seed=0)
    search.ask()
    with pytest.raises(RuntimeError, match="4 candidate"):
        search.ask()


def test_a_candidate_survives_json() -> None:
    for candidate in searched([("mlp", {}), ("logistic-regression", {})]):
        assert Candidate.model_validate_json(candidate.model_dump_json()) == candidate


def test_a_kernel_that_is_given_has_no_width_to_search() -> None:
    for kernel, names in (("precomputed", {"kernel", "C"}), ("rbf", {"kernel", "C", "gamma"})):
        found = [one for one in searched([("svm", {"kernel": kernel})]) if one.name == "svm"]
        assert {name for one in found for name in one.parameters} == names
        assert len({str(one.parameters) for one in found}) == len(found)
