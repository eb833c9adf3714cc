"""The parts that a pipeline file gives to columns: one each, and slices only by columns that part the rows."""

from __future__ import annotations

from typing import get_args

from penstock.components.evaluation.slices import NO_SLICES
from penstock.components.preprocessing.plan import TREATMENTS, require_meaning
from penstock.components.schema.columns import Scale
from penstock.components.schema.inference import given_roles
from penstock.errors import UsageError
from penstock.spec.pipeline import Spec


def check_roles(spec: Spec, path: str) -> None:
    data = spec.data_as_read
    given_roles({"target": data.target, "key": data.key, "group": data.group}, data.columns)


def check_single_columns(spec: Spec, path: str) -> None:
    """What single columns do otherwise, as far as their role is declared."""
    roles = _declared(spec)
    for name, preparation_steps in spec.preparation.columns.items():
        where, role = f"{path}: preparation.columns.{name}", roles.get(name)
        if role in TREATMENTS:
            require_meaning([one for one, chosen in preparation_steps if chosen is not None], name, role, where)
        elif role:
            raise UsageError(
                "PEN021",
                f"there is no feature named '{name}': it is declared as {role}",
                where=where,
                remedy=f"leave '{name}' out here, or declare it as the feature that it is",
            )


def check_slices(spec: Spec, path: str) -> None:
    """As far as the role of a column is declared; that of others shows in the rows."""
    terms, asked = spec.register_.promote.slices, spec.evaluation
    places = {
        "register.promote.slices.columns": terms.columns if terms else [],
        "evaluation.slices": asked.slices,
        "evaluation.fairness": asked.fairness,
    }
    roles = _declared(spec)
    for key, columns in places.items():
        for name in columns:
            if (role := roles.get(name, "")) in NO_SLICES:
                raise UsageError(
                    "PEN403",
                    f"the column '{name}' makes no slices: {NO_SLICES[role]}",
                    where=f"{path}: {key}",
                    remedy="name columns that are known before the outcome is"
                    if role == "target"
                    else "name columns of numbers or dates, or of few levels",
                )


def _declared(spec: Spec) -> dict[str, str]:
    """The role of each column of which the file says it; numbers on either scale are numeric."""
    data = spec.data_as_read
    roles = {name: role if isinstance(role, str) else "ordinal" for name, role in data.columns.items()}
    roles = {name: "numeric" if role in get_args(Scale) else role for name, role in roles.items()}
    parts = {"group": data.group, "key": data.key, "target": data.target}
    return roles | {name: part for part, name in parts.items() if name}
