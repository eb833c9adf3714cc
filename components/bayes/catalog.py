"""Naive Bayes of the catalogue."""

from __future__ import annotations

from dataclasses import replace

from penstock.components.cards import Card
from penstock.components.catalog import Entry
from penstock.components.domains import Domain, Float, Int, OneOf

_SMOOTHING: dict[str, Domain] = {
    "alpha": Float(low=1e-2, high=10.0, log=True, default=1.0),
    "fit_prior": OneOf((True, False), default=True),
}

_CARD = Card(
    form="parametric", view="generative", output="probabilistic", shape="linear", memory="O(d K)", time="O(n d)"
)

ENTRIES = (
    Entry(
        name="gaussian-naive-bayes",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.gaussian:GaussianNaiveBayes",
        space={"var_smoothing": Float(low=1e-12, high=1.0, log=True, default=1e-9)},
        complexity=1,
        simpler={"var_smoothing": "more"},
        lists=("priors",),
        syllabus=("bayes-gaussian-nb", "proc_naive_bayes_recipe"),
        summary="A bell curve for each column and class, columns taken as independent; fits in a moment.",
        card=replace(_CARD, shape="non-linear"),
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
        card=_CARD,
    ),
    Entry(
        name="multinomial-naive-bayes",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.multinomial:MultinomialNaiveBayes",
        space=_SMOOTHING,
        complexity=1,
        simpler={"alpha": "more"},
        syllabus=("bayes-text-nb",),
        summary="Rows as bags of words: counts as they are, or a column's share growing from its minimum to its "
        "maximum.",
        card=_CARD,
    ),
    Entry(
        name="categorical-naive-bayes",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.categorical:CategoricalNaiveBayes",
        space={**_SMOOTHING, "bins": Int(low=2, high=20, log=True, default=5)},
        complexity=1,
        simpler={"bins": "less", "alpha": "more"},
        lists=("expected",),
        syllabus=("bayes-categorical-nb", "bayes-m-estimate-nb"),
        summary="Each column as one of a few categories (amounts: in bins of equal size), taken as independent.",
        card=replace(_CARD, shape="non-linear", memory="O(d K v), v values of a column"),
    ),
    Entry(
        name="mixed-naive-bayes",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.mixed:MixedNaiveBayes",
        space={
            "alpha": Float(low=1e-2, high=10.0, log=True, default=1.0),
            "var_smoothing": Float(low=1e-12, high=1.0, log=True, default=1e-9),
            "few": Int(low=2, high=20, log=True, default=10),
        },
        complexity=1,
        simpler={"var_smoothing": "more", "alpha": "more"},
        lists=("families",),
        syllabus=("bayes-mixed-nb",),
        summary="A bell curve for amounts, shares for yes-or-no and for few values, and where it is asked for a mean "
        "for counts and waiting times, column by column, in one model.",
        card=replace(
            _CARD,
            shape="non-linear",
            memory="O(d K v), v values of a column",
            capacity=("families", "var_smoothing", "alpha"),
        ),
    ),
    Entry(
        name="known-densities",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.densities:KnownDensityClassifier",
        complexity=1,
        lists=("densities", "priors"),
        own_units=True,
        syllabus=("bayes-known-densities",),
        summary="The best classifier there is, from densities and priors that are given; for made data, to measure "
        "others against.",
        card=replace(
            _CARD, shape="non-linear", memory="O(d^2 K)", time="O(d^3 K): nothing is learnt", capacity=("densities",)
        ),
    ),
    Entry(
        name="finite-hypotheses",
        kind="classifier",
        problems=("classification",),
        library="penstock.components.bayes.hypotheses:FiniteHypotheses",
        space={
            "predict_by": OneOf(("vote", "map"), default="vote"),
            "noise": Float(low=0.01, high=0.4, log=True, default=0.1),
            "cuts": Int(low=1, high=32, log=True, default=8),
        },
        complexity=2,
        simpler={"cuts": "less", "noise": "more"},
        lists=("hypotheses", "prior"),
        syllabus=("bayes-map-ml-learner", "bayes-optimal-vote", "bayes-gibbs"),
        summary="Every rule of one cut, weighed by how well it explains the rows: the best, the vote of all, or one "
        "drawn.",
        card=replace(
            _CARD,
            view="discriminative",
            shape="non-linear",
            memory="O(h), h rules of one cut",
            time="O(n h), h rules of one cut",
        ),
    ),
)

TRUSTED = (
    "penstock.components.bayes.bernoulli.BernoulliNaiveBayes",
    "penstock.components.bayes.binning.Binner",
    "penstock.components.bayes.categorical.CategoricalNaiveBayes",
    "penstock.components.bayes.densities.KnownDensityClassifier",
    "penstock.components.bayes.gaussian.GaussianNaiveBayes",
    "penstock.components.bayes.hypotheses.FiniteHypotheses",
    "penstock.components.bayes.mixed.MixedNaiveBayes",
    "penstock.components.bayes.multinomial.MultinomialNaiveBayes",
)
