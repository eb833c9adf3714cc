"""Baskets: purchases and users in two tables; the unit is a user, and each gets several rows of predictions."""

from __future__ import annotations

from penstock.problems import Problem
from penstock.problems.rows.refusals import WITHOUT_ANSWERS

STAGES = ("fit", "select", "train", "evaluate", "compare", "draw")

PROBLEM = Problem(
    name="baskets",
    summary="what each user may buy next",
    question="What does a user buy next?",
    first_question="What is bought next?",
    answers_known=False,
    model_kinds=("recommender",),
    candidates=("popular",),
    unit="user",
    tables={"users": ("user", "age")},
    strategies=("random", "grid"),
    prepares=False,
    predictions="toy_baskets.predictions:Recommendations",
    functions={stage: f"toy_baskets.{stage}:{stage}" for stage in STAGES},
    refuses=WITHOUT_ANSWERS,
)
