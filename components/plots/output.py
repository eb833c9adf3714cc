"""A figure as SVG or PNG."""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from xml.sax.saxutils import escape

from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from penstock.components.plots.hints import hint_layer
from penstock.components.plots.style import INK, house_style


def to_svg(figure: Figure) -> str:
    """SVG text: the same to the bit for the same figure, with real text, and the title as its `<title>`.

    Hints lie above as clear boxes, each with its words as `<title>`; a note about the figure is its `<desc>`.
    Ink is `currentColor`, so a page that holds the picture gives it its own text colour.
    """
    buffer = io.StringIO()
    title = " ".join(figure.get_suptitle().split())
    nothing = {"Date": None, "Creator": None, "Type": None, "Format": None}
    with _ready_to_draw(figure):
        figure.savefig(buffer, format="svg", dpi=150, metadata={"Title": title, **nothing})
    svg = buffer.getvalue()
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r"<metadata>.*?</metadata>\s*", "", svg, flags=re.DOTALL)
    svg = re.sub(r'style="[^"]*"', _page_colours_and_font, svg)
    svg = svg.replace("</svg>", f"{hint_layer(figure)}</svg>")
    if note := str(figure.get_label()):
        svg = svg.replace("</title>", f"</title><desc>{escape(note)}</desc>", 1)
    return svg.replace("<svg ", f'<svg color="{INK}" ', 1)


def _page_colours_and_font(style: re.Match[str]) -> str:
    text = style.group().replace(INK, "currentColor")
    return text.replace("'DejaVu Sans', sans-serif", "sans-serif")


def to_png(figure: Figure) -> bytes:
    """PNG bytes on white, for places that show no SVG."""
    buffer = io.BytesIO()
    with _ready_to_draw(figure):
        figure.savefig(buffer, format="png", dpi=144, facecolor="white", metadata={"Software": None})
    return buffer.getvalue()


@contextmanager
def _ready_to_draw(figure: Figure) -> Iterator[None]:
    with house_style(), warnings.catch_warnings():
        # A name in a script that the built-in font lacks is still right in the SVG, where the browser has the fonts.
        warnings.filterwarnings("ignore", message=r"Glyph .* missing from", category=UserWarning)
        # The layout moves a little each time it is made, so it is made once; with none, saving draws but once.
        engine = figure.get_layout_engine()
        if isinstance(engine, ConstrainedLayoutEngine):
            engine.execute(figure)
            with rc_context({"figure.constrained_layout.use": False}):
                figure.set_layout_engine(None)
        yield
