"""Density: how usual each row is."""

from __future__ import annotations

from penstock.problems.declaration import Extra, Problem
from penstock.problems.rows.extras import PICTURES
from penstock.problems.rows.refusals import WITHOUT_ANSWERS

PROBLEM = Problem(
    name="density",
    summary="how usual each row is, and which rows are rare",
    question="How usual is a row, and which rows are rare?",
    first_question="Which rows are rare?",
    goal="rarity",
    answers_known=False,
    model_kinds=("density-estimator",),
    candidates=("gaussian-mixture-density", "kernel-density"),
    predictions="penstock.problems.density.predictions:LogDensities",
    words="penstock.problems.density.words:DensityWords",
    functions={
        "fit": "penstock.problems.rows.unsupervised.fit:fit",
        "select": "penstock.problems.rows.unsupervised.select:select",
        "train": "penstock.problems.rows.unsupervised.train:train",
        "evaluate": "penstock.problems.rows.unsupervised.evaluate:evaluate",
        "compare": "penstock.problems.rows.unsupervised.compare:compare",
        "draw": "penstock.problems.rows.unsupervised.figures:draw",
    },
    extras=(
        Extra("density", "penstock.problems.rows.unsupervised.study:study_on_test_rows", "after the training"),
        PICTURES,
        Extra("known", "penstock.problems.rows.unsupervised.known_groups:judge_by_known", "after the training"),
    ),
    sections=("penstock.problems.density.sections", "penstock.problems.rows.unseen_sections"),
    incomparable="each is judged in the units of its own preparation; the gate compares them in one",
    refuses=WITHOUT_ANSWERS,
)
