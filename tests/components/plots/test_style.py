"""Figures look and come out the same everywhere, and on light as on dark."""

from __future__ import annotations

import io
import re
import warnings
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

import matplotlib as mpl
import numpy as np
import pytest
from matplotlib.colors import to_rgb
from PIL import Image

from penstock.components.plots import to_png, to_svg
from penstock.components.plots.overview import missing_values
from penstock.components.plots.regression import predicted_vs_actual, residuals
from penstock.components.plots.style import (
    INK,
    MAX_POINTS,
    PALETTE,
    QUIET,
    by_orders,
    house_style,
    label,
    new_figure,
    short_number,
    thin,
    thin_line,
)


def luminance(color: str) -> float:
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in to_rgb(color)]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    dark, light = sorted((luminance(one), luminance(other)))
    return (light + 0.05) / (dark + 0.05)


@pytest.mark.parametrize("color", [*PALETTE, QUIET])
@pytest.mark.parametrize("page", ["#ffffff", "#14171c"])
def test_every_colour_is_readable_on_light_and_on_dark(color: str, page: str) -> None:
    assert contrast(color, page) >= 3


def test_ink_is_readable_on_white() -> None:
    assert contrast(INK, "#ffffff") >= 4.5


def figure():
    rng = np.random.default_rng(1)
    truth = rng.normal(size=2000)
    return residuals(truth, truth + rng.normal(size=2000), "height")


def test_same_input_gives_the_same_bytes() -> None:
    one, other = figure(), figure()
    assert to_svg(one) == to_svg(other)
    assert to_png(one) == to_png(other)


def test_drawing_twice_moves_nothing() -> None:
    drawn = figure()
    first = to_svg(drawn)
    to_png(drawn)
    assert to_svg(drawn) == first


def test_settings_of_the_machine_change_nothing_and_are_left_alone() -> None:
    usual = to_svg(figure())
    with mpl.rc_context({"font.size": 30, "axes.facecolor": "red", "svg.fonttype": "path", "axes.labelpad": 40}):
        before = dict(mpl.rcParams)
        assert to_svg(figure()) == usual
        assert dict(mpl.rcParams) == before


@pytest.mark.slow
def test_threads_do_not_disturb_each_other() -> None:
    alone = to_svg(figure())
    with ThreadPoolExecutor(4) as pool:
        drawn = list(pool.map(lambda _: to_svg(figure()), range(4)))
    assert set(drawn) == {alone}


def test_svg_is_standalone_with_text_title_and_no_address() -> None:
    svg = to_svg(missing_values({"age": 0.5, "height": 0.25}))
    root = ElementTree.fromstring(svg)
    texts = [node.text for node in root.iter("{http://www.w3.org/2000/svg}text")]
    assert "age" in texts
    assert "50.0%" in texts
    assert root.findtext("{http://www.w3.org/2000/svg}title") == "Missing values by column"
    bare = svg.replace("http://www.w3.org/2000/svg", "").replace("http://www.w3.org/1999/xlink", "")
    assert "http" not in bare
    assert "currentColor" in svg
    assert INK not in svg.partition(">")[2]
    assert "DejaVu" not in svg


def test_svg_background_is_clear_and_png_background_white() -> None:
    drawn = missing_values({"age": 0.5})
    assert "#ffffff" not in to_svg(drawn)
    with Image.open(io.BytesIO(to_png(drawn))) as image:
        assert image.convert("RGBA").getpixel((0, 0)) == (255, 255, 255, 255)


def test_many_points_stay_small() -> None:
    rng = np.random.default_rng(0)
    truth = rng.normal(size=50_000)
    prediction = truth + rng.normal(size=50_000)
    for drawn in (residuals(truth, prediction), predicted_vs_actual(truth, prediction)):
        assert len(drawn.axes[0].collections[0].get_offsets()) == MAX_POINTS
        svg = to_svg(drawn)
        assert len(svg) < 350_000
        assert f"<desc>{MAX_POINTS:,} of 50,000 rows are drawn, chosen at random.</desc>" in svg


def test_thinning_keeps_order_and_ends() -> None:
    assert thin(10).tolist() == list(range(10))
    chosen = thin(20_000)
    assert len(set(chosen.tolist())) == MAX_POINTS
    assert all(before < after for before, after in pairwise(chosen))
    x, y = thin_line(np.arange(10_000.0), np.arange(10_000.0) ** 2, most=100)
    assert len(x) == 100
    assert (x[0], x[-1]) == (0, 9999)
    assert np.array_equal(y, x**2)


@pytest.mark.parametrize("name", ["$x_{$", "年齢", "<b>&\"'", "a\x00b\nc\u202ed"])
def test_any_name_can_be_drawn(name: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        svg = to_svg(missing_values({name: 0.5}))
        to_png(missing_values({name: 0.5}))
    texts = [node.text for node in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]
    assert label(name) in texts


def test_labels_are_one_short_line() -> None:
    assert label("a\n b\x00c") == "a b c"
    assert label("x" * 50, 10) == "x" * 9 + "…"
    assert [short_number(value) for value in (0.86123, 54321.4, 0, 1000.2, 3.4e9)] == [
        "0.861", "54,321", "0", "1,000", "3.4e+09",
    ]  # fmt: skip


def test_large_amounts_have_short_ticks() -> None:
    truth = np.linspace(0, 500_000, 50)
    svg = to_svg(predicted_vs_actual(truth, truth[::-1]))
    assert ">150k<" in svg
    assert "150000" not in svg
    millions = to_svg(predicted_vs_actual(1000 * truth, 1000 * truth[::-1]))
    assert ">150M<" in millions
    assert ">1e8<" not in millions  # a factor beside the units would count twice


@pytest.mark.parametrize("straight_to", [None, 10.0])
def test_ticks_of_orders_of_magnitude_are_numbers(straight_to: float | None) -> None:
    with house_style():
        figure = new_figure("By orders")
        axes = figure.subplots()
        axes.plot([0.001, 20_000], [0.001, 20_000])
        by_orders(axes, "x", "y", straight_to=straight_to)
    ticks = re.findall(r">([^<>]*)</text>", to_svg(figure))
    assert {"100", "1,000", "10,000"} <= set(ticks)
    assert not [tick for tick in ticks if "$" in tick]


def test_no_plot_makes_such_an_axis_by_itself() -> None:
    """It would have formulas for ticks, which stand in the page as they are written."""
    plots = Path(__file__).parents[3] / "components" / "plots"
    scaling = re.compile(r"""scale\w*[=(] *["'](log|symlog)|semilog|loglog""")
    assert [path.name for path in plots.glob("*.py") if scaling.search(path.read_text(encoding="utf-8"))] == []
