"""Which kinds of question there are: those that are folders here, and those of other packages."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from importlib.metadata import EntryPoint
from pathlib import Path

from penstock import plugins
from penstock.components.targets import TargetType
from penstock.errors import UsageError, did_you_mean
from penstock.problems.declaration import Problem

SHARED = "rows"
"""What the kinds that take tables of rows share; it declares none."""


@cache
def all_problems() -> dict[str, Problem]:
    """Every kind of question, by name."""
    found: dict[str, Problem] = {}
    for problem in (*_own(), *_installed()):
        if problem.name in found:
            raise UsageError(
                "PEN018",
                f"two packages offer a problem named '{problem.name}'",
                where=f"entry points of group '{plugins.PROBLEMS}'",
                remedy="rename the problem of the package that was added last, or uninstall it",
            )
        found[problem.name] = problem
    return found


def names() -> list[str]:
    return list(all_problems())


def find(name: str, *, where: str = "problem") -> Problem:
    """The kind of question with this name.

    Parameters
    ----------
    name : str
        What `problem:` of a pipeline file says.
    where : str, default="problem"
        The place that an error names.

    Returns
    -------
    Problem
        Its declaration.

    Examples
    --------
    >>> from penstock.problems import find
    >>> find("clustering").answers_known
    False
    """
    known = all_problems()
    if name not in known:
        raise UsageError(
            "PEN009", f"there is no problem named '{name}'", where=where, remedy=did_you_mean(name, list(known))
        )
    return known[name]


def proposals() -> dict[TargetType | None, str]:
    """The problem to propose for each type of target, and for a table without one."""
    return {problem.target_type: problem.name for problem in all_problems().values() if problem.proposed}


def _own() -> Iterator[Problem]:
    for folder in sorted(Path(__file__).parent.iterdir()):
        if folder.name != SHARED and (folder / "__init__.py").is_file():
            yield importlib.import_module(f"penstock.problems.{folder.name}").PROBLEM


def _installed() -> Iterator[Problem]:
    for point in plugins.problem_points():
        try:
            problem = point.load()
        except Exception as error:  # whatever a module of somebody else's raises when it is imported
            raise _unusable(point, f"{type(error).__name__}: {error}") from error
        if not isinstance(problem, Problem):
            raise _unusable(point, f"it is a {type(problem).__name__}, and no penstock.problems.Problem")
        yield problem


def _unusable(point: EntryPoint, why: str) -> UsageError:
    return UsageError(
        "PEN039",
        f"the problem '{point.name}' of another package cannot be used: {why}",
        where=f"entry point '{point.value}' of group '{plugins.PROBLEMS}'",
        remedy="correct that package, or uninstall it",
    )
