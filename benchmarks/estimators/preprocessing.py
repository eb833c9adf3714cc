"""Clippers, imputers, encoders and scalers against scikit-learn's that do the same or the nearest to it."""

from __future__ import annotations

from functools import partial
from typing import Any

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.compose import make_column_transformer
from sklearn.feature_extraction import FeatureHasher
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.impute import KNNImputer, SimpleImputer
from sklearn.impute._iterative import IterativeImputer
from sklearn.model_selection import KFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import (
    FunctionTransformer,
    MinMaxScaler,
    OneHotEncoder,
    OrdinalEncoder,
    QuantileTransformer,
    RobustScaler,
    StandardScaler,
    TargetEncoder,
)

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import levels, numbers, two_classes
from penstock.components.dissimilarity.levels import LevelDistanceEncoder
from penstock.components.feature_selection.weighting import EqualInfluence
from penstock.components.preprocessing import quantile
from penstock.components.preprocessing.bag_of_words import WORDS_AND_MARKS, BagOfWords
from penstock.components.preprocessing.clip_deviations import DeviationClipper
from penstock.components.preprocessing.clip_quantiles import QuantileClipper
from penstock.components.preprocessing.clip_tukey import TukeyClipper
from penstock.components.preprocessing.frequency import FrequencyEncoder
from penstock.components.preprocessing.hashing import HashingEncoder
from penstock.components.preprocessing.imputation.class_mode import ClassModeImputer
from penstock.components.preprocessing.imputation.iterative import RoundsImputer
from penstock.components.preprocessing.imputation.low_rank import LowRankImputer
from penstock.components.preprocessing.imputation.nearest import NearestImputer
from penstock.components.preprocessing.imputation.row_mean import RowMeanImputer
from penstock.components.preprocessing.midpoint import MidpointScaler
from penstock.components.preprocessing.target import InnerFoldTargetEncoder

VOCABULARY = 2000
HASHED = 32


def _with_holes(rows: int, columns: int) -> tuple[Any, Any]:
    X, y = two_classes(rows, columns)
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    return X, y


def _levels_with_holes(rows: int, columns: int) -> tuple[Any, Any]:
    X, y = levels(rows, columns)
    X[np.random.default_rng(1).random(X.shape) < 0.1] = np.nan
    return X, y


def _words_of_levels(rows: int, columns: int) -> tuple[Any, Any]:
    """Thirty levels a column, as words."""
    rng = np.random.default_rng(0)
    codes = rng.integers(0, 30, (rows, columns))
    names = np.array([f"level {number}" for number in range(30)], dtype=object)
    X = pd.DataFrame(names[codes], columns=[f"column {number}" for number in range(columns)])
    return X, (codes[:, 0] + rng.normal(scale=10, size=rows) > 15).astype(int)


def _texts(rows: int, columns: int) -> tuple[Any, Any]:
    """One column of texts of so many words, of which some are common and most are rare."""
    places = np.minimum(np.random.default_rng(0).zipf(1.3, (rows, columns)), VOCABULARY)
    return pd.DataFrame({"text": [" ".join(f"w{place}" for place in row) for row in places]}), None


class ByClass(TransformerMixin, BaseEstimator):
    """scikit-learn's commonest values: one imputer for each class, and one for rows whose class is not known."""

    def fit_transform(self, X: Any, y: Any) -> Any:
        self.all = SimpleImputer(strategy="most_frequent").fit(X)
        filled = np.empty_like(X)
        for label in np.unique(y):
            filled[y == label] = SimpleImputer(strategy="most_frequent").fit_transform(X[y == label])
        return filled

    def transform(self, X: Any) -> Any:
        return self.all.transform(X)


def _quantiles(*percent: float) -> Any:
    """Learns two quantiles of each column, and divides where ours clips."""
    return RobustScaler(with_centering=False, quantile_range=percent)


def _in_deviations() -> Any:
    return make_pipeline(StandardScaler(), KNNImputer())


def _by_folds() -> Any:
    return TargetEncoder(target_type="binary", cv=KFold(5, shuffle=True, random_state=0))


def _records(X: Any) -> Any:
    return X.to_dict(orient="records")


def _hashed() -> Any:
    return make_pipeline(FunctionTransformer(_records), FeatureHasher(HASHED))


def _words(vectorizer: Any) -> Any:
    """As a table, not sparse, as ours."""
    return make_column_transformer(
        (vectorizer(token_pattern=WORDS_AND_MARKS, max_features=1000), "text"), sparse_threshold=0
    )


def _differing(X: Any) -> Any:
    return 1 - X


def _apart() -> Any:
    """Any two levels are at one, as ours are without a table."""
    levels = OneHotEncoder(handle_unknown="ignore", sparse_output=False)
    return make_pipeline(levels, FunctionTransformer(_differing))


PAIRS = (
    Pair("clip-quantiles", QuantileClipper, partial(_quantiles, 1, 99), _with_holes, rows=20_000),
    Pair("clip-tukey", TukeyClipper, partial(_quantiles, 25, 75), _with_holes, rows=20_000),
    Pair("clip-deviations", DeviationClipper, StandardScaler, _with_holes, rows=20_000),
    Pair("row-mean", RowMeanImputer, SimpleImputer, _with_holes, rows=20_000),
    Pair("class-mode", ClassModeImputer, ByClass, _levels_with_holes, rows=5000),
    Pair("k-nearest", NearestImputer, _in_deviations, _with_holes, rows=500),
    Pair("iterative", RoundsImputer, partial(IterativeImputer, random_state=0), _with_holes, rows=1000, columns=8),
    Pair("svd", LowRankImputer, None, _with_holes),
    Pair("target", partial(InnerFoldTargetEncoder, random_state=0), _by_folds, _words_of_levels, rows=5000),
    Pair("frequency", FrequencyEncoder, OrdinalEncoder, _words_of_levels, rows=5000),
    Pair("hashing", partial(HashingEncoder, HASHED), _hashed, _words_of_levels),
    Pair("bag-of-words, counts", BagOfWords, partial(_words, CountVectorizer), _texts),
    Pair("bag-of-words, tf-idf", partial(BagOfWords, "tf-idf"), partial(_words, TfidfVectorizer), _texts),
    Pair("level-distances", LevelDistanceEncoder, _apart, _words_of_levels),
    Pair("midpoint", MidpointScaler, MinMaxScaler, levels, rows=20_000),
    Pair("equal-influence, squared", EqualInfluence, StandardScaler, numbers, rows=20_000),
    Pair("equal-influence, absolute", partial(EqualInfluence, "absolute"), RobustScaler, numbers, rows=20_000),
    Pair("quantile", quantile.QuantileTransformer, QuantileTransformer, numbers, rows=20_000),
)
