"""Clippers, imputers, encoders and scalers of the catalogue."""

from __future__ import annotations

import math

from penstock.components.catalog import ANY as _ANY
from penstock.components.catalog import Entry
from penstock.components.domains import Float, Int, OneOf

# A column with nothing to learn from in some fold is filled with zeros, so that later rows still fit.
_KEEP = {"keep_empty_features": True}

CLIPPERS = (
    Entry(
        name="clip-quantiles",
        kind="clipper",
        problems=(_ANY,),
        library="penstock.components.preprocessing.clip_quantiles:QuantileClipper",
        space={"share": Float(low=0.001, high=0.1, log=True, default=0.01)},
        summary="Brings the lowest and the highest share of each column back to where the share begins.",
    ),
    Entry(
        name="clip-tukey",
        kind="clipper",
        problems=(_ANY,),
        library="penstock.components.preprocessing.clip_tukey:TukeyClipper",
        space={"factor": Float(low=1.0, high=5.0, default=1.5)},
        summary="Brings values beyond Tukey's fences back to them: 1.5 widths of the middle half beyond it.",
    ),
    Entry(
        name="clip-deviations",
        kind="clipper",
        problems=(_ANY,),
        library="penstock.components.preprocessing.clip_deviations:DeviationClipper",
        space={"factor": Float(low=2.0, high=6.0, default=3.0)},
        summary="Brings values more than so many standard deviations from the mean back to that distance.",
    ),
)

IMPUTERS = (
    Entry(
        name="mean",
        kind="imputer",
        problems=(_ANY,),
        library="sklearn.impute:SimpleImputer",
        defaults=_KEEP,
        syllabus=("prep-impute-constant-mean",),
        summary="Fills missing numbers with the mean of the column.",
    ),
    Entry(
        name="row-mean",
        kind="imputer",
        problems=(_ANY,),
        library="penstock.components.preprocessing.imputation.row_mean:RowMeanImputer",
        syllabus=("prep-impute-constant-mean",),
        summary="Fills missing numbers with the mean of the row: for columns on one scale, such as ratings.",
    ),
    Entry(
        name="median",
        kind="imputer",
        problems=(_ANY,),
        library="sklearn.impute:SimpleImputer",
        defaults={"strategy": "median", **_KEEP},
        summary="Fills missing numbers with the median of the column, which outliers do not move.",
    ),
    Entry(
        name="mode",
        kind="imputer",
        problems=(_ANY,),
        library="sklearn.impute:SimpleImputer",
        defaults={"strategy": "most_frequent", **_KEEP},
        fills_levels=True,
        syllabus=("prep-impute-mode",),
        summary="Fills missing values with the commonest one of the column.",
    ),
    Entry(
        name="constant",
        kind="imputer",
        problems=(_ANY,),
        library="sklearn.impute:SimpleImputer",
        defaults={"strategy": "constant", **_KEEP},
        rename={"value": "fill_value"},
        space={"value": OneOf((None, -1), default=None)},
        fills_levels=True,
        syllabus=("prep-impute-constant-mean",),
        summary="Fills missing values with one value that you choose; by default 0, or a level of its own.",
    ),
    Entry(
        name="class-mode",
        kind="imputer",
        problems=("classification",),
        library="penstock.components.preprocessing.imputation.class_mode:ClassModeImputer",
        fills_levels=True,
        syllabus=("prep-impute-class-mode", "proc_missing_values"),
        summary="Fills training rows with the commonest value of their class, new rows with the commonest of all.",
    ),
    Entry(
        name="k-nearest",
        kind="imputer",
        problems=(_ANY,),
        library="penstock.components.preprocessing.imputation.nearest:NearestImputer",
        space={
            "neighbours": Int(low=1, high=50, log=True, default=5),
            "weights": OneOf(("uniform", "distance"), default="uniform"),
        },
        summary="Fills missing numbers with the mean of the rows most alike in the other columns; slow on many rows.",
    ),
    Entry(
        name="iterative",
        kind="imputer",
        problems=(_ANY,),
        library="penstock.components.preprocessing.imputation.iterative:RoundsImputer",
        space={
            "rounds": Int(low=2, high=30, log=True, default=10),
            "start": OneOf(("mean", "median"), default="mean"),
        },
        summary="Predicts missing numbers from the other columns, in turn and in rounds, by Bayesian ridge.",
    ),
    Entry(
        name="svd",
        kind="imputer",
        problems=(_ANY,),
        library="penstock.components.preprocessing.imputation.low_rank:LowRankImputer",
        space={
            "rank": Int(low=1, high=20, log=True, default=3),
            "shrink": OneOf((0.0, 0.05, 0.1, 0.2, 0.4), default=0.0),
        },
        syllabus=("prep-impute-iterative-svd",),
        summary="Fills missing numbers from the few directions along which columns move together (iterative SVD).",
    ),
    Entry(
        name="keep-missing",
        kind="imputer",
        problems=("classification", "regression"),
        library="sklearn.preprocessing:FunctionTransformer",
        defaults={"feature_names_out": "one-to-one"},
        fills_levels=True,
        syllabus=("proc_missing_values",),
        summary="Leaves gaps as they are, for models that know what to do with them: ID3, trees, forests, boosting.",
    ),
)

