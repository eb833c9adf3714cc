"""Sparse matrices, generators of random numbers, numbers of threads."""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.model_file.checks.unsound import count_of, require

THREADS = ("n_jobs", "_n_threads", "n_threads", "num_threads")
MAX_THREADS = 1024
MAX_PLACES = {"pos": 624, "buffer_pos": 4}
"""Of a Mersenne twister among its numbers; of Philox in its buffer."""


def sparse(matrix: Any) -> None:
    """scipy's products and conversions follow the indices as they are."""
    if matrix.format in ("csr", "csc", "bsr"):
        try:
            matrix.check_format(full_check=True)
        except ValueError as error:
            require(False, str(error))
        require(matrix.data.dtype != np.object_, "its numbers are none")
    elif matrix.format == "coo":
        for places, length in zip(matrix.coords, matrix.shape, strict=True):
            inside = places.dtype.kind in "iu" and (not len(places) or (places.min() >= 0 and places.max() < length))
            require(inside and len(places) == len(matrix.data), "an entry lies outside")
    elif matrix.format == "dia":
        offsets = matrix.offsets.astype(np.int64)
        require(matrix.data.ndim == 2 and offsets.shape == (len(matrix.data),), "its diagonals have other places")
        require((np.abs(offsets) <= max(matrix.shape)).all(), "a diagonal lies outside")
    else:
        require(False, f"it has the unknown format {matrix.format}")


def random_state(state: dict[str, Any]) -> None:
    """Of `RandomState` and of a `Generator`'s source."""
    for name, largest in MAX_PLACES.items():
        for held in (state, state.get("state", {})):
            place = held.get(name, 0) if isinstance(held, dict) else 0
            require(count_of(place, "its place lies outside", least=0) <= largest, "its place lies outside")


def agglomeration(model: Any) -> None:
    """numpy counts labels past all numbers outside of its memory, here and where votes are counted."""
    if "labels_" in vars(model):
        labels = model.labels_
        inside = type(labels) is np.ndarray and labels.dtype.kind in "iu" and labels.ndim == 1 and len(labels)
        require(inside and labels.min() >= 0 and labels.max() < len(labels), "its labels lie outside")


def votes(model: Any) -> None:
    for voter in vars(model).get("estimators_", ()):
        known = getattr(voter, "classes_", None)
        if known is not None:
            require(set(np.asarray(known).tolist()) <= set(range(len(model.classes_))), "it counts votes for no class")


def threads(model: Any) -> None:
    held = vars(model)
    for name in THREADS:
        if held.get(name) is not None:
            least = -MAX_THREADS if name == "n_jobs" else 1  # the others go to OpenMP as they are
            count = count_of(held[name], f"{name} is no number of threads", least=least)
            require(count <= MAX_THREADS, f"{name} is {count}")
