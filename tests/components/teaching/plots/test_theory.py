from __future__ import annotations

import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg

from penstock.components.teaching.plots.theory import curves, stacked


def test_whole_numbers_have_whole_ticks_and_equal_lines_are_both_seen() -> None:
    lines = {"possible": [2, 4, 8], "realised": [2, 4, 8]}
    figure = curves("", [1, 2, 3], lines, across="Points", up="Labellings", marks={"these": 2, "needed": 3})
    (axes,) = figure.axes
    assert all(float(tick).is_integer() for tick in (*axes.get_xticks(), *axes.get_yticks()))
    below, above, *marks = axes.get_lines()
    assert below.get_linewidth() > above.get_linewidth()
    assert (below.get_linestyle(), above.get_linestyle()) == ("-", "--")
    assert below.get_markersize() > above.get_markersize()
    assert len({mark.get_linestyle() for mark in marks}) == len({mark.get_color() for mark in marks}) == 2
    (parts,) = curves("", [1, 2, 3], {"share": [0.1, 0.2, 0.5]}, across="Points", up="Share").axes
    assert any(not float(tick).is_integer() for tick in parts.get_yticks())


@pytest.mark.parametrize("count", [2, 3, 4, 6])
def test_names_of_models_are_whole(count: int) -> None:
    names = ["hist-gradient-boosting", "k-nearest-neighbours", "linear-regression", "ridge", "lasso", "svr"][:count]
    (axes,) = stacked("", names, {"bias²": [1.0] * count}, "Error").axes
    assert [text.get_text().replace("\n", "") for text in axes.get_xticklabels()] == names


def test_a_bar_that_dwarfs_the_others_is_cut_and_said() -> None:
    parts = {"bias²": [1.0, 2.0, 1.5], "variance": [0.5, 0.5, 4e8]}
    figure = stacked("", ["a", "b", "c"], parts, "Error", measured=[1.5, 2.5, 4e8])
    (axes,) = figure.axes
    assert axes.get_ylim() == (0, 10)
    assert [text.get_text() for text in axes.texts] == ["4e+08"]
    assert [bar.get_height() for bar in axes.patches] == pytest.approx([1, 2, 0, 0.5, 0.5, 10], abs=1e-6)
    assert [list(line.get_xdata()) for line in axes.get_lines()] == [[0, 1]]
    assert "are cut" in str(figure.get_label())
    (even,) = stacked("", ["a", "b", "c"], {"bias²": [1.0, 2.0, 20.0]}, "Error").axes
    assert even.get_ylim()[1] > 20
    assert not even.texts


def test_long_names_of_lines_stay_inside_the_picture() -> None:
    names = ("side of a cube with the share", "nearest / farthest, even rows")
    figure = curves(
        "Far", [1, 2], {name: [0, 1] for name in names}, across="Columns", up="Share", marks={"this table": 1}
    )
    canvas = FigureCanvasAgg(figure)
    canvas.draw()
    (legend,) = figure.legends
    extent = legend.get_window_extent(canvas.get_renderer())
    assert (extent.x0 >= 0, extent.x1 <= figure.bbox.x1) == (True, True)
