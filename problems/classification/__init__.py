"""Classification: which of the classes of a column a row belongs to."""

from __future__ import annotations

from penstock.problems.declaration import Problem
from penstock.problems.rows.extras import EXPLANATIONS
from penstock.problems.rows.refusals import PICTURES, TARGET_TO_PREDICT

PROBLEM = Problem(
    name="classification",
    summary="which class of a column a row belongs to",
    question="Which class of “{target}” does a row belong to, going by its other columns?",
    first_question="What decides {target}?",
    answers_known=True,
    target_type="classes",
    proposed=True,
    model_kinds=("classifier", "baseline"),
    candidates=("logistic-regression", "random-forest", "hist-gradient-boosting"),
    baseline="dummy",
    predictions="penstock.problems.classification.predictions:ClassPredictions",
    words="penstock.problems.classification.words:ClassificationWords",
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
    refuses={"evaluation.pictures": PICTURES},
)
