"""Whether a function is convex, as far as draws can tell."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from penstock.components.optimisation.trace import Array


def worst_chord(function: Callable[[Array], Array], low: float, high: float, draws: int = 2000, seed: int = 0) -> float:
    """The most that f(t a + (1 - t) b) lies above t f(a) + (1 - t) f(b), over drawn a, b and t; convex: never above 0.

    The same with 1/n in the place of t is Jensen's inequality: a concave function of a mean is at least the mean of
    the function, so that its worst chord is of minus the function.
    """
    rng = np.random.default_rng(seed)
    a, b = rng.uniform(low, high, (2, draws))
    t = rng.random(draws)
    along, chord = function(t * a + (1 - t) * b), t * function(a) + (1 - t) * function(b)
    return float(np.max((along - chord) / (1 + np.abs(chord))))


def is_convex(function: Callable[[Array], Array], low: float, high: float) -> bool:
    """By draws: a function that bends down anywhere wide is found, one that never does is never accused."""
    return worst_chord(function, low, high) <= 1e-12
