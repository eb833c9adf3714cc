"""Clustering: which rows are alike."""

from __future__ import annotations

from dataclasses import replace

from penstock.problems.declaration import Extra, Problem
from penstock.problems.rows.extras import PICTURES
from penstock.problems.rows.refusals import SEARCHED_PREPARATION, WITHOUT_ANSWERS

PROBLEM = Problem(
    name="clustering",
    summary="groups of similar rows",
    question="Which groups of similar rows are there?",
    first_question="Which rows are alike?",
    proposed=True,
    goal="grouping",
    answers_known=False,
    model_kinds=("clusterer",),
    candidates=("k-means", "gaussian-mixture"),
    predictions="penstock.problems.clustering.predictions:ClusterPredictions",
    words="penstock.problems.clustering.words:ClusteringWords",
    fallbacks=("k-means",),
    functions={
        "fit": "penstock.problems.clustering.fit:fit",
        "select": "penstock.problems.clustering.select:select",
        "train": "penstock.problems.clustering.train:train",
        "evaluate": "penstock.problems.clustering.evaluate:evaluate",
        "compare": "penstock.problems.clustering.compare:compare",
        "draw": "penstock.problems.clustering.figures:draw",
        "suggest": "penstock.problems.clustering.suggest:choose_method",
        "suggested": "penstock.problems.clustering.suggest:suggested",
        "check_candidates": "penstock.problems.clustering.check:check_candidates",
    },
    extras=(
        Extra("structure", "penstock.problems.clustering.structure:find_structure", "before the search"),
        Extra("number", "penstock.problems.clustering.number:study_clusters", "after the selection"),
        Extra("scalings", "penstock.problems.clustering.scalings:compare_scalings", "after the selection"),
        Extra("clusters", "penstock.problems.clustering.describe:describe_clusters", "after the training"),
        Extra("rules", "penstock.problems.clustering.rules:explain_clusters", "after the training"),
        PICTURES,
        Extra("truth", "penstock.problems.clustering.labels:compare_with_labels", "after the training"),
    ),
    sections=("penstock.problems.clustering.sections", "penstock.problems.rows.unseen_sections"),
    strategies=("random", "grid"),
    cross_validated=False,
    suggests=True,
    incomparable="clusterings have no truth to be compared on; look at each one's own scores",
    refuses={
        **WITHOUT_ANSWERS,
        "search.preparation": replace(
            SEARCHED_PREPARATION,
            remedy=f"{SEARCHED_PREPARATION.remedy}; what other scalings would change is in every report",
        ),
    },
)
