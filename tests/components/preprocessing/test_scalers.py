from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.preprocessing.quantile import QuantileTransformer

X = np.array([[1.0, 10.0], [2.0, 20.0], [4.0, 60.0]])


def scaler(name: str, **given: Any) -> Any:
    return build(name, given, seed=0, problem="clustering")


def scaled(name: str, **given: Any) -> Any:
    return scaler(name, **given).fit_transform(X)


def test_scikit_learn_agrees() -> None:
    assert len(check_estimator(QuantileTransformer(), on_skip=None)) > 30


@pytest.mark.covers("prep-standardise", "proc_continuous_transforms", "ex_standardise_variants")
def test_centred_and_standardised() -> None:
    third = 1 / 3
    assert scaled("centre") == pytest.approx(np.array([[-4 * third, -20], [-third, -10], [5 * third, 30]]), abs=1e-9)
    expected = [[-1.06904496765, -0.925820099773], [-0.267261241912, -0.462910049886], [1.33630620956, 1.38873014966]]
    assert scaled("standard") == pytest.approx(np.array(expected), abs=1e-9)
    assert np.array_equal(scaled("none"), X)


@pytest.mark.covers("prep-min-max", "proc_continuous_transforms", "ex_standardise_variants")
def test_between_zero_and_one() -> None:
    assert scaled("min-max") == pytest.approx(np.array([[0, 0], [1 / 3, 0.2], [1, 1]]), abs=1e-9)
    column = np.array([[2.0], [4.0], [10.0]])
    learnt = scaler("min-max").fit(column)
    assert learnt.transform(column).ravel().tolist() == [0.0, 0.25, 1.0]
    assert learnt.transform([[12.0]]).tolist() == [[1.25]]
    assert scaler("min-max", clip=True).fit(column).transform([[12.0]]).tolist() == [[1.0]]


@pytest.mark.covers("prep-unit-norm", "proc_continuous_transforms", "ex_standardise_variants")
def test_rows_of_length_one() -> None:
    expected = [[0.099503719021, 0.99503719021], [0.099503719021, 0.99503719021], [0.0665190105238, 0.997785157857]]
    assert scaled("unit-norm") == pytest.approx(np.array(expected), abs=1e-9)
    learnt = scaler("unit-norm")
    assert learnt.fit_transform([[3.0, 4.0], [0.0, 0.0]]).tolist() == [[0.6, 0.8], [0.0, 0.0]]
    rows = learnt.fit_transform(np.random.default_rng(0).normal(size=(20, 5)))
    x, z = rows[:10], rows[10:]
    assert np.sum((x - z) ** 2, axis=1) == pytest.approx(2 - 2 * np.sum(x * z, axis=1), abs=1e-12)


def test_outliers_do_not_move_the_robust_scale() -> None:
    column = np.arange(101.0)[:, None]
    far = column.copy()
    far[-1] = 1e9
    near = scaler("robust").fit_transform(column)
    assert near[25, 0] == pytest.approx(-0.5)
    assert scaler("robust").fit_transform(far)[:100] == pytest.approx(near[:100])


def test_long_tails_become_even_or_a_bell() -> None:
    amounts = np.exp(np.random.default_rng(0).normal(size=(500, 1)) * 2)
    even = scaler("quantile").fit_transform(amounts).ravel()
    assert np.histogram(even, bins=5)[0].tolist() == [100] * 5
    for bell in (scaler("quantile", shape="normal"), scaler("power")):
        shown = bell.fit_transform(amounts).ravel()
        assert abs(np.mean((shown - shown.mean()) ** 3) / shown.std() ** 3) < 0.5


@pytest.mark.parametrize("name", ["power", "quantile", "robust", "standard", "min-max"])
def test_large_numbers_and_columns_that_do_not_move(name: str) -> None:
    rng = np.random.default_rng(0)
    wide = np.column_stack(
        [1.7e9 + 1e8 * rng.random(60), 1e-12 * rng.random(60), 1e15 * rng.random(60), np.full(60, 3.0)]
    )
    learnt = scaler(name).fit(wide)
    assert np.isfinite(learnt.transform(wide)).all()
    assert np.isfinite(learnt.transform(wide * 3)).all()


@pytest.mark.covers("proc_scale_when", "ex_knn_scale_trap")
def test_without_scaling_the_column_of_large_numbers_decides_who_is_near() -> None:
    rows = np.array([[100_000.0, 1e-6], [120_000.0, 9e-6], [500_000.0, 1e-6], [900_000.0, 9.2e-6]])
    query = np.array([[115_000.0, 1.1e-6]])
    nearest = {}
    for name in ("none", "standard"):
        learnt = scaler(name).fit(rows)
        apart = np.linalg.norm(learnt.transform(rows) - learnt.transform(query), axis=1)
        nearest[name] = int(apart.argmin())
    assert nearest == {"none": 1, "standard": 0}


@pytest.mark.covers("proc_scale_when", "cl_pca_needs_scaling")
def test_components_follow_the_units_unless_scaled() -> None:
    rng = np.random.default_rng(0)
    shared = rng.normal(size=500)
    table = np.column_stack([shared, shared + 0.1 * rng.normal(size=500), 1000 * rng.normal(size=500)])
    weight = {}
    for name in ("none", "standard"):
        pca = build("pca", {"components": 1}, seed=0, problem="clustering").fit(scaler(name).fit_transform(table))
        weight[name] = abs(float(pca.components_[0, 2]))
    assert weight["none"] > 0.999
    assert weight["standard"] < 0.3


@pytest.mark.covers("proc_scale_when", "cl_standardisation_obscures_clusters")
def test_scaling_can_hide_groups_so_it_is_a_choice() -> None:
    rng = np.random.default_rng(0)
    side = np.repeat([-1.0, 1.0], 100)
    other = rng.permutation(side)
    table = np.column_stack(
        [3 * side + rng.normal(size=200), rng.uniform(-0.8, 0.8, 200), 0.5 * other + 0.02 * rng.normal(size=200)]
    )
    alike = {}
    for name in ("none", "standard"):
        settings = {"clusters": 2, "n_init": 20}
        found = build("k-means", settings, seed=0, problem="clustering").fit(scaler(name).fit_transform(table))
        alike[name] = adjusted_rand_score(side, found.labels_)
    assert alike["none"] > 0.95
    assert alike["standard"] < 0.2


def test_ranks_of_a_column_without_a_value_stay_missing_without_a_warning() -> None:
    X = np.column_stack([np.arange(6.0), np.full(6, np.nan)])
    shares = scaler("quantile").fit_transform(X)
    assert shares[:, 0] == pytest.approx(np.linspace(0, 1, 6))
    assert np.isnan(shares[:, 1]).all()
