"""A package that brings a kind of question of its own."""

from __future__ import annotations

from collections.abc import Callable

ELSEWHERE = """
import pandas as pd

from penstock.problems import Problem
from penstock.problems.predictions import Output, Predictions


class Places(Predictions):
    recorded = ("place",)

    @property
    def possible(self):
        return ("place",)

    def table(self, features, asked):
        return pd.DataFrame({{"place": range(len(features))}}, index=features.index)

    @staticmethod
    def outputs(schema):
        return [Output("long", "place")]


PROBLEM = Problem(
    name={name!r},
    summary="which rows follow which",
    question="What follows?",
    first_question="What comes next?",
    answers_known=False,
    model_kinds=("clusterer",),
    candidates=("k-means",),
    predictions="problem_elsewhere:Places",
)
"""
Install = Callable[[str], None]
