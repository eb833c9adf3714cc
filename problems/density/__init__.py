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
        "fit": "penstock.problems.density.fit:fit",
        "select": "penstock.problems.density.select:select",
        "train": "penstock.problems.rows.unsupervised.train:train",
        "evaluate": "penstock.problems.density.evaluate:evaluate",
        "compare": "penstock.problems.density.compare:compare",
        "draw": "penstock.problems.rows.unsupervised.figures:draw",
    },
    extras=(
        Extra("density", "penstock.problems.density.study:study_density", "after the training"),
        PICTURES,
        Extra("known", "penstock.problems.density.labels:compare_with_labels", "after the training"),
    ),
    sections=("penstock.problems.density.sections", "penstock.problems.rows.unseen_sections"),
    incomparable="each is evaluated in the units of its own preparation; the gate compares them in one",
    refuses=WITHOUT_ANSWERS,
)
