"""How much rows count: a column of weights, and what evens out classes."""

from __future__ import annotations

from penstock.components import catalog
from penstock.components.balancing.balance import CLASS_WEIGHTS, no_weights
from penstock.errors import UsageError
from penstock.problems import find
from penstock.spec.base import Choice
from penstock.spec.checks.refused import refuse
from penstock.spec.pipeline import Spec


def check_weights(spec: Spec, path: str) -> None:
    """Every model must be able to let rows count more or less, or its scores would not be comparable."""
    if not spec.data.weighted:
        return
    weight = next(name for name, role in spec.data.columns.items() if role == "weight")
    refuse(spec, "data.columns.weight", path, value=weight, where=f"data.columns.{weight}")
    for position, choice in enumerate(spec.models):
        if not catalog.takes_weights(choice.name, spec.problem):
            raise UsageError(
                "PEN164",
                f"'{choice.name}' cannot take the weights of '{weight}': it counts all rows alike",
                where=f"{path}: models.{position}",
                remedy=f"choose among: {', '.join(_weighable(spec))}; or declare `{weight}: ignore`",
            )


def _weighable(spec: Spec) -> list[str]:
    return catalog.weighable(spec.problem, find(spec.problem).model_kinds)


def check_balance(spec: Spec, balance: Choice, path: str, where: str) -> None:
    """Balancing is for classes; weights go with rows that exist, and with models that take weights."""
    refuse(spec, "preparation.balance", path, value=balance.name, where=where.removeprefix(f"{path}: "))
    entry = catalog.find(balance.name, ("balancer",), spec.problem, where=where)
    if spec.data.weighted and entry.invents_rows:
        raise no_weights(entry.name, where)
    for position, choice in enumerate(spec.models):
        if entry.name == CLASS_WEIGHTS and not catalog.takes_weights(choice.name, spec.problem):
            raise UsageError(
                "PEN029",
                f"'{choice.name}' takes no weights, so class-weights cannot balance it",
                where=f"{path}: models.{position}",
                remedy="balance by random-over-sampling or another that changes rows; or choose among: "
                f"{', '.join(_weighable(spec))}",
            )
