"""Maps whose inner products are kernels: exact, cut off, nearly, and by chance."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.special import binom
from sklearn.metrics.pairwise import polynomial_kernel, rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build
from penstock.components.kernels.kernel import Kernel
from penstock.components.kernels.maps import ApproximateKernelMap, ExplicitKernelMap, RandomFeatures

A, B = np.array([[0.3, -0.2]]), np.array([[0.1, 0.5]])
X, Z = np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])


def made(name: str, **given: Any) -> Any:
    return build(name, given, seed=0, problem="regression")


@pytest.mark.parametrize(
    "estimator", [ExplicitKernelMap(), ApproximateKernelMap(components=10), RandomFeatures(components=10)]
)
def test_scikit_learn_agrees(estimator: Any) -> None:
    assert len(check_estimator(estimator, on_skip=None)) > 30


@pytest.mark.covers("kernel-explicit-map", "ex_polynomial_kernel_explicit", "ex_quadratic_feature_map")
def test_the_polynomial_kernel_has_a_finite_map() -> None:
    lift = made("explicit-kernel-map", kernel="poly", degree=2, coef0=2.0, gamma=1.0).fit(X)
    assert (lift.transform(X) @ lift.transform(Z).T).item() == pytest.approx(9.0)
    assert lift.transform(X).shape[1] == 6 == binom(2 + 2, 2)
    # coef0 ** k0 outside the root, as printed, weighs each product by its root once more on both sides.
    powers = lift.powers_.powers_[lift.kept_].sum(axis=1)
    outside = 2.0 ** ((2 - powers) / 2)
    assert ((lift.transform(X) * outside) @ (lift.transform(Z) * outside).T).item() == pytest.approx(25.0)
    plain = made("explicit-kernel-map", kernel="poly", degree=2, coef0=0.0, gamma=1.0).fit(X)
    assert plain.transform(X)[0] == pytest.approx([1, 2 * np.sqrt(2), 4])
    assert (plain.transform(X) @ plain.transform(Z).T).item() == pytest.approx(1.0)
    assert list(plain.get_feature_names_out(["u", "v"])) == ["u^2", "u v", "v^2"]
    rng = np.random.default_rng(0)
    many = rng.normal(size=(20, 4))
    deep = made("explicit-kernel-map", kernel="poly", degree=3, coef0=0.7, gamma=0.4).fit(many)
    assert deep.transform(many) @ deep.transform(many).T == pytest.approx(
        polynomial_kernel(many, degree=3, coef0=0.7, gamma=0.4)
    )


@pytest.mark.covers("kernel-explicit-map")
def test_endless_maps_are_cut_off() -> None:
    for kernel, exact in (("rbf", 0.588604969678), ("exponential", 0.932393819906), ("geometric", 0.934579439252)):
        assert Kernel(kernel)(A, B).item() == pytest.approx(exact, abs=1e-9)
        lift = made("explicit-kernel-map", kernel=kernel, degree=12, gamma=1.0).fit(A)
        assert (lift.transform(A) @ lift.transform(B).T).item() == pytest.approx(exact, abs=1e-9)
    errors = {}
    for order in (4, 8):
        lift = made("explicit-kernel-map", kernel="rbf", degree=order, gamma=1.0).fit(A)
        errors[order] = abs((lift.transform(A) @ lift.transform(B).T).item() - Kernel("rbf")(A, B).item())
    assert errors[4] == pytest.approx(3e-7, rel=0.1)
    assert errors[8] == pytest.approx(4e-14, rel=0.1)


def test_too_many_products_are_refused() -> None:
    with pytest.raises(ValueError, match=r"60 columns have 635,376 products of degree 4, and 100,000 are the most"):
        ExplicitKernelMap(degree=4).fit(np.ones((2, 60)))


@pytest.mark.slow
@pytest.mark.covers("kernel-linearisation")
def test_points_give_the_kernel_back_and_waves_nearly() -> None:
    rng = np.random.default_rng(0)
    rows = rng.normal(size=(40, 3))
    exact = rbf_kernel(rows, gamma=0.5)
    lifted = made("kernel-map", components=40, gamma=0.5).fit_transform(rows)
    assert lifted @ lifted.T == pytest.approx(exact, abs=1e-12)
    assert made("kernel-map", components=1000).fit_transform(rows).shape == (40, 40)
    errors = {}
    for components in (100, 10_000):
        given = {"by": "waves", "components": components, "gamma": 0.5}
        waves = [build("kernel-map", given, seed=seed, problem="regression") for seed in range(5)]
        made_by = [wave.fit_transform(rows) for wave in waves]
        errors[components] = np.sqrt(np.mean([(one @ one.T - exact) ** 2 for one in made_by]))
    # By the root of their number: .109 and .0109 where the row was tried; here the same to a fifth.
    assert errors[100] == pytest.approx(0.109 * errors[10_000] / 0.0109, rel=0.2)
    assert 0.05 < errors[100] < 0.13
    sketch = made("kernel-map", by="sketch", kernel="poly", components=20_000, degree=2, gamma=0.5).fit_transform(rows)
    wanted = polynomial_kernel(rows, degree=2, gamma=0.5)
    assert np.abs(sketch @ sketch.T - wanted).mean() < 0.02 * np.abs(wanted).max()
    with pytest.raises(ValueError, match="stands for the kernel 'rbf' alone"):
        made("kernel-map", by="waves", kernel="poly").fit(rows)


@pytest.mark.covers("kernel-random-features", "proc_random_features", "ex_sign_random_features")
def test_signs_of_random_directions_give_a_kernel_of_the_angle() -> None:
    for angle, tolerance in ((np.pi / 4, 0.005), (np.pi / 3, 0.005)):
        pair = np.array([[1.0, 0.0], [np.cos(angle), np.sin(angle)]])
        features = made("random-features", components=400_000, activation="sign").fit_transform(pair)
        assert features[0] @ features[1] == pytest.approx(1 - 2 * angle / np.pi, abs=tolerance)
    assert 1 - 2 * (np.pi / 3) / np.pi == pytest.approx(1 / 3)
    # The plain sum has no limit: it grows with the directions.
    sizes = (100, 10_000)
    few, many = (made("random-features", components=size, activation="sign").fit_transform(pair) for size in sizes)
    assert (many[0] @ many[1]) * 10_000 > 50 * (few[0] @ few[1]) * 100 > 0


@pytest.mark.covers("kernel-random-features")
def test_the_spread_of_directions_is_the_width_of_the_kernel() -> None:
    """The mean of cos(F.x) cos(F.z) is that of both halves, exp(-spread |x -+ z|² / 2)."""
    for spread in (0.25, 4.0):
        given = {"components": 400_000, "activation": "cosine", "spread": spread}
        features = made("random-features", **given).fit_transform(np.vstack([A, B]))
        halves = [np.exp(-spread * np.sum((A + sign * B) ** 2) / 2) for sign in (-1, 1)]
        assert features[0] @ features[1] == pytest.approx(np.mean(halves), abs=0.005)


@pytest.mark.slow
@pytest.mark.covers("kernel-random-features", "proc_random_features")
def test_the_peak_at_as_many_features_as_rows_and_the_penalty_that_removes_it() -> None:
    """The row's run gave .80, 256, .30 and .095, and .52 with a penalty; its draw is not told, its shape is pinned."""
    rng = np.random.default_rng(0)
    rows, columns = 100, 30
    teacher = rng.normal(size=columns) / np.sqrt(columns)
    taught, fresh = rng.normal(size=(rows, columns)), rng.normal(size=(2000, columns))
    y = taught @ teacher + 0.1 * rng.normal(size=rows)

    def error(components: int, penalty: float = 0.0) -> float:
        name, given = ("ridge", {"alpha": rows * penalty}) if penalty else ("linear-regression", {})
        model = make_pipeline(
            build("random-features", {"components": components, "activation": "sign"}, seed=3, problem="regression"),
            build(name, {**given, "fit_intercept": False}, seed=0, problem="regression"),
        ).fit(taught, y)
        return float(np.mean((model.predict(fresh) - fresh @ teacher) ** 2))

    errors = {size: error(size) for size in (50, 100, 200, 3000)}
    assert errors[100] > 10 * errors[50]
    assert errors[3000] < errors[200] < errors[50]
    # Features are divided by the root of their number here, so that the penalty is, too.
    assert error(100, 0.1 / 100) < 1 < errors[100]


@pytest.mark.covers("proc_random_features")
def test_directions_are_drawn_once_and_kept() -> None:
    rows = np.random.default_rng(0).normal(size=(10, 4))
    features = made("random-features", components=7).fit(rows)
    assert np.array_equal(features.transform(rows), features.transform(rows))
    assert features.transform(rows) == pytest.approx(np.maximum(rows @ features.directions_, 0) / np.sqrt(7))
    again = made("random-features", components=7).fit(rows[:3])
    assert np.array_equal(again.directions_, features.directions_)
