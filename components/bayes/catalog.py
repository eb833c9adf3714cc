"""Naive Bayes of the catalogue."""

from __future__ import annotations

from penstock.components.catalog import Entry
from penstock.components.domains import Domain, Float, Int, OneOf

_SMOOTHING: dict[str, Domain] = {
    "alpha": Float(low=1e-2, high=10.0, log=True, default=1.0),
    "fit_prior": OneOf((True, False), default=True),
}

ENTRIES = (
    Entry(
        name="gaussian-naive-bayes",
        kind="classifier",
        problems=("classification",),
        library="sklearn.naive_bayes:GaussianNB",
        space={"var_smoothing": Float(low=1e-12, high=1.0, log=True, default=1e-9)},
        complexity=1,
        simpler={"var_smoothing": "more"},
        summary="A bell curve for each column and class, columns taken as independent; fits in a moment.",
    ),
    Entry(
        name="bernoulli-naive-bayes",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.bernoulli:BernoulliNaiveBayes",
        space=_SMOOTHING,
        complexity=1,
        simpler={"alpha": "more"},
        syllabus=("bayes-bernoulli-nb",),
        summary="Each column as yes or no (a number: above its mean or not), columns taken as independent.",
    ),
    Entry(
        name="multinomial-naive-bayes",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.multinomial:MultinomialNaiveBayes",
        space=_SMOOTHING,
        complexity=1,
        simpler={"alpha": "more"},
        summary="Rows as bags of words, a column's share growing from its minimum to its maximum; for counts.",
    ),
    Entry(
        name="categorical-naive-bayes",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.categorical:CategoricalNaiveBayes",
        space={**_SMOOTHING, "bins": Int(low=2, high=20, log=True, default=5)},
        complexity=1,
        simpler={"bins": "less", "alpha": "more"},
        syllabus=("bayes-categorical-nb",),
        summary="Each column as one of a few categories (numbers: in bins of equal size), taken as independent.",
    ),
)
