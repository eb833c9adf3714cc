from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.spatial.distance import cdist

from penstock.components.catalog import build
from penstock.components.dissimilarity import kernels
from penstock.components.dissimilarity.measure import NAMES, Measure
from penstock.components.dissimilarity.validity import require_dissimilarities, symmetrised
from penstock.errors import ClusteringError, UsageError


def between(name: str, X: Any, Y: Any = None, **settings: Any) -> Any:
    return Measure(name, settings).fit(np.asarray(X, dtype=float)).between(X, Y)


@pytest.mark.covers("dissim-minkowski", "ex_minkowski", "met_lp_norms", "met_euclid_minkowski")
def test_minkowski_distances() -> None:
    """ex_minkowski; and only d >= 0 and d(x, x) = 0 are asked for: the square breaks the triangle inequality."""
    named = {"manhattan": 7.0, "euclidean": 5.0, "chebyshev": 4.0, "squared-euclidean": 25.0}
    for other in ([3.0, 4.0], [3.0, -4.0]):
        for name, expected in named.items():
            assert between(name, [[0.0, 0.0]], [other])[0, 0] == pytest.approx(expected, abs=1e-9)
            assert between(name, [[0.0, 0.0], other])[0, 1] == pytest.approx(expected, abs=1e-9)
    for power, expected in ((1.0, 7.0), (2.0, 5.0), (3.0, 91 ** (1 / 3))):
        assert between("minkowski", [[0.0, 0.0]], [[3.0, 4.0]], power=power)[0, 0] == pytest.approx(expected, abs=1e-9)
    # The number of coordinates that are not zero is the limit of sums of ever smaller powers, and no norm.
    far = np.array([[3.0, 0.0, -4.0]])
    assert 3 * between("hamming", np.zeros((1, 3)), far)[0, 0] == 2 == np.linalg.norm(far[0], 0)
    line = between("squared-euclidean", [[0.0], [1.0], [2.0]])
    assert line[0, 2] > line[0, 1] + line[1, 2]
    assert require_dissimilarities(line) is not None


@pytest.mark.covers("dissim-cosine-correlation", "ex_unit_vectors_distance", "met_cosine", "met_pearson")
def test_cosine_and_correlation() -> None:
    """ex_unit_vectors_distance among them."""
    assert 1 - between("cosine", [[1.0, 0.0]], [[1.0, 1.0]])[0, 0] == pytest.approx(0.707107, abs=1e-6)
    assert between("squared-euclidean", [[0.6, 0.8]], [[1.0, 0.0]])[0, 0] == pytest.approx(0.8, abs=1e-9)
    rng = np.random.default_rng(0)
    units = rng.normal(size=(30, 4))
    units /= np.linalg.norm(units, axis=1, keepdims=True)
    squared = between("squared-euclidean", units)
    assert np.abs(squared - (2 - 2 * units @ units.T))[~np.eye(30, dtype=bool)].max() < 1e-12
    assert (squared.argsort(axis=1)[:, 1:] == between("cosine", units).argsort(axis=1)[:, 1:]).all()
    X = rng.normal(size=(6, 5))
    assert between("correlation", 3 * X[:3] + 7, X[3:]) == pytest.approx(
        between("correlation", X[:3], X[3:]), abs=1e-12
    )
    assert 1 - between("correlation", X) == pytest.approx(np.corrcoef(X), abs=1e-12)
    centred = X - X.mean(axis=1, keepdims=True)
    assert between("correlation", X) == pytest.approx(between("cosine", centred), abs=1e-12)


@pytest.mark.covers("cl_distance_concentration")
def test_in_many_columns_everything_is_far_from_everything() -> None:
    rng = np.random.default_rng(0)
    ratios = []
    for columns in (2, 10, 100, 1000):
        X = rng.random((500, columns))
        far = between("euclidean", X[:1], X[1:])[0]
        ratios.append(far.min() / far.max())
    assert ratios == sorted(ratios)
    assert ratios[0] < 0.1 < ratios[1] < 0.5 < ratios[2] < 0.85 < ratios[3]


@pytest.mark.parametrize("name", ["cosine", "correlation"])
def test_rows_without_a_direction(name: str) -> None:
    """As far from any other row as one at a right angle, and equal among each other."""
    X = np.array([[1.0, 0.0, 2.0], [0.1, 0.1, 0.1], [0.0, 0.0, 0.0], [3.0, 1.0, 0.0], [0.0, 0.0, 0.0]])
    lost = [2, 4] if name == "cosine" else [1, 2, 4]
    together = between(name, X)
    assert np.isfinite(together).all()
    assert together == pytest.approx(between(name, X, X.copy()), abs=1e-12)
    assert (together[np.ix_(lost, lost)] == 0).all()
    assert (together[np.ix_(lost, [0, 3])] == 1).all()
    assert 0 < together[0, 3] < 2
    for method in ("k-medoids", "agglomerative", "dbscan", "hdbscan"):
        given = {"linkage": "average"} if method == "agglomerative" else {}
        model = build(method, {"dissimilarity": name, **given}, seed=0, problem="clustering").fit(np.tile(X, (6, 1)))
        assert len(model.predict(X)) == 5, method
    with pytest.raises(ClusteringError, match="directions of rows") as caught:
        between(name, np.zeros((4, 1)))
    assert caught.value.code == "PEN337"
    assert "more columns" in str(caught.value.remedy)


