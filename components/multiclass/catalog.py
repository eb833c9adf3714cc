"""Reductions of several classes to two."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import AS_MEMBERS
from penstock.components.catalog import Entry
from penstock.components.domains import OneOf

_LIBRARY = "penstock.components.multiclass.reduction:ReducedClassifier"
_BASE = OneOf(("logistic-regression", "gaussian-naive-bayes", "decision-tree"), default="logistic-regression")

ENTRIES = (
    Entry(
        name="one-vs-rest",
        kind="classifier",
        problems=("classification",),
        library=_LIBRARY,
        defaults={"against": "rest"},
        space={"base": _BASE},
        of_methods=True,
        complexity=2,
        syllabus=("multi-one-vs-rest", "proc_multiclass_reduction"),
        summary="A classifier of two for each class, which is told from all others; the highest response is answered.",
        card=replace(AS_MEMBERS, capacity=("base",)),
    ),
    Entry(
        name="one-vs-one",
        kind="classifier",
        problems=("classification",),
        library=_LIBRARY,
        defaults={"against": "each"},
        space={"base": _BASE},
        of_methods=True,
        complexity=2,
        syllabus=("multi-one-vs-one", "proc_multiclass_reduction"),
        summary="A classifier of two for each pair of classes, on the rows of these two; the most votes are answered.",
        card=replace(AS_MEMBERS, capacity=("base",)),
    ),
)

TRUSTED = ("penstock.components.multiclass.reduction.ReducedClassifier",)
