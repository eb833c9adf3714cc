"""Methods that only draw: they put near rows near each other, and nothing else may be read from the picture.

Sizes of groups, distances between them and empty room mean nothing, and new rows cannot be placed. So these are no
reducers of the catalogue: nothing is ever fitted to what they make, and nothing is evaluated by it.
"""

from __future__ import annotations

import warnings
from importlib.util import find_spec
from typing import Any, Literal

import numpy as np

from penstock.errors import UsageError

Array = np.ndarray[Any, Any]
Picture = Literal["t-sne", "umap"]

MAX_ROWS = 1000
NEIGHBOURS = 15
PERPLEXITY = 30.0
MIN_ROWS = 5


def require_pictures(names: list[Picture], where: str) -> None:
    if "umap" in names and find_spec("umap") is None:
        raise UsageError(
            "PEN347",
            "the picture 'umap' needs umap-learn, which is not installed",
            where=where,
            remedy="pip install 'penstock[explain]', or ask for t-sne",
        )


def picture(name: Picture, X: Array, *, seed: int) -> Array:
    """Two numbers for each row; the same seed draws the same picture."""
    # Loaded here, as a pipeline file names these without drawing them.
    if name == "t-sne":
        from sklearn.manifold import TSNE

        perplexity = min(PERPLEXITY, (len(X) - 1) / 3)
        return np.asarray(TSNE(perplexity=perplexity, init="pca", random_state=seed).fit_transform(X))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ImportWarning)  # that TensorFlow is missing, which nothing here needs
        from umap import UMAP

    neighbours = min(NEIGHBOURS, len(X) - 1)
    drawing = UMAP(n_neighbors=neighbours, init="pca", random_state=seed, n_jobs=1)
    return np.asarray(drawing.fit_transform(X), dtype=np.float64)
