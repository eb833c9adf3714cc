from __future__ import annotations

import math
from functools import partial
from typing import Any

import numpy as np
import pytest
from scipy.special import softmax
from sklearn import metrics as sk
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.metrics import get_scorer, get_scorer_names

from penstock.components.catalog import build
from penstock.components.evaluation.confusion_matrix import quality
from penstock.components.evaluation.metrics import METRICS, decided, default_metric, metric, response_of, shown
from penstock.errors import UsageError


class SaysWhatItIsGiven(ClassifierMixin, BaseEstimator):
    """A fitted classifier whose features are its probabilities."""

    def __init__(self, n_classes: int = 2) -> None:
        self.n_classes = n_classes

    @property
    def classes_(self) -> np.ndarray[Any, Any]:
        return np.arange(self.n_classes)

    def fit(self, X: Any, y: Any) -> SaysWhatItIsGiven:
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict_proba(self, X: Any) -> Any:
        return X

    def predict(self, X: Any) -> Any:
        return X.argmax(axis=1)


class SaysItsFirstFeature(RegressorMixin, BaseEstimator):
    def fit(self, X: Any, y: Any) -> SaysItsFirstFeature:
        return self

    def __sklearn_is_fitted__(self) -> bool:
        return True

    def predict(self, X: Any) -> Any:
        return X[:, 0]


def two(p: Any) -> np.ndarray[Any, Any]:
    p = np.asarray(p, dtype=float)
    return np.column_stack([1 - p, p])


NOT_SCORERS = {
    *("f_beta", "specificity", "cohen_kappa", "neg_cost"),
    *("neg_mean_pinball_loss", "neg_epsilon_insensitive_loss", "neg_hinge_loss"),
}
WITHOUT_WEIGHTS = {"roc_auc_ovo", "neg_max_error"}  # in scikit-learn


@pytest.mark.parametrize("weighted", [False, True])
@pytest.mark.parametrize("name", [name for name in METRICS if name not in NOT_SCORERS])
def test_a_metric_is_the_scorer_of_its_name(name: str, weighted: bool) -> None:
    assert name in get_scorer_names()
    if weighted and name in WITHOUT_WEIGHTS:
        return
    rng = np.random.default_rng(3)
    weight = rng.integers(0, 4, size=200).astype(float) if weighted else None
    judge = METRICS[name]
    if judge.target == "quantity":
        y, model = rng.normal(size=200), SaysItsFirstFeature()
        prediction = y + rng.normal(size=200)
        X = prediction[:, None]
    else:
        n_classes = 2 if judge.classes == "two" else 4
        y, model = rng.integers(0, n_classes, size=200), SaysWhatItIsGiven(n_classes)
        X = prediction = rng.dirichlet(np.ones(n_classes), size=200)
    given = {} if weight is None else {"sample_weight": weight}
    expected = get_scorer(name)(model, X, y, **given)
    assert judge.function(y, prediction, weight) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize(
    ("name", "function"),
    [
        ("f_beta:0.5", partial(sk.fbeta_score, beta=0.5)),
        ("f_beta", partial(sk.fbeta_score, beta=2)),
        ("specificity", partial(sk.recall_score, pos_label=0)),
        ("cohen_kappa", sk.cohen_kappa_score),
    ],
    ids=["f_beta:0.5", "f_beta", "specificity", "cohen_kappa"],
)
def test_a_metric_without_a_scorer_is_the_function(name: str, function: Any) -> None:
    rng = np.random.default_rng(1)
    y, p = rng.integers(0, 2, 100), rng.random(100)
    assert metric(name, 2).function(y, two(p)) == pytest.approx(function(y, p > 0.5), rel=1e-12)


