"""How levels with distances of their own are prepared."""

from __future__ import annotations

from penstock.components.catalog import Entry

ENCODER = "level-distances"

ENTRIES = (
    Entry(
        name=ENCODER,
        kind="encoder",
        problems=("clustering",),
        library="penstock.components.dissimilarity.levels:LevelDistanceEncoder",
        syllabus=("proc_categorical_distance_matrix",),
        summary="Levels by a table of your own: how far each is from each other one, for gower and equal-influence.",
    ),
)

TRUSTED = (
    "penstock.components.dissimilarity.levels.LevelDistanceEncoder",
    "penstock.components.dissimilarity.measure.Measure",
)
