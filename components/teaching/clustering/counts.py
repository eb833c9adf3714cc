"""How many clusterings there are: too many to try them all."""

from __future__ import annotations

from math import comb, factorial


def clusterings(rows: int, clusters: int) -> int:
    """Ways to put so many rows into so many clusters, none of them empty (Stirling numbers of the second kind)."""
    signed: int = sum(
        (-1) ** empty * comb(clusters, empty) * (clusters - empty) ** rows for empty in range(clusters + 1)
    )
    return signed // factorial(clusters)


def all_clusterings(rows: int) -> int:
    """Ways to put so many rows into any number of clusters (Bell numbers)."""
    line = [1]
    for _ in range(rows):
        following = [line[-1]]
        for above in line:
            following.append(following[-1] + above)
        line = following
    return line[0]
