"""How naive Bayes decides: how common the classes are, and what each column is like inside them."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure
from sklearn.naive_bayes import GaussianNB

from penstock.components.bayes.bernoulli import BernoulliNaiveBayes
from penstock.components.bayes.categorical import CategoricalNaiveBayes
from penstock.components.bayes.mixed import MixedNaiveBayes
from penstock.components.bayes.multinomial import MultinomialNaiveBayes
from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table
from penstock.components.explanation.models.terms import Terms
from penstock.components.plots.deciding import class_densities, class_shares
from penstock.components.plots.style import short_number

Array = np.ndarray[Any, Any]

MAX_COLUMNS = 12
MAX_BELLS = 4
MAX_BARS = 10


class ColumnGroup(NamedTuple):
    """A model of some columns; `places` are theirs among the prepared columns."""

    model: Any
    places: list[int]


def explain_naive_bayes(shown: Shown) -> Explanation:
    model, labels = shown.model, shown.labels
    parts = _column_groups(shown)
    priors = _priors(model)
    shares = ", ".join(f"{name} {share:.1%}" for name, share in zip(labels, priors, strict=True))
    sentences = [
        "A class is as likely as it is common, times how likely each column's value is inside it; columns are taken as "
        "independent, so that two that say the same count twice.",
        f"Before any column is read: {shares}.",
    ]
    tables: list[Table] = []
    figures: dict[str, Figure] = {}
    for part in parts:
        if isinstance(part.model, GaussianNB):
            table, figure = _class_densities(shown, part)
            figures["class_densities"] = figure
        else:
            table, figure = _shares(shown, part)
            figures.setdefault("class_shares", figure)
        tables.append(table)
    if isinstance(model, MixedNaiveBayes) and model.means_:
        tables.append(_means(shown))
    return Explanation(sentences, tables, figures=figures)


def _column_groups(shown: Shown) -> list[ColumnGroup]:
    model = shown.model
    if isinstance(model, MixedNaiveBayes):
        return [ColumnGroup(block, model._columns(family)) for family, block in model.blocks_.items()]
    return [ColumnGroup(model, list(range(len(shown.names))))]


def _priors(model: Any) -> Array:
    if isinstance(model, GaussianNB):
        return np.asarray(model.class_prior_)
    logs = model.class_log_prior_ if isinstance(model, MixedNaiveBayes) else model.pipeline_[-1].class_log_prior_
    return np.asarray(np.exp(logs))


def _class_densities(shown: Shown, part: ColumnGroup) -> tuple[Table, Figure]:
    """Mean and spread of every column inside every class, those that differ most first."""
    means, spreads = part.model.theta_, np.sqrt(part.model.var_)
    tells = np.ptp(means, axis=0) / np.maximum(spreads.mean(axis=0), 1e-300)
    order = np.argsort(-tells, kind="stable")[:MAX_COLUMNS]
    rows = [
        [shown.names[part.places[place]],
         *(f"{short_number(mean)} ± {short_number(spread)}"
           for mean, spread in zip(means[:, place], spreads[:, place], strict=True))]
        for place in order
    ]  # fmt: skip
    drawn = [
        {"column": shown.names[part.places[place]], "means": means[:, place], "spreads": spreads[:, place]}
        for place in order[:MAX_BELLS]
    ]
    title = "Mean and standard deviation of prepared columns inside each class"
    return Table(f"{title}{_of_all(len(rows), len(part.places))}", ["Column", *shown.labels], rows), class_densities(
        drawn, shown.labels
    )


def _means(shown: Shown) -> Table:
    """Of the columns whose distribution is told by its mean."""
    rows = [
        [shown.names[place], *map(short_number, means)]
        for family, of_family in shown.model.means_.items()
        for place, means in zip(shown.model._columns(family), of_family.T, strict=True)
    ]
    return Table("Mean of counts and waiting times inside each class", ["Column", *shown.labels], rows)


def _shares(shown: Shown, part: ColumnGroup) -> tuple[Table, Figure]:
    """Probabilities of values inside every class, those that differ most between classes first."""
    named, shares = _probabilities(shown, part)
    order = np.argsort(-np.ptp(shares, axis=0), kind="stable")[:MAX_COLUMNS]
    rows = [[named[place], *(float(share) for share in shares[:, place])] for place in order]
    few = order[:MAX_BARS]
    figure = class_shares([named[place] for place in few], shares[:, few], shown.labels)
    head, title = "Value", "How likely a value is inside each class"
    if isinstance(part.model, MultinomialNaiveBayes):
        head, title = "Column", "Share of each column in all that is counted inside each class"
    return Table(f"{title}{_of_all(len(rows), len(named))}", [head, *shown.labels], rows), figure


def _of_all(shown: int, there: int) -> str:
    return f", the {shown} of {there} that differ most" if shown < there else ""


def _probabilities(shown: Shown, part: ColumnGroup) -> tuple[list[str], Array]:
    """Names of values, and their probabilities: (classes, values)."""
    terms, inner = Terms(shown), part.model.pipeline_[-1]
    if isinstance(part.model, MultinomialNaiveBayes):
        return [shown.names[place] for place in part.places], np.exp(inner.feature_log_prob_)
    if isinstance(part.model, BernoulliNaiveBayes):
        middles = part.model.pipeline_[0].mean_
        named = [_said(terms, place, middle, 1) for place, middle in zip(part.places, middles, strict=True)]
        return named, np.exp(inner.feature_log_prob_)
    named, proba = [], []
    for own, place in enumerate(part.places):
        logs, edges = inner.feature_log_prob_[own], part.model.pipeline_[0].edges_[own]
        for category in range(logs.shape[1]):
            named.append(_bin(terms, place, edges, category))
            proba.append(np.exp(logs[:, category]))
    return named, np.array(proba).T


def _said(terms: Terms, place: int, cut: float, side: int) -> str:
    return f"{terms.column(place)} {terms.cut(place, float(cut))[side]}"


def _bin(terms: Terms, place: int, edges: Array, category: int) -> str:
    """The values between two edges, in the column's own units."""
    if not len(edges):
        return f"{terms.column(place)} is anything"
    column = terms.shown.X[:, place]
    values = np.unique(column[np.searchsorted(edges, column, side="right") == category])
    if len(values) == 1 and (word := terms.word(place, values[0])) is not None:
        return f"{terms.column(place)} = {word}"
    if category == 0:
        return _said(terms, place, edges[0], 0)
    lower = _said(terms, place, edges[category - 1], 1)
    return lower if category == len(edges) else f"{lower}, {terms.cut(place, float(edges[category]))[0]}"


EXPLAINER = Explainer(
    name="naive-bayes",
    suits=lambda model: isinstance(
        model, GaussianNB | BernoulliNaiveBayes | CategoricalNaiveBayes | MultinomialNaiveBayes | MixedNaiveBayes
    ),
    explain=explain_naive_bayes,
)
