"""The method of the kind `ranges`."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Float

ENTRIES = (
    Entry(
        name="quantile-box",
        kind="box",
        problems=("ranges",),
        library="toy_ranges.box:QuantileBox",
        summary="The box between two quantiles of every column.",
        space={"share": Float(low=0.5, high=0.99, default=0.9)},
    ),
)
TRUSTED = ("toy_ranges.box.QuantileBox",)
