"""What kind of model each method is said to be."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest

from penstock.components.cards import AS_MEMBERS, Card
from penstock.components.catalog import (
    build,
    card_of,
    check_parameters,
    entries,
    fingerprint,
    listing,
    settings,
)
from penstock.errors import UsageError
from penstock.problems import find as find_problem
from tests.methods import problems_of

MODELS = sorted(
    {
        entry.name
        for entry in entries().values()
        for problem in problems_of(entry)
        if entry.kind in (*find_problem(problem).model_kinds, "predictor")
    }
)
FIELDS = {"supervision", *(field.name for field in fields(Card))}
# No parameter makes these bend more.
RIGID = {"linear-regression", "bayesian-ridge", "total-least-squares"}


@pytest.mark.covers("proc_model_taxonomy")
@pytest.mark.parametrize("name", MODELS)
def test_every_model_has_all_fields(name: str) -> None:
    card = card_of(name)
    assert set(card) == FIELDS
    assert all(card[field] for field in FIELDS - {"capacity"})
    assert bool(card["capacity"]) == (name not in RIGID)
    allowed = {parameter for problem in problems_of(entries()[name]) for parameter in settings(name, {}, problem)}
    assert set(card["capacity"]) <= allowed
    assert next(one["card"] for one in listing() if one["name"] == name) == card


@pytest.mark.covers("proc_model_taxonomy")
@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("gaussian-naive-bayes", ("supervised", "parametric", "generative", "probabilistic", "non-linear")),
        ("linear-discriminant-analysis", ("supervised", "parametric", "generative", "probabilistic", "linear")),
        ("logistic-regression", ("supervised", "parametric", "discriminative", "probabilistic", "linear")),
        ("k-nearest-neighbours", ("supervised", "non-parametric", "discriminative", "deterministic", "non-linear")),
        ("linear-svm", ("supervised", "parametric", "discriminative", "deterministic", "linear")),
        ("ridge", ("supervised", "parametric", "discriminative", "deterministic", "linear")),
        ("random-forest", ("supervised", "non-parametric", "discriminative", "deterministic", "non-linear")),
        ("gaussian-mixture", ("unsupervised", "parametric", "generative", "probabilistic", "non-linear")),
        ("dbscan", ("unsupervised", "non-parametric", "neither", "deterministic", "non-linear")),
        ("kernel-density", ("unsupervised", "non-parametric", "generative", "probabilistic", "non-linear")),
        ("pca", ("unsupervised", "parametric", "neither", "deterministic", "linear")),
    ],
)
def test_the_cards_say_what_books_say(name: str, said: tuple[str, ...]) -> None:
    card = card_of(name)
    assert tuple(card[field] for field in ("supervision", "form", "view", "output", "shape")) == said


def test_an_ensemble_that_the_search_puts_together_is_what_its_members_are() -> None:
    assert card_of("average-ensemble") == AS_MEMBERS.facts(supervised=True)


def test_a_step_has_no_card() -> None:
    assert card_of("standard") == {}


def test_words_on_a_model_invalidate_no_fit() -> None:
    entry = entries()["ridge"]
    assert fingerprint(replace(entry, card=None), "regression") == fingerprint(entry, "regression")


EXPOSED = {
    "k-nearest-neighbours": {"n_neighbors", "metric", "alpha"},
    "multinomial-naive-bayes": {"alpha"},
    "logistic-regression": {"C", "penalty"},
    "delta-rule": {"eta"},
    "svm": {"C", "kernel", "gamma"},
    "truncated-svd": {"components"},
    "k-means": {"clusters"},
    "dbscan": {"eps", "min_samples"},
    "random-forest": {"n_estimators", "min_samples_leaf", "max_features"},
    "mlp": {
        "depth",
        "width",
        "activation",
        "batch_size",
        "initialisation",
        "weight_decay",
        "patience",
        "learning_rate",
    },
}


@pytest.mark.covers("proc_hyperparameter_registry")
@pytest.mark.parametrize("name", MODELS)
def test_a_model_has_exactly_its_listed_parameters(name: str) -> None:
    entry = entries()[name]
    assert EXPOSED.get(name, set()) <= set(settings(name, {}, problems_of(entry)[0]))
    for problem in problems_of(entry):
        told = settings(name, {}, problem)
        built = build(name, {}, seed=0, problem=problem).get_params(deep=False)
        of_library = {entry.rename.get(one, one): value for one, value in told.items() if one not in entry.means}
        kept_back = {"random_state", "n_jobs", "scoring", "add_indicator", "column_names", "class_names", "level_names"}
        assert set(of_library) == set(built) - kept_back - set(entry.means)
        assert {one: repr(value) for one, value in of_library.items()} == {one: repr(built[one]) for one in of_library}
        with pytest.raises(UsageError, match="has no parameter"):
            check_parameters(entry, {"nobody_has_this": 1}, problem=problem)


def test_what_was_given_is_told_by_our_names() -> None:
    assert settings("k-means", {"clusters": 5}, "clustering")["clusters"] == 5
    assert "n_clusters" not in settings("k-means", {}, "clustering")
    told = settings("logistic-regression", {"penalty": "l1", "C": 2.0}, "classification")
    assert (told["penalty"], told["C"], told["l1_ratio"], told["solver"]) == ("l1", 2.0, 1.0, "saga")
