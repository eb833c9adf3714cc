"""The method of the kind `baskets`."""

from __future__ import annotations

from penstock.components.catalog import Entry

ENTRIES = (
    Entry(
        name="popular",
        kind="recommender",
        problems=("baskets",),
        library="toy_baskets.popular:Popular",
        summary="What was bought most often by people of like age.",
    ),
)
TRUSTED = ("toy_baskets.popular.Popular",)
