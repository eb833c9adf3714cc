"""A short name for each cluster, from what sets it apart."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

WORDS = 2
MAX_CHARACTERS = 60
NOISE = "noise"
ALIKE = "no telling column"


def name_clusters(clusters: Sequence[Mapping[str, Any]]) -> list[str]:
    """One name a cluster, all different: its two most telling columns, and more of them where two would be the same."""
    told = [_words(cluster) for cluster in clusters]
    names = [_name(words[:WORDS], cluster) for words, cluster in zip(told, clusters, strict=True)]
    for position, words in enumerate(told):
        length = WORDS
        while names.count(names[position]) > 1 and length < len(words):
            length += 1
            names[position] = _name(words[:length], clusters[position])
    return [
        name if names.count(name) == 1 else f"{name} ({clusters[position]['cluster']})"
        for position, name in enumerate(names)
    ]


def _words(cluster: Mapping[str, Any]) -> list[str]:
    """One word or two for each telling column, the most telling first."""
    found: dict[str, str] = {}
    for difference in cluster["telling"]:
        found.setdefault(difference["column"], _word(difference))
    return list(found.values())


def _word(difference: Mapping[str, Any]) -> str:
    column = difference["column"]
    more = difference["difference"] > 0
    if difference["of"] == "level":
        return f"{column} {difference['level']}"
    if difference["of"] == "missing":
        return f"{column} {'missing' if more else 'known'}"
    return f"{'high' if more else 'low'} {column}"


def _name(words: Sequence[str], cluster: Mapping[str, Any]) -> str:
    if cluster["cluster"] == -1:
        return NOISE
    name = ", ".join(words) or ALIKE
    return name if len(name) <= MAX_CHARACTERS else name[: MAX_CHARACTERS - 1].rstrip() + "…"
