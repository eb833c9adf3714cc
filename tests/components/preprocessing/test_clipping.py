from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.preprocessing.clip_deviations import DeviationClipper
from penstock.components.preprocessing.clip_quantiles import QuantileClipper
from penstock.components.preprocessing.clip_tukey import TukeyClipper


def clipper(name: str, **given: Any) -> Any:
    return build(name, given, seed=0, problem="regression")


@pytest.mark.parametrize("estimator", [QuantileClipper(), TukeyClipper(), DeviationClipper()])
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


def test_the_edges_are_those_of_the_definitions() -> None:
    x = np.random.default_rng(0).lognormal(size=501)[:, None]
    first, third = np.quantile(x, [0.25, 0.75])
    expected = {
        ("clip-quantiles", "share", 0.05): (np.quantile(x, 0.05), np.quantile(x, 0.95)),
        ("clip-tukey", "factor", 1.5): (first - 1.5 * (third - first), third + 1.5 * (third - first)),
        ("clip-deviations", "factor", 2.0): (x.mean() - 2 * x.std(), x.mean() + 2 * x.std()),
    }
    for (name, parameter, value), edges in expected.items():
        learnt = clipper(name, **{parameter: value}).fit(x)
        assert (learnt.low_[0], learnt.high_[0]) == pytest.approx(edges)
        far = learnt.transform([[-1e9], [1.0], [1e9]])[:, 0]
        assert far == pytest.approx([edges[0], 1.0, edges[1]])


@pytest.mark.parametrize("name", ["clip-quantiles", "clip-tukey", "clip-deviations"])
def test_what_is_missing_stays_missing_and_odd_columns_stay_as_they_are(name: str) -> None:
    nothing, never_changes = np.full(20, np.nan), np.full(20, 3.0)
    X = np.column_stack([np.arange(20.0), nothing, never_changes])
    X[4, 0] = np.nan
    clipped = clipper(name).fit(X).transform(X)
    assert np.isnan(clipped[4, 0])
    assert np.isnan(clipped[:, 1]).all()
    assert (clipped[:, 2] == 3).all()


def test_a_column_that_is_mostly_one_value_keeps_the_others() -> None:
    """Both fences of a column with three quarters of zeros are zero: clipping to them would leave a constant."""
    x = np.r_[np.zeros(80), np.arange(20.0)][:, None]
    assert np.array_equal(clipper("clip-tukey").fit_transform(x), x)


def test_a_constant_whose_mean_is_rounded_has_no_edges() -> None:
    clipper = build("clip-deviations", {}, seed=0, problem="regression").fit(np.full((30, 1), 0.1))
    assert clipper.transform([[5.0], [-5.0]]).tolist() == [[5.0], [-5.0]]
