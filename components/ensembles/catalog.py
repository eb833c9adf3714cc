"""Ensembles of the catalogue."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from penstock.components.cards import AS_MEMBERS, Card
from penstock.components.catalog import Entry
from penstock.components.domains import Domain, Float, Int, OneOf

_SHARES_OF_COLUMNS = ("sqrt", 1 / 3, 1.0)
# One of the notes has the root of the columns for quantities and a third for classes, which is the wrong way round.
# The courses' third of the columns and five rows a leaf for quantities are searched, but the start is the library's: of
# eight tables that scikit-learn brings along or draws, the courses' pair was clearly worse on five, about even on
# breast cancer, slightly better on wine and clearly better on diabetes.
_FOREST: dict[str, Domain | Mapping[str, Domain]] = {
    "n_estimators": Int(low=50, high=400, log=True, default=100),
    "max_features": {
        "classification": OneOf(_SHARES_OF_COLUMNS, default="sqrt"),
        "regression": OneOf(_SHARES_OF_COLUMNS, default=1.0),
    },
    "min_samples_leaf": Int(low=1, high=20, log=True, default=1),
}

_CARD = Card(
    form="non-parametric",
    view="discriminative",
    output="deterministic",
    shape="non-linear",
    memory="O(t n), t trees of at most n leaves",
    time="O(t d n log n), t trees",
    capacity=("n_estimators", "max_depth", "min_samples_leaf"),
)

ENTRIES = (
    Entry(
        name="random-forest",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:RandomForestClassifier",
            "regression": "sklearn.ensemble:RandomForestRegressor",
        },
        defaults={"n_jobs": 1},
        space=_FOREST,
        complexity=5,
        simpler={"min_samples_leaf": "more", "n_estimators": "less"},
        syllabus=("ens-oob-error", "ens-random-forest", "proc_bagging_forest"),
        summary="Many deep trees on resampled rows, averaged; good without tuning, large to store. For quantities, the "
        "courses begin with max_features 1/3 and min_samples_leaf 5.",
        card=_CARD,
    ),
    Entry(
        name="hist-gradient-boosting",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:HistGradientBoostingClassifier",
            "regression": "sklearn.ensemble:HistGradientBoostingRegressor",
        },
        space={
            "learning_rate": Float(low=0.01, high=0.5, log=True, default=0.1),
            "max_iter": Int(low=50, high=400, log=True, default=100),
            "max_leaf_nodes": Int(low=7, high=63, log=True, default=31),
            "min_samples_leaf": Int(low=5, high=80, log=True, default=20),
            "l2_regularization": OneOf((0.0, 0.1, 1.0, 10.0), default=0.0),
        },
        complexity=5,
        simpler={"max_leaf_nodes": "less", "max_iter": "less", "learning_rate": "less"},
        syllabus=("ens-gradient-boosting",),
        summary="Shallow trees that each mend what is left to explain; often the best on tables.",
        card=replace(
            _CARD,
            output="by its loss",
            memory="O(n d) bytes and O(t l), t trees of l leaves",
            time="O(t d n), t trees",
            capacity=("max_leaf_nodes", "max_iter", "learning_rate", "l2_regularization"),
        ),
    ),
    Entry(
        name="extra-trees",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:ExtraTreesClassifier",
            "regression": "sklearn.ensemble:ExtraTreesRegressor",
        },
        defaults={"n_jobs": 1},
        space=_FOREST,
        complexity=5,
        simpler={"min_samples_leaf": "more", "n_estimators": "less"},
        summary="A forest whose thresholds are drawn by chance: smoother than a random forest, and quicker to grow.",
        card=replace(_CARD, time="O(t d n), t trees and the log of their depth"),
    ),
    Entry(
        name="gradient-boosting",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "sklearn.ensemble:GradientBoostingClassifier",
            "regression": "sklearn.ensemble:GradientBoostingRegressor",
        },
        space={
            "learning_rate": Float(low=0.01, high=0.5, log=True, default=0.1),
            "n_estimators": Int(low=50, high=400, log=True, default=100),
            "max_depth": Int(low=1, high=8, default=3),
            "min_samples_leaf": Int(low=1, high=50, log=True, default=1),
            "subsample": OneOf((0.5, 0.75, 1.0), default=1.0),
        },
        complexity=5,
        simpler={"max_depth": "less", "n_estimators": "less", "learning_rate": "less"},
        syllabus=("ens-gradient-boosting",),
        summary="Boosted trees with every threshold tried: for some thousand rows; beyond, take "
        "hist-gradient-boosting.",
        card=replace(
            _CARD,
            output="by its loss",
            memory="O(n d + t l), t trees of l leaves",
            capacity=("max_depth", "n_estimators", "learning_rate"),
        ),
    ),
    Entry(
        name="ada-boost",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "penstock.components.ensembles.boosting:BoostedTreesClassifier",
            "regression": "penstock.components.ensembles.boosting:BoostedTreesRegressor",
        },
        space={
            "n_estimators": Int(low=20, high=400, log=True, default=50),
            "learning_rate": Float(low=0.01, high=2.0, log=True, default=1.0),
            "max_depth": {
                "classification": Int(low=1, high=4, default=1),
                "regression": Int(low=1, high=6, default=3),
            },
        },
        complexity=4,
        simpler={"max_depth": "less", "n_estimators": "less", "learning_rate": "less"},
        syllabus=("ens-adaboost", "met_adaboost_weights", "proc_boosting_loop"),
        objective="sum of exp(-label * score); the library's weight of a round is ln((1 - e) / e), twice that of books",
        summary="Very small trees, each fitted to rows that the ones before got wrong; wrong labels disturb it.",
        card=replace(
            _CARD, memory="O(t l), t trees of l leaves", capacity=("max_depth", "n_estimators", "learning_rate")
        ),
    ),
    Entry(
        name="bagging",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "penstock.components.ensembles.bagging:BaggedClassifier",
            "regression": "penstock.components.ensembles.bagging:BaggedRegressor",
        },
        space={
            "base": {
                "classification": OneOf(("decision-tree", "logistic-regression"), default="decision-tree"),
                "regression": OneOf(("decision-tree", "ridge"), default="decision-tree"),
            },
            "n_estimators": Int(low=10, high=200, log=True, default=50),
        },
        of_methods=True,
        complexity=4,
        simpler={"n_estimators": "less"},
        syllabus=("ens-bagging", "proc_bagging_forest"),
        summary="One method, fitted on many samples of the rows drawn with replacement, and averaged or put to the "
        "vote; helps methods that change much from sample to sample.",
        card=replace(AS_MEMBERS, capacity=("base", "n_estimators")),
    ),
    Entry(
        name="random-subspace",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "penstock.components.ensembles.bagging:BaggedClassifier",
            "regression": "penstock.components.ensembles.bagging:BaggedRegressor",
        },
        defaults={"bootstrap": False},
        space={
            "base": {
                "classification": OneOf(("decision-tree", "logistic-regression"), default="decision-tree"),
                "regression": OneOf(("decision-tree", "ridge"), default="decision-tree"),
            },
            "n_estimators": Int(low=10, high=200, log=True, default=50),
            "max_features": Float(low=0.1, high=1.0, default=0.5),
        },
        of_methods=True,
        complexity=4,
        simpler={"n_estimators": "less"},
        syllabus=("ens-random-subspace",),
        summary="One method, fitted on all rows and many choices of the columns, and averaged.",
        card=replace(AS_MEMBERS, capacity=("base", "n_estimators", "max_features")),
    ),
    Entry(
        name="voting",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "penstock.components.ensembles.voting:MixedVotingClassifier",
            "regression": "penstock.components.ensembles.voting:MixedVotingRegressor",
        },
        of_methods=True,
        lists=("members",),
        complexity=4,
        syllabus=("ens-voting",),
        summary="Different methods, listed under `members` with or without parameters, that are averaged or vote.",
        card=AS_MEMBERS,
    ),
    Entry(
        name="stacking",
        kind="predictor",
        problems=("classification", "regression"),
        library={
            "classification": "penstock.components.ensembles.stacking:MixedStackingClassifier",
            "regression": "penstock.components.ensembles.stacking:MixedStackingRegressor",
        },
        space={"folds": Int(low=2, high=10, default=5)},
        of_methods=True,
        lists=("members",),
        complexity=5,
        syllabus=("ens-stacking", "proc_stacking"),
        summary="A linear model on what different methods, listed under `members` with or without parameters, say of "
        "rows that they have not trained on.",
        card=AS_MEMBERS,
    ),
)

TRUSTED = (
    "penstock.components.ensembles.bagging.BaggedClassifier",
    "penstock.components.ensembles.bagging.BaggedRegressor",
    "penstock.components.ensembles.boosting.BoostedTreesClassifier",
    "penstock.components.ensembles.boosting.BoostedTreesRegressor",
    "penstock.components.ensembles.stacking.MixedStackingClassifier",
    "penstock.components.ensembles.stacking.MixedStackingRegressor",
    "penstock.components.ensembles.voting.MixedVotingClassifier",
    "penstock.components.ensembles.voting.MixedVotingRegressor",
    "sklearn.utils._bunch.Bunch",
)