@pytest.mark.covers("dissim-kernel-gaussian", "ex_infinite_kernels")
def test_the_gaussian_kernel_and_its_widths() -> None:
    """ex_infinite_kernels."""
    x, y = [[0.3, -0.2]], [[0.1, 0.5]]
    assert kernels.gaussian(x, y, gamma=1.0)[0, 0] == pytest.approx(0.588604969678, abs=1e-9)
    assert kernels.gaussian(x, y, width=2.0) == pytest.approx(kernels.gaussian(x, y, gamma=1 / 8), abs=1e-12)
    gram = kernels.kernel("gaussian", np.random.default_rng(0).normal(size=(40, 3)), gamma=0.7)
    assert np.diag(gram) == pytest.approx(np.ones(40), abs=1e-12)
    assert np.linalg.eigvalsh(gram).min() >= -1e-10


@pytest.mark.covers("dissim-kernel-dot-product")
def test_kernels_of_products() -> None:
    x, y = [[0.3, -0.2]], [[0.1, 0.5]]
    assert kernels.exponential(x, y)[0, 0] == pytest.approx(0.932393819906, abs=1e-9)
    assert kernels.geometric(x, y)[0, 0] == pytest.approx(0.934579439252, abs=1e-9)
    rng = np.random.default_rng(0)
    X = rng.normal(size=(5, 2))
    lifted = np.column_stack([X[:, 0] ** 2, X[:, 1] ** 2, np.sqrt(2) * X[:, 0] * X[:, 1]])
    assert kernels.polynomial(X, degree=2, constant=0.0) == pytest.approx(lifted @ lifted.T, abs=1e-12)
    assert kernels.polynomial([[1.0, 2.0]], [[3.0, -1.0]], degree=2, constant=2.0)[0, 0] == pytest.approx(9.0)
    assert kernels.polynomial(X, degree=1, constant=0.0) == pytest.approx(X @ X.T)
    assert np.linalg.eigvalsh(kernels.sigmoid(X, slope=1.0, constant=-1.0)).min() < -1e-3
    with pytest.raises(UsageError) as caught:
        kernels.geometric([[1.0]], [[-1.5]])
    assert caught.value.code == "PEN335"
    assert "-1.5" in caught.value.what


@pytest.mark.covers("dissim-kernel-distance", "met_kernel_distance")
def test_distances_in_the_space_of_a_kernel() -> None:
    X = np.array([[1.0], [2.0]])
    gram = kernels.polynomial(X, degree=2, constant=1.0)
    assert kernels.squared_distance(gram)[0, 1] == pytest.approx(11.0)
    lifted = np.array([[1.0, np.sqrt(2), 1.0], [1.0, 2 * np.sqrt(2), 4.0]])
    assert ((lifted[0] - lifted[1]) ** 2).sum() == pytest.approx(11.0)
    rng = np.random.default_rng(0)
    rows, new = rng.normal(size=(20, 3)), rng.normal(size=(4, 3))
    gaussian = kernels.gaussian(rows, gamma=0.5)
    assert kernels.squared_distance(gaussian) == pytest.approx(2 - 2 * gaussian, abs=1e-12)
    assert (np.diag(kernels.normalised(kernels.polynomial(rows))) == 1.0).all()
    shown = kernels.normalised([[2.0, 1.0, 0.0], [1.0, 3.0, 1.0], [0.0, 1.0, 1.0]])
    assert shown[0] == pytest.approx([1.0, 0.408248290464, 0.0], abs=1e-9)
    for combined in (gaussian + kernels.polynomial(rows), 3 * gaussian, gaussian * kernels.polynomial(rows)):
        assert np.linalg.eigvalsh(combined).min() > -1e-9
    for name, settings in (("polynomial-kernel", {"degree": 3}), ("gaussian-kernel", {"width": 2.0})):
        together = between(name, np.vstack([new, rows]), **settings)
        assert between(name, new, rows, **settings) == pytest.approx(together[:4, 4:], abs=1e-6)
    linear = between("polynomial-kernel", rows, degree=1, constant=0.0)
    assert linear == pytest.approx(cdist(rows, rows), abs=1e-6)


@pytest.mark.covers("dissim-precomputed")
def test_a_matrix_of_ones_own() -> None:
    assert symmetrised([[0, 1], [3, 0]]).tolist() == [[0, 2], [2, 0]]
    assert require_dissimilarities([[0, 1], [3, 0]], symmetric=False).tolist() == [[0, 1], [3, 0]]
    for matrix, code in (
        ([[0.1, 1], [1, 0]], "PEN226"),
        ([[0, -1], [-1, 0]], "PEN225"),
        ([[0, np.nan], [1, 0]], "PEN224"),
    ):
        with pytest.raises(ClusteringError) as caught:
            require_dissimilarities(matrix)
        assert caught.value.code == code
        assert "row 0" in caught.value.where
    X = np.random.default_rng(0).normal(size=(12, 3))
    assert between("precomputed", cdist(X, X)) == pytest.approx(between("euclidean", X), abs=1e-12)


@pytest.mark.parametrize("name", [name for name in NAMES if not name.startswith(("precomputed", "sigmoid"))])
def test_every_name_gives_dissimilarities(name: str) -> None:
    X = np.random.default_rng(0).uniform(-0.4, 0.4, size=(15, 3))
    matrix = between(name, X)
    assert require_dissimilarities(matrix).shape == (15, 15)
    assert matrix[:5] == pytest.approx(Measure(name).fit(X).between(X[:5], X), abs=1e-6)


def test_names_and_settings_that_do_not_exist() -> None:
    with pytest.raises(UsageError) as caught:
        Measure("manhatten").fit(np.eye(2))
    assert (caught.value.code, caught.value.remedy) == ("PEN005", "did you mean 'manhattan'?")
    with pytest.raises(UsageError) as caught:
        Measure("gaussian-kernel", {"gama": 1}).fit(np.eye(2))
    assert (caught.value.code, caught.value.remedy) == ("PEN006", "did you mean 'gamma'?")