@pytest.mark.covers(
    "met_zero_one", "met_recall", "met_specificity", "met_precision", "met_f_beta", "met_confusion_matrix",
    "met_type_errors", "proc_classifier_quality", "ex_binary_confusion_metrics",
)  # fmt: skip
def test_confusion_by_hand() -> None:
    """TP 6, FP 2, FN 3, TN 9."""
    y = np.array([1] * 6 + [0] * 2 + [1] * 3 + [0] * 9)
    prediction = two([0.9] * 8 + [0.1] * 12)
    expected = {
        "accuracy": 0.75,
        "recall": 0.666666666667,
        "specificity": 0.818181818182,
        "precision": 0.75,
        "f1": 0.705882352941,
        "f_beta:0.5": 0.731707317073,
        "f_beta:2": 0.681818181818,
        "balanced_accuracy": (6 / 9 + 9 / 11) / 2,
    }
    scores = {name: metric(name, 2).function(y, prediction) for name in expected}
    assert scores == pytest.approx(expected, abs=1e-9)
    assert 1 - scores["accuracy"] == pytest.approx(5 / 20)  # the 0-1 loss
    signs, answers = 2 * y - 1, np.sign(prediction[:, 1] - 0.5)
    assert np.mean((1 - signs * answers) / 2) == pytest.approx(1 - scores["accuracy"])  # the same by margins
    assert scores["f_beta:0.5"] > scores["f1"] > scores["f_beta:2"]  # precision is above recall, and counts more
    found = quality(y, decided(prediction), ["no", "yes"])
    assert found["orientation"] == "true classes in rows, answers in columns"
    matrix = np.array(found["matrix"])
    assert matrix.T[::-1, ::-1].tolist() == [[6, 2], [3, 9]]  # answers in rows, positive first
    false_alarms, misses = matrix[0, 1], matrix[1, 0]
    assert (false_alarms, misses) == (2, 3)  # errors of type I and II
    assert found["classes"][1] == {"class": "yes", "precision": 0.75, "recall": 6 / 9, "f1": 12 / 17, "rows": 9}


@pytest.mark.covers("met_macro_micro", "met_confusion_matrix", "proc_multiclass_quality", "ex_multiclass_confusion")
def test_three_classes_by_hand() -> None:
    """The second time with a tenth row, B answered as B."""
    true, answered = "AAAACCCBB", "ABABCCCAB"
    for extra, expected in {
        "": {
            "matrix": [[2, 2, 0], [1, 1, 0], [0, 0, 3]],
            "precision": [0.666666666667, 0.333333333333, 1.0],
            "recall": [0.5, 0.5, 1.0],
            "macro_precision": 0.666666666667,
            "macro_recall": 0.666666666667,
            "micro": 0.666666666667,
        },
        "B": {
            "matrix": [[2, 2, 0], [1, 2, 0], [0, 0, 3]],
            "precision": [0.666666666667, 0.5, 1.0],
            "recall": [0.5, 0.666666666667, 1.0],
            "macro_precision": 0.722222222222,
            "macro_recall": 0.722222222222,
            "micro": 0.7,
        },
    }.items():
        y, answers = (np.array(["ABC".index(letter) for letter in word + extra]) for word in (true, answered))
        found = quality(y, answers, list("ABC"))
        assert found["matrix"] == expected["matrix"]
        assert [one["precision"] for one in found["classes"]] == pytest.approx(expected["precision"], abs=1e-9)
        assert [one["recall"] for one in found["classes"]] == pytest.approx(expected["recall"], abs=1e-9)
        prediction = np.eye(3)[answers]
        for name, value in {
            "precision_macro": expected["macro_precision"],
            "recall_macro": expected["macro_recall"],
            "precision_micro": expected["micro"],
            "recall_micro": expected["micro"],
            "f1_micro": expected["micro"],
        }.items():
            assert METRICS[name].function(y, prediction) == pytest.approx(value, abs=1e-9)
            kind, average = name.split("_")
            assert found[average][kind] == pytest.approx(value, abs=1e-9)


@pytest.mark.covers("met_ppv")
def test_precision_under_weights_is_the_positive_predictive_value() -> None:
    """A test that is right in 95 of 100 cases, of an illness that one in a hundred has."""
    y, positive = np.array([1, 1, 0, 0]), two([1.0, 0.0, 1.0, 0.0])
    weight = np.array([0.95 * 0.01, 0.05 * 0.01, 0.05 * 0.99, 0.95 * 0.99])
    values = {name: METRICS[name].function(y, positive, weight) for name in ("recall", "specificity", "precision")}
    assert 1 - values["recall"] == pytest.approx(0.05, abs=1e-9)
    assert 1 - values["specificity"] == pytest.approx(0.05, abs=1e-9)
    assert weight[y == 0].sum() == pytest.approx(0.99, abs=1e-9)
    assert values["precision"] == pytest.approx(0.161016949153, abs=1e-9)
    misprinted = np.array([0.95 * 0.01, 0.05 * 0.01, 0.05 * 0.9, 0.95 * 0.9])
    assert METRICS["precision"].function(y, positive, misprinted) == pytest.approx(0.174311926606, abs=1e-9)


