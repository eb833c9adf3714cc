from __future__ import annotations

import re
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from threadpoolctl import threadpool_limits

from penstock.components.diagnostics import find
from penstock.components.number_of_clusters import CRITERIA, CriterionResult, Evidence, evaluate_criteria
from penstock.components.plots import to_svg
from penstock.components.plots.number_of_clusters import criteria_figure, criterion_figure
from penstock.errors import UsageError

pytestmark = pytest.mark.usefixtures("one_thread")


def quickly(X: Any, k: int, seed: int) -> Any:
    return KMeans(k, n_init=1, random_state=seed).fit_predict(X)


@pytest.fixture(scope="module")
def found() -> dict[str, CriterionResult]:
    rng = np.random.default_rng(0)
    centres = np.repeat([[0.0, 0.0], [5.0, 0.0], [0.0, 5.0]], 20, axis=0)
    with threadpool_limits(1):
        return evaluate_criteria(Evidence(centres + 0.4 * rng.normal(size=(60, 2)), range(1, 6), cluster=quickly))


@pytest.mark.covers("plot_elbow", "plot_gap_curve")
@pytest.mark.parametrize("name", list(CRITERIA))
def test_a_picture_for_every_criterion(found: dict[str, CriterionResult], name: str) -> None:
    figure = criterion_figure(found[name])
    k = found[name].k
    assert k is not None
    assert figure.get_suptitle().endswith(f"{k} clusters")
    axes = figure.axes[0]
    line = next(line for line in axes.lines if line.get_markersize() == 4)
    assert list(line.get_ydata()) == [found[name].values[k] for k in sorted(found[name].values)]
    ring = next(line for line in axes.lines if line.get_markersize() == 10)
    assert (ring.get_xdata()[0], ring.get_ydata()[0]) == (k, found[name].values[k])
    assert axes.get_ylabel() == CRITERIA[name].label
    assert len(axes.containers) == (name in ("gap", "gap-maximum", "stability"))  # whose values have errors
    assert found[name].reason[:20] in to_svg(figure)


def test_what_cannot_be_told_is_not_marked(found: dict[str, CriterionResult]) -> None:
    elbow = found["elbow"].model_copy(update={"k": None, "reason": "Ambiguous"})
    figure = criterion_figure(elbow)
    assert figure.get_suptitle().endswith("cannot tell")
    assert len(figure.axes[0].lines) == 1
    one = found["silhouette"].model_copy(update={"k": 1})
    assert "no structure" in criterion_figure(one).get_suptitle()


def test_all_at_once_and_from_a_table(found: dict[str, CriterionResult]) -> None:
    assert len([axes for axes in criteria_figure(found).axes if axes.get_title(loc="left")]) == len(CRITERIA)
    rng = np.random.default_rng(1)
    frame = pd.DataFrame(rng.normal(size=(40, 2)) + np.repeat([[0], [9]], 20, axis=0), columns=["a", "b"])
    told = find("number-of-clusters")(frame, {"most": 4, "criterion": "silhouette"})
    assert told.facts["chosen"] == 2
    assert re.match(r"2 clusters by the elbow\.", told.findings[0])
    assert list(told.table.columns) == ["silhouette"]
    assert told.figure is not None
    with pytest.raises(UsageError, match="cannot form 0 clusters"):
        find("number-of-clusters")(frame, {"most": 0})
