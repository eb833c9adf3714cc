"""Stages beside those of all that several kinds have."""

from __future__ import annotations

from penstock.problems.declaration import Extra

PICTURES = Extra("pictures", "penstock.tasks.pictures:draw_pictures", "after the training", asked="evaluation.pictures")

EXPLANATIONS = (
    Extra("deciding", "penstock.problems.rows.supervised.model:explain_model", "after the training"),
    Extra("explanation", "penstock.problems.rows.supervised.explain:explain", "after the training"),
    Extra(
        "curves",
        "penstock.problems.rows.supervised.learning_curve:study_curves",
        "after the training",
        asked="evaluation.curves",
    ),
    Extra(
        "bias_variance",
        "penstock.problems.rows.supervised.bias_variance:part_error",
        "after the training",
        asked="evaluation.bias_variance",
    ),
)
