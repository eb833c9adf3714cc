"""What must improve at every step does so, and a step that does not is told."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.datasets import load_diabetes, load_iris

from penstock.components.diagnostics import find
from penstock.components.teaching.diagnostics.objectives import first_breach
from penstock.errors import DataError, UsageError

pytestmark = pytest.mark.usefixtures("one_thread")

PROMISED = {"k-means", "gaussian-mixture", "als", "tree, single", "tree, complete", "tree, average", "tree, ward"}


@pytest.mark.covers("proc_monotone_objectives", "cl_kmeans_monotone_local_optima", "cl_em_monotone", "cl_als_monotone")
@pytest.mark.parametrize("seed", range(3))
def test_every_step_improves(seed: int) -> None:
    rows = load_diabetes(as_frame=True).frame.sample(150, random_state=seed)
    found = find("objectives")(rows, {"target": "target", "seed": seed, "groups": 4})
    assert found.facts["broken"] == []
    assert set(found.facts["courses"]) == {*PROMISED, "tree, centroid", "gradient-descent"}
    for name, values in found.facts["courses"].items():
        steps = np.diff(values) * (1 if name == "gaussian-mixture" or name.startswith("tree") else -1)
        assert len(steps) > 3
        if name != "tree, centroid":
            assert steps.min() >= -1e-9 * abs(values[0]), name
    assert found.table.loc["tree, centroid", "never"] == "(no promise)"
    assert len([axes for axes in found.figure.axes if axes.get_visible()]) == 9


@pytest.mark.covers("proc_monotone_objectives")
def test_only_centroids_may_merge_lower_again() -> None:
    rows = load_iris(as_frame=True).data
    found = find("objectives")(rows, {"method": "agglomerative"})
    assert found.facts["broken"] == []
    heights = np.array(found.facts["courses"]["tree, centroid"])
    first = found.facts["first_breach"]["tree, centroid"]
    assert heights[first] < heights[first - 1]
    assert (np.diff(heights[:first]) >= 0).all()
    assert found.figure.axes[3].lines[0].get_ydata()[-1] == heights[-1]
    assert any("tree, centroid" in words and "a cut by height" in words for words in found.findings)


@pytest.mark.covers("proc_monotone_objectives")
def test_steps_that_are_too_long_are_told() -> None:
    rows = load_diabetes(as_frame=True).frame
    given = {"method": "gradient-descent", "target": "target"}
    assert find("objectives")(rows, {**given, "rate": 1.9}).facts["broken"] == []
    long = find("objectives")(rows, {**given, "rate": 2.5})
    assert long.facts["broken"] == ["gradient-descent"]
    losses = long.facts["courses"]["gradient-descent"]
    step = long.facts["first_breach"]["gradient-descent"]
    assert losses[step] > losses[step - 1]
    assert f"rises at step {step}" in long.findings[0]
    assert "below 2" in long.findings[0]
    marks = [line for line in long.figure.axes[0].lines if line.get_marker() == "X"]
    assert marks[0].get_xdata()[0] == step
    assert len(long.figure.axes[0].lines[0].get_xdata()) < len(losses)  # not all the way to where it diverges


def test_the_first_wrong_step_and_no_other() -> None:
    assert first_breach(np.array([5.0, 4, 4, 3])) is None
    assert first_breach(np.array([5.0, 4, 4.5, 3, 9])) == 2
    assert first_breach(np.array([5.0, 4, np.nan, 3])) == 2
    assert first_breach(np.array([-5.0, -4, -4, -4.1]), rises=True) == 3
    assert first_breach(np.array([1e3, 1e-20, 2e-20])) is None  # rounding of a sum that began at a thousand


def test_what_cannot_be_asked_is_refused() -> None:
    with pytest.raises(UsageError, match="PEN355"):
        find("objectives")(load_iris(as_frame=True).data, {"method": "gradient-descent"})
    with pytest.raises(DataError, match="PEN356"):
        find("objectives")(pd.DataFrame({"a": [1.0] * 5, "b": [2.0] * 5}))
    few = find("objectives")(pd.DataFrame({"a": [1.0, 1, 1, 2], "b": [2.0, 2, 2, 1]}), {"groups": 5})
    assert few.facts["broken"] == []
