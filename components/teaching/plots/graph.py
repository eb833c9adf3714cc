"""A graph as nodes and links."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure

from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import QUIET, colour, house_style, label, new_figure

MAX_NODES = 150
MAX_NAMES = 30


@house_style()
def draw_graph(network: Any) -> Figure:
    """Neighbours lie close, hubs are large; of a large graph, the nodes of highest degree and the links among them."""
    degrees = dict(network.degree)
    nodes = sorted(network, key=lambda node: -degrees[node])[:MAX_NODES]
    shown = network.subgraph(nodes)
    # The order of nodes decides the layout, so it is fixed here and not by the subgraph.
    ordered: Any = nx.Graph()
    ordered.add_nodes_from(nodes)
    ordered.add_edges_from(sorted(shown.edges))
    # Lengths do not count here: with them, hubs and rings would not be seen.
    places = nx.kamada_kawai_layout(ordered, weight=None)
    points = np.array([places[node] for node in nodes])
    sizes = np.array([degrees[node] for node in nodes], dtype=float)
    part = f"{len(nodes)} of {len(network):,} nodes" if len(network) > len(nodes) else f"{len(nodes)} nodes"
    figure = new_figure(f"Graph: {part}, {shown.number_of_edges():,} links", height=4.4)
    axes = figure.add_subplot()
    axes.set_axis_off()
    axes.set_aspect("equal")
    axes.margins(0.1)
    if network.is_directed():
        for one, other in shown.edges:
            arrow = {"arrowstyle": "-|>", "color": QUIET, "shrinkA": 6, "shrinkB": 8}
            axes.annotate("", places[other], places[one], arrowprops=arrow)
    axes.add_collection(
        LineCollection([(places[one], places[other]) for one, other in shown.edges], colors=QUIET, lw=0.8)
    )
    axes.scatter(points[:, 0], points[:, 1], s=40 + 260 * sizes / sizes.max(), color=colour(0), zorder=3)
    for node, (x, y) in list(zip(nodes, points, strict=True))[:MAX_NAMES]:
        axes.annotate(label(node, 12), (x, y), xytext=(0, 11), textcoords="offset points", ha="center", fontsize=8)
    hint_points(axes, points[:, 0], points[:, 1], [f"{node}: degree {degrees[node]}" for node in nodes])
    return figure
