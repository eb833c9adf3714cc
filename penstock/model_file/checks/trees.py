"""Decision trees, their forests and boosting."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import IsolationForest
from sklearn.ensemble._hist_gradient_boosting.common import PREDICTOR_RECORD_DTYPE
from sklearn.ensemble._hist_gradient_boosting.predictor import TreePredictor
from sklearn.tree import BaseDecisionTree
from sklearn.tree._tree import NODE_DTYPE, Tree

from penstock.model_file.checks.unsound import array_of, count_of, require

LEAF = -1
BITSET_WORDS = 8


def tree_state(arguments: Any, state: Any) -> None:
    """Of `Tree`, before it takes its nodes: they are numbered so that a child comes after its parent."""
    require(isinstance(arguments, tuple) and len(arguments) == 3, "its sizes are missing")
    features = count_of(arguments[0], "its number of features")
    outputs = count_of(arguments[2], "its number of outputs")
    classes = array_of(arguments[1], np.intp, (outputs,), "its numbers of classes")
    require(classes.min() >= 1, "an output has no classes")
    require(isinstance(state, dict), "its nodes are missing")
    nodes = array_of(state.get("nodes"), NODE_DTYPE, (None,), "its nodes")
    array_of(state.get("values"), np.float64, (len(nodes), outputs, int(classes.max())), "its values")
    require(len(nodes) > 0 and state.get("node_count") == len(nodes), "its number of nodes is another")
    inner = np.flatnonzero(nodes["left_child"] != LEAF)
    for side in ("left_child", "right_child"):
        _require_after(nodes[side][inner], inner, len(nodes))
    asked = nodes["feature"][inner]
    require(((asked >= 0) & (asked < features)).all(), "a node asks for a feature that there is not")


def predictor(tree: TreePredictor) -> None:
    nodes = array_of(tree.nodes, PREDICTOR_RECORD_DTYPE, (None,), "its nodes")
    require(len(nodes), "it has no nodes")
    inner = np.flatnonzero(nodes["is_leaf"] == 0)
    for side in ("left", "right"):
        _require_after(nodes[side][inner], inner, len(nodes))
    asked = nodes["feature_idx"][inner]
    require((asked >= 0).all(), "a node asks for a feature that there is not")
    splits = nodes[inner][nodes["is_categorical"][inner] != 0]
    for name in ("raw_left_cat_bitsets", "binned_left_cat_bitsets"):
        known = array_of(getattr(tree, name), np.uint32, (None, BITSET_WORDS), "its categories")
        require((splits["bitset_idx"] < len(known)).all(), "a node asks for categories that there are not")


def _require_after(children: Any, parents: Any, count: int) -> None:
    require(((children > parents) & (children < count)).all(), "its nodes do not form a tree")


def decision_tree(model: BaseDecisionTree) -> None:
    if "tree_" in vars(model):
        require(isinstance(model.tree_, Tree), "it has no tree")
        require(model.tree_.n_features == features_of(model), "its tree has other features")


def features_of(model: Any) -> int:
    return count_of(getattr(model, "n_features_in_", None), "its number of features")


def forest(model: Any) -> None:
    """Whose trees are given rows that only the forest has checked."""
    for tree in vars(model).get("estimators_", ()):
        _require_grown(tree, features_of(model))


def isolation_forest(model: IsolationForest) -> None:
    if "estimators_" not in vars(model):
        return
    features = features_of(model)
    whole = model._max_features == features
    for tree, drawn in zip(model.estimators_, model.estimators_features_, strict=True):
        _require_grown(tree, features if whole else len(drawn))


def _require_grown(tree: Any, features: int) -> None:
    require(isinstance(tree, BaseDecisionTree) and "tree_" in vars(tree), "it holds something else than grown trees")
    require(features_of(tree) == features, "one of its trees has other features")


def gradient_boosting(model: Any) -> None:
    """Whose compiled code adds the trees' values to what its first estimator predicts, column by column."""
    if "estimators_" not in vars(model):
        return
    features = features_of(model)
    trees = array_of(model.estimators_, np.object_, (None, None), "its trees")
    require(trees.size, "it has no trees")
    for tree in trees.ravel():
        _require_grown(tree, features)
        require(tree.tree_.value.shape[1:] == (1, 1), "one of its trees has several values")
    started = model._raw_predict_init(np.zeros((1, features), dtype=np.float32))
    array_of(started, np.float64, (1, trees.shape[1]), "what it starts from")


def hist_gradient_boosting(model: Any) -> None:
    if "_predictors" not in vars(model):
        return
    features = features_of(model) if model._preprocessor is None else _prepared(model._preprocessor)
    categorical = array_of(model._bin_mapper.is_categorical_, np.uint8, (features,), "its categorical features")
    for tree in (tree for iteration in model._predictors for tree in iteration):
        require(isinstance(tree, TreePredictor), "it holds something else than trees")
        inner = tree.nodes[tree.nodes["is_leaf"] == 0]
        require((inner["feature_idx"] < features).all(), "a node asks for a feature that there is not")
        split = inner["feature_idx"][inner["is_categorical"] != 0]
        require(categorical[split].all(), "a node asks for the category of a number")


def _prepared(preprocessor: ColumnTransformer) -> int:
    """The columns that come out of scikit-learn's own preparation: each goes in and out once."""
    require(isinstance(preprocessor, ColumnTransformer), "its preparation is another")
    features = features_of(preprocessor)
    chosen = {name: np.arange(features)[columns] for name, _, columns in preprocessor.transformers_ if any(columns)}
    require(
        set(chosen) <= {"encoder", "numerical"}
        and np.array_equal(np.sort(np.concatenate([*chosen.values()])), np.arange(features)),
        "its preparation is another",
    )
    return features
