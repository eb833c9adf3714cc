"""Solvers on the functions of books, asked by name."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from penstock.components.diagnostics import find
from penstock.components.plots.output import to_svg
from penstock.errors import UsageError


def descend(**given: Any) -> dict[str, Any]:
    found = find("descent")(None, given)
    assert found.figure is None or to_svg(found.figure).startswith("<svg")
    return dict(found.facts)


@pytest.mark.covers("opt-gradient-descent", "met_gradient_stop")
def test_gradient_steps_in_a_valley() -> None:
    good = descend(rate=0.039)
    assert (good["steps"], good["rules"]) == ([286], ["step"])
    wild = find("descent")(None, {"rate": 0.041})
    assert wild.facts["rules"] == ["diverged"]
    assert wild.figure is None
    assert "it diverged: the rate is too large" in wild.findings[1]
    json.dumps(wild.facts, allow_nan=False)
    slow = descend(rate=0.01)
    assert slow["rules"] == ["step"]
    assert np.linalg.norm(slow["end"]) == pytest.approx(1e-4, rel=0.05)
    searched = descend(function="quartic")
    (start,), (after,) = searched["points"][0][:2]
    assert (start - after) / 4 == 0.25  # the slope at 1 is 4
    assert descend(most=3)["rules"] == ["most"]


@pytest.mark.covers("opt-newton", "ex_newton_one_step")
def test_newton_s_steps() -> None:
    curve = descend(function="logarithm", solver="newton")
    assert np.ravel(curve["points"][0][:4]) == pytest.approx([0.5, 0.75, 0.9375, 0.99609375], abs=1e-12)
    assert (curve["end"], curve["value"]) == (pytest.approx([1.0]), pytest.approx(1.0))
    for start in ([5.0, -7.0], [0.0, 0.0]):
        bowl = descend(function="bowl", solver="newton", starts=[start])
        assert (bowl["steps"], bowl["end"]) == ([1], pytest.approx([0.0909090909091, 0.636363636364], abs=1e-9))


@pytest.mark.covers("opt-newton")
def test_a_step_of_newton_to_where_there_is_no_function() -> None:
    found = find("descent")(None, {"function": "logarithm", "solver": "newton", "starts": [[3.0]]})
    assert found.findings == [
        "No start came to a least value of x - log x.",
        "From 3: 1 step; a step left where the function is defined.",
    ]
    assert (found.facts["value"], found.facts["rules"], found.figure) == (None, ["undefined"], None)
    json.dumps(found.facts, allow_nan=False)
    both = descend(function="logarithm", solver="newton", starts=[[3.0], [0.5]])
    assert (both["rules"], both["value"]) == (["undefined", "gradient"], pytest.approx(1.0))
    assert descend(function="logarithm", rate=10.0, starts=[[2.0]])["rules"] == ["undefined"]
    # Where hills hardly bend, the quadratic that touches them has its least value far away.
    bend = descend(function="hills", solver="newton", starts=[[1 / 3**0.5 + 1e-13]])
    assert (bend["rules"], bend["value"]) == (["far"], None)


@pytest.mark.covers("opt-coordinate-descent")
def test_coordinates_where_the_function_is_not_defined_everywhere() -> None:
    for start in (0.5, 3.0):
        found = descend(function="logarithm", solver="coordinates", starts=[[start]])
        assert (found["end"], found["value"]) == (pytest.approx([1.0], abs=1e-6), pytest.approx(1.0))


@pytest.mark.covers("opt-coordinate-descent")
def test_sweeps_over_the_coordinates() -> None:
    bowl = descend(function="bowl", solver="coordinates")
    sweeps = np.array(bowl["points"][0])
    assert sweeps[1:3] == pytest.approx(np.array([[0.25, 0.583333], [0.104167, 0.631944]]), abs=1e-6)
    assert bowl["end"] == pytest.approx([1 / 11, 7 / 11], abs=1e-6)
    assert (np.diff(bowl["values"][0]) <= 0).all()


@pytest.mark.covers("opt-conjugate-gradient")
def test_conjugate_steps() -> None:
    bowl = descend(function="bowl", solver="conjugate")
    assert np.array(bowl["points"][0]) == pytest.approx(np.array([[0, 0], [0.25, 0.5], [1 / 11, 7 / 11]]), abs=1e-12)
    valley = descend(solver="conjugate")
    assert valley["steps"] == [2]
    assert valley["end"] == pytest.approx([0, 0], abs=1e-9)


@pytest.mark.covers("opt-multi-start", "proc_restarts")
def test_the_lowest_of_several_ends() -> None:
    hills = descend(function="hills", rate=0.02, eps=1e-9, starts=[[2.0], [-2.0]])
    assert hills["ends"] == pytest.approx([-0.705854, -1.305428], abs=1e-6)
    assert (hills["end"], hills["value"]) == (pytest.approx([-1.035579], abs=1e-6), min(hills["ends"]))
    right = descend(function="hills", rate=0.02, eps=1e-9)
    assert (right["end"], right["value"]) == (
        pytest.approx([0.960150], abs=1e-6),
        pytest.approx(-0.705854, abs=1e-6),
    )


@pytest.mark.covers("opt-subgradient")
def test_a_constant_rate_comes_near_a_kink_and_does_not_stay() -> None:
    """Least squares of orthonormal columns with weights (3, -0.4), and their sizes: the lasso ends at (2.5, 0)."""
    kink = descend(function="kink", rate=0.01, most=3000)
    assert kink["rules"] == ["most"]
    assert kink["end"] == pytest.approx([2.5, -0.004], abs=0.005)
    assert kink["end"][1] != 0.0
    least = 0.5**2 + 0.4**2 + 2.5
    assert least <= kink["value"] <= least + 0.01


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ({"function": "kink", "solver": "newton"}, "has a kink"),
        ({"function": "hills", "solver": "conjugate"}, "is no quadratic"),
        ({"function": "hills", "starts": [[1.0, 2.0]]}, "has 1 unknown"),
        ({"function": "logarithm", "starts": [[0.5], [0.0]]}, "no finite value there"),
        ({"function": "hill"}, "does not fit 'function'"),
    ],
)
def test_what_does_not_fit_is_refused(given: dict[str, Any], words: str) -> None:
    with pytest.raises(UsageError, match=words) as caught:
        descend(**given)
    assert caught.value.code == "PEN222"
    assert caught.value.remedy
