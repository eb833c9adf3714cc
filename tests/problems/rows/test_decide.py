"""The rule of a winner: found from its predictions for unseen training rows, and from nothing else."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from penstock.components.evaluation.metrics import metric
from penstock.components.trust import trusted_types
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Folds
from penstock.problems.rows.decision_sections import Decision as DecisionFacts
from penstock.problems.rows.supervised.decide import decide
from penstock.spec.decision import Decision, Tuned
from penstock.store import Store, read_estimator


def decision_of(asked: dict[str, Any]) -> Decision:
    """`threshold: tune` and what it is tuned for, as the pipeline file has them."""
    tuned = asked.pop("tuned_for", None)
    if asked.get("threshold") == "tune":
        asked["threshold"] = Tuned(tune=tuned) if tuned else "tune"
    ties = {"first": "negative", "second": "positive"}
    if "ties" in asked:
        asked["ties"] = ties[asked["ties"]]
    return Decision.model_validate({name: value for name, value in asked.items() if value is not None})


def decided(store: Store, y: Any, prediction: Any, rows: Any = None, **asked: Any) -> tuple[Any, Any]:
    rows = np.arange(len(y)) if rows is None else rows
    n_classes = 0 if prediction.ndim == 1 else prediction.shape[1]
    folds = Folds(y, n_classes).save(store)
    groups = rows if len(np.unique(rows)) < len(rows) else None
    unseen = Evidence(rows, {"prediction": prediction}, {"y": y[rows]}, groups=groups).save(store)
    costs, metric = asked.pop("costs", None), asked.pop("metric_name", None)
    made = decide.function(store, unseen, folds, costs, decision_of(asked), metric, 0)
    return read_estimator(store.path(made.rule), trusted_types()), store.facts(made.facts.holding(DecisionFacts))


def two_classes(rows: int = 800, seed: int = 0) -> tuple[Any, Any]:
    rng = np.random.default_rng(seed)
    p = rng.beta(1, 6, rows)
    y = (rng.random(rows) < p).astype(int)
    loud = p**2 / (p**2 + (1 - p) ** 2)
    return y, np.column_stack([1 - loud, loud])


@pytest.mark.slow
@pytest.mark.covers("proc_threshold_tuning")
@pytest.mark.parametrize(
    ("decides", "asked", "costs", "tuned"),
    [
        ("f1", None, None, "f1"),
        ("f_beta:2", None, None, "f_beta:2"),
        (None, None, None, "balanced_accuracy"),
        ("roc_auc", None, None, "balanced_accuracy"),
        ("average_precision", "f1", None, "f1"),
        ("f1", None, [[0, 1], [10, 0]], "neg_cost"),
        ("f1", "neg_cost", [[0, 1], [10, 0]], "neg_cost"),
        (None, "recall_macro", [[0, 1], [10, 0]], "recall_macro"),
    ],
    ids=["f1", "f_beta", "default", "probabilities", "asked", "costs", "costs asked", "not the costs"],
)
def test_the_threshold_is_the_best_for_what_counts(
    tmp_path: Path, decides: str | None, asked: str | None, costs: Any, tuned: str
) -> None:
    y, prediction = two_classes()
    given = {"metric_name": decides, "tuned_for": asked, "costs": costs, "threshold": "tune"}
    rule, facts = decided(Store(tmp_path), y, prediction, **given)
    told = facts.threshold
    assert (told.metric, told.why, told.value) == (tuned, "tuned", rule.threshold)
    judge = metric("neg_cost:0,1,10,0" if tuned == "neg_cost" else tuned, 2)
    every = [judge.function(y, np.eye(2)[(prediction[:, 1] > at).astype(int)]) for at in np.linspace(0, 1, 500)]
    assert told.best_score >= max(every) - 1e-12
    assert told.best_score == pytest.approx(judge.function(y, np.eye(2)[rule.decide(prediction)]))


def test_a_given_threshold_and_what_costs_ask_for(tmp_path: Path) -> None:
    y, prediction = two_classes()
    store = Store(tmp_path)
    rule, facts = decided(store, y, prediction, threshold=0.3)
    assert (rule.threshold, facts.threshold.why) == (0.3, "given")
    rule, facts = decided(store, y, prediction, costs=[[0, 1], [9, 0]])
    assert (rule.threshold, facts.threshold.why) == (pytest.approx(0.1), "costs")


@pytest.mark.parametrize("method", ["sigmoid", "isotonic", "temperature"])
def test_calibration_is_judged_on_rows_it_was_not_fitted_to(tmp_path: Path, method: str) -> None:
    y, prediction = two_classes(3000)
    rule, facts = decided(Store(tmp_path), y, prediction, calibrate=method)
    before, after = facts.calibration.before, facts.calibration.after
    assert after.log_loss < before.log_loss
    if method != "temperature":  # one factor cannot move all probabilities up
        assert after.error.value < 0.4 * before.error.value
    new_y, new = two_classes(3000, seed=1)
    judge = metric("neg_log_loss", 2)
    assert judge.function(new_y, rule.calibrate(new)) > judge.function(new_y, new)


def test_of_many_classes_costs_decide(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    prediction = rng.dirichlet(np.ones(3), size=300)
    y = (prediction.cumsum(axis=1) > rng.random((300, 1))).argmax(axis=1)
    costs = [[0, 1, 1], [1, 0, 1], [20, 20, 0]]
    rule, facts = decided(Store(tmp_path), y, prediction, costs=costs, coverage=0.9)
    answers = rule.decide(prediction)
    matrix = np.array(costs)
    assert matrix[y, answers].mean() < matrix[y, prediction.argmax(axis=1)].mean()
    assert facts.threshold is None
    covered = rule.sets(prediction)[np.arange(300), y].mean()
    assert covered == pytest.approx(0.9, abs=0.02)


def test_a_class_that_no_learning_row_has_is_unknown_to_the_rule(tmp_path: Path) -> None:
    """Of the classes 0, 1, 2 only 0 and 2 occur."""
    y, given = two_classes()
    prediction = np.column_stack([given[:, 0], np.zeros(len(y)), given[:, 1]])
    rule, _ = decided(Store(tmp_path), 2 * y, prediction, costs=[[0, 7, 1], [7, 0, 7], [9, 7, 0]], calibrate="sigmoid")
    assert rule.costs == [[0, 1], [9, 0]]
    assert rule.decide(rule.calibrate(given)).max() == 1


def test_a_regression_reaches_as_far_as_its_errors(tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    y = rng.normal(size=400)
    rule, facts = decided(Store(tmp_path), y, np.zeros(400), coverage=0.9)
    assert rule.half_width == facts.coverage.half_width == pytest.approx(1.645, abs=0.2)
    assert np.mean(np.abs(y) <= rule.half_width) == pytest.approx(0.9, abs=0.01)


def test_a_row_that_was_judged_twice_is_one_row(tmp_path: Path) -> None:
    """Its copies stay on one side when the calibration is evaluated."""
    y, prediction = two_classes(200)
    rows = np.repeat(np.arange(200), 2)
    _, facts = decided(Store(tmp_path), y, prediction[rows], rows=rows, calibrate="isotonic")
    _, once = decided(Store(tmp_path), y, prediction, calibrate="isotonic")
    after, alone = (found.calibration.after.log_loss for found in (facts, once))
    assert after == pytest.approx(alone, rel=0.1)


def test_a_tie_goes_where_it_is_told(tmp_path: Path) -> None:
    y, prediction = np.tile([0, 1], 10), np.full((20, 2), 0.5)
    for asked, run in (({}, 0), ({"ties": "second"}, 1), ({"ties": "second", "threshold": 0.6}, 0)):
        rule, _ = decided(Store(tmp_path), y, prediction, **{"threshold": 0.5 if not asked else None, **asked})
        assert (rule.decide(prediction) == run).all()
