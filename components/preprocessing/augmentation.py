"""More training rows from pictures, by changes that keep what the picture shows.

A picture is a row whose columns are its pixels, line by line. Copies are made of training rows only: rows that evaluate
stay as they are.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np
import pandas as pd

from penstock.errors import UsageError

Array = np.ndarray[Any, Any]


def _shifted(axis: int, step: int) -> Callable[[Array], Array]:
    """By one pixel; what comes in from outside is 0."""

    def shift(pictures: Array) -> Array:
        moved = np.roll(pictures, step, axis=axis)
        edge: list[Any] = [slice(None)] * 3
        edge[axis] = 0 if step > 0 else -1
        moved[tuple(edge)] = 0
        return moved

    return shift


# By name: the kind of change, which must be declared to keep the label, and what it does to pictures.
CHANGES: Mapping[str, tuple[str, Callable[[Array], Array]]] = {
    "shift-left": ("shift", _shifted(2, -1)),
    "shift-right": ("shift", _shifted(2, 1)),
    "shift-up": ("shift", _shifted(1, -1)),
    "shift-down": ("shift", _shifted(1, 1)),
    "flip-horizontal": ("flip-horizontal", lambda pictures: pictures[:, :, ::-1]),
    "flip-vertical": ("flip-vertical", lambda pictures: pictures[:, ::-1, :]),
    "rotate-half": ("rotate", lambda pictures: pictures[:, ::-1, ::-1]),
}


def require_harmless(transforms: Sequence[str], keeps: Sequence[str], where: str) -> None:
    """Refuse a change that is not declared to keep the label: a flip turns b into d, half a turn 6 into 9."""
    for transform in transforms:
        needed = CHANGES[transform][0]
        if needed not in keeps:
            raise UsageError(
                "PEN023",
                f"'{transform}' may turn one class into another: '{needed}' is not declared to keep the label",
                where=where,
                remedy=f"leave it out; or, if no class becomes another by it, add '{needed}' to `keeps`",
            )


def require_shape(pixels: Sequence[str], shape: tuple[int, int], where: str) -> None:
    """Refuse columns that are not as many as a picture of this shape has pixels."""
    needed = shape[0] * shape[1]
    if len(pixels) != needed:
        raise UsageError(
            "PEN024",
            f"a picture of {shape[0]} lines of {shape[1]} pixels has {needed} columns, but there are {len(pixels)}",
            where=where,
            remedy="correct the shape, or name the columns of the picture under `pixels`",
        )


def augment(
    frame: pd.DataFrame, pixels: Sequence[str], shape: tuple[int, int], transforms: Sequence[str]
) -> tuple[pd.DataFrame, Array]:
    """The rows, then one changed copy of each for every transform; and for each row the position it was made from."""
    pictures = frame[list(pixels)].to_numpy(dtype=np.float64).reshape(len(frame), *shape)
    parts = [frame]
    for transform in transforms:
        changed = np.ascontiguousarray(CHANGES[transform][1](pictures)).reshape(len(frame), len(pixels))
        parts.append(frame.assign(**dict(zip(pixels, changed.T, strict=True))))
    return pd.concat(parts, ignore_index=True), np.tile(np.arange(len(frame)), len(parts))
