"""Densities of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Float, OneOf

_CARD = Card(
    form="parametric",
    view="generative",
    output="probabilistic",
    shape="non-linear",
    memory="O(n K + K d^2)",
    time="O(n K d^2) for each round",
    capacity=("components", "covariance_type"),
)

ENTRIES = (
    Entry(
        name="gaussian-mixture-density",
        kind="density-estimator",
        problems=("density",),
        library="penstock.components.density.mixture:MixtureDensity",
        defaults={"n_init": 3, "max_iter": 500},
        rename={"components": "n_components"},
        space={
            "components": OneOf((1, 2, 3, 4, 5, 6, 8, 10), default=1),
            "covariance_type": OneOf(("full", "tied", "diag", "spherical"), default="full"),
        },
        summary="How likely a row is under a few Gaussians that overlap; one of them is the plain normal distribution.",
        card=replace(_CARD, memory="O(n m + m d^2), m components", time="O(n m d^2) for each round, m components"),
    ),
    Entry(
        name="kernel-density",
        kind="density-estimator",
        problems=("density",),
        library="penstock.components.density.kernel:KernelDensityEstimate",
        space={
            "bandwidth": Float(low=0.05, high=2.0, log=True, default=0.5),
            "kernel": OneOf(("gaussian", "exponential"), default="gaussian"),
        },
        summary="How likely a row is by the rows near it, without a form; for few columns, slow for many rows.",
        card=replace(
            _CARD,
            form="non-parametric",
            memory="O(n d)",
            time="O(n d log n); to answer a row up to O(n d)",
            capacity=("bandwidth",),
        ),
    ),
)

TRUSTED = (
    "penstock.components.density.kernel.KernelDensityEstimate",
    "penstock.components.density.mixture.MixtureDensity",
)
