"""How models decide. A new explainer is a module with an `EXPLAINER`, listed here; the first that suits is taken."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from sklearn.ensemble import VotingClassifier, VotingRegressor

from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.decision.regressor import IntervalRegressor
from penstock.components.explanation.models import (
    coefficients,
    hypotheses,
    id3,
    kernel_rows,
    naive_bayes,
    neighbours,
    network,
    rule_list,
    support_vectors,
    tree,
)
from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table

EXPLAINERS: tuple[Explainer, ...] = (
    tree.EXPLAINER,
    id3.EXPLAINER,
    rule_list.EXPLAINER,
    naive_bayes.EXPLAINER,
    neighbours.EXPLAINER,
    support_vectors.CLASSIFIER,
    support_vectors.REGRESSOR,
    kernel_rows.EXPLAINER,
    hypotheses.EXPLAINER,
    coefficients.EXPLAINER,
    network.EXPLAINER,
)


def explainer_of(model: Any) -> Explainer | None:
    """Of a model, or of the first member of an ensemble of candidates that has one."""
    model = inner(model)
    if isinstance(model, VotingClassifier | VotingRegressor):
        return Explainer("voting", lambda _: True, _members)
    return next((explainer for explainer in EXPLAINERS if explainer.suits(model)), None)


def explain(shown: Shown) -> Explanation | None:
    """None where nobody knows how this model decides; the importance of columns is told of every model."""
    model = inner(shown.model)
    explainer = explainer_of(model)
    return explainer.explain(replace(shown, model=model, rule=shown.model)) if explainer else None


def inner(model: Any) -> Any:
    """The model within the rule that turns its probabilities or values into answers."""
    while isinstance(model, DecidingClassifier | IntervalRegressor):
        model = model.estimator_
    return model


def _members(shown: Shown) -> Explanation:
    """The weights of the members, and how the heaviest of those that can tell decides."""
    vote = shown.model
    weights = vote.weights if vote.weights is not None else [1 / len(vote.estimators_)] * len(vote.estimators_)
    members = sorted(zip(vote.named_estimators_.items(), weights, strict=True), key=lambda one: -one[1])
    rows = [[name, float(weight)] for (name, _), weight in members]
    sentences = [f"A weighted mean of {len(rows)} models; {rows[0][0]} has the greatest weight, {rows[0][1]:.3g}."]
    table = Table("Members of the ensemble", ["Model", "Weight"], rows)
    for (name, member), _ in members:
        found = explain(replace(shown, model=member))
        if found:
            sentences = [*sentences, f"What follows is of {name}.", *found.sentences]
            return replace(found, sentences=sentences, tables=[table, *found.tables])
    return Explanation(sentences, [table])
