"""Regression: which number a row has in a column."""

from __future__ import annotations

from penstock.problems.declaration import Problem, Refusal
from penstock.problems.rows.extras import EXPLANATIONS
from penstock.problems.rows.refusals import NOT_OF_CLASSES, PICTURES, TARGET_TO_PREDICT

PROBLEM = Problem(
    name="regression",
    summary="which number a row has in a column",
    question="Which value of “{target}” does a row have, going by its other columns?",
    first_question="What decides {target}?",
    answers_known=True,
    target_type="quantity",
    proposed=True,
    model_kinds=("regressor", "baseline"),
    candidates=("ridge", "random-forest", "hist-gradient-boosting"),
    baseline="dummy",
    predictions="penstock.problems.regression.predictions:ValuePredictions",
    words="penstock.problems.regression.words:RegressionWords",
    functions={
        "fit": "penstock.problems.rows.supervised.fit:fit",
        "select": "penstock.problems.rows.supervised.select:select",
        "train": "penstock.problems.rows.supervised.train:train",
        "evaluate": "penstock.problems.rows.supervised.evaluate:evaluate",
        "compare": "penstock.problems.rows.supervised.compare:compare",
        "prune": "penstock.problems.rows.supervised.prune:prune",
        "outcomes": "penstock.problems.rows.supervised.outcomes:outcomes",
        "draw": "penstock.problems.rows.supervised.figures:draw",
    },
    requires=TARGET_TO_PREDICT,
    extras=EXPLANATIONS,
    sections=("penstock.problems.rows.decision_sections", "penstock.problems.rows.explained_sections"),
    refuses={
        **NOT_OF_CLASSES,
        "decision.*": Refusal(
            "PEN032",
            "'{name}' decides between classes, and this is a {problem}",
            "leave `{name}` out; `coverage` gives intervals",
        ),
        "decision.coverage": None,
        "evaluation.fairness": Refusal(
            "PEN045",
            "fairness differences are of decisions for or against, which a {problem} does not make",
            "name the columns under evaluation.slices instead: scores by group are defined for every problem",
        ),
        "evaluation.pictures": PICTURES,
    },
)
