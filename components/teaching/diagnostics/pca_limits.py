"""Where principal components are not enough: a circle, and axes that are not at right angles."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from penstock.components.diagnostics import Diagnostic, Found
from penstock.components.dimensionality_reduction.independent import ICA
from penstock.components.dimensionality_reduction.pca import PCA
from penstock.components.teaching.inputs.outcome import Positive
from penstock.components.teaching.plots.planes import Rays, rays_figure

Array = np.ndarray[Any, Any]

AXES = np.array([[1.0, 0.0], [np.cos(np.pi / 3), np.sin(np.pi / 3)]])
NOISE = 0.05


def pca_limits(frame: pd.DataFrame | None = None, *, rows: Positive = 500, seed: int = 0) -> Found:
    """Of a circle no direction holds more than another; of slanted axes PCA finds two at right angles, ICA the axes.

    Examples
    --------
    >>> from penstock.components.diagnostics import find
    >>> round(find("pca-limits")(None).facts["off"]["PCA"])
    30
    """
    rng = np.random.default_rng(seed)
    angle = rng.uniform(0, 2 * np.pi, rows)
    circle = np.column_stack([np.cos(angle), np.sin(angle)]) + NOISE * rng.normal(size=(rows, 2))
    slanted = rng.laplace(size=(rows, 2)) @ AXES
    shares = PCA(None, svd_solver="full").fit(circle).explained_variance_ratio_
    found = {
        "PCA": PCA(None, svd_solver="full").fit(slanted).components_,
        "ICA": _unit(ICA(2, random_state=seed).fit(slanted).mixing_.T),
    }
    off = {name: _off(ways) for name, ways in found.items()}
    panels = {
        "a circle": Rays(circle, {"PCA": PCA(None, svd_solver="full").fit(circle).components_}),
        "slanted axes": Rays(slanted, found),
    }
    table = pd.DataFrame({"method": list(off), "degrees off the axes": list(off.values())}).set_index("method")
    findings = [
        f"Of a circle, which one number describes, two principal components hold {shares[0]:.0%} and {shares[1]:.0%}: "
        "a bend is no direction.",
        f"Of two axes at 60 degrees PCA finds directions that are {off['PCA']:.0f} degrees off, as its own are at "
        f"right angles; ICA is {off['ICA']:.0f} degrees off.",
    ]
    facts = {"circle": shares.tolist(), "off": off}
    return Found(findings, table, facts, rays_figure(panels, "Where principal components are not enough"))


def _unit(ways: Array) -> Array:
    found: Array = ways / np.linalg.norm(ways, axis=1, keepdims=True)
    return found


def _off(ways: Array) -> float:
    """The mean angle between each axis and the nearest direction that was found, in degrees."""
    near = np.abs(AXES @ _unit(ways).T).max(axis=1).clip(max=1)
    return float(np.rad2deg(np.arccos(near)).mean())


DIAGNOSTIC = Diagnostic(
    name="pca-limits",
    summary="Where PCA is not enough: a circle, and axes that are not at right angles, which ICA finds",
    function=pca_limits,
    parameters={"rows": "how many rows are drawn, by default 500", "seed": "seed of the rows, by default 0"},
    needs_table=False,
)
