"""Selectors of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Int

ENTRIES = (
    Entry(
        name="mutual-information",
        kind="selector",
        problems=("classification", "regression"),
        library="penstock.components.feature_selection.mutual_information:MutualInformationSelector",
        space={
            "keep": Int(low=5, high=200, log=True, default=20),
            "n_neighbors": Int(low=2, high=10, default=3),
        },
        syllabus=("fs-filter-mutual-info",),
        summary="Keeps the columns that each alone say most about the target.",
    ),
)
