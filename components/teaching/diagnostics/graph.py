"""What a graph looks like: degrees, components, distances, centralities, a random walk."""

from __future__ import annotations

from typing import Any

import networkx as nx
import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.schema import require_columns
from penstock.components.teaching.inputs.matrix import Matrix
from penstock.components.teaching.plots.graph import draw_graph
from penstock.errors import DataError, UsageError, did_you_mean

MAX_NODES = 3000
NO_WAY = float("nan")


def graph(
    frame: pd.DataFrame,
    *,
    source: str | None = None,
    target: str | None = None,
    length: str | None = None,
    directed: bool = False,
    start: str | None = None,
    steps: int = 1,
    damping: float = 0.85,
) -> Found:
    """Each row is an edge. The walk and all centralities count edges; `length` matters to distances alone.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.diagnostics import find
    >>> table = pd.DataFrame({"from": ["a", "b", "c"], "to": ["b", "c", "d"]})
    >>> find("graph")(table).facts["longest_way"]
    3.0
    """
    ends = source or str(frame.columns[0]), target or str(frame.columns[min(1, frame.shape[1] - 1)])
    network, said = _read(frame, ends, length, directed)
    nodes = list(network)
    matrix = nx.to_numpy_array(network, nodelist=nodes, weight=None).T  # column j: where one can go from j
    components = [*(nx.weakly_connected_components(network) if directed else nx.connected_components(network))]
    components.sort(key=len, reverse=True)
    eigenvalue, eigenvector = _eigenvector(network, components, nodes)
    walk, settles = _stationary(network, matrix, directed, components)
    table = pd.DataFrame(index=pd.Index(nodes, name="node"))
    if directed:
        table["in"], table["out"] = (
            [network.in_degree[node] for node in nodes],
            [network.out_degree[node] for node in nodes],
        )
    table["degree"] = [network.degree[node] for node in nodes]
    table["component"] = [1 + next(place for place, part in enumerate(components) if node in part) for node in nodes]
    table["degree share"] = table["degree"] / table["degree"].sum()
    hops, lengths = _distances(network, nodes, None), _distances(network, nodes, "length" if length else None)
    table["closeness"] = _closeness(hops)
    table["betweenness"] = pd.Series(nx.betweenness_centrality(network))
    table["eigenvector"] = eigenvector
    table["PageRank"] = pd.Series(nx.pagerank(network, alpha=damping, tol=1e-12, max_iter=1000, weight=None))
    table["stationary"] = walk
    if start is not None:
        place = _place(start, nodes)
        table["steps from start"], table["length from start"] = hops[place], lengths[place]
        table["walk"] = _after(matrix, place, steps)
    facts = {
        "nodes": len(nodes),
        "edges": network.number_of_edges(),
        "components": len(components),
        "eigenvalue": eigenvalue,
        "fixed_point_error": _error(matrix, walk),
        "longest_way": _largest(hops),
        "longest_length": _largest(lengths),
    }
    findings = [*_words(table, facts, length), settles, *said]
    return Found(findings, table, facts, draw_graph(network))


def _read(frame: pd.DataFrame, ends: tuple[str, str], length: str | None, directed: bool) -> tuple[Any, list[str]]:
    """The graph without loops and repetitions, and words about those."""
    require_columns(frame, [*ends, *([length] if length else [])])
    edges = frame[[*ends]].astype("string").dropna()
    lengths = pd.to_numeric(frame.loc[edges.index, length], errors="coerce") if length else pd.Series(1.0, edges.index)
    if not (lengths > 0).all():
        raise DataError(
            "PEN228",
            f"{int((~(lengths > 0)).sum())} edges have no length above zero",
            where=f"column '{length}'",
            remedy="give every edge a positive length, or leave the parameter out",
        )
    loops = edges[ends[0]] == edges[ends[1]]
    network: Any = nx.DiGraph() if directed else nx.Graph()
    for (one, other), far in zip(edges[~loops].itertuples(index=False), lengths[~loops], strict=True):
        known = network.get_edge_data(one, other, {"length": far})["length"]
        network.add_edge(str(one), str(other), length=min(float(far), known))
    if not network or len(network) > MAX_NODES:
        what = f"the graph has {len(network):,} nodes, more than {MAX_NODES:,}" if network else "there is no edge"
        remedy = "take a part of it" if network else "name the columns of the two ends by --set source= and target="
        raise DataError("PEN229", what, where=f"columns '{ends[0]}' and '{ends[1]}'", remedy=remedy)
    repeated = int((~loops).sum()) - network.number_of_edges()
    counts = {
        "rows without both ends are left out": len(frame) - len(edges),
        "edges from a node to itself are left out": int(loops.sum()),
        "repeated edges count once, with their shortest length": repeated,
    }
    return network, [f"{count} {words}." for words, count in counts.items() if count]


