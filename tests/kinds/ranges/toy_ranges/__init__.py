"""Ranges: a kind of question as small as can be, without a test set."""

from __future__ import annotations

from penstock.problems import Problem
from penstock.problems.rows.refusals import WITHOUT_ANSWERS

PROBLEM = Problem(
    name="ranges",
    summary="the usual range of every column",
    question="In which ranges do the rows lie?",
    first_question="What is usual?",
    answers_known=False,
    sets_apart=False,
    cross_validated=False,
    model_kinds=("box",),
    candidates=("quantile-box",),
    strategies=("random", "grid"),
    predictions="toy_ranges.predictions:Inside",
    functions={
        "fit": "toy_ranges.fit:fit",
        "select": "toy_ranges.select:select",
        "train": "penstock.problems.rows.unsupervised.train:train",
        "evaluate": "toy_ranges.evaluate:evaluate",
        "compare": "penstock.problems.untested:compare",
        "draw": "toy_ranges.draw:draw",
    },
    refuses=WITHOUT_ANSWERS,
)
