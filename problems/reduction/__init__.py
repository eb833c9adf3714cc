"""Reduction: few new columns in the place of many."""

from __future__ import annotations

from penstock.problems.declaration import Extra, Problem
from penstock.problems.rows.extras import PICTURES
from penstock.problems.rows.refusals import WITHOUT_ANSWERS

PROBLEM = Problem(
    name="reduction",
    summary="few new columns in the place of many",
    question="Which few new columns hold most of what the columns tell?",
    first_question="Which few columns tell most?",
    goal="reduction",
    answers_known=False,
    model_kinds=("extractor",),
    candidates=("pca", "sparse-pca", "truncated-svd"),
    predictions="penstock.problems.reduction.predictions:ReducedColumns",
    words="penstock.problems.reduction.words:ReductionWords",
    functions={
        "fit": "penstock.problems.reduction.fit:fit",
        "select": "penstock.problems.reduction.select:select",
        "train": "penstock.problems.rows.unsupervised.train:train",
        "evaluate": "penstock.problems.reduction.evaluate:evaluate",
        "compare": "penstock.problems.reduction.compare:compare",
        "draw": "penstock.problems.rows.unsupervised.figures:draw",
    },
    extras=(
        Extra("reduction", "penstock.problems.reduction.study:study_reduction", "after the training"),
        PICTURES,
        Extra("known", "penstock.problems.reduction.labels:compare_with_labels", "after the training"),
    ),
    sections=("penstock.problems.reduction.sections", "penstock.problems.rows.unseen_sections"),
    incomparable="each is evaluated in the units of its own preparation; the gate compares them in one",
    refuses=WITHOUT_ANSWERS,
)