@pytest.mark.covers("met_top_k_accuracy", "proc_multiclass_quality")
def test_top_k_accuracy_goes_from_accuracy_to_one() -> None:
    rng = np.random.default_rng(0)
    y, prediction = rng.integers(0, 5, 300), rng.dirichlet(np.ones(5), size=300)
    scores = [metric(f"top_k_accuracy:{k}", 5).function(y, prediction) for k in range(1, 6)]
    assert scores[0] == METRICS["accuracy"].function(y, prediction)
    assert scores == sorted(scores)
    assert scores[2] == sk.top_k_accuracy_score(y, prediction, k=3)
    assert scores[-1] == 1


@pytest.mark.covers("met_cross_entropy")
def test_log_loss_of_many_classes_is_the_cross_entropy() -> None:
    rng = np.random.default_rng(0)
    y, prediction = rng.integers(0, 4, 50), softmax(rng.normal(size=(50, 4)), axis=1)
    one_hot = -np.mean(np.sum(np.eye(4)[y] * np.log(prediction), axis=1))
    assert -METRICS["neg_log_loss"].function(y, prediction) == pytest.approx(one_hot, rel=1e-12)


def test_the_hinge_loss_is_that_of_scikit_learn() -> None:
    rng = np.random.default_rng(1)
    y, p, weight = rng.integers(0, 2, 100), rng.random(100), rng.random(100)
    z = np.log(p / (1 - p))
    for given in (None, weight):
        expected = -sk.hinge_loss(y, z, sample_weight=given)
        assert METRICS["neg_hinge_loss"].function(y, two(p), given) == pytest.approx(expected, rel=1e-12)


@pytest.mark.covers("met_hinge", "met_logistic_loss_margin", "ex_losses_far_correct", "ex_logistic_upper_bound")
@pytest.mark.parametrize(
    ("margin", "hinge", "logistic", "zero_one"),
    [(10.0, 0.0, 4.53988992169e-05, 0.0), (-0.01, 1.01, 0.698159680508, 1.0)],
    ids=["far and right", "just wrong"],
)
def test_losses_of_a_margin(margin: float, hinge: float, logistic: float, zero_one: float) -> None:
    """Log-odds of z, labels of -1 and 1: the log loss is ln(1 + exp(-y z)), above every 0-1 loss in base 2 alone."""
    for y in (0, 1):
        z = margin if y == 1 else -margin
        p = 1 / (1 + np.exp(-z))
        prediction, truth = np.array([[1 - p, p]]), np.array([y])
        assert -METRICS["neg_hinge_loss"].function(truth, prediction) == pytest.approx(hinge, abs=1e-9)
        loss = -METRICS["neg_log_loss"].function(truth, prediction)
        assert loss == pytest.approx(logistic, abs=1e-9)
        assert 1 - METRICS["accuracy"].function(truth, prediction) == zero_one
    if zero_one:
        assert loss < zero_one < hinge
        assert loss / np.log(2) == pytest.approx(1.00723150882, abs=1e-9)


@pytest.mark.covers("met_mse", "met_rss", "met_test_error", "proc_regression_quality")
def test_mse_by_hand() -> None:
    """The line through (0, 1), (1, 2), (2, 2), (3, 4)."""
    X, y = np.array([[0.0], [1], [2], [3]]), np.array([1.0, 2, 2, 4])
    line = build("linear-regression", {}, seed=0, problem="regression").fit(X, y)
    assert [line.intercept_, line.coef_[0]] == pytest.approx([0.9, 0.9], abs=1e-9)
    prediction = line.predict(X)
    mse = -METRICS["neg_mean_squared_error"].function(y, prediction)
    rss = len(y) * mse
    assert rss == pytest.approx(((y - prediction) ** 2).sum(), abs=1e-9)
    noise = rss / (len(y) - 2)
    assert noise == pytest.approx(0.35, abs=1e-9)
    design = np.column_stack([np.ones(4), X])
    covariance = noise * np.linalg.inv(design.T @ design)
    assert covariance.ravel() == pytest.approx([0.245, -0.105, -0.105, 0.07], abs=1e-9)
    assert design.T @ (y - prediction) == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.covers("met_test_error", "proc_regression_quality")