def _distances(network: Any, nodes: list[str], weight: str | None) -> Matrix:
    """Of the shortest ways, by breadth-first search or by Dijkstra; NaN where there is none."""
    ways = (
        nx.all_pairs_dijkstra_path_length(network, weight=weight)
        if weight
        else nx.all_pairs_shortest_path_length(network)
    )
    found = pd.DataFrame({node: pd.Series(reached) for node, reached in ways}).T
    return found.reindex(index=nodes, columns=nodes).to_numpy(dtype=float)


def _closeness(hops: Matrix) -> Matrix:
    """N / sum of distances, of the nodes that can be reached, the node itself counted."""
    total = np.nansum(hops, axis=1)
    reached = (~np.isnan(hops)).sum(axis=1)
    close: Matrix = np.divide(reached, total, out=np.zeros(len(hops)), where=total > 0)
    return close


def _eigenvector(network: Any, components: list[Any], nodes: list[str]) -> tuple[float, Matrix]:
    """Of the component with the largest eigenvalue, summing to one; zero elsewhere, and without any cycle of ways."""
    best, vector = 0.0, np.zeros(len(nodes))
    place = {node: number for number, node in enumerate(nodes)}
    for part in components:
        members = [node for node in nodes if node in part]
        values, vectors = np.linalg.eig(nx.to_numpy_array(network, nodelist=members, weight=None).T)
        first = int(values.real.argmax())
        if values[first].real > best + 1e-9:
            best, vector = float(values[first].real), np.zeros(len(nodes))
            own = np.abs(vectors[:, first].real)
            vector[[place[node] for node in members]] = own / own.sum()
    return best, vector


def _stationary(network: Any, matrix: Matrix, directed: bool, components: list[Any]) -> tuple[Matrix, str]:
    """The law that a random walk keeps, p = A D⁻¹ p, and whether the walk comes to it from anywhere."""
    if not directed:
        law = matrix.sum(axis=0) / matrix.sum()
        if len(components) > 1:
            return law, "A random walk stays in the component where it began; the stationary law is of all together."
        if nx.is_bipartite(network):
            return law, "A random walk alternates between two sides, so it keeps the stationary law, but never settles."
        return law, "A random walk settles at the stationary law from wherever it begins."
    if not nx.is_strongly_connected(network):
        nothing = np.full(len(matrix), NO_WAY)
        return nothing, "There is no single stationary law: not every node can be reached from every other."
    step = matrix / matrix.sum(axis=0)
    equations = np.vstack([step - np.eye(len(step)), np.ones(len(step))])
    law = np.linalg.lstsq(equations, np.append(np.zeros(len(step)), 1.0), rcond=None)[0]
    settles = nx.is_aperiodic(network)
    return law, f"A random walk {'settles at' if settles else 'keeps, but does not settle at,'} the stationary law."


def _after(matrix: Matrix, place: int, steps: int) -> Matrix:
    """Where a walk from one node is after some steps; from a node without a way out it goes nowhere."""
    out = matrix.sum(axis=0)
    step = np.divide(matrix, out, out=np.diag((out == 0).astype(float)), where=out > 0)
    law = np.zeros(len(matrix))
    law[place] = 1.0
    for _ in range(steps):
        law = step @ law
    return law


def _error(matrix: Matrix, law: Matrix) -> float | None:
    if np.isnan(law).any():
        return None
    return float(np.abs(matrix / matrix.sum(axis=0) @ law - law).max())


def _place(start: str, nodes: list[str]) -> int:
    if start not in nodes:
        raise UsageError(
            "PEN230", f"there is no node '{start}'", where="--set start", remedy=did_you_mean(start, nodes[:50])
        )
    return nodes.index(start)


def _largest(distances: Matrix) -> float:
    return float(np.nanmax(distances))


def _words(table: pd.DataFrame, facts: dict[str, Any], length: str | None) -> list[str]:
    components = facts["components"]
    first = [f"'{table[kind].idxmax()}' ({kind})" for kind in ("degree", "betweenness", "closeness", "PageRank")]
    far = f", or {facts['longest_length']:g} in '{length}'" if length else ""
    return [
        f"{facts['nodes']} nodes, {facts['edges']} edges, "
        + (
            "all connected."
            if components == 1
            else f"in {components} components, the largest of {(table['component'] == 1).sum()}."
        ),
        f"The mean degree is {table['degree'].mean():.2f}, the largest {table['degree'].max()}.",
        f"The longest of the shortest ways has {facts['longest_way']:g} steps{far}.",
        f"Most central: {', '.join(first)}.",
    ]


DIAGNOSTIC = Diagnostic(
    name="graph",
    summary="An edge list as a graph: degrees, components, distances, centralities, a random walk, and a drawing",
    function=graph,
    parameters={
        "source": "the column of an edge's first end, by default the first one",
        "target": "the column of its other end, by default the second one",
        "length": "a column with the lengths of edges, for weighted distances",
        "directed": "true where an edge goes one way, from source to target",
        "start": "a node: distances from it, and where a random walk from it is after `steps` steps",
        "steps": "how many steps that walk takes, by default 1",
        "damping": "how often PageRank follows an edge instead of going anywhere, by default 0.85",
    },
    syllabus=("proc_graph_analysis_stage", "plot_graph_drawing"),
)