ENCODERS = (
    Entry(
        name="one-hot",
        kind="encoder",
        problems=(_ANY,),
        library="sklearn.preprocessing:OneHotEncoder",
        defaults={"handle_unknown": "infrequent_if_exist", "sparse_output": False},
        rename={"rare": "min_frequency"},
        space={"rare": OneOf((None, 0.002, 0.005, 0.01, 0.02, 0.05), default=0.01)},
        syllabus=("prep-one-hot",),
        summary="A column of zeros and ones for each level, and one for rare levels together.",
    ),
    Entry(
        name="target",
        kind="encoder",
        problems=("classification", "regression"),
        library="penstock.components.preprocessing.target:InnerFoldTargetEncoder",
        space={
            "smooth": OneOf(("auto", 1.0, 10.0, 100.0), default="auto"),
            "folds": Int(low=2, high=10, default=5),
        },
        summary="Each level as the mean target of other rows that have it; for columns of many levels.",
    ),
    Entry(
        name="level-codes",
        kind="encoder",
        problems=("classification", "regression"),
        library="sklearn.preprocessing:OrdinalEncoder",
        defaults={"handle_unknown": "use_encoded_value", "unknown_value": -1},
        means={
            "missing": {"level": {"encoded_missing_value": -2}, "kept": {"encoded_missing_value": math.nan}},
        },
        space={"missing": OneOf(("level",), default="level")},
        summary="Each level as a number that is only a name, for methods that ask about levels: ID3, categorical naive "
        "Bayes; missing is a level, or kept.",
    ),
    Entry(
        name="frequency",
        kind="encoder",
        problems=(_ANY,),
        library="penstock.components.preprocessing.frequency:FrequencyEncoder",
        summary="Each level as the share of training rows that have it.",
    ),
    Entry(
        name="hashing",
        kind="encoder",
        problems=(_ANY,),
        library="penstock.components.preprocessing.hashing:HashingEncoder",
        space={
            "columns": Int(low=8, high=512, log=True, default=32),
            "signs": OneOf((True, False), default=True),
        },
        summary="Levels thrown into a fixed number of columns; nothing is remembered, however many levels there are.",
    ),
    Entry(
        name="bag-of-words",
        kind="encoder",
        problems=(_ANY,),
        library="penstock.components.preprocessing.bag_of_words:BagOfWords",
        space={
            "weights": OneOf(("counts", "presence", "tf-idf"), default="counts"),
            "most": Int(low=100, high=5000, log=True, default=1000),
        },
        syllabus=("prep-text-counts", "proc_text_intake"),
        summary="A column for each word of a text: how often it stands there, whether it does, or how telling that is.",
    ),
)

