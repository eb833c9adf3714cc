from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.analysis.association import seriate
from penstock.components.analysis.insight import Study, insight
from penstock.components.plots.analysis import (
    analysis_figures,
    association_matrix,
    correlation_matrix,
    long_tail,
    missing_patterns,
    predictor_outcome,
)
from penstock.components.plots.output import to_svg
from penstock.components.schema import conform, infer_schema
from penstock.problems import find, proposals


def study_of(frame: pd.DataFrame, problem: Any, **more: Any) -> tuple[dict[str, Any], Study]:
    schema = infer_schema(frame, problem=problem, target_type=find(problem).target_type, **more)
    return insight(conform(frame, schema, strict=True), schema, 0, goal=find(problem).goal, proposals=proposals())


def mixed(rows: int = 300) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    x = rng.normal(size=rows)
    made = {
        "x": x,
        "twin": -x + rng.normal(scale=0.1, size=rows),
        "town": rng.choice(["Bari", "Como"], rows),
        "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, rows), unit="D"),
        "item": [f"i{number}" for number in np.minimum(rng.zipf(1.5, rows), 80)],
        "y": 2 * x + rng.normal(size=rows),
    }
    frame = pd.DataFrame(made)
    frame.loc[:19, ["x", "twin"]] = np.nan
    return frame


def ticks(axis: Any) -> list[str]:
    return [tick.get_text() for tick in axis.get_ticklabels()]


EVERYWHERE = {"correlation_matrix", "association_matrix", "missing_patterns", "long_tail"}


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["regression", "classification", "clustering"])
def test_what_is_drawn(problem: str) -> None:
    frame = mixed()
    if problem == "classification":
        frame["y"] = np.where(frame["y"] > 0, "yes", "no")
    if problem == "clustering":
        frame = frame.drop(columns="y")
    figures = analysis_figures(*study_of(frame, problem, target=None if problem == "clustering" else "y"))
    assert set(figures) == EVERYWHERE | (set() if problem == "clustering" else {"predictor_outcome"})
    for name, figure in figures.items():
        svg = to_svg(figure)
        assert len(svg) < 150_000, name
        assert "mathdefault" not in svg, name
        shown = [axes for axes in figure.axes if axes.axison]
        assert all(axes.get_xlabel() and axes.get_ylabel() for axes in shown), name


@pytest.mark.covers("plot_correlation_matrix")
def test_correlations_between_columns_and_with_the_outcome() -> None:
    values = [[1.0, -0.9, None], [-0.9, 1.0, 0.3], [None, 0.3, 1.0]]
    figure = correlation_matrix(["x", "twin", "y"], values, "y")
    axes = figure.axes[0]
    assert ticks(axes.xaxis) == ticks(axes.yaxis) == ["x", "twin", "y"]
    assert axes.get_yticklabels()[2].get_fontweight() == "bold"
    written = {(text.get_position()): text.get_text() for text in axes.texts}
    opposite = "\N{MINUS SIGN}0.90"
    assert written == {(1.5, 0.5): opposite, (0.5, 1.5): opposite, (2.5, 1.5): "0.30", (1.5, 2.5): "0.30"}
    shades = axes.collections[0]
    assert np.ma.count_masked(shades.get_array()) == 5  # the diagonal and what is not known
    assert shades.get_clim() == (-1, 1)
    negative, positive = shades.cmap(shades.norm([-0.9, 0.9]))[:, :3]
    assert negative[0] > negative[2]
    assert positive[2] > positive[0]


@pytest.mark.covers("plot_block_matrix")
def test_blocks_show_after_the_columns_were_put_in_order() -> None:
    """Three groups of columns, shuffled: in the drawn order, all strong cells lie in blocks along the diagonal."""
    rng = np.random.default_rng(1)
    cores = rng.normal(size=(400, 3))
    block = np.repeat(np.arange(3), 4)
    shuffled = rng.permutation(12)
    columns = (cores[:, block] + rng.normal(scale=0.4, size=(400, 12)))[:, shuffled]
    matrix = np.abs(np.corrcoef(columns.T))
    order = seriate(matrix)
    drawn = association_matrix(
        [f"c{block[shuffled[place]]}" for place in order], matrix[np.ix_(order, order)].tolist(), None
    )
    cells = drawn.axes[0].collections[0].get_array().reshape(12, 12)
    inside = np.kron(np.eye(3), np.ones((4, 4))).astype(bool)
    assert cells[inside & ~np.eye(12, dtype=bool)].min() > 0.6 > 0.2 > cells[~inside].max()
    names = ticks(drawn.axes[0].xaxis)
    assert [len(set(names[start : start + 4])) for start in (0, 4, 8)] == [1, 1, 1]


