"""Vector quantisation: a picture cut into blocks, each replaced by the nearest of a few."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from penstock.components.clustering.k_means import KMeans
from penstock.errors import DataError

Array = NDArray[np.float64]


class Quantised(NamedTuple):
    """`codes` say for each block which line of the `codebook` stands for it; `error` is the squared error in sum."""

    codebook: Array
    codes: NDArray[np.int64]
    picture: Array
    error: float


def to_blocks(picture: Array, size: int = 2) -> Array:
    """The blocks of size by size pixels as rows, line by line."""
    lines, width = picture.shape
    if lines % size or width % size:
        raise DataError(
            "PEN339",
            f"a picture of {lines} by {width} pixels cannot be cut into blocks of {size} by {size}",
            where="the table",
            remedy=f"leave lines and columns out until both numbers can be divided by {size}",
        )
    cut = picture.reshape(lines // size, size, width // size, size).swapaxes(1, 2)
    return cut.reshape(-1, size * size)


def from_blocks(blocks: Array, shape: tuple[int, int], size: int = 2) -> Array:
    """The picture of these blocks."""
    lines, width = shape
    cut = blocks.reshape(lines // size, width // size, size, size)
    return cut.swapaxes(1, 2).reshape(shape)


def quantise(picture: Array, clusters: int, *, size: int = 2, seed: int = 0) -> Quantised:
    """A codebook of so many blocks by k-means, at most as many as there are different ones."""
    blocks = to_blocks(picture, size)
    distinct = np.unique(blocks, axis=0)
    if len(distinct) <= clusters:
        codebook, codes = np.unique(blocks, axis=0, return_inverse=True)
    else:
        model = KMeans(clusters, random_state=seed).fit(blocks)
        codebook, codes = model.cluster_centers_, model.labels_.astype(np.int64)
    decoded = codebook[codes]
    error = float(((blocks - decoded) ** 2).sum())
    return Quantised(codebook, codes, from_blocks(decoded, (picture.shape[0], picture.shape[1]), size), error)
