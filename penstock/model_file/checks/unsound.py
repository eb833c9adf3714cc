"""What the checks raise, and what they share."""

from __future__ import annotations

from typing import Any

import numpy as np


class UnsoundError(ValueError):
    """An object that its own code would follow out of its memory, or round and round."""


def require(holds: object, what: str) -> None:
    if not holds:
        raise UnsoundError(what)


def array_of(given: Any, kind: Any, shape: tuple[int | None, ...], what: str) -> np.ndarray[Any, Any]:
    """An array of this type and shape, in which None is any length."""
    fits = (
        type(given) is np.ndarray
        and given.dtype == np.dtype(kind)
        and given.ndim == len(shape)
        and all(wanted in (None, length) for wanted, length in zip(shape, given.shape, strict=True))
    )
    require(fits, f"{what} has another type or shape")
    return given  # type: ignore[no-any-return]


def count_of(given: Any, what: str, least: int = 1) -> int:
    """A whole number."""
    require(isinstance(given, (int, np.integer)) and not isinstance(given, bool) and given >= least, what)
    return int(given)
