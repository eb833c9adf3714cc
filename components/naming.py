"""What columns and classes are called, for models in whose parameters a person names them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

COLUMNS, CLASSES = "column_names", "class_names"


def told_names(model: Any, columns: Callable[[], list[str]], classes: Iterable[str] | None) -> Any:
    """The model, told the names wherever a part of it asks for them; most ask for none, and none are looked up."""
    asked = [key for key in model.get_params() if key.rpartition("__")[2] in (COLUMNS, CLASSES)]
    if not asked:
        return model
    names = {COLUMNS: columns(), CLASSES: None if classes is None else [str(name) for name in classes]}
    return model.set_params(**{key: names[key.rpartition("__")[2]] for key in asked})
