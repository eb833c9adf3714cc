"""A matrix as shades."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from penstock.components.plots.style import colour, heat_map, house_style, label, new_figure

MAX_NAMES = 30


@house_style()
def draw_matrix(values: NDArray[np.float64], names: Sequence[str] | None, title: str) -> Figure:
    """The darker, the larger; names at the side where they are few."""
    figure = new_figure(title, height=4.4)
    axes = figure.add_subplot()
    lowest = float(values.min())
    heat_map(axes, values - lowest, color=colour(0), most=float(values.max()) - lowest or 1.0)
    axes.set_aspect("equal")
    axes.set_xticks([])
    axes.set_yticks([])
    if names is not None and len(names) <= MAX_NAMES:
        axes.set_yticks(np.arange(len(names)) + 0.5, [label(name, 16) for name in names])
    return figure