@pytest.mark.covers("plot_predictor_outcome_scatter")
def test_dots_and_the_least_squares_line() -> None:
    frame = mixed()
    _, study = study_of(frame, "regression", target="y")
    figure = predictor_outcome(study.table, ["x", "since"])
    axes = figure.axes[0]
    known = frame.dropna(subset="x")
    dots = axes.collections[0].get_offsets()
    np.testing.assert_allclose(np.asarray(dots), known[["x", "y"]])
    slope, start = np.polyfit(known["x"], known["y"], 1)
    ends, heights = axes.lines[0].get_data()
    np.testing.assert_allclose(heights, start + slope * np.asarray(ends))
    assert slope > 0
    assert axes.get_xlabel() == "x"
    assert axes.get_ylabel() == "y"
    figure.draw_without_rendering()
    assert all(text.startswith("202") for text in ticks(figure.axes[1].xaxis))


@pytest.mark.covers("plot_predictor_outcome_scatter")
def test_of_two_classes_dots_are_shares() -> None:
    frame = mixed().assign(y=lambda made: np.where(made["y"] > 0, "yes", "no"))
    _, study = study_of(frame, "classification", target="y", positive="yes")
    axes = predictor_outcome(study.table, ["x"]).axes[0]
    x, shares = axes.lines[0].get_data()
    assert np.all(np.diff(x) > 0)
    assert shares[0] < 0.1 < 0.9 < shares[-1]
    assert axes.get_ylabel() == "share of yes"


@pytest.mark.covers("plot_predictor_outcome_scatter")
def test_a_dot_never_mixes_values_where_these_are_few_and_never_cuts_through_equal_ones() -> None:
    rng = np.random.default_rng(2)
    frame = pd.DataFrame(
        {
            "flag": rng.choice(["no", "yes"], 300),
            "rank": rng.choice([1.0, 2.0, 3.0], 300),
            "count": np.minimum(rng.geometric(0.15, 300), 30).astype(float),
        }
    )
    frame["y"] = np.where(frame["rank"] + (frame["flag"] == "yes") + rng.normal(size=300) > 2, "in", "out")
    _, study = study_of(frame, "classification", target="y", positive="in")
    figure = predictor_outcome(study.table, ["flag", "rank", "count"])
    flag, rank, count = (axes.lines[0].get_data() for axes in figure.axes[:3])
    assert flag[0].tolist() == [0, 1]
    assert rank[0].tolist() == [1, 2, 3]
    shares = (frame["y"] == "in").groupby(frame["rank"]).mean()
    np.testing.assert_allclose(rank[1], shares)
    assert count[0][0] == 1  # a tenth of the rows and more hold a 1
    assert "Each dot is all rows of one value" in figure.get_label()


@pytest.mark.covers("plot_predictor_outcome_scatter")
def test_of_several_classes_each_has_its_shares() -> None:
    frame = mixed().dropna()
    frame["y"] = pd.cut(frame["y"], [-np.inf, -1, 1, np.inf], labels=["low", "mid", "high"]).astype(str)
    figures = analysis_figures(*study_of(frame, "classification", target="y"))
    axes = figures["predictor_outcome"].axes[0]
    lines = {line.get_label(): line.get_ydata() for line in axes.lines}
    assert set(lines) == {"low", "mid", "high"}
    np.testing.assert_allclose(sum(lines.values()), 1)
    assert figures["predictor_outcome"].get_suptitle() == "y by column"


def test_patterns_of_gaps() -> None:
    missing = {
        "columns": [{"column": "a"}, {"column": "b"}],
        "patterns": [{"columns": [], "rows": 70, "share": 0.7}, {"columns": ["a", "b"], "rows": 30, "share": 0.3}],
    }
    axes = missing_patterns(missing).axes[0]
    assert ticks(axes.yaxis) == ["70 rows (70%)", "30 rows (30%)"]
    assert axes.collections[0].get_array().tolist() == [[0, 0], [1, 1]]


@pytest.mark.covers("plot_long_tail")
def test_activity_of_users_and_popularity_of_items_by_rank() -> None:
    users, items = np.array([5, 1, 40, 2, 2]), np.array([30, 20])
    figure = long_tail({"user": users, "item": items})
    axes = figure.axes[0]
    assert (axes.get_xscale(), axes.get_yscale()) == ("log", "log")
    ranks, counts = axes.lines[0].get_data()
    assert (list(ranks), list(counts)) == ([1, 2, 3, 4, 5], [40, 5, 2, 2, 1])
    assert list(axes.lines[1].get_ydata()) == [30, 20]
    assert axes.lines[0].get_label() == "user: 1 of 5 levels hold 80% of rows"
