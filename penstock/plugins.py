"""Other teams' packages that add methods or kinds of question: how they are found, and what they are called."""

from __future__ import annotations

from functools import cache
from importlib.metadata import EntryPoint, EntryPoints, entry_points

GROUP = "penstock.components"
PROBLEMS = "penstock.problems"


def points() -> EntryPoints:
    """The places at which installed packages name their methods."""
    return entry_points(group=GROUP)


def problem_points() -> EntryPoints:
    """The places at which installed packages name their kinds of question."""
    return entry_points(group=PROBLEMS)


def all_points() -> list[EntryPoint]:
    """The places at which they add anything."""
    return [*points(), *problem_points()]


@cache
def releases() -> dict[str, str]:
    """The distribution and version of each top-level package that adds something."""
    return {
        point.module.partition(".")[0]: f"{point.dist.name} {point.dist.version}" if point.dist else ""
        for point in all_points()
    }
