"""Which check belongs to which type."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Any

import numpy as np
from scipy.sparse import issparse
from sklearn.base import BaseEstimator
from sklearn.cluster import BisectingKMeans, FeatureAgglomeration
from sklearn.cluster._kmeans import _BaseKMeans
from sklearn.ensemble import IsolationForest, VotingClassifier
from sklearn.ensemble._forest import BaseForest
from sklearn.ensemble._gb import BaseGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.gradient_boosting import BaseHistGradientBoosting
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.feature_extraction import DictVectorizer, FeatureHasher
from sklearn.feature_extraction.text import CountVectorizer, _VectorizerMixin
from sklearn.metrics import DistanceMetric
from sklearn.neighbors import KernelDensity
from sklearn.neighbors._ball_tree import BinaryTree32 as BallTreeBase32
from sklearn.neighbors._ball_tree import BinaryTree64 as BallTreeBase64
from sklearn.neighbors._base import NeighborsBase
from sklearn.neighbors._kd_tree import BinaryTree32 as KDTreeBase32
from sklearn.neighbors._kd_tree import BinaryTree64 as KDTreeBase64
from sklearn.preprocessing import OneHotEncoder
from sklearn.svm._base import BaseLibSVM
from sklearn.tree import BaseDecisionTree
from sklearn.tree._tree import Tree
from skops.io._general import ObjectNode, TypeNode
from skops.io._numpy import NdArrayNode, RandomGeneratorNode, RandomStateNode
from skops.io._scipy import SparseMatrixNode
from skops.io._sklearn import TreeNode
from skops.io._utils import gettype

from penstock.model_file.arrays import require_plain_array, require_plain_arrays
from penstock.model_file.checks import encoders, neighbours, others, trees, vectors
from penstock.model_file.checks.unsound import UnsoundError, require
from penstock.model_file.container import Members

__all__ = ["UnsoundError", "require_sound", "require_sound_state"]

NEIGHBOUR_TREES = (KDTreeBase32, KDTreeBase64, BallTreeBase32, BallTreeBase64)
STATEFUL = (Tree, TreePredictor, DistanceMetric, *NEIGHBOUR_TREES)
"""Types that are nothing without a state: made in another way they lead to memory that is not theirs."""
CHECKS: dict[type[Any], Callable[[Any], None]] = {
    TreePredictor: trees.predictor,
    BaseDecisionTree: trees.decision_tree,
    BaseForest: trees.forest,
    IsolationForest: trees.isolation_forest,
    BaseGradientBoosting: trees.gradient_boosting,
    BaseHistGradientBoosting: trees.hist_gradient_boosting,
    NeighborsBase: neighbours.neighbours,
    KernelDensity: neighbours.kernel_density,
    _BaseKMeans: neighbours.k_means,
    BisectingKMeans: neighbours.bisecting_k_means,
    BaseLibSVM: vectors.libsvm,
    FeatureAgglomeration: others.agglomeration,
    VotingClassifier: others.votes,
    OneHotEncoder: encoders.one_hot,
    CountVectorizer: encoders.vocabulary,
    DictVectorizer: encoders.vocabulary,
    FeatureHasher: encoders.hashes,
    _VectorizerMixin: encoders.patterns,
    BaseEstimator: others.threads,
}


def require_sound_state(node: Any, members: Members) -> None:
    """What a node is about to be made of; its parts are made already."""
    if isinstance(node, NdArrayNode):
        if node.type == "numpy":
            require_plain_array(node.buffer)
        return
    if isinstance(node, SparseMatrixNode):
        require_plain_arrays(node.content, members)
        return
    if isinstance(node, RandomStateNode):
        others.random_state(node.content.construct())
        return
    if isinstance(node, RandomGeneratorNode):
        others.random_state(node.bit_generator_state.construct())
        return
    if isinstance(node, TypeNode) or f"{node.module_name}.{node.class_name}" not in _stateful_names():
        return
    kind = gettype(node.module_name, node.class_name)
    require(type(node) is (TreeNode if issubclass(kind, Tree) else ObjectNode), "it is not stored as such")
    require(node.attrs is not None, "it is empty")
    state = node.attrs.construct()
    if issubclass(kind, Tree):
        trees.tree_state(node.args.construct(), state)
    elif issubclass(kind, DistanceMetric):
        neighbours.distance_state(kind, state)
    elif issubclass(kind, NEIGHBOUR_TREES):
        neighbours.neighbour_tree_state(kind, state)


def require_sound(made: object) -> None:
    """What came out."""
    try:
        if issparse(made):
            others.sparse(made)
        elif not isinstance(made, np.ndarray | type):
            for check in _checks_of(type(made)):  # type: ignore[arg-type]  # it says that types have no hash
                check(made)
    except UnsoundError:
        raise
    except Exception as error:  # what a part that is missing, or of another type, makes a check stumble over
        raise UnsoundError(f"{type(error).__name__}: {error}") from error


@cache
def _checks_of(kind: type[object]) -> tuple[Callable[[Any], None], ...]:
    return tuple(check for base, check in CHECKS.items() if issubclass(kind, base))


@cache
def _stateful_names() -> frozenset[str]:
    waiting, found = list(STATEFUL), set()
    while waiting:
        kind = waiting.pop()
        found.add(f"{kind.__module__}.{kind.__name__}")
        waiting += kind.__subclasses__()
    return frozenset(found)