def test_a_test_error_holds_no_penalty() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3))
    y = X @ [1.0, 2.0, 3.0] + rng.normal(size=80)
    model = build("ridge", {"alpha": 5.0}, seed=0, problem="regression").fit(X[:40], y[:40])
    names = {
        "neg_mean_squared_error": sk.mean_squared_error,
        "neg_root_mean_squared_error": sk.root_mean_squared_error,
        "neg_mean_absolute_error": sk.mean_absolute_error,
    }
    errors = {name: -METRICS[name].function(y[40:], model.predict(X[40:])) for name in names}
    assert errors == pytest.approx({name: sk_error(y[40:], model.predict(X[40:])) for name, sk_error in names.items()})
    model.alpha = 500.0  # with the same weights
    assert errors == {name: -METRICS[name].function(y[40:], model.predict(X[40:])) for name in names}


@pytest.mark.covers("met_roc_auc")
def test_the_area_counts_pairs_in_the_right_order_and_ties_by_half() -> None:
    """A course counts pairs in the wrong order, and ties for nothing."""
    rng = np.random.default_rng(0)
    y, p = rng.integers(0, 2, 60), rng.integers(0, 8, 60) / 8
    above = p[y == 1][:, None] - p[y == 0][None, :]
    assert METRICS["roc_auc"].function(y, two(p)) == pytest.approx(np.mean((above > 0) + 0.5 * (above == 0)))


@pytest.mark.covers("met_sup_norm")
def test_the_largest_error_over_an_interval_falls_with_the_width_of_a_network() -> None:
    """A continuous function on a compact set; over all numbers, as a course has it, nothing of the kind holds."""
    rng = np.random.default_rng(0)
    at, weights = np.linspace(-1, 1, 401), rng.normal(size=(2, 64)) * [[6.0], [3.0]]
    truth = np.sin(5 * at) + np.abs(at)
    errors = []
    for width in (2, 8, 64):
        hidden = np.tanh(at[:, None] * weights[0, :width] + weights[1, :width])
        line = build("ridge", {"alpha": 1e-8}, seed=0, problem="regression").fit(hidden, truth)
        errors.append(-METRICS["neg_max_error"].function(truth, line.predict(hidden)))
    assert errors[0] > 2 * errors[1] > 4 * errors[2]
    assert errors[2] == pytest.approx(np.abs(truth - line.predict(hidden)).max())


@pytest.mark.covers("met_epsilon_insensitive")
def test_errors_inside_the_tube_cost_nothing() -> None:
    y, prediction = np.zeros(5), np.array([0.0, 0.3, -0.5, 1.5, -2.5])
    loss = metric("neg_epsilon_insensitive_loss:0.5", 0).function
    assert [-loss(y[[row]], prediction[[row]]) for row in range(5)] == [0, 0, 0, 1.0, 2.0]
    none = metric("neg_epsilon_insensitive_loss:0", 0).function
    assert none(y, prediction) == METRICS["neg_mean_absolute_error"].function(y, prediction)


@pytest.mark.covers("met_roc_auc", "met_average_precision")
def test_ranking_by_hand() -> None:
    relevant = np.array([1, 0, 1, 0, 0])
    prediction = two([0.9, 0.8, 0.7, 0.6, 0.5])
    assert METRICS["roc_auc"].function(relevant, prediction) == pytest.approx(0.833333333333, abs=1e-9)
    assert METRICS["average_precision"].function(relevant, prediction) == pytest.approx(0.833333333333, abs=1e-9)
    rng = np.random.default_rng(0)
    random = METRICS["roc_auc"].function(rng.integers(0, 2, 20_000), two(rng.random(20_000)))
    assert random == pytest.approx(0.5, abs=0.015)


@pytest.mark.covers("met_log_loss", "ex_bce_untrained")
def test_log_loss_by_hand() -> None:
    assert METRICS["neg_log_loss"].function(np.array([1]), two([0.2])) == pytest.approx(-1.60943791243, abs=1e-9)


