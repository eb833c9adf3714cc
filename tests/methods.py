"""What methods of the catalogue are for, kind by kind."""

from __future__ import annotations

from penstock.components.catalog import ANY, Entry

OURS = ("classification", "regression", "clustering", "reduction", "density")


def problems_of(entry: Entry) -> tuple[str, ...]:
    """Our kinds of question that it fits, also where its entry says that it fits any."""
    return OURS if ANY in entry.problems else tuple(entry.problems)
