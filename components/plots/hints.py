"""Words for places of a plot, shown under the pointer by the page that holds it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any
from xml.sax.saxutils import escape

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike, NDArray

from penstock.components.plots.style import label

MAX_HINTS_A_LINE = 60


class Hints(Artist):
    """Places and their words; nothing is drawn.

    A place is a box (left, bottom, right, top) in the units of the axes; a point is a box without size.
    """

    def __init__(self, boxes: NDArray[np.float64], words: list[str]) -> None:
        super().__init__()
        self.boxes, self.words = boxes, words
        self.set_in_layout(False)

    def draw(self, renderer: Any) -> None:
        pass

    def shapes(self, height: float) -> Iterator[str]:
        assert self.axes is not None
        corners = self.axes.transData.transform(self.boxes.reshape(-1, 2)).reshape(-1, 4)
        for (left, bottom, right, top), words in zip(corners, self.words, strict=True):
            x, y = min(left, right), height - max(bottom, top)
            width, tall = abs(right - left), abs(top - bottom)
            reach = 0 if width and tall else 3
            size = f'width="{width + 2 * reach:.4g}" height="{tall + 2 * reach:.4g}"'
            place = f'x="{x - reach:.1f}" y="{y - reach:.1f}" {size}'
            yield f'<rect class="hint" {place}><title>{escape(words)}</title></rect>'


def rows_of(count: int) -> str:
    return f"{count:,} row{'s' if count != 1 else ''}"


def hint_boxes(
    axes: Axes, left: ArrayLike, bottom: ArrayLike, right: ArrayLike, top: ArrayLike, words: Iterable[str]
) -> None:
    boxes = np.column_stack(np.broadcast_arrays(*(np.atleast_1d(side) for side in (left, bottom, right, top))))
    axes.add_artist(Hints(boxes.astype(np.float64), [label(text, 160) for text in words]))


def hint_points(axes: Axes, x: ArrayLike, y: ArrayLike, words: Iterable[str]) -> None:
    hint_boxes(axes, x, y, x, y, words)


def hint_columns(axes: Axes, edges: NDArray[np.float64], words: Iterable[str]) -> None:
    """One place from top to bottom between every two edges; to be called when the limits are set."""
    hint_boxes(axes, edges[:-1], axes.get_ylim()[0], edges[1:], axes.get_ylim()[1], words)


def hint_layer(figure: Figure) -> str:
    """All hints of a figure as clear shapes to lie above its SVG."""
    points_high = figure.get_figheight() * 72
    shapes = [shape for hints in figure.findobj(Hints) for shape in hints.shapes(points_high)]
    return f'<g class="hints" fill="none" pointer-events="all">{"".join(shapes)}</g>' if shapes else ""
