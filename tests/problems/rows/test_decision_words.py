"""What the report says about predictions."""

from __future__ import annotations

from typing import Any

from penstock.document.run import RunDocument
from penstock.problems.rows.supervised.decision_words import promises
from penstock.problems.words import words_of
from tests.documents import INTERVAL, amount, churn, typed
from tests.documents import page as render

BRIER = {"score": 0.1, "reliability": 0.01, "resolution": 0.05, "uncertainty": 0.14}
ERROR = {"value": 0.04, "low": 0.02, "high": 0.06, "confidence": 0.95}


def prediction_words(document: RunDocument) -> list[str]:
    return words_of(document.problem).decisions(document)


def threshold(**changes: Any) -> dict[str, Any]:
    facts = {
        "value": 0.12, "why": "tuned", "metric": "neg_cost", "label": "mean cost", "sign": -1, "rows": 800,
        "thresholds": [0.1, 0.2], "scores": [-0.5, -0.6], "best": 0.12, "best_score": -0.45, "usual_score": -0.8,
    }  # fmt: skip
    return {**facts, **changes}


def decided(**changes: Any) -> dict[str, Any]:
    calibrated = {"error": ERROR, "brier": 0.1, "log_loss": 0.3}
    quality = {
        "classes": [
            {"class": "no", "precision": 0.9, "recall": 0.8, "f1": 0.85, "rows": 150},
            {"class": "yes", "precision": 0.4, "recall": 0.62, "f1": 0.49, "rows": 50},
        ],
        "macro": {"precision": 0.65, "recall": 0.71, "f1": 0.67},
        "micro": {"precision": 0.76, "recall": 0.76, "f1": 0.76},
    }
    decision = {
        "costs": [[0, 1], [5, 0]],
        "threshold": threshold(),
        "calibration": {"method": "sigmoid", "before": calibrated, "after": {**calibrated, "log_loss": 0.25}},
        "coverage": {"asked": 0.9, "nonconformity": 0.7, "rows": 800},
    }
    return churn() | {
        "decision": {**decision, **changes},
        "quality": quality,
        "calibration": {
            "error": ERROR, "brier": BRIER, "rule": "10 bins of equally many rows", "of": "positive class",
            "before": {"error": {**ERROR, "value": 0.08, "high": 0.1}, "brier": BRIER},
        },
        "coverage": {"share": {**INTERVAL, "value": 0.91, "low": 0.86, "high": 0.95}, "size": 1.2, "rows": 200},
    }  # fmt: skip


def test_everything_is_said_in_sentences() -> None:
    costs, cut, corrected, covered = prediction_words(typed(decided()))
    assert costs == "“yes” predicted as “no” costs 5, “no” predicted as “yes” costs 1."
    assert cut.startswith("“yes” is predicted where its probability is above 0.120: of all thresholds the best by mean")
    assert "(0.450; at 0.5 it is 0.800)" in cut
    assert "The test rows had no say" in cut
    assert "the log loss from 0.300 to 0.250" in corrected
    assert "on 200 test rows they do in 91% (95% interval 0.860 to 0.950), as asked" in covered
    assert "a set holds 1.200 classes on average" in covered


def test_a_threshold_that_was_not_tuned() -> None:
    (_, given, *_), (_, by_costs, *_) = (
        prediction_words(typed(decided(threshold=threshold(value=0.3, why=why)))) for why in ("given", "costs")
    )
    assert "above 0.300, as the pipeline file says" in given
    assert "mean cost would be best at 0.120" in given
    assert "what the costs of errors ask for" in by_costs


def test_sets_that_hold_too_seldom() -> None:
    document = decided()
    document["coverage"]["share"] = {"value": 0.7, "low": 0.6, "high": 0.8, "confidence": 0.95}
    assert "less than asked" in prediction_words(typed(document))[-1]


def test_intervals_of_a_regression() -> None:
    document = amount() | {
        "decision": {"coverage": {"asked": 0.9, "half_width": 4.0, "rows": 100}},
        "coverage": {"share": {**INTERVAL, "value": 0.91}, "size": 8.0, "rows": 100},
    }
    (said,) = prediction_words(typed(document))
    assert "With each prediction come intervals" in said
    assert "an interval is 8.000 wide" in said
    assert "With each prediction come intervals" in render(document, {})


def test_promises_before_and_after() -> None:
    before, after = promises(typed(decided()))
    assert (before.when, before.error.value) == ("Before", 0.08)
    assert (after.when, after.error.value) == ("After", 0.04)
    assert promises(typed(churn())) == []


def test_the_page_has_a_section_for_answers() -> None:
    page = render(decided(), {})
    assert '<section id="predictions"' in page
    assert "Predictions on the test rows, class by class" in page
    assert "over 10 bins of equally many rows, for the probability of the positive class" in page
    assert '<section id="predictions"' not in render(churn(), {})


def test_a_model_with_a_threshold_needs_no_advice_to_choose_one() -> None:
    advice = "have a threshold chosen on training rows"
    figures = {"threshold_curve": "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 1 1'></svg>"}
    page = render(churn() | {"verdict": None}, figures)
    assert advice in page
    assert '<code class="command">decision: {threshold: tune}</code>' in page
    assert "The setting decision: {threshold: tune} learns one from training rows" in page
    assert advice not in render(decided() | {"verdict": None}, figures)