SCALERS = (
    Entry(
        name="none",
        kind="scaler",
        problems=(_ANY,),
        library="sklearn.preprocessing:FunctionTransformer",
        defaults={"feature_names_out": "one-to-one"},
        syllabus=("proc_scale_when",),
        summary="Leaves numbers as they are.",
    ),
    Entry(
        name="centre",
        kind="scaler",
        problems=(_ANY,),
        library="sklearn.preprocessing:StandardScaler",
        defaults={"with_std": False},
        syllabus=("proc_continuous_transforms",),
        summary="Takes the mean away from each column.",
    ),
    Entry(
        name="standard",
        kind="scaler",
        problems=(_ANY,),
        library="sklearn.preprocessing:StandardScaler",
        syllabus=("prep-standardise", "proc_scale_when"),
        summary="Takes away the mean and divides by the standard deviation.",
    ),
    Entry(
        name="min-max",
        kind="scaler",
        problems=(_ANY,),
        library="sklearn.preprocessing:MinMaxScaler",
        space={"clip": OneOf((False, True), default=False)},
        syllabus=("prep-min-max",),
        summary="Brings the smallest training value to 0 and the largest to 1.",
    ),
    Entry(
        name="robust",
        kind="scaler",
        problems=(_ANY,),
        library="sklearn.preprocessing:RobustScaler",
        space={
            "with_centering": OneOf((True, False), default=True),
            "unit_variance": OneOf((False, True), default=False),
        },
        summary="Takes away the median and divides by the width of the middle half, which outliers do not move.",
    ),
    Entry(
        name="unit-norm",
        kind="scaler",
        problems=(_ANY,),
        library="sklearn.preprocessing:Normalizer",
        space={"norm": OneOf(("l2", "l1", "max"), default="l2")},
        syllabus=("prep-unit-norm",),
        summary="Divides each row's numbers by their length, so that only their proportions count.",
    ),
    Entry(
        name="midpoint",
        kind="scaler",
        problems=(_ANY,),
        library="penstock.components.preprocessing.midpoint:MidpointScaler",
        syllabus=("prep-ordinal-midpoint", "proc_ordinal_code"),
        summary="The rank i of K ordered levels as (i - 1/2) / K, between 0 and 1.",
    ),
    Entry(
        name="equal-influence",
        kind="scaler",
        problems=(_ANY,),
        library="penstock.components.feature_selection.weighting:EqualInfluence",
        space={"dissimilarity": OneOf(("squared", "absolute"), default="squared")},
        syllabus=("fs-weight-inverse-dissimilarity",),
        summary="Weights columns so that all have the same mean say in a distance; weights sum to one.",
    ),
    Entry(
        name="quantile",
        kind="scaler",
        problems=(_ANY,),
        library="penstock.components.preprocessing.quantile:QuantileTransformer",
        rename={"quantiles": "n_quantiles", "shape": "output_distribution"},
        space={
            "quantiles": Int(low=10, high=1000, log=True, default=1000),
            "shape": OneOf(("uniform", "normal"), default="uniform"),
        },
        summary="Each number as the share of training rows below it, even or as a bell curve.",
    ),
    Entry(
        name="power",
        kind="scaler",
        problems=(_ANY,),
        library="sklearn.preprocessing:PowerTransformer",
        space={"standardize": OneOf((True, False), default=True)},
        summary="Bends each column towards a bell curve (Yeo-Johnson): for amounts with a long tail.",
    ),
)

ENTRIES = (*CLIPPERS, *IMPUTERS, *ENCODERS, *SCALERS)

TRUSTED = (
    "penstock.components.preprocessing.imputation.class_mode.ClassModeImputer",
    "penstock.components.preprocessing.clip_deviations.DeviationClipper",
    "penstock.components.preprocessing.clip_quantiles.QuantileClipper",
    "penstock.components.preprocessing.clip_tukey.TukeyClipper",
    "penstock.components.preprocessing.dates.DateEncoder",
    "penstock.components.preprocessing.frequency.FrequencyEncoder",
    "penstock.components.preprocessing.hashing.HashingEncoder",
    "penstock.components.preprocessing.imputation.iterative.RoundsImputer",
    "penstock.components.preprocessing.imputation.low_rank.LowRankImputer",
    "penstock.components.preprocessing.midpoint.MidpointScaler",
    "penstock.components.preprocessing.imputation.nearest.NearestImputer",
    "penstock.components.preprocessing.preparation.as_matrix",
    "penstock.components.preprocessing.preparation.name_level",
    "penstock.components.preprocessing.quantile.QuantileTransformer",
    "penstock.components.preprocessing.imputation.row_mean.RowMeanImputer",
    "penstock.components.preprocessing.target.InnerFoldTargetEncoder",
    "penstock.components.preprocessing.texts.TextEncoder",
    "penstock.components.preprocessing.bag_of_words.BagOfWords",
    "numpy.dtype",
    "sklearn.impute._iterative.IterativeImputer",
    "sklearn.impute._iterative._ImputerTriplet",
    "sklearn.model_selection._split.KFold",
    "skrub._datetime_encoder.DatetimeEncoder",
    "skrub._string_encoder.StringEncoder",
    "skrub._to_str.ToStr",
)