@pytest.mark.covers("met_rmse")
def test_rmse_is_the_root_of_the_mean_square() -> None:
    y, prediction = np.array([1.0, 2.0, 2.0, 4.0]), np.array([0.9, 1.8, 2.7, 3.6])
    mean_square = (0.1**2 + 0.2**2 + 0.7**2 + 0.4**2) / 4
    assert METRICS["neg_root_mean_squared_error"].function(y, prediction) == pytest.approx(-math.sqrt(mean_square))


@pytest.mark.covers("met_mae", "ex_mae_curve")
def test_mae_by_hand() -> None:
    mae = METRICS["neg_mean_absolute_error"].function
    losses = [-mae(np.array([100.0]), np.array([guess])) for guess in (-10_000.0, 0.0, 100.0, 10_000.0)]
    assert losses == [10_100.0, 100.0, 0.0, 9_900.0]


@pytest.mark.covers("met_mae", "ex_robust_vs_least_squares")
def test_mae_is_least_for_the_robust_line_and_rmse_for_least_squares() -> None:
    x = np.linspace(0, 1, 21)
    y = np.append(2 * x[:-1], 50.0)
    slopes = np.linspace(0, 12, 121)
    mae, rmse = METRICS["neg_mean_absolute_error"].function, METRICS["neg_root_mean_squared_error"].function
    assert slopes[np.argmax([mae(y, slope * x) for slope in slopes])] == pytest.approx(2.0)
    assert slopes[np.argmax([rmse(y, slope * x) for slope in slopes])] == pytest.approx(8.7)
    least_squares = 8.68989547038
    assert all(rmse(y, least_squares * x) > rmse(y, (least_squares + step) * x) for step in (-1e-5, 1e-5))


@pytest.mark.covers("cl_accuracy_unbalanced", "proc_classifier_quality")
def test_accuracy_misleads_on_unbalanced_classes() -> None:
    y = np.array([1] * 50 + [0] * 950)
    prediction = two(np.zeros(1000))
    assert METRICS["accuracy"].function(y, prediction) == pytest.approx(0.95)
    assert (decided(prediction)[y == 1] == 1).mean() == 0.0
    assert METRICS["f1"].function(y, prediction) == 0.0
    assert METRICS["balanced_accuracy"].function(y, prediction) == pytest.approx(0.5)
    assert METRICS["recall"].function(y, prediction) == 0.0
    told = {judge.name for judge in shown(2)}
    assert {"accuracy", "balanced_accuracy", "f1", "roc_auc"} <= told  # never accuracy alone


def test_half_is_not_enough_for_the_positive_class() -> None:
    assert decided(two([0.5, 0.500001])).tolist() == [0, 1]


@pytest.mark.parametrize("name", ["roc_auc", "roc_auc_ovr", "average_precision", "r2"])
def test_what_one_class_or_value_does_not_define_is_nan(name: str) -> None:
    judge = METRICS[name]
    prediction = np.zeros(4) if judge.target == "quantity" else two([0.1, 0.2, 0.3, 0.4])
    y = np.zeros(4) if judge.target == "quantity" else np.zeros(4, dtype=int)
    assert math.isnan(judge.function(y, prediction))
    y[0] = 1
    assert not math.isnan(judge.function(y, prediction))
    assert math.isnan(judge.function(y, prediction, np.array([0.0, 1, 1, 1])))


def test_classes_that_do_not_occur_are_left_out_of_averages() -> None:
    y = np.array([0, 0, 1, 1])
    prediction = np.array([[0.8, 0.1, 0.1], [0.3, 0.3, 0.4], [0.1, 0.9, 0.0], [0.2, 0.7, 0.1]])
    assert METRICS["roc_auc_ovr"].function(y, prediction) == 1.0
    assert METRICS["balanced_accuracy"].function(y, prediction) == pytest.approx((0.5 + 1) / 2)


@pytest.mark.parametrize(
    ("n_classes", "default", "names"),
    [
        (
            2,
            "roc_auc",
            {"roc_auc", "average_precision", "accuracy", "balanced_accuracy", "f1", "f1_macro", "neg_log_loss",
             "neg_brier_score"},
        ),
        (
            3,
            "roc_auc_ovr",
            {"roc_auc_ovr", "accuracy", "balanced_accuracy", "f1_macro", "neg_log_loss", "neg_brier_score"},
        ),
        (0, "r2", {"r2", "neg_root_mean_squared_error", "neg_mean_absolute_error"}),
    ],
)  # fmt: skip
def test_metrics_that_fit(n_classes: int, default: str, names: set[str]) -> None:
    assert {judge.name for judge in shown(n_classes)} == names
    assert default_metric(n_classes) == default
    assert metric(default, n_classes).name == default


