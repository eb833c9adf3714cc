"""What the courses teach about splits, with their numbers."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.datasets import make_classification
from sklearn.dummy import DummyRegressor
from sklearn.linear_model import LinearRegression, LogisticRegression, Ridge
from sklearn.model_selection import GridSearchCV, KFold, ShuffleSplit
from sklearn.tree import DecisionTreeClassifier

from penstock.components import splitting
from penstock.components.evaluation.selection import pool
from penstock.evidence.folds import Fold

pytestmark = pytest.mark.slow

Array = np.ndarray[Any, Any]


def cut(n_rows: int, recipe: str = "cross-validation-and-test", **changes: Any) -> list[Fold]:
    options: dict[str, Any] = {
        "folds": 5, "validation": 0.25, "stratify": False, "seed": 0, "classes": None, "groups": None,
    }  # fmt: skip
    return splitting.folds(n_rows, recipe=recipe, **(options | changes))  # type: ignore[arg-type]


def squared_error(model: Any, X: Array, y: Array, parts: list[Fold]) -> float:
    """Mean over all held-out rows."""
    errors = [(model.fit(X[train], y[train]).predict(X[valid]) - y[valid]) ** 2 for train, valid in parts]
    return float(np.concatenate(errors).mean())


@pytest.mark.covers("proc_recipe1_tr_val_te", "proc_holdout_refit", "cl_refit_on_train_plus_validation")
def test_refitting_on_training_and_validation_rows_makes_the_winner_better() -> None:
    X, y = make_classification(6000, 20, n_informative=6, class_sep=0.7, random_state=2)
    gains = []
    for draw in range(40):
        rows = np.random.default_rng(draw).permutation(6000)
        learning, test = rows[:120], rows[1000:]
        ((train, valid),) = cut(120, "train-validation-test", validation=0.5, seed=draw)
        assert (len(train), len(valid)) == (60, 60)
        assert not set(learning) & set(test)
        models = [LogisticRegression(C=C, solver="newton-cholesky") for C in (0.001, 0.01, 0.1, 1, 10)]
        before = [model.fit(X[learning[train]], y[learning[train]]) for model in models]
        best = int(np.argmax([model.score(X[learning[valid]], y[learning[valid]]) for model in before]))
        pre_refit = before[best].score(X[test], y[test])
        gains.append(models[best].fit(X[learning], y[learning]).score(X[test], y[test]) - pre_refit)
    assert np.mean(gains) > 0.01
    assert np.sum(np.array(gains) > 0) >= 30


@pytest.mark.covers("proc_recipe1_tr_val_te")
@pytest.mark.parametrize(("test", "validation", "sizes"), [(0.2, 0.25, (60, 20)), (0.05, 5 / 95, (90, 5))])
def test_sixty_twenty_twenty_and_ninety_five_five(test: float, validation: float, sizes: tuple[int, int]) -> None:
    learning = round(1000 * (1 - test))
    ((train, valid),) = cut(learning, "train-validation-test", validation=validation)
    assert (round(len(train) / 10), round(len(valid) / 10)) == sizes
    assert not set(train) & set(valid)


@pytest.mark.covers("ex_split_fractions")
def test_sizes_of_the_parts_of_a_thousand_rows() -> None:
    for test, validation, sizes in ((200, 0.25, [600, 200]), (50, 5 / 95, [900, 50])):
        ((train, valid),) = cut(1000 - test, "train-validation-test", validation=validation)
        assert [len(train), len(valid)] == sizes
    for learning, test in ((500, 500), (800, 200)):
        assert learning + test == 1000
        assert sum(len(part.valid) for part in cut(learning, "cross-validation-and-test", folds=5)) == learning
    inner = [len(cut(800, "resampling-and-test", folds=2, validation=share)[0].train) for share in (0.5, 0.2)]
    assert inner == [400, 640]


@pytest.mark.covers("proc_recipe2_cv_test")
def test_folds_find_what_a_grid_search_finds() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 10))
    y = X[:, 0] + rng.normal(size=80)
    alphas = [0.1, 1.0, 10.0, 100.0]
    peer = GridSearchCV(
        Ridge(), {"alpha": alphas}, cv=KFold(5, shuffle=True, random_state=0), scoring="neg_mean_squared_error"
    ).fit(X, y)
    parts = cut(80)
    means = [np.mean([squared_error(Ridge(alpha=alpha), X, y, [part]) for part in parts]) for alpha in alphas]
    np.testing.assert_allclose(means, -peer.cv_results_["mean_test_score"], rtol=1e-12)
    winner = Ridge(alpha=alphas[int(np.argmin(means))]).fit(X, y)
    np.testing.assert_allclose(winner.coef_, peer.best_estimator_.coef_, rtol=1e-12)


@pytest.mark.covers("proc_recipe2_cv_test", "ex_cv_fold_error")
def test_the_error_of_a_fold_is_that_of_the_rows_it_holds_out() -> None:
    y = np.array([1.0, 2.0, 3.0, 4.0])
    X = np.zeros((4, 1))
    parts = next(
        parts for parts in (cut(4, folds=2, seed=seed) for seed in range(50))
        if {tuple(part.valid) for part in parts} == {(0, 1), (2, 3)}
    )  # fmt: skip
    held_out, training = [], []
    for train, valid in parts:
        mean = DummyRegressor().fit(X[train], y[train]).predict(X[:1])[0]
        held_out.append(float(((y[valid] - mean) ** 2).sum()))
        training.append(float(((y[train] - mean) ** 2).sum()))
    np.testing.assert_allclose(held_out, [8.5, 8.5], atol=1e-9)
    np.testing.assert_allclose(training, [0.5, 0.5], atol=1e-9)
    assert squared_error(DummyRegressor(), X, y, parts) == pytest.approx(4.25, abs=1e-9)


@pytest.mark.covers("proc_recipe3_resampling_test")
def test_resampling_finds_what_a_search_over_shuffled_splits_finds() -> None:
    rng = np.random.default_rng(1)
    ids = np.array([f"r{number}" for number in range(150)], dtype=object)
    test = splitting.test_rows(ids, share=0.2, seed=0, classes=None, groups=None).mask
    X = rng.normal(size=(150, 8))
    y = X[:, 0] + rng.normal(size=150)
    inside, target = X[~test], y[~test]
    parts = cut(len(inside), "resampling-and-test", folds=6, validation=0.2)
    peer = GridSearchCV(
        Ridge(), {"alpha": [0.1, 10.0, 1000.0]}, cv=ShuffleSplit(6, test_size=0.2, random_state=0),
        scoring="neg_mean_squared_error",
    ).fit(inside, target)  # fmt: skip
    means = [
        np.mean([squared_error(Ridge(alpha=alpha), inside, target, [part]) for part in parts])
        for alpha in (0.1, 10.0, 1000.0)
    ]
    np.testing.assert_allclose(means, -peer.cv_results_["mean_test_score"], rtol=1e-12)
    assert any(set(one.valid) & set(other.valid) for one in parts for other in parts if one is not other)
    learning_ids = ids[~test]
    assert all(not set(learning_ids[part.valid]) & set(ids[test]) for part in parts)


@pytest.mark.covers("proc_choice_of_k_folds", "cl_cv_folds_bias")
def test_more_folds_are_less_biased() -> None:
    bias: dict[int, list[float]] = {2: [], 5: [], 10: [], 30: []}
    for seed in range(40):
        rng = np.random.default_rng(seed)
        truth = rng.normal(size=10)
        X = rng.normal(size=(30, 10))
        y = X @ truth + rng.normal(size=30)
        fitted = LinearRegression(fit_intercept=False).fit(X, y)
        true_error = 1 + ((fitted.coef_ - truth) ** 2).sum()
        for folds, found in bias.items():
            parts = cut(30, folds=folds, seed=seed)
            found.append(squared_error(LinearRegression(fit_intercept=False), X, y, parts) - true_error)
    means = {folds: float(np.mean(found)) for folds, found in bias.items()}
    assert means[2] > means[5] > means[10]
    assert abs(means[30]) < 0.2


@pytest.mark.covers("proc_leave_one_out", "proc_choice_of_k_folds")
def test_leaving_one_out_is_as_many_folds_as_rows_and_has_a_shortcut() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 4))
    y = X @ [1.0, -1.0, 0.5, 0.0] + rng.normal(size=40)
    parts = cut(40, "leave-one-out")
    assert len(parts) == 40
    assert all(len(part.valid) == 1 and len(part.train) == 39 for part in parts)
    error = squared_error(LinearRegression(), X, y, parts)
    assert error == pytest.approx(squared_error(LinearRegression(), X, y, cut(40, folds=40)), abs=1e-12)
    design = np.column_stack([np.ones(40), X])
    hat = design @ np.linalg.inv(design.T @ design) @ design.T
    residuals = y - hat @ y
    assert error == pytest.approx(np.mean((residuals / (1 - np.diag(hat))) ** 2), rel=1e-10)


@pytest.mark.covers("proc_oob_validation", "ex_bootstrap_inbag_fraction")
@pytest.mark.parametrize(
    ("rows", "in_bag"), [(10, 0.6513215599), (100, 0.633967658727), (1000, 0.632304575229)], ids=["10", "100", "1000"]
)
def test_so_many_rows_are_drawn_at_least_once(rows: int, in_bag: float) -> None:
    assert 1 - (1 - 1 / rows) ** rows == pytest.approx(in_bag, abs=1e-9)
    assert 1 - np.exp(-1) == pytest.approx(0.632120558829, abs=1e-9)
    shares = [len(np.unique(part.train)) / rows for part in cut(rows, "out-of-bag", folds=400)]
    left_out_never = (1 / rows) ** rows * np.prod(np.arange(1.0, 11)) if rows == 10 else 0.0  # draws that drew all rows
    assert np.mean(shares) == pytest.approx(in_bag, abs=4 * np.std(shares) / np.sqrt(400) + left_out_never)


@pytest.mark.covers("proc_oob_validation", "cl_oob_estimates_test_error")
def test_out_of_bag_error_is_that_of_new_rows() -> None:
    """The 200 trees of a forest, each fitted on what this recipe draws and asked about what it leaves out."""
    X, y = make_classification(3000, 20, n_informative=6, flip_y=0.0, random_state=0)
    flipped = np.random.default_rng(0).random(3000) < 0.05
    y = np.where(flipped, 1 - y, y)
    X, y, X_test, y_test = X[:600], y[:600], X[600:], y[600:]
    parts = cut(600, "out-of-bag", folds=200)
    out_of_bag, on_test, in_sample = [], np.zeros((2400, 2)), np.zeros((600, 2))
    for number, (train, valid) in enumerate(parts):
        tree = DecisionTreeClassifier(max_features="sqrt", random_state=number).fit(X[train], y[train])
        out_of_bag.append(tree.predict_proba(X[valid]))
        on_test += tree.predict_proba(X_test)
        in_sample += tree.predict_proba(X)
    rows, (averaged,) = pool([part.valid for part in parts], [out_of_bag], "averages")
    assert rows.tolist() == list(range(600))
    oob, test, training = (
        float((votes.argmax(axis=1) != truth).mean())
        for votes, truth in ((averaged, y), (on_test, y_test), (in_sample, y))
    )
    assert abs(oob - test) < 0.04
    assert training < 0.01
