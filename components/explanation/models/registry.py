"""Who tells how a model decides. A new teller is a module with a `TELLER`, named here; the first that suits speaks."""

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
from penstock.components.explanation.models.base import Shown, Table, Teller, Told

TELLERS: tuple[Teller, ...] = (
    tree.TELLER,
    id3.TELLER,
    rule_list.TELLER,
    naive_bayes.TELLER,
    neighbours.TELLER,
    support_vectors.CLASSIFIER,
    support_vectors.REGRESSOR,
    kernel_rows.TELLER,
    hypotheses.TELLER,
    coefficients.TELLER,
    network.TELLER,
)


def teller_of(model: Any) -> Teller | None:
    """Of a model, or of the first member of an ensemble of candidates that has one."""
    model = inner(model)
    if isinstance(model, VotingClassifier | VotingRegressor):
        return Teller("voting", lambda _: True, _members)
    return next((teller for teller in TELLERS if teller.suits(model)), None)


def tell(shown: Shown) -> Told | None:
    """None where nobody knows how this model decides; the importance of columns is told of every model."""
    model = inner(shown.model)
    teller = teller_of(model)
    return teller.tell(replace(shown, model=model, rule=shown.model)) if teller else None


def inner(model: Any) -> Any:
    """The model within the rule that turns its probabilities or values into answers."""
    while isinstance(model, DecidingClassifier | IntervalRegressor):
        model = model.estimator_
    return model


def _members(shown: Shown) -> Told:
    """The weights of the members, and how the heaviest of those that can tell decides."""
    vote = shown.model
    weights = vote.weights if vote.weights is not None else [1 / len(vote.estimators_)] * len(vote.estimators_)
    members = sorted(zip(vote.named_estimators_.items(), weights, strict=True), key=lambda one: -one[1])
    rows = [[name, float(weight)] for (name, _), weight in members]
    said = [f"A weighted mean of {len(rows)} models; {rows[0][0]} has the greatest weight, {rows[0][1]:.3g}."]
    table = Table("Members of the ensemble", ["Model", "Weight"], rows)
    for (name, member), _ in members:
        told = tell(replace(shown, model=member))
        if told:
            sentences = [*said, f"What follows is of {name}.", *told.sentences]
            return replace(told, sentences=sentences, tables=[table, *told.tables])
    return Told(said, [table])
