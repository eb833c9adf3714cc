"""Kernels by name and by rule, their matrices, and who takes these."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from sklearn.kernel_ridge import KernelRidge
from sklearn.metrics.pairwise import rbf_kernel
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KernelCenterer
from sklearn.svm import SVC

from penstock.components.catalog import build, check_parameters, entries
from penstock.components.kernels.gram import require_kernel
from penstock.components.kernels.kernel import Kernel, gamma_of, parse_kernel, resolve_gamma
from penstock.components.kernels.machine import KernelMachineClassifier, KernelMachineRegressor
from penstock.components.kernels.perceptron import KernelPerceptron
from penstock.components.svm.machine import SupportVectorMachine
from penstock.errors import UsageError

A, B = np.array([[0.3, -0.2]]), np.array([[0.1, 0.5]])
POINTS = np.random.default_rng(0).normal(size=(30, 2))


def least(words: str, X: Any = POINTS, **given: Any) -> float:
    return float(np.linalg.eigvalsh(Kernel(words, **given)(X))[0])


@pytest.mark.covers("kernel-standard", "ex_gram_cubic", "ex_quadratic_feature_map", "met_kernels")
def test_the_standard_kernels_of_two_points() -> None:
    assert Kernel("rbf", gamma=1.0)(A, B).item() == pytest.approx(0.5886049697, abs=1e-9)
    assert Kernel("poly", gamma=1.0, coef0=1.0, degree=3)(A, B).item() == pytest.approx(0.804357, abs=1e-9)
    assert Kernel("rbf", gamma=7.0)(A, A).item() == 1.0
    assert Kernel("linear")(A, B).item() == pytest.approx(0.3 * 0.1 - 0.2 * 0.5)
    assert Kernel("sigmoid", gamma=2.0, coef0=-1.0)(A, B).item() == pytest.approx(np.tanh(2 * -0.07 - 1))
    distance, sigma = float(np.sum((A - B) ** 2)), 0.8  # the widths of three books
    assert Kernel("rbf", gamma_of(sigma))(A, B).item() == pytest.approx(np.exp(-distance / (2 * sigma**2)))
    assert Kernel("rbf", gamma_of(sigma, halved=False))(A, B).item() == pytest.approx(np.exp(-distance / sigma**2))
    cubic = Kernel("poly", gamma=1.0, coef0=1.0, degree=3)(np.array([[1.0, 0.0], [0.0, 1.0], [1.0, 1.0]]))
    assert cubic.tolist() == [[8, 1, 8], [1, 8, 8], [8, 8, 27]]
    assert Kernel("poly", gamma=1.0, coef0=0.0, degree=2)(np.array([[1.0, 2.0]]), np.array([[3.0, -1.0]])).item() == 1.0


@pytest.mark.covers("kernel-standard", "kernel-exponential-geometric", "kernel-algebra")
@pytest.mark.parametrize(
    ("words", "value"),
    [
        ("rbf", 0.5886049697),
        ("poly", 0.804357),
        ("linear", -0.07),
        ("exponential", 0.9323938199),
        ("geometric", 0.9345794393),
        ("normalised(exponential)", np.exp(-0.53 / 2)),
        ("2 * rbf + rbf * poly", 0.5886049697 * 2.804357),
    ],
)
def test_methods_of_the_catalogue_take_every_kernel(words: str, value: float) -> None:
    """Of one row x with the target t, f(z) is t K(x, z) / (K(x, x) + penalty)."""
    given = {"kernel": words, "gamma": 1.0, "degree": 3, "coef0": 1.0, "penalty": 0.5, "fit_intercept": False}
    model = build("kernel-machine", given, seed=0, problem="regression").fit(A, [2.0])
    own = Kernel(words, gamma=1.0, degree=3, coef0=1.0)(A).item()
    assert model.predict(B)[0] * (own + 0.5) / 2 == pytest.approx(value, abs=1e-9)


@pytest.mark.covers("kernel-standard")
def test_a_sigmoid_is_no_kernel_in_general() -> None:
    assert least("sigmoid", coef0=-1.0) < -0.1
    assert least("rbf") > -1e-8
    assert least("poly", coef0=1.0) > -1e-8


@pytest.mark.covers("kernel-exponential-geometric", "met_kernels")
def test_the_endless_series_of_products() -> None:
    assert Kernel("exponential")(A, B).item() == pytest.approx(0.9323938199, abs=1e-9)
    assert Kernel("geometric")(A, B).item() == pytest.approx(0.9345794393, abs=1e-9)
    ball = POINTS / (1.01 * np.linalg.norm(POINTS, axis=1).max())
    assert least("exponential", ball) > -1e-10
    assert least("geometric", ball) > -1e-10
    same = Kernel("normalised(exponential)")(POINTS)
    assert same == pytest.approx(rbf_kernel(POINTS, gamma=0.5), abs=1e-12)
    raw = np.exp(POINTS @ POINTS.T)
    assert raw / np.sqrt(np.outer(np.diag(raw), np.diag(raw))) == pytest.approx(same, abs=1e-12)
    with pytest.raises(ValueError, match=r"geometric kernel needs \|gamma x\.z\| < 1, but it reaches 1\.5"):
        Kernel("geometric")(np.array([[1.0]]), np.array([[-1.5]]))
    with pytest.raises(ValueError, match="scale rows to unit length first"):
        Kernel("exponential")(np.array([[100.0]]))
    far = np.array([[100.0], [-100.0]])
    assert Kernel("normalised(exponential)")(far) == pytest.approx(np.eye(2))
    unit = POINTS / np.linalg.norm(POINTS, axis=1, keepdims=True)
    for words, width in (("exponential", 1.0), ("geometric", 0.9)):
        model = SupportVectorMachine(kernel=words, gamma=width).fit(unit, POINTS[:, 0] > 0)
        assert model.score(unit, POINTS[:, 0] > 0) > 0.9


@pytest.mark.covers("kernel-algebra", "ex_kernel_centering", "met_kernel_distance")
def test_what_is_made_of_kernels_is_a_kernel() -> None:
    for words in ("rbf + poly", "3 * rbf", "rbf * poly", "rbf * (linear + 0.1 * poly)", "normalised(poly)"):
        made = Kernel(words, coef0=1.0, degree=2)
        gram = made(POINTS)
        assert np.linalg.eigvalsh(gram / np.abs(gram).max())[0] >= -1e-10
        assert made.diagonal(POINTS) == pytest.approx(np.diag(gram))
    one, two = Kernel("rbf")(POINTS), Kernel("poly", coef0=1.0, degree=2)(POINTS)
    assert Kernel("2 * rbf + rbf * poly", coef0=1.0, degree=2)(POINTS) == pytest.approx(2 * one + one * two)
    unit = Kernel("normalised(poly + rbf)", coef0=1.0)
    assert np.diag(unit(POINTS)) == pytest.approx(np.ones(30))
    K = np.array([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 1.0]])
    # The linear kernel of these rows is K, so that its normalised one is the worked example's.
    rows = np.linalg.cholesky(K)
    normalised = [[1, 0.408248290464, 0], [0.408248290464, 1, 0.57735026919], [0, 0.57735026919, 1]]
    assert Kernel("normalised(linear)")(rows) == pytest.approx(np.array(normalised), abs=1e-9)
    centred = KernelCenterer().fit_transform(K)
    assert centred[0] == pytest.approx([1.11111111111, -0.555555555556, -0.555555555556], abs=1e-9)
    assert centred[1:] == pytest.approx(
        np.array(
            [[-0.555555555556, 0.777777777778, -0.222222222222], [-0.555555555556, -0.222222222222, 0.777777777778]]
        )
    )
    # Kernel PCA takes the centred one: its directions carry the eigenvalues of that matrix.
    pca = build("kernel-pca", {"kernel": "precomputed", "components": 2}, seed=0, problem="classification").fit(K)
    assert pca.eigenvalues_ == pytest.approx(np.linalg.eigvalsh(centred)[:0:-1])
    # A kernel of mapped rows: the map is a step before.
    y = POINTS[:, 0] * POINTS[:, 1] > 0
    mapped = make_pipeline(
        build("explicit-kernel-map", {"kernel": "poly", "degree": 2, "coef0": 0.0}, seed=0, problem="classification"),
        build("kernel-machine", {"kernel": "rbf", "gamma": 0.5}, seed=0, problem="classification"),
    )
    assert mapped.fit(POINTS, y).score(POINTS, y) > 0.9


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ("rbff", "did you mean 'rbf'"),
        ("rbf - linear", "is no kernel"),
        ("-1 * rbf", "positive numbers only"),
        ("rbf + 1", "adds a number"),
        ("rbf(", "is no kernel"),
        ("__import__('os')", "is no kernel"),
        ("normalised(rbf, poly)", "is no kernel"),
        ("2", "is a number and no kernel"),
        ("normalised(2 * 3)", "is a number and no kernel"),
    ],
)
def test_words_that_say_no_kernel(words: str, fault: str) -> None:
    with pytest.raises(ValueError, match=fault):
        parse_kernel(words)
    with pytest.raises(UsageError, match=fault) as caught:
        check_parameters(entries()["svm"], {"kernel": ["rbf", words]}, problem="classification")
    assert caught.value.code == "PEN017"


@pytest.mark.covers("kernel-gram", "proc_kernel_first_pipeline")
def test_one_matrix_serves_every_learner() -> None:
    rng = np.random.default_rng(0)
    X, fresh = rng.normal(size=(60, 3)), rng.normal(size=(20, 3))
    y, amount = np.where(X[:, 0] * X[:, 1] > 0, 1, -1), X[:, 0] ** 2
    gram, against = rbf_kernel(X, gamma=0.5), rbf_kernel(fresh, X, gamma=0.5)
    by_matrix = SVC(kernel="precomputed", tol=1e-6).fit(gram, y).decision_function(against)
    for solver in ("auto", "libsvm", "exact", "smo"):
        given: Any = {"gamma": 0.5, "folds": 2, "solver": solver, "tol": 1e-6}
        by_name = build("svm", given, seed=0, problem="classification").fit(X, y).machine_
        assert by_name.decision_function(fresh) == pytest.approx(by_matrix, abs=1e-8 if solver == "auto" else 1e-5)
    for loss in ("logistic", "square", "hinge"):
        named, given = (
            build("kernel-machine", {"loss": loss, **kernel}, seed=0, problem="classification")
            for kernel in ({"gamma": 0.5}, {"kernel": "precomputed"})
        )
        by_matrix = given.fit(gram, y).decision_function(against)
        assert named.fit(X, y).decision_function(fresh) == pytest.approx(by_matrix, abs=1e-12)
    learners: list[Any] = [
        SupportVectorMachine(gamma=0.5), KernelMachineClassifier(gamma=0.5), KernelPerceptron(gamma=0.5),
    ]  # fmt: skip
    for learner in learners:
        by_name = learner.fit(X, y).decision_function(fresh)
        by_matrix = learner.set_params(kernel="precomputed").fit(gram, y).decision_function(against)
        assert np.array_equal(by_name, by_matrix) or by_name == pytest.approx(by_matrix, abs=1e-12)
    ridge, machine = KernelRidge(kernel="precomputed"), KernelMachineRegressor(gamma=0.5, fit_intercept=False)
    assert machine.fit(X, amount).predict(fresh) == pytest.approx(ridge.fit(gram, amount).predict(against), abs=1e-10)
    for name, asked in (("kernel-ridge", "predict"), ("kernel-pca", "transform")):
        named, given = (
            build(name, kernel, seed=0, problem="regression")
            for kernel in ({"kernel": "rbf", "gamma": 0.5}, {"kernel": "precomputed"})
        )
        by_name, by_matrix = (
            getattr(named.fit(X, amount), asked)(fresh),
            getattr(given.fit(gram, amount), asked)(against),
        )
        assert by_name == pytest.approx(by_matrix, abs=1e-8)


@pytest.mark.covers("kernel-gram", "met_kernel_psd")
def test_a_matrix_that_no_kernel_gives_is_refused() -> None:
    tanh = Kernel("sigmoid", gamma=1.0, coef0=-1.0)(np.array([[0.0], [1.0]]))
    assert np.linalg.eigvalsh(tanh) == pytest.approx([-1.232285, 0.470691], abs=1e-6)
    with pytest.raises(ValueError, match=r"no kernel: its least eigenvalue is -1\.23229"):
        SupportVectorMachine(kernel="precomputed").fit(tanh, [0, 1])
    with pytest.raises(ValueError, match="not symmetric"):
        require_kernel(np.array([[1.0, 0.0], [0.5, 1.0]]))
    with pytest.raises(ValueError, match="has as many columns, not 3"):
        require_kernel(np.ones((2, 3)))
    with pytest.raises(ValueError, match="least eigenvalue"):
        SupportVectorMachine(kernel="sigmoid", gamma=1.0, coef0=-1.0).fit(POINTS, POINTS[:, 0] > 0)


def test_the_width_follows_the_spread() -> None:
    assert resolve_gamma("scale", POINTS) == pytest.approx(1 / (2 * POINTS.var()))
    weights = np.arange(30) % 3
    repeated = np.repeat(POINTS, weights, axis=0)
    assert resolve_gamma("scale", POINTS, weights) == pytest.approx(resolve_gamma("scale", repeated))
    assert resolve_gamma("auto", POINTS) == 0.5
    for constant in (1.0, 0.1, 1e8, 1e-8):  # the mean of some is rounded
        assert resolve_gamma("scale", np.full((40, 3), constant)) == 1.0


@pytest.mark.parametrize("scale", [1e-8, 1e8])
def test_angles_hang_on_no_unit(scale: float) -> None:
    assert Kernel("cosine")(POINTS * scale) == pytest.approx(Kernel("cosine")(POINTS))