def test_errors_are_shown_positive() -> None:
    assert all(judge.sign == -1 for judge in METRICS.values() if judge.name.startswith("neg_"))
    assert METRICS["neg_root_mean_squared_error"].label == "RMSE"
    assert all(judge.sign == 1 for judge in METRICS.values() if not judge.name.startswith("neg_"))


@pytest.mark.parametrize(
    ("name", "n_classes", "what", "remedy"),
    [
        ("acuracy", 2, "unknown metric 'acuracy'", "did you mean 'accuracy'?"),
        ("log_loss", 3, "unknown metric 'log_loss'", "did you mean 'neg_log_loss'?"),
        ("rmse", 0, "unknown metric 'rmse'", "did you mean 'neg_root_mean_squared_error'?"),
        ("roc_auc", 3, "'roc_auc' does not fit 3 classes", "'roc_auc_ovr'"),
        ("accuracy", 0, "'accuracy' does not fit a quantity", "choose one of: d2_absolute_error"),
    ],
)
def test_a_metric_that_cannot_be_used(name: str, n_classes: int, what: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        metric(name, n_classes)
    assert caught.value.code == "PEN011"
    assert what in caught.value.what
    assert remedy in caught.value.remedy
    assert caught.value.where == "search.metric"


@pytest.mark.parametrize(
    ("name", "n_classes", "what", "remedy"),
    [
        ("f_beta:-1", 2, "'-1' is no beta", "a number from 0.01 to 100, such as 'f_beta:2'"),
        ("f_beta:two", 2, "'two' is no beta", "such as 'f_beta:2'"),
        ("top_k_accuracy:1.5", 4, "'1.5' is no k", "a whole number from 1 to inf"),
        ("roc_auc:3", 2, "'roc_auc' takes no number", "write 'roc_auc' alone"),
    ],
)
def test_a_number_that_a_metric_cannot_take(name: str, n_classes: int, what: str, remedy: str) -> None:
    with pytest.raises(UsageError) as caught:
        metric(name, n_classes)
    assert caught.value.code == "PEN031"
    assert what in caught.value.what
    assert remedy in caught.value.remedy


def test_a_name_leads_back_to_its_metric() -> None:
    for text in ("f_beta:0.5", "neg_cost:0,1,5.25,0", "roc_auc", "top_k_accuracy:3"):
        n_classes = 3 if text.startswith("top_k") else 2
        judge = metric(text, n_classes)
        assert judge.text == text
        assert metric(judge.text, n_classes).given == judge.given
    assert metric("neg_cost:0,1,5,0", 2).name == "neg_cost"
    assert metric("f_beta:0.5", 2).label == "F0.5"


def test_what_was_asked_for_stands_first_and_once() -> None:
    assert [judge.name for judge in shown(2, ["f_beta:3"])][:2] == ["f_beta:3", "roc_auc"]
    names = [judge.name for judge in shown(2, ["accuracy"])]
    assert names[0] == "accuracy"
    assert names.count("accuracy") == 1


def test_a_rule_of_its_own_counts_for_answers_and_not_for_probabilities() -> None:
    """Above 0.1 the answer is yes: F1 sees it, the area under the curve does not."""
    y, p = np.array([0, 1, 1, 0]), np.array([0.05, 0.2, 0.3, 0.15])
    answers = (p > 0.1).astype(int)
    f1, auc = METRICS["f1"], METRICS["roc_auc"]
    assert f1.function(y, two(p)) == 0
    assert f1.function(y, response_of(f1, two(p), answers)) == pytest.approx(0.8)
    assert response_of(auc, two(p), answers) is not None
    assert auc.function(y, response_of(auc, two(p), answers)) == auc.function(y, two(p))
    cost = metric("neg_cost:0,1,9,0", 2)
    assert cost.function(y, response_of(cost, two(p), np.array([0, 0, 1, 0]))) == -9 / 4
