"""Graphs: degrees, distances, centralities, walks, drawings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from matplotlib.collections import LineCollection, PathCollection

from penstock.components.diagnostics import Found, find
from penstock.components.plots import to_svg
from penstock.errors import DataError, UsageError

STAR = [(1, 2), (2, 3), (2, 4)]
TRIANGLES = [(1, 2), (1, 3), (2, 3), (3, 4), (4, 5), (4, 6), (5, 6)]


def look(edges: list[Any], **given: Any) -> Found:
    names = ["one", "other", "length"][: len(edges[0])]
    found = find("graph")(pd.DataFrame(edges, columns=names), given)
    assert found.table.index.name == "node"
    return Found(found.findings, found.table.sort_index(), found.facts, found.figure)


@pytest.mark.covers("proc_graph_analysis_stage", "ex_centralities_star")
def test_centralities_of_a_star() -> None:
    found = look(STAR)
    table = found.table
    assert table["degree"].tolist() == [1, 3, 1, 1]
    for name, expected in {
        "degree share": [0.166666666667, 0.5, 0.166666666667, 0.166666666667],
        "closeness": [0.8, 1.33333333333, 0.8, 0.8],
        "eigenvector": [0.211324865405, 0.366025403784, 0.211324865405, 0.211324865405],
        "betweenness": [0, 1, 0, 0],
    }.items():
        np.testing.assert_allclose(table[name], expected, atol=1e-9, err_msg=name)
    assert found.facts["eigenvalue"] == pytest.approx(1.73205080757, abs=1e-9)


@pytest.mark.covers("proc_graph_analysis_stage", "ex_pagerank_star")
def test_pagerank_of_a_star() -> None:
    expected = [0.173423423423, 0.47972972973, 0.173423423423, 0.173423423423]
    np.testing.assert_allclose(look(STAR).table["PageRank"], expected, atol=1e-8)
    # The transposed form, as it is sometimes printed, gives every node the same: it is not what is computed.
    adjacency = np.zeros((4, 4))
    for one, other in STAR:
        adjacency[one - 1, other - 1] = adjacency[other - 1, one - 1] = 1
    transposed = 0.85 * (adjacency / adjacency.sum(axis=0)).T
    np.testing.assert_allclose(np.linalg.solve(np.eye(4) - transposed, np.full(4, 0.15 / 4)), np.full(4, 0.25))


@pytest.mark.covers("proc_graph_analysis_stage", "ex_random_walk")
def test_a_random_walk_and_its_stationary_law() -> None:
    found = look(TRIANGLES, start=1)
    np.testing.assert_allclose(found.table["walk"], [0, 0.5, 0.5, 0, 0, 0], atol=1e-9)
    expected = [0.142857142857, 0.142857142857, 0.214285714286, 0.214285714286, 0.142857142857, 0.142857142857]
    np.testing.assert_allclose(found.table["stationary"], expected, atol=1e-9)
    assert found.facts["fixed_point_error"] == pytest.approx(0, abs=1e-9)
    np.testing.assert_allclose(look(TRIANGLES, start=1, steps=200).table["walk"], expected, atol=1e-9)
    assert "settles" in found.findings[-1]
    assert "never settles" in look(STAR).findings[-1]


@pytest.mark.covers("proc_graph_analysis_stage")
def test_directions_components_and_both_kinds_of_distance() -> None:
    edges = [("a", "b", 1.0), ("b", "c", 1.0), ("a", "c", 5.0), ("x", "y", 2.0)]
    found = look(edges, directed=True, length="length", start="a")
    table = found.table
    assert table["in"].to_dict() == {"a": 0, "b": 1, "c": 2, "x": 0, "y": 1}
    assert table["out"].to_dict() == {"a": 2, "b": 1, "c": 0, "x": 1, "y": 0}
    assert table["component"].to_dict() == {"a": 1, "b": 1, "c": 1, "x": 2, "y": 2}
    assert table["steps from start"].fillna(-1).tolist() == [0, 1, 1, -1, -1]
    assert table["length from start"].fillna(-1).tolist() == [0, 1, 2, -1, -1]
    assert table["stationary"].isna().all()
    assert found.facts["components"] == 2
    # A ring that is walked in one direction has a law, which the walk keeps and never settles at.
    ring = look([("a", "b"), ("b", "c"), ("c", "a")], directed=True)
    np.testing.assert_allclose(ring.table["stationary"], 1 / 3)
    assert "does not settle" in ring.findings[-1]


def test_loops_repetitions_and_faults_are_told() -> None:
    found = look([("a", "b"), ("b", "a"), ("a", "a"), ("c", None)])
    assert found.facts["edges"] == 1
    assert [finding.split()[0] for finding in found.findings[-3:]] == ["1", "1", "1"]
    with pytest.raises(UsageError, match="there is no node 'z'"):
        look(STAR, start="z")
    for frame, given, code in (
        (pd.DataFrame({"a": ["x"], "b": ["x"]}), {}, "PEN229"),
        (pd.DataFrame({"a": ["x"], "b": ["y"], "far": [-1]}), {"length": "far"}, "PEN228"),
        (pd.DataFrame({"a": ["x"], "b": ["y"]}), {"target": "c"}, "PEN107"),
    ):
        with pytest.raises(DataError) as caught:
            find("graph")(frame, given)
        assert caught.value.code == code


@pytest.mark.covers("plot_graph_drawing")
@pytest.mark.parametrize(
    ("edges", "hub"),
    [
        ([("hub", f"leaf {number}") for number in range(6)], "hub"),
        ([("root", "l"), ("root", "r"), ("l", "ll"), ("l", "lr"), ("l", "lm"), ("r", "rl")], "l"),
        ([(f"n{number}", f"n{(number + 1) % 8}") for number in range(8)], None),
    ],
    ids=["star", "tree", "ring"],
)
def test_nodes_and_links_are_drawn_and_hubs_are_large(edges: list[tuple[str, str]], hub: str | None) -> None:
    found = find("graph")(pd.DataFrame(edges, columns=["one", "other"]))
    assert found.figure is not None
    (axes,) = found.figure.axes
    (links,) = [one for one in axes.collections if isinstance(one, LineCollection)]
    (dots,) = [one for one in axes.collections if isinstance(one, PathCollection)]
    points, sizes = np.asarray(dots.get_offsets()), dots.get_sizes()
    assert (len(links.get_segments()), len(points)) == (len(edges), len(found.table))
    names = [text.get_text() for text in axes.texts]
    if hub:
        assert names[int(sizes.argmax())] == hub
        assert (sizes == sizes.max()).sum() == 1
    else:
        radius = np.linalg.norm(points - points.mean(axis=0), axis=1)
        assert radius.std() < 0.05 * radius.mean()
        assert len(set(sizes)) == 1
    svg = to_svg(found.figure)
    assert svg == to_svg(find("graph")(pd.DataFrame(edges, columns=["one", "other"])).figure)
    assert all(f"{name}: degree" in svg for name in names)


@pytest.mark.slow
def test_of_a_large_graph_the_hubs_are_drawn() -> None:
    rng = np.random.default_rng(0)
    edges = pd.DataFrame(rng.integers(0, 260, size=(600, 2)).astype(str), columns=["one", "other"])
    figure = find("graph")(edges).figure
    assert figure is not None
    assert "150 of" in figure.get_suptitle()
