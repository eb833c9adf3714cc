"""The champion: loaded if it answers the same question, and asked with care."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from penstock.errors import PenstockError, shorten
from penstock.home.disk import no_space_in
from penstock.model import PenstockModel, load_bundle

T = TypeVar("T")

MAX_REASON = 200


class CannotCompare(Exception):
    """The champion or the units stand in the way, for which the challenger is not to blame."""


def load_champion(new: PenstockModel, champion: Path) -> PenstockModel:
    try:
        old = load_bundle(champion)
    except PenstockError as error:
        raise CannotCompare(f"the champion cannot be loaded: {error.what}") from error
    if _question(new) != _question(old):
        raise CannotCompare("the champion answers another question: its problem, target or classes differ")
    return old


def by_champion(predict: Callable[[], T]) -> T:
    """An old model may need a column that is gone, or a library that is another one now."""
    try:
        return predict()
    except Exception as error:  # whatever it raises says that it cannot be compared with
        if full := no_space_in(error):
            raise full from error
        why = error.what if isinstance(error, PenstockError) else f"{type(error).__name__}: {error}"
        raise CannotCompare(f"the champion cannot predict these rows: {shorten(why, MAX_REASON)}") from error


def _question(model: PenstockModel) -> tuple[Any, ...]:
    return model.schema.problem, model.schema.target, model.schema.classes
