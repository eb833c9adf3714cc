"""The treatments of a pipeline file that the search may choose among, and the file once they are chosen.

A treatment is named by its key below `preparation` or `features`: `scale`, `select`, `columns.income.scale`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from penstock.spec.base import Choice, SpecModel
from penstock.spec.preparation import Features, Preparation

P = TypeVar("P", bound=SpecModel)

NONE = "none"
ONE_HOT = "one-hot"


def preparation_steps(preparation: Preparation, features: Features) -> dict[str, list[Choice]]:
    """Every treatment with its alternatives, of which there is mostly one."""
    found = {**_of(preparation), **_of(features)}
    for name, column in preparation.columns.items():
        found |= {f"columns.{name}.{step}": choices for step, choices in _of(column).items()}
    if "rare" in preparation.model_fields_set:  # what the file says in its own key is not searched
        found = {step: [_with_rare(choice, preparation.rare) for choice in found[step]] for step in found}
    return found


def named(preparation: Preparation, features: Features) -> set[str]:
    """The treatments that the file speaks of itself."""
    columns = {f"columns.{name}.{step}" for name, column in preparation.columns.items() for step in _of(column)}
    return preparation.model_fields_set | features.model_fields_set | columns


def place_of(step: str) -> str:
    """Where it stands in the pipeline file."""
    return f"{'features' if step in Features.model_fields else 'preparation'}.{step}"


def may_be_none(step: str) -> bool:
    """Whether a preparation can do without it, so that `none` may be an alternative."""
    field = {**Preparation.model_fields, **Features.model_fields}.get(step)
    return field is not None and field.default is None


def chosen_preparation(
    preparation: Preparation, features: Features, chosen: Mapping[str, Mapping[str, Mapping[str, Any]]]
) -> tuple[Preparation, Features]:
    """Both parts with one component for each treatment: the chosen one, else the first that is listed."""
    choices = {
        step: Choice(name=name, parameters=dict(parameters))
        for step, choice in chosen.items()
        for name, parameters in choice.items()
    }
    columns = {name: _with_choices(column, choices, f"columns.{name}.") for name, column in preparation.columns.items()}
    return (
        _with_choices(preparation, choices).model_copy(update={"columns": columns}),
        _with_choices(features, choices),
    )


def _of(part: SpecModel) -> dict[str, list[Choice]]:
    found = {name: value if isinstance(value, list) else [value] for name, value in part}
    return {name: value for name, value in found.items() if value and isinstance(value[0], Choice)}


def _with_rare(choice: Choice, rare: float) -> Choice:
    if choice.name != ONE_HOT:
        return choice
    return choice.model_copy(update={"parameters": {"rare": rare or None, **choice.parameters}})


def _with_choices(part: P, chosen: Mapping[str, Choice], prefix: str = "") -> P:
    changes: dict[str, Choice | None] = {}
    for name, listed in _of(part).items():
        choice = chosen.get(f"{prefix}{name}", listed[0])
        changes[name] = None if choice.name == NONE and may_be_none(f"{prefix}{name}") else choice
    return part.model_copy(update=changes)
