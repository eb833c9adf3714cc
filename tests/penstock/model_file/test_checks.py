"""Fitted models with one thing spoilt that compiled code, or a loop, would follow; each is refused when loaded."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix
from sklearn.cluster import BisectingKMeans, FeatureAgglomeration, KMeans
from sklearn.ensemble import (
    GradientBoostingClassifier,
    HistGradientBoostingClassifier,
    IsolationForest,
    RandomForestClassifier,
    VotingClassifier,
)
from sklearn.feature_extraction import DictVectorizer, FeatureHasher
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.metrics import DistanceMetric
from sklearn.neighbors import BallTree, KDTree, KernelDensity, KNeighborsClassifier
from sklearn.preprocessing import KBinsDiscretizer, OneHotEncoder
from sklearn.svm import SVC, SVR
from sklearn.tree import DecisionTreeClassifier, DecisionTreeRegressor

from penstock.components.preprocessing.bag_of_words import WORDS_AND_MARKS
from penstock.components.preprocessing.texts import WORD
from penstock.components.trees.id3 import ID3Classifier
from penstock.components.trust import trusted_types
from penstock.errors import ModelError
from penstock.store import dump_estimator, read_estimator
from tests.penstock.model_file.repacking import members_of, nodes_of, packed, schema_of, with_schema

RNG = np.random.default_rng(0)
X = RNG.normal(size=(90, 4))
Y = (X[:, 0] + X[:, 1] > 0).astype(int)
THREE = np.arange(90) % 3
WORDS = np.array([["a", "x"], ["b", "y"], ["c", "x"], ["a", "x"], ["b", "x"]], dtype=object)

Spoil = Callable[[Any], Any]


def tree() -> DecisionTreeClassifier:
    return DecisionTreeClassifier(max_depth=3, random_state=0).fit(X, Y)


def forest(kind: Any = RandomForestClassifier) -> Any:
    return kind(n_estimators=3, random_state=0).fit(X, Y)


def fewer_drawn(model: IsolationForest) -> None:
    model._max_features = 2
    model.estimators_features_ = [drawn[:2] for drawn in model.estimators_features_]


def other_tree(model: Any) -> None:
    model.estimators_[1] = DecisionTreeClassifier(random_state=0).fit(np.hstack([X, X]), Y)


def boosted(classes: Any = Y) -> GradientBoostingClassifier:
    return GradientBoostingClassifier(n_estimators=3, random_state=0).fit(X, classes)


def another_column(model: GradientBoostingClassifier) -> None:
    model.estimators_ = np.hstack([model.estimators_, model.estimators_])


def fewer_start(model: GradientBoostingClassifier) -> None:
    model.init_ = boosted(THREE).init_
    model.estimators_ = np.hstack([model.estimators_] * 5)


def binned() -> HistGradientBoostingClassifier:
    return HistGradientBoostingClassifier(max_iter=2, min_samples_leaf=5, random_state=0).fit(X, Y)


def nodes(model: HistGradientBoostingClassifier) -> Any:
    return model._predictors[0][0].nodes


def categorical(model: HistGradientBoostingClassifier) -> None:
    nodes(model)["is_categorical"][0] = 1
    model._predictors[0][0].raw_left_cat_bitsets = np.zeros((1, 8), dtype=np.uint32)
    model._predictors[0][0].binned_left_cat_bitsets = np.zeros((1, 8), dtype=np.uint32)


def near(algorithm: str = "kd_tree", **settings: Any) -> KNeighborsClassifier:
    return KNeighborsClassifier(3, algorithm=algorithm, leaf_size=5, **settings).fit(X, Y)


def put(name: str, value: Any) -> Spoil:
    def spoil(model: Any) -> None:
        setattr(model, name, value(getattr(model, name)) if callable(value) else value)

    return spoil


def at(place: Any, read: Callable[[Any], Any], value: Any) -> Spoil:
    def spoil(model: Any) -> None:
        read(model)[place] = value

    return spoil


def state_of(tree: Any, part: int) -> Any:
    """Of a KDTree or BallTree; a view of what it holds."""
    return tree.__getstate__()[part]


def heavier(model: KNeighborsClassifier) -> None:
    metric = DistanceMetric.get_metric("minkowski", p=3, w=np.ones(4))
    metric.__setstate__((3.0, np.ones(2), np.zeros((1, 1))))
    state = list(model._tree.__getstate__())
    state[11] = metric
    model._tree.__setstate__(tuple(state))


def unmetric(model: KNeighborsClassifier) -> None:
    state = list(model._tree.__getstate__())
    state[4:7] = [1, 40, 2**40 - 1]
    model._tree.__setstate__(tuple(state))


def half(values: Any) -> Any:
    return values[: len(values) // 2]


def encoder(**settings: Any) -> OneHotEncoder:
    return OneHotEncoder(**settings).fit(WORDS)


def cyclic(model: ID3Classifier) -> None:
    model.tree_["children"][model.tree_["children"] > 0] = 0


def words() -> CountVectorizer:
    return CountVectorizer().fit(["some words", "and others"])


SPOILT: dict[str, tuple[Callable[[], Any], Spoil]] = {
    "tree: a child far away": (tree, at(0, lambda m: m.tree_.children_left, 10**9)),
    "tree: a child before all": (tree, at(0, lambda m: m.tree_.children_right, -7)),
    "tree: a cycle": (tree, at(1, lambda m: m.tree_.children_left, 0)),
    "tree: its own child": (tree, at(0, lambda m: m.tree_.children_right, 0)),
    "tree: a feature far away": (tree, at(0, lambda m: m.tree_.feature, 10**9)),
    "tree: a feature below zero": (tree, at(0, lambda m: m.tree_.feature, -10)),
    "tree: of more features": (tree, put("n_features_in_", 2)),
    "tree: of no features": (tree, lambda m: vars(m).pop("n_features_in_")),
    "forest: a child far away": (forest, at(0, lambda m: m.estimators_[2].tree_.children_left, 10**9)),
    "forest: a tree of more features": (forest, other_tree),
    "forest: fewer features": (forest, put("n_features_in_", 2)),
    "forest: something else": (forest, put("estimators_", lambda trees: [*trees, near()])),
    "isolation forest: fewer features": (lambda: forest(IsolationForest), fewer_drawn),
    "boosting: another column": (boosted, another_column),
    "boosting: starts from fewer": (lambda: boosted(THREE), fewer_start),
    "boosting: several values": (
        boosted,
        at((0, 0), lambda m: m.estimators_, DecisionTreeRegressor().fit(X, np.c_[Y, Y])),
    ),
    "boosting: no tree": (boosted, at((0, 0), lambda m: m.estimators_, None)),
    "hist boosting: a child far away": (binned, lambda m: nodes(m)["left"].__setitem__(0, 10**6)),
    "hist boosting: a cycle": (binned, lambda m: nodes(m)["right"].__setitem__(0, 0)),
    "hist boosting: a feature far away": (binned, lambda m: nodes(m)["feature_idx"].__setitem__(0, 10**6)),
    "hist boosting: a feature below zero": (binned, lambda m: nodes(m)["feature_idx"].__setitem__(0, -5)),
    "hist boosting: categories far away": (binned, lambda m: nodes(m)["is_categorical"].__setitem__(0, 1)),
    "hist boosting: a category of a number": (binned, categorical),
    "hist boosting: no nodes": (binned, lambda m: put("nodes", lambda n: n[:0])(m._predictors[0][0])),
    "kd tree: a row far away": (near, at(0, lambda m: state_of(m._tree, 1), 10**9)),
    "kd tree: a row past all numbers": (near, at(0, lambda m: state_of(m._tree, 1), 2**63 - 1)),
    "kd tree: a row twice": (near, lambda m: state_of(m._tree, 1).__setitem__(0, state_of(m._tree, 1)[1])),
    "kd tree: rows far away": (near, lambda m: state_of(m._tree, 2)["idx_end"].__setitem__(-1, 10**6)),
    "kd tree: rows below zero": (near, lambda m: state_of(m._tree, 2)["idx_start"].__setitem__(0, -(10**6))),
    "kd tree: no leaves": (near, lambda m: state_of(m._tree, 2)["is_leaf"].__setitem__(-1, 0)),
    "kd tree: more levels": (near, unmetric),
    "kd tree: weights of other features": (near, heavier),
    "kd tree: other rows": (near, put("_tree", KDTree(X[:10]))),
    "ball tree: a row far away": (lambda: near("ball_tree"), at(0, lambda m: state_of(m._tree, 1), -(10**9))),
    "ball tree: other features": (lambda: near("ball_tree"), put("_tree", BallTree(X[:, :2]))),
    "neighbours: fewer labels": (near, put("_y", half)),
    "neighbours: no such class": (lambda: near("brute"), at(0, lambda m: m._y, 10**9)),
    "neighbours: more rows": (lambda: near("brute"), put("n_samples_fit_", 10**6)),
    "neighbours: none are asked for": (near, put("n_neighbors", 0)),
    "neighbours: less than none": (lambda: near("ball_tree"), put("n_neighbors", -3)),
    "neighbours: a distance of fewer features": (
        lambda: near("brute", metric="mahalanobis", metric_params={"VI": np.eye(4)}),
        at("VI", lambda m: m.effective_metric_params_, np.eye(1)),
    ),
    "density: no tree": (lambda: KernelDensity().fit(X), put("tree_", 3)),
    "k-means: centres of fewer features": (
        lambda: KMeans(3, n_init=1).fit(X),
        put("cluster_centers_", lambda c: c[:, :1].copy()),
    ),
    "k-means: less than no threads": (lambda: KMeans(3, n_init=1).fit(X), put("_n_threads", -4)),
    "k-means: a million threads": (lambda: KMeans(3, n_init=1).fit(X), put("_n_threads", 10**6)),
    "bisecting: a centre of fewer features": (
        lambda: BisectingKMeans(3, random_state=0).fit(X),
        lambda m: put("center", lambda c: c[:1].copy())(m._bisecting_tree.left),
    ),
    "svc: fewer coefficients": (lambda: SVC().fit(X, THREE), put("_dual_coef_", lambda c: c[:, :5].copy())),
    "svc: more vectors of a class": (lambda: SVC().fit(X, THREE), at(0, lambda m: m._n_support, 10**6)),
    "svc: a class more": (lambda: SVC().fit(X, THREE), put("_n_support", lambda n: np.r_[n, n[:0], np.int32(0)])),
    "svc: vectors of fewer features": (lambda: SVC().fit(X, Y), put("support_vectors_", lambda v: v[:, :1].copy())),
    "svc: fewer intercepts": (lambda: SVC().fit(X, THREE), put("_intercept_", lambda v: v[:1].copy())),
    "svc: a row far away": (
        lambda: SVC(kernel="precomputed").fit(X @ X.T, Y),
        at(0, lambda m: m.support_, 10**6),
    ),
    "svc: sparse, fewer coefficients": (
        lambda: SVC().fit(csr_matrix(X), Y),
        put("_dual_coef_", lambda c: c[:, :2].tocsr()),
    ),
    "svr: more classes": (lambda: SVR().fit(X, X[:, 0]), put("_n_support", np.array([1, 2, 3], dtype=np.int32))),
    "one-hot: more columns than it lays out": (encoder, put("_n_features_outs", [1, 1])),
    "one-hot: drops what is not there": (
        lambda: encoder(drop="first"),
        put("_drop_idx_after_grouping", np.array([9, -9], dtype=object)),
    ),
    "one-hot: rare levels far away": (
        lambda: encoder(min_frequency=2),
        at(0, lambda m: m._default_to_infrequent_mappings[0], 10**9),
    ),
    "one-hot: levels in no order": (
        lambda: OneHotEncoder().fit(X[:5].round()),
        put("categories_", lambda c: [levels[::-1].copy() for levels in c]),
    ),
    "bins: more columns than it lays out": (
        lambda: KBinsDiscretizer(3, quantile_method="averaged_inverted_cdf").fit(X),
        lambda m: put("_n_features_outs", [1] * 4)(m._encoder),
    ),
    "words: a place far away": (words, lambda m: m.vocabulary_.__setitem__("words", 10**9)),
    "words: a place below zero": (words, lambda m: m.vocabulary_.__setitem__("words", -1)),
    "words: a pattern without end": (words, put("token_pattern", r"(\w+\s?)+$")),
    "words: two ways without end": (words, put("token_pattern", r"(?:a|a)*$")),
    "words: a counted pattern without end": (words, put("token_pattern", r"(?:a{1,50}){1,50}b")),
    "words: a mark that is in the word, too": (words, put("token_pattern", r"(-.*)+b!")),
    "words: many lengths at once": (words, put("token_pattern", r"a*a*a*a*b")),
    "words: an empty word after a mark": (words, put("token_pattern", r"(-\w*-*)+!")),
    "hashes: no place": (lambda: FeatureHasher(8), put("n_features", 0)),
    "keys: a place far away": (
        lambda: DictVectorizer().fit([{"a": 1, "b": 2}]),
        lambda m: m.vocabulary_.__setitem__("a", 10**9),
    ),
    "agglomeration: a label past all numbers": (
        lambda: FeatureAgglomeration().fit(X),
        at(0, lambda m: m.labels_, 2**63 - 1),
    ),
    "voting: a class past all numbers": (
        lambda: VotingClassifier([("a", tree()), ("b", near("brute"))]).fit(X, Y),
        at(0, lambda m: m.estimators_[0].classes_, 2**63 - 1),
    ),
    "forest: a million threads": (forest, put("n_jobs", 10**6)),
}
STORED = [
    *trusted_types(),
    "numpy.mean",
    "sklearn.cluster._kmeans._kmeans_single_lloyd",
    "sklearn.neighbors._kd_tree.KDTree",
    "scipy.sparse._csr.csr_matrix",
]


def load(tmp_path: Path, content: bytes) -> Any:
    path = tmp_path / "model.skops"
    path.write_bytes(content)
    return read_estimator(path, STORED)


@pytest.mark.parametrize("name", SPOILT)
def test_what_leads_out_of_memory_or_never_ends_is_refused(tmp_path: Path, name: str) -> None:
    fitted, spoil = SPOILT[name]
    model = fitted()
    load(tmp_path, dump_estimator(model))
    spoil(model)
    with pytest.raises(ModelError) as caught:
        load(tmp_path, dump_estimator(model))
    assert (caught.value.code, "train it again" in caught.value.remedy) == ("PEN520", True)


def test_a_tree_of_our_own_that_leads_in_a_circle_ends_with_an_error(tmp_path: Path) -> None:
    model = ID3Classifier().fit(X, Y)
    cyclic(model)
    with pytest.raises(ValueError, match="do not form a tree"):
        load(tmp_path, dump_estimator(model)).predict(X)


@pytest.mark.parametrize(
    "pattern", [r"(?u)\b\w\w+\b", r"\w+|[^\w\s]", r"\w+(?:-\w+)*", r"(\w{2,5}|#)", WORD, WORDS_AND_MARKS, None]
)
def test_a_pattern_of_words_that_comes_to_an_end_is_read(tmp_path: Path, pattern: str | None) -> None:
    model = words().set_params(token_pattern=pattern)
    assert load(tmp_path, dump_estimator(model)).token_pattern == pattern


def edited(model: Any, kind: str, edit: Callable[[dict[str, Any]], None]) -> bytes:
    members = members_of(dump_estimator(model))
    schema = schema_of(members)
    edit(next(node for node in nodes_of(schema) if node["__class__"] == kind))
    return packed(with_schema(members, schema))


def counted(node: dict[str, Any]) -> None:
    node["content"]["content"]["node_count"].update(content="1000000", __id__=10**6)


EDITS: dict[str, tuple[Callable[[], Any], str, Callable[[dict[str, Any]], None]]] = {
    "a number of nodes": (tree, "Tree", counted),
    "a tree without nodes": (tree, "Tree", lambda node: node["content"].update(content={})),
    "a tree of many outputs": (
        tree,
        "Tree",
        lambda node: node["__reduce__"]["args"]["content"][2].update(content="1000000", __id__=10**6),
    ),
    "a tree without a state": (tree, "Tree", lambda node: node.update(__loader__="ConstructorFromReduceNode")),
    "a tree of neighbours without a state": (near, "KDTree", lambda node: node.pop("content")),
    "a predictor without a state": (binned, "TreePredictor", lambda node: node.pop("content")),
    "a distance without a state": (near, "EuclideanDistance64", lambda node: node.pop("content")),
    "no distance": (
        near,
        "EuclideanDistance64",
        lambda node: node.update(__class__="str", __module__="builtins", __loader__="JsonNode", content="null"),
    ),
}


@pytest.mark.parametrize("name", EDITS)
def test_what_is_nothing_without_its_state_is_refused(tmp_path: Path, name: str) -> None:
    fitted, kind, edit = EDITS[name]
    with pytest.raises(ModelError, match=r"PEN5(20|04|01)"):
        load(tmp_path, edited(fitted(), kind, edit))


@pytest.mark.parametrize(
    ("state", "name", "value"),
    [
        (np.random.RandomState(0), "pos", "100000"),
        (np.random.RandomState(0), "pos", "-5"),
        (np.random.Generator(np.random.Philox(0)), "buffer_pos", "-100000"),
        (np.random.Generator(np.random.MT19937(0)), "pos", "100000"),
    ],
)
def test_a_source_of_random_numbers_reads_its_own_numbers(tmp_path: Path, state: Any, name: str, value: str) -> None:
    load(tmp_path, dump_estimator({"state": state}))
    members = members_of(dump_estimator({"state": state}))
    schema = schema_of(members)
    for node in nodes_of(schema):
        if isinstance(node.get("content"), dict) and name in node["content"]:
            node["content"][name]["content"] = value
    with pytest.raises(ModelError, match="PEN520"):
        load(tmp_path, packed(with_schema(members, schema)))
