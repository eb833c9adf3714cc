"""Trees of neighbours, distances, and what looks for the nearest rows or centres."""

from __future__ import annotations

from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.metrics import DistanceMetric
from sklearn.metrics._dist_metrics import HaversineDistance32, HaversineDistance64, PyFuncDistance32, PyFuncDistance64
from sklearn.neighbors._ball_tree import BallTree32, BallTree64
from sklearn.neighbors._kd_tree import KDTree32, KDTree64

from penstock.model_file.checks.trees import features_of
from penstock.model_file.checks.unsound import array_of, count_of, require

KD_TREES, BALL_TREES = (KDTree32, KDTree64), (BallTree32, BallTree64)
SINGLE = (KDTree32, BallTree32)
MAX_LEVELS = 50


def distance_state(kind: type[DistanceMetric], state: Any) -> None:
    require(isinstance(state, tuple) and len(state) == 3, "its parameters are missing")
    require(not issubclass(kind, (PyFuncDistance32, PyFuncDistance64)), "it is a function")
    require(isinstance(state[0], float), "its exponent is missing")
    weights = array_of(state[1], np.float64, (None,), "its weights")
    array_of(state[2], np.float64, (None, None), "its matrix")
    require(state[2].shape[0] == state[2].shape[1] or not len(weights), "its matrix is not square")


def neighbour_tree_state(kind: type[Any], state: Any) -> None:
    """Of `KDTree` and `BallTree`: how the rows are halved is given by their number."""
    require(isinstance(state, tuple) and len(state) == 13, "its rows are missing")
    data, order, nodes, bounds, leaf_size, levels, count = state[:7]
    number = np.float32 if issubclass(kind, SINGLE) else np.float64
    data = array_of(data, number, (None, None), "its rows")
    require(data.size, "it has no rows")
    rows, features = data.shape
    order = array_of(order, np.intp, (rows,), "its order")
    require(order.min() >= 0 and order.max() < rows, "its order names a row that there is not")
    require((np.bincount(order, minlength=rows) == 1).all(), "its order names a row twice")
    levels = count_of(levels, "its number of levels")
    require(levels <= MAX_LEVELS and count_of(count, "its number of nodes") == 2**levels - 1, "its levels are others")
    count_of(leaf_size, "its size of a leaf")
    require(type(nodes) is np.ndarray and nodes.shape == (count,), "its nodes are others")
    require(nodes.dtype.names == ("idx_start", "idx_end", "is_leaf", "radius"), "its nodes are others")
    _require_halves(nodes, rows, levels)
    array_of(bounds, number, (2 if issubclass(kind, KD_TREES) else 1, count, features), "its bounds")
    if state[12] is not None:
        array_of(state[12], number, (rows,), "its weights")
    _require_distance(state[11], features, data.dtype)


def _require_halves(nodes: Any, rows: int, levels: int) -> None:
    starts, ends = np.array([0]), np.array([rows])
    for level in range(levels):
        here = nodes[2**level - 1 : 2 ** (level + 1) - 1]
        require((here["idx_start"] == starts).all() and (here["idx_end"] == ends).all(), "its nodes hold other rows")
        require(level < levels - 1 or (here["is_leaf"] == 1).all(), "its last nodes are no leaves")
        middles = starts + (ends - starts) // 2
        starts, ends = np.ravel([starts, middles], order="F"), np.ravel([middles, ends], order="F")


def _require_distance(metric: Any, features: int, number: Any) -> None:
    require(isinstance(metric, DistanceMetric), "it has no distance")
    require(type(metric).__name__.endswith("32") == (number == np.float32), "its distance is of other numbers")
    weights, matrix = metric.__getstate__()[1:3]
    require(type(weights) is np.ndarray, "its distance has no weights")
    name = type(metric).__name__.removesuffix("32").removesuffix("64")
    if name == "SEuclideanDistance":
        require(len(weights) == features, "its distance is of other features")
    elif name == "MahalanobisDistance":
        require(matrix.shape == (features, features), "its distance is of other features")
    elif name == "MinkowskiDistance":
        require(len(weights) in (0, features), "its distance is of other features")
    elif isinstance(metric, (HaversineDistance32, HaversineDistance64)):
        require(features == 2, "its distance is of other features")


def neighbours(model: Any) -> None:
    held = vars(model)
    if "_fit_X" not in held:
        return
    rows = model._fit_X
    require((issparse(rows) or type(rows) is np.ndarray) and rows.ndim == 2, "its rows are missing")
    require(model.n_samples_fit_ == rows.shape[0], "its number of rows is another")
    require(rows.shape[1] == features_of(model), "its rows have other features")
    tree = held.get("_tree")
    if tree is not None:
        require(isinstance(tree, (*KD_TREES, *BALL_TREES)), "it has no tree")
        require(np.asarray(tree.data).shape == rows.shape, "its tree is of other rows")
    if held.get("n_neighbors") is not None:
        count_of(model.n_neighbors, "its number of neighbours")
    _require_parameters(held.get("effective_metric_params_") or {}, features_of(model))
    answers = held.get("_y")
    if answers is not None:
        require(type(answers) is np.ndarray and len(answers) == rows.shape[0], "its rows have other labels")
        if "classes_" in held and answers.ndim == 1:
            known = len(model.classes_)
            require(answers.dtype.kind in "iu" and answers.min() >= 0 and answers.max() < known, "a class is missing")


def _require_parameters(given: Any, features: int) -> None:
    """scipy does not look at how large they are."""
    for name, value in given.items():
        if value is not None and name in ("V", "VI", "w"):
            shape = (features, features) if name == "VI" else (features,)
            require(type(value) is np.ndarray and value.shape == shape, "its distance is of other features")


def kernel_density(model: Any) -> None:
    tree = vars(model).get("tree_")
    require(tree is None or isinstance(tree, (*KD_TREES, *BALL_TREES)), "it has no tree")


def k_means(model: Any) -> None:
    if "cluster_centers_" in vars(model):
        centres = model.cluster_centers_
        require(type(centres) is np.ndarray and centres.ndim == 2 and len(centres), "it has no centres")
        require(centres.shape[1] == features_of(model), "its centres have other features")


def bisecting_k_means(model: Any) -> None:
    waiting = [vars(model).get("_bisecting_tree")]
    while waiting:
        node = waiting.pop()
        if node is not None:
            centre = node.center
            require(type(centre) is np.ndarray and centre.shape == (features_of(model),), "a centre has other features")
            waiting += [getattr(node, "left", None), getattr(node, "right", None)]
