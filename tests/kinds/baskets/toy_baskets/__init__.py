"""Baskets: purchases and users in two tables; the unit is a user, and each gets several rows of predictions.

It brings no function for a stage yet, since no stage takes more than one table.
"""

from __future__ import annotations

from penstock.problems import Problem

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
    predictions="toy_baskets.predictions:Recommendations",
)
