"""Error against the number of parameters, past the number of rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure

from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import (
    QUIET,
    by_orders,
    colour,
    house_style,
    new_figure,
    short_number,
)

Facts = Mapping[str, Any]


@house_style()
def double_descent(found: Sequence[Facts], rows: int) -> Figure:
    """Errors against the number of parameters: the peak where they equal the rows, the second descent, the penalty."""
    figure = new_figure(f"Error against the number of parameters: {rows} rows")
    axes = figure.subplots()
    sizes = np.array([one["parameters"] for one in found], dtype=float)
    kinds = {"train": "training rows", "test": "other rows", "penalised": "other rows, with a penalty"}
    for place, (kind, name) in enumerate(kinds.items()):
        errors = np.maximum([one[kind] for one in found], 1e-12)
        axes.plot(sizes, errors, "o-", color=colour(place), markersize=4, label=name)
        hint_points(
            axes,
            sizes,
            errors,
            [f"{size:,.0f} parameters: {short_number(error)}" for size, error in zip(sizes, errors, strict=True)],
        )
    axes.axvline(rows, color=QUIET, linewidth=1, linestyle="--", label="as many as rows")
    by_orders(axes, "x", "y")
    least = min(one[kind] for one in found for kind in ("test", "penalised"))
    axes.set_ylim(bottom=least / 30)
    axes.set_xlabel("Parameters")
    axes.set_ylabel("Mean squared error")
    figure.legend(loc="outside lower center", ncols=2)
    return figure
