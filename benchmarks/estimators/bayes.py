"""Naive Bayes and its relatives against scikit-learn's classes."""

from __future__ import annotations

from typing import Any

from sklearn.naive_bayes import BernoulliNB, CategoricalNB, GaussianNB, MultinomialNB
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler, OrdinalEncoder, StandardScaler

from benchmarks.estimators.pairs import Pair
from benchmarks.estimators.tables import counts, levels, two_classes
from penstock.components.bayes.bernoulli import BernoulliNaiveBayes
from penstock.components.bayes.categorical import CategoricalNaiveBayes
from penstock.components.bayes.densities import KnownDensityClassifier
from penstock.components.bayes.gaussian import GaussianNaiveBayes
from penstock.components.bayes.hypotheses import FiniteHypotheses
from penstock.components.bayes.mixed import MixedNaiveBayes
from penstock.components.bayes.multinomial import MultinomialNaiveBayes


def _binned() -> Any:
    bins = KBinsDiscretizer(5, encode="ordinal", strategy="quantile", quantile_method="averaged_inverted_cdf")
    return make_pipeline(bins, CategoricalNB(min_categories=5))


def _coded() -> Any:
    """Any values, not only 0, 1, 2: as ours."""
    return make_pipeline(OrdinalEncoder(), CategoricalNB())


def _above_the_mean() -> Any:
    return make_pipeline(StandardScaler(with_std=False), BernoulliNB(binarize=0.0))


PAIRS = (
    Pair("gaussian-naive-bayes", GaussianNaiveBayes, GaussianNB, two_classes, rows=20_000),
    Pair("bernoulli-naive-bayes", BernoulliNaiveBayes, _above_the_mean, two_classes, rows=20_000),
    Pair("categorical-naive-bayes, bins", CategoricalNaiveBayes, _binned, two_classes, rows=20_000),
    Pair("categorical-naive-bayes, levels", CategoricalNaiveBayes, _coded, levels, rows=20_000),
    Pair(
        "multinomial-naive-bayes",
        MultinomialNaiveBayes,
        lambda: make_pipeline(MinMaxScaler(clip=True), MultinomialNB()),
        counts,
        rows=20_000,
    ),
    Pair("mixed-naive-bayes, levels", MixedNaiveBayes, _coded, levels, rows=20_000),
    Pair("mixed-naive-bayes, numbers", MixedNaiveBayes, GaussianNB, two_classes, rows=20_000),
    Pair("known-densities, estimated", KnownDensityClassifier, GaussianNB, two_classes, rows=20_000),
    Pair("finite-hypotheses", FiniteHypotheses, None, two_classes),
)
