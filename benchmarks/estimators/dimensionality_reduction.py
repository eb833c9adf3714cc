"""Reducers of ours against scikit-learn's, or alone where no library has the method."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
from scipy.sparse import csr_array
from sklearn import decomposition
from sklearn.feature_extraction.text import TfidfTransformer
from sklearn.pipeline import make_pipeline

from benchmarks.estimators.pairs import Pair
from penstock.components.dimensionality_reduction.als import AlternatingLeastSquares
from penstock.components.dimensionality_reduction.completion import IterativeSVD
from penstock.components.dimensionality_reduction.independent import ICA
from penstock.components.dimensionality_reduction.kernel_pca import InvertibleKernelPCA, KernelPCA
from penstock.components.dimensionality_reduction.least_entropy import EntropyICA
from penstock.components.dimensionality_reduction.non_negative import NMF
from penstock.components.dimensionality_reduction.pca import PCA
from penstock.components.dimensionality_reduction.sparse import SparsePCA
from penstock.components.dimensionality_reduction.total_least_squares import TotalLeastSquares
from penstock.components.dimensionality_reduction.truncated_svd import LSA, TruncatedSVD

KEPT = 3


def _low_rank(rows: int, columns: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.gamma(2, size=(rows, KEPT)) @ rng.gamma(2, size=(KEPT, columns)) + 0.1 * rng.random((rows, columns))
    return X, None


def _with_holes(rows: int, columns: int) -> tuple[Any, Any]:
    X, _ = _low_rank(rows, columns)
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    return X, None


def _with_target(rows: int, columns: int) -> tuple[Any, Any]:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(rows, columns))
    return X, X[:, :3].sum(axis=1) + rng.normal(size=rows)


def _words(rows: int, columns: int) -> tuple[Any, Any]:
    """How often words stand in texts, of which most hold few."""
    return csr_array(np.random.default_rng(0).poisson(0.05, (rows, columns)).astype(float)), None


def _weighed_topics() -> Any:
    return make_pipeline(TfidfTransformer(norm=None), decomposition.TruncatedSVD(KEPT, random_state=0))


def _last_direction() -> decomposition.PCA:
    """What a plane at right angles needs of the library."""
    return decomposition.PCA(svd_solver="full")


PAIRS = (
    Pair("pca", partial(PCA, KEPT, svd_solver="full"), partial(decomposition.PCA, KEPT, svd_solver="full"), _low_rank),
    Pair(
        "truncated-svd",
        partial(TruncatedSVD, KEPT, algorithm="arpack"),
        partial(decomposition.TruncatedSVD, KEPT, algorithm="arpack"),
        _low_rank,
    ),
    Pair("lsa", partial(LSA, KEPT, random_state=0), _weighed_topics, _words, columns=200),
    Pair(
        "kernel-pca",
        partial(KernelPCA, KEPT, kernel="rbf", eigen_solver="dense"),
        partial(decomposition.KernelPCA, KEPT, kernel="rbf", eigen_solver="dense"),
        _low_rank,
        rows=300,
    ),
    Pair(
        "kernel-pca, with the way back",
        partial(InvertibleKernelPCA, KEPT, kernel="rbf", eigen_solver="dense"),
        partial(decomposition.KernelPCA, KEPT, kernel="rbf", eigen_solver="dense", fit_inverse_transform=True),
        _low_rank,
        rows=300,
    ),
    Pair("sparse-pca", partial(SparsePCA, KEPT), partial(decomposition.SparsePCA, KEPT, random_state=0), _low_rank),
    Pair("nmf", partial(NMF, KEPT, init="nndsvda"), partial(decomposition.NMF, KEPT, init="nndsvda"), _low_rank),
    Pair("ica", partial(ICA, KEPT, random_state=0), partial(decomposition.FastICA, KEPT, random_state=0), _low_rank),
    Pair("entropy-ica", partial(EntropyICA, KEPT), None, _low_rank, rows=1000),
    Pair(
        "als, nothing missing",
        partial(AlternatingLeastSquares, KEPT),
        partial(decomposition.NMF, KEPT, init="nndsvda"),
        _low_rank,
        rows=1000,
    ),
    Pair("als, a tenth missing", partial(AlternatingLeastSquares, KEPT), None, _with_holes, rows=1000),
    Pair("iterative-svd, a tenth missing", partial(IterativeSVD, KEPT), None, _with_holes, rows=1000),
    Pair("total-least-squares", TotalLeastSquares, _last_direction, _with_target),
)
