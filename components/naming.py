"""What columns, their levels and classes are called, for models in whose parameters a person names them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from penstock.components.schema import Schema

Array = np.ndarray[Any, Any]

COLUMNS, CLASSES, LEVELS = "column_names", "class_names", "level_names"


def words_of(schema: Schema) -> dict[str, Array]:
    """The names that codes stand for: of classes, and of the levels of columns that are prepared as numbers."""
    levels = {column.name: column.levels for column in schema.features if column.levels}
    words = {LEVELS: np.array(json.dumps(levels))}
    if schema.classes:
        words[CLASSES] = np.array([str(label) for label in schema.classes])
    return words


def set_feature_names(model: Any, columns: Callable[[], list[str]], words: Mapping[str, Array]) -> Any:
    """The model, told the names wherever a part of it asks for them; most ask for none, and none are looked up."""
    asked = [key for key in model.get_params() if key.rpartition("__")[2] in (COLUMNS, CLASSES, LEVELS)]
    if not asked:
        return model
    names = {
        COLUMNS: columns(),
        CLASSES: words[CLASSES].tolist() if CLASSES in words else None,
        LEVELS: json.loads(str(words[LEVELS])) if LEVELS in words else None,
    }
    return model.set_params(**{key: names[key.rpartition("__")[2]] for key in asked})
