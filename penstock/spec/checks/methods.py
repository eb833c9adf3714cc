"""The methods that a pipeline file names, and their parameters."""

from __future__ import annotations

from collections.abc import Sequence

from penstock.components import catalog
from penstock.errors import UsageError
from penstock.problems import all_problems, find
from penstock.spec.base import Choice
from penstock.spec.pipeline import AUTO, Spec


def check_models(spec: Spec, path: str) -> None:
    if any(choice.name == AUTO for choice in spec.models):
        _check_auto(spec, path)
        return
    for position, choice in enumerate(spec.models):
        check_choice(choice, spec.problem, f"{path}: models.{position}", find(spec.problem).model_kinds)


def check_choice(choice: Choice, problem: str, where: str, kinds: Sequence[str]) -> None:
    entry = catalog.find(choice.name, kinds, problem, where=where)
    catalog.check_parameters(entry, choice.parameters, where, problem=problem)


def _check_auto(spec: Spec, path: str) -> None:
    alone = spec.automatic and not spec.models[0].parameters
    what, remedy = "stands alone, without parameters", f"say `models: {AUTO}` and no more"
    if not find(spec.problem).suggests:
        able = [problem.name for problem in all_problems().values() if problem.suggests]
        what = f"is for {' and '.join(able)} alone"
        remedy = "list the models to try, or leave `models` out for the usual ones"
    elif alone:
        return
    raise UsageError(
        "PEN323",
        f"`models: {AUTO}` lets the rows decide on the method, and {what}",
        where=f"{path}: models",
        remedy=remedy,
    )
