from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.utils.estimator_checks import check_estimator

from penstock.components.catalog import build, check_parameters, find
from penstock.components.kernels.kernel import Kernel
from penstock.components.kernels.ridge import CentredKernelRidge
from penstock.errors import UsageError


def ridge(**given: Any) -> Any:
    return build("kernel-ridge", given, seed=0, problem="regression")


@pytest.mark.parametrize("kernel", ["rbf", "linear", "normalised(exponential)"])
def test_scikit_learn_agrees(kernel: str) -> None:
    assert len(check_estimator(CentredKernelRidge(kernel=kernel), on_skip=None)) > 30


@pytest.mark.covers("kernel-ridge")
def test_with_a_linear_kernel_it_is_ridge() -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 5)), rng.normal(size=40)
    plain = {"kernel": "linear", "fit_intercept": False}
    primal = build("ridge", {"alpha": 0.7, "fit_intercept": False}, seed=0, problem="regression").fit(X, y)
    assert ridge(alpha=0.7, **plain).fit(X, y).predict(X) == pytest.approx(primal.predict(X), abs=1e-10)
    few, known = X[:3], y[:3]
    dual = ridge(alpha=1e-12, **plain).fit(few, known)
    assert few.T @ dual.dual_coef_ == pytest.approx(np.linalg.pinv(few) @ known, abs=1e-8)
    X, y = np.array([[1.0, 2.0, 0.0], [0.0, 1.0, 3.0]]), np.array([1.0, 2.0])
    dual = ridge(alpha=0.5, **plain).fit(X, y)
    assert X.T @ dual.dual_coef_ == pytest.approx([0.120930232558, 0.409302325581, 0.502325581395], abs=1e-9)


@pytest.mark.covers("kernel-ridge")
@pytest.mark.parametrize("kernel", ["rbf", "linear"])
def test_a_mean_of_squares_has_the_penalty_times_the_rows(kernel: str) -> None:
    rng = np.random.default_rng(0)
    X, y, penalty = rng.normal(size=(30, 3)), rng.normal(size=30), 0.05
    gram = Kernel(kernel, gamma=0.5)(X)
    forms: dict[float, Any] = {1.0: np.sum, 30.0: np.mean}
    for rows, of in forms.items():
        model = ridge(alpha=rows * penalty, kernel=kernel, gamma=0.5, fit_intercept=False).fit(X, y)
        closed = np.linalg.solve(gram + rows * penalty * np.eye(30), y)
        assert model.dual_coef_ == pytest.approx(closed, abs=1e-9)

        def objective(f: Any, length: float, of: Any = of) -> float:
            return float(of((y - f) ** 2) + penalty * length)

        here = objective(gram @ closed, closed @ gram @ closed)
        for share in (0.99, 1.01):  # the other form's minimum lies elsewhere along this line
            assert objective(share * gram @ closed, share**2 * closed @ gram @ closed) > here
        for _ in range(10):
            moved = closed + 1e-3 * rng.normal(size=30)
            assert objective(gram @ moved, moved @ gram @ moved) > here


def test_far_from_all_rows_it_answers_the_mean() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(40, 2))
    y = 1000 + X[:, 0]
    assert ridge().fit(X, y).predict([[1e3, 1e3]]) == pytest.approx([y.mean()])
    assert ridge(fit_intercept=False).fit(X, y).predict([[1e3, 1e3]]) == pytest.approx([0.0])


@pytest.mark.covers("kernel-exponential-geometric", "kernel-algebra", "svm-svr")
@pytest.mark.parametrize("name", ["svr", "kernel-ridge"])
def test_any_kernel_that_words_can_say(name: str) -> None:
    """Sums are what the library makes of their matrix; the exponential kernel, normalised, is the Gaussian of half."""
    rng = np.random.default_rng(0)
    X, new = rng.normal(size=(60, 3)), rng.normal(size=(9, 3))
    y = np.sin(X[:, 0]) + X[:, 1]

    def said(kernel: str, **given: Any) -> Any:
        return build(name, {"kernel": kernel, **given}, seed=0, problem="regression").fit(X, y).predict(new)

    gaussian = said("rbf", gamma=0.35)
    np.testing.assert_allclose(said("normalised(exponential)", gamma=0.7), gaussian, atol=1e-6)
    np.testing.assert_allclose(said("0.5 * rbf + 0.5 * rbf", gamma=0.35), gaussian, atol=1e-6)
    summed = Kernel("rbf + linear", gamma=0.35)
    given = build(name, {"kernel": "precomputed"}, seed=0, problem="regression").fit(summed(X), y)
    np.testing.assert_allclose(said("rbf + linear", gamma=0.35), given.predict(summed(new, X)), atol=1e-6)
    assert np.isfinite(said("laplacian")).all()
    with pytest.raises(ValueError, match="there is no kernel named 'rfb'; did you mean 'rbf'"):
        said("rfb")
    with pytest.raises(UsageError, match="there is no kernel named 'rfb'"):
        check_parameters(find(name), {"kernel": "rfb"})


def test_negative_weights_are_refused() -> None:
    with pytest.raises(ValueError, match="Negative values in data passed to `sample_weight`"):
        ridge().fit([[0.0], [1.0], [2.0]], [0.0, 1.0, 2.0], sample_weight=[1.0, -1.0, 1.0])
