"""How every plot looks.

Figures are made without pyplot, so they share no state but matplotlib's settings. Those are changed under a lock and
put back, and they start from matplotlib's own defaults: a settings file on the machine changes nothing.
"""

from __future__ import annotations

import textwrap
import threading
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Literal

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, MaxNLocator, NullFormatter, ScalarFormatter
from numpy.typing import NDArray

INK = "#4b5563"
QUIET = "#8a919e"
# Mid-tones: each is readable on white and on near-black, and they differ in lightness for those who see few hues.
PALETTE = (
    "#3a80c9",
    "#d9752b",
    "#2f9c74",
    "#c8557f",
    "#8468d0",
    "#a38a1e",
    "#2a9bb5",
    "#d65a4a",
    "#7f8a3c",
    "#a86fb0",
)
WIDTH = 5.0
MAX_POINTS = 2000
MAX_VECTOR_POINTS = 500
MAX_VERTICES = 600
MAX_VECTOR_CELLS = 200

_STYLE: dict[Any, Any] = {
    "figure.facecolor": "none",
    "figure.dpi": 72,
    "axes.facecolor": "none",
    "savefig.facecolor": "auto",
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.titlecolor": INK,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.8,
    "axes.axisbelow": True,
    "axes.formatter.useoffset": False,
    "axes.unicode_minus": True,
    "xtick.major.size": 0,
    "ytick.major.size": 0,
    "xtick.major.pad": 5,
    "ytick.major.pad": 5,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "xtick.labelcolor": INK,
    "ytick.labelcolor": INK,
    "xtick.labelsize": 9,
    "ytick.labelsize": 9,
    "text.color": INK,
    "text.parse_math": False,
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 10,
    "legend.frameon": False,
    "legend.fontsize": 9,
    "lines.linewidth": 1.8,
    "axes.grid": True,
    "grid.color": QUIET,
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "svg.fonttype": "none",
    "svg.hashsalt": "penstock",
}
_SETTINGS = threading.RLock()


@contextmanager
def house_style() -> Iterator[None]:
    """Also a decorator: every function that makes a figure wears it."""
    with _SETTINGS, mpl.rc_context():
        mpl.rcdefaults()
        mpl.rcParams.update(_STYLE)
        yield


def new_figure(title: str, *, height: float = 3.4) -> Figure:
    figure = Figure(figsize=(WIDTH, height), layout="constrained")
    figure.suptitle(textwrap.fill(title, 50), x=0.005, ha="left", fontsize=11, fontweight="bold")
    return figure


def colour(index: int) -> str:
    return PALETTE[index % len(PALETTE)]


def tint(hex_colour: str) -> LinearSegmentedColormap:
    """From nearly nothing to half of the colour, so that the ink above stays readable on light and on dark."""
    red, green, blue = to_rgb(hex_colour)
    return LinearSegmentedColormap.from_list("tint", [(red, green, blue, 0.03), (red, green, blue, 0.5)])


def label(text: object, most: int = 26) -> str:
    """A name from the data as one short line without control characters."""
    clean = "".join(" " if unicodedata.category(sign)[0] in "CZ" else sign for sign in str(text))
    line = " ".join(clean.split())
    return line if len(line) <= most else line[: most - 1].rstrip() + "…"


def short_number(value: float) -> str:
    """Three digits that count: 0.861, 54.3, 12,345."""
    if value == 0 or 1000 <= abs(value) < 1e7:
        return f"{value:,.0f}"
    return f"{value:.3g}"


class _ShortTicks(ScalarFormatter):
    """250k instead of 250000."""

    def __call__(self, x: float, pos: int | None = None) -> str:
        if not self._shortened():
            return super().__call__(x, pos)
        number, unit = (x / 1e6, "M") if self._size() >= 1e6 else (x / 1e3, "k")
        return f"{number:g}{unit}".replace("-", "\N{MINUS SIGN}") if x else "0"

    def get_offset(self) -> str:
        """Beside 250k, a factor at the end of the axis would be counted twice."""
        return "" if self._shortened() else super().get_offset()

    def _shortened(self) -> bool:
        return 1e4 <= self._size() < 1e9

    def _size(self) -> float:
        return float(max(map(abs, self.axis.get_view_interval()))) if self.axis else 0.0


def amounts(*axes: Axis) -> None:
    """Few and short ticks."""
    for axis in axes:
        axis.set_major_locator(MaxNLocator(5))
        axis.set_major_formatter(_ShortTicks())


def by_orders(axes: Axes, *sides: Literal["x", "y"], straight_to: float | None = None) -> None:
    """A tick for each order of magnitude, written as a number: matplotlib would write a formula, and the page has none.

    `straight_to`: up to this size, to either side of zero, the axis is an even one.
    """
    scale: dict[str, Any] = {"value": "log"} if straight_to is None else {"value": "symlog", "linthresh": straight_to}
    for side in sides:
        if side == "x":
            axes.set_xscale(**scale)
        else:
            axes.set_yscale(**scale)
        axis = axes.xaxis if side == "x" else axes.yaxis
        axis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,g}"))
        axis.set_minor_formatter(NullFormatter())


def thin(count: int, most: int = MAX_POINTS) -> NDArray[np.int64]:
    """Which points to draw: all, or a fixed random choice of `most` in their order."""
    if count <= most:
        return np.arange(count)
    chosen = np.random.default_rng(0).choice(count, size=most, replace=False)
    return np.sort(chosen)


def thin_line(
    x: NDArray[np.float64], y: NDArray[np.float64], most: int = MAX_VERTICES
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A curve with at most `most` of its own vertices, both ends among them."""
    if len(x) <= most:
        return x, y
    kept = np.unique(np.linspace(0, len(x) - 1, most).round().astype(int))
    return x[kept], y[kept]


def scatter(
    axes: Axes, x: NDArray[np.float64], y: NDArray[np.float64], *, color: str, total: int, name: str | None = None
) -> None:
    """Dots that thin out and turn into pixels where `total`, the dots of the whole figure, are many."""
    axes.scatter(
        x, y, s=14 if total <= MAX_VECTOR_POINTS else 6, color=color, alpha=0.65 if total <= 2000 else 0.45,
        linewidths=0, label=name, rasterized=total > MAX_VECTOR_POINTS,
    )  # fmt: skip


def say_thinned(figure: Figure, drawn: int, total: int) -> None:
    """What the caption must add where not every row became a dot."""
    if drawn < total:
        figure.set_label(f"{drawn:,} of {total:,} rows are drawn, chosen at random.")


def heat_map(axes: Axes, values: NDArray[np.float64], *, color: str, most: float) -> None:
    """Cells shaded from 0 to `most`, the first row on top; masked cells stay clear."""
    axes.pcolormesh(values, cmap=tint(color), vmin=0, vmax=most, rasterized=values.size > MAX_VECTOR_CELLS)
    if not axes.yaxis_inverted():
        axes.invert_yaxis()
    axes.grid(visible=False)
    axes.spines[:].set_visible(False)
