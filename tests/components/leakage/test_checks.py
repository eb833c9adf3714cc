"""The certificate as a whole, what rows meet by chance, and the winner with shuffled labels."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.feature_selection import SelectKBest, f_classif
from sklearn.linear_model import LogisticRegression
from sklearn.model_selection import StratifiedKFold, cross_val_score
from sklearn.pipeline import make_pipeline
from threadpoolctl import threadpool_limits

from penstock.components.leakage.registry import certify, with_winner
from penstock.components.leakage.shuffled_labels import with_shuffled_labels
from tests.components.leakage.conftest import Certify, clean_rows, sides_of

CLASSES: dict[str, Any] = {"problem": "classification", "target": "left", "key": "key"}


def test_no_check_can_see_the_target_of_the_test_rows() -> None:
    sides = sides_of(clean_rows(), **CLASSES)
    assert "left" in sides.train
    assert "left" not in sides.test


def test_every_answer_has_the_same_shape() -> None:
    certificate = certify(sides_of(clean_rows().drop(columns="amount").assign(outcome=1.5), **CLASSES))
    shape = {"code", "title", "outcome", "severity", "message", "columns", "count", "examples", "numbers", "remedy"}
    assert all(set(run) == shape for run in certificate["checks"])
    for run in certificate["checks"]:
        found = run["outcome"] == "found"
        assert (run["severity"] is not None, bool(run["remedy"])) == (found, found)
        assert len(run["examples"]) <= 5
    assert certificate["found"] == ["LEK009"]
    assert "1 found something: LEK009 (columns that come after the event, by name)" in certificate["summary"]


@pytest.mark.parametrize(
    ("name", "outcome"), [("housing_median_age", "passed"), ("scaled_median_house_value", "found")]
)
def test_only_the_whole_name_of_the_target_is_its_name(name: str, outcome: str, certificate: Certify) -> None:
    raw = clean_rows().rename(columns={"amount": "median_house_value"}).drop(columns="left").assign(**{name: 1.5})
    raw[name] += np.random.default_rng(0).random(len(raw))
    run = certificate(raw, problem="regression", target="median_house_value", key="key")["LEK009"]
    assert (run["outcome"], run["columns"]) == (outcome, [name] if outcome == "found" else [])


@pytest.mark.parametrize("strong", [True, False])
def test_how_long_it_took_is_asked_about_where_it_tells_more_than_all_else(strong: bool, certificate: Certify) -> None:
    """As the length of a call does of its success; that of a loan is one column among others."""
    rng = np.random.default_rng(0)
    raw = clean_rows()
    raw["duration"] = rng.exponential(size=len(raw)) + (3.0 if strong else 0.2) * (raw["left"] == "gone")
    run = certificate(raw, **CLASSES)["LEK009"]
    assert run["outcome"] == ("found" if strong else "passed")
    if strong:
        assert run["columns"] == ["duration"]
        assert "tells far more than any other column (ROC AUC 0.9" in run["message"]


def test_rows_of_few_values_meet_by_chance(certificate: Certify) -> None:
    rng = np.random.default_rng(0)
    raw = pd.DataFrame(rng.choice(list("abc"), size=(800, 5)), columns=list("vwxyz"))
    raw["left"] = rng.choice(["gone", "here"], 800)
    run = certificate(raw, problem="classification", target="left")["LEK002"]
    assert run["outcome"] == "passed"
    assert "by chance" in run["message"]


def test_copies_are_seen_among_rows_that_meet_by_chance(certificate: Certify) -> None:
    rng = np.random.default_rng(0)
    raw = pd.DataFrame(rng.integers(0, 12, size=(800, 6)).astype(float), columns=list("uvwxyz")) * 1.5
    raw["left"] = rng.choice(["gone", "here"], 800)
    options = {"problem": "classification", "target": "left"}
    assert certificate(raw, **options)["LEK002"]["outcome"] == "passed"
    doubled = pd.concat([raw, raw.sample(80, random_state=0)], ignore_index=True)
    assert certificate(doubled, **options)["LEK002"]["outcome"] == "found"


def texts(number: int, seed: int) -> list[str]:
    words = np.array(["call", "me", "back", "when", "you", "have", "time", "and", "bring", "what", "we", "left"])
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(words, 12)) for _ in range(number)]


@pytest.mark.parametrize("more", [{}, {"loud": [True, False] * 400}])
def test_copies_of_texts_are_seen_where_there_is_hardly_another_column(
    more: dict[str, Any], certificate: Certify
) -> None:
    raw = pd.DataFrame({"words": texts(800, 0), "left": ["gone", "here"] * 400} | more)
    options: dict[str, Any] = {"problem": "classification", "target": "left", "roles": {"words": "text"}}
    assert certificate(raw, **options)["LEK002"]["outcome"] == "passed"
    doubled = pd.concat([raw, raw.sample(80, random_state=0)], ignore_index=True)
    run = certificate(doubled, **options)["LEK002"]
    assert (run["outcome"], run["severity"]) == ("found", "error")
    assert 0 < run["count"] < 80


def test_copies_cannot_be_told_in_a_single_column_of_numbers(certificate: Certify) -> None:
    raw = pd.DataFrame({"age": np.arange(800.0) % 61, "left": ["gone", "here"] * 400})
    run = certificate(raw, problem="classification", target="left")["LEK002"]
    assert run["outcome"] == "not applicable"
    assert "(100.0%) equal a training row" in run["message"]


def test_a_clustering_waits_for_no_winner(certificate: Certify) -> None:
    raw = clean_rows().drop(columns=["left", "amount"])
    run = certificate(raw, problem="clustering", key="key")["LEK014"]
    assert run["message"] == "nothing is predicted, so there are no labels to shuffle"


def test_values_that_swap_columns_are_not_equal(certificate: Certify) -> None:
    raw = clean_rows().drop(columns=["amount", "plan", "member", "tenure", "speed"])
    swapped = raw.rename(columns={"income": "age", "age": "income"}).assign(key=lambda rows: "s" + rows["key"])
    assert certificate(pd.concat([raw, swapped], ignore_index=True), **CLASSES)["LEK002"]["outcome"] == "passed"


def noise() -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    rng = np.random.default_rng(0)
    return rng.normal(size=(60, 2000)), rng.permutation(np.repeat([0, 1], 30))


def selected(X: Any, y: Any, *, inside: bool) -> float:
    """Accuracy over five folds of a selection among noise: inside each fold, or once on all rows."""
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    if not inside:
        X = SelectKBest(f_classif, k=20).fit_transform(X, y)
    steps = [SelectKBest(f_classif, k=20)] if inside else []
    with threadpool_limits(1):  # on rows this few, threads cost more than they bring
        return float(cross_val_score(make_pipeline(*steps, LogisticRegression()), X, y, cv=folds).mean())


@pytest.mark.covers("cl_feature_selection_leak", "proc_test_isolation")
def test_a_selection_on_all_rows_scores_where_there_is_nothing_to_learn() -> None:
    X, y = noise()
    assert selected(X, y, inside=False) > 0.9
    assert selected(X, y, inside=True) < 0.65


@pytest.mark.slow
def test_shuffled_labels_tell_a_leak_in_the_pipeline() -> None:
    X, y = noise()
    X = X[:, :700]
    options: dict[str, Any] = {"chance_level": 0.5, "label": "accuracy", "seed": 0}
    leak = with_shuffled_labels(lambda shuffled: selected(X, shuffled, inside=False), y, **options)
    honest = with_shuffled_labels(lambda shuffled: selected(X, shuffled, inside=True), y, **options)
    assert (leak.outcome, honest.outcome) == ("found", "passed")
    assert leak.numbers["low"] > 0.7
    assert honest.numbers["low"] < 0.5 < honest.numbers["high"]
    assert "chance is 0.5" in honest.message
    certificate = certify(sides_of(clean_rows().drop(columns="amount"), **CLASSES))
    assert certificate["checks"][-1]["outcome"] == "not applicable"
    assert with_winner(certificate, leak)["found"] == ["LEK014"]
    assert with_winner(certificate, honest)["passed"] == certificate["passed"] + 1


def test_a_model_that_fits_noise_scores_below_chance_and_leaks_nothing() -> None:
    scores = iter([-0.4, -0.3, -0.5, -0.2, -0.4, -0.3])
    seen = with_shuffled_labels(lambda _: next(scores), np.arange(9.0), chance_level=0.0, label="R²", seed=0)
    assert seen.outcome == "passed"


@pytest.mark.parametrize("kind", ["zeros", "clusters", "steps"])
def test_rows_that_lie_close_by_nature_are_no_copies(kind: str, certificate: Certify) -> None:
    """Where a row's other values are common ones, or its cluster is dense, neighbours are close by nature."""
    rng = np.random.default_rng(0)
    values = rng.exponential(size=(900, 4))
    if kind == "zeros":
        values *= rng.random((900, 4)) < 0.3
    elif kind == "clusters":
        which = rng.integers(0, 12, 900)
        values = rng.normal(size=(12, 4))[which] * 10 + values * np.exp(rng.normal(size=12) * 2)[which, None]
    else:
        values = values.round(1)
    raw = pd.DataFrame(values, columns=["a", "b", "c", "d"]).assign(left=rng.choice(["gone", "here"], 900))
    run = certificate(raw, problem="classification", target="left")["LEK003"]
    assert run["outcome"] != "found", run
