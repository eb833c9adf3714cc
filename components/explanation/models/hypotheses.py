"""How weighed hypotheses decide: how probable each is once the rows are seen."""

from __future__ import annotations

import numpy as np

from penstock.components.bayes.hypotheses import FiniteHypotheses
from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table
from penstock.components.plots.style import short_number

MOST = 8
NEARLY_ALL = 0.95
ANSWERS = {
    "vote": "The answer is the vote of all of them, each by its probability",
    "map": "The answer is that of the most probable one alone",
    "gibbs": "The answer to each row is that of one drawn by its probability",
}


def explain_hypotheses(shown: Shown) -> Explanation:
    model, posterior = shown.model, shown.model.posterior_
    order = np.argsort(-posterior, kind="stable")
    enough = int(np.searchsorted(np.cumsum(posterior[order]), NEARLY_ALL)) + 1
    sentences = [
        f"{len(posterior):,} hypotheses were weighed by the training rows. {ANSWERS[model.predict_by]}.",
        f"The most probable has {posterior[order[0]]:.1%}; {min(enough, len(posterior)):,} of them together have "
        f"{NEARLY_ALL:.0%}.",
    ]
    rows = [[_words(shown, int(place)), float(posterior[place])] for place in order[:MOST]]
    return Explanation(sentences, [Table("The most probable hypotheses", ["Hypothesis", "Probability"], rows)])


def _words(shown: Shown, place: int) -> str:
    model, labels = shown.model, shown.labels
    if not isinstance(model.hypotheses, str):
        return f"hypothesis {place + 1}"
    cut, below, beyond = np.unravel_index(place, (len(model.columns_), len(labels), len(labels)))
    if below == beyond:
        return f"always {labels[below]} (cut {int(cut) + 1})"
    name, threshold = shown.names[model.columns_[cut]], short_number(float(model.thresholds_[cut]))
    return f"{name} up to {threshold}: {labels[below]}, beyond: {labels[beyond]}"


EXPLAINER = Explainer(
    name="hypotheses", suits=lambda model: isinstance(model, FiniteHypotheses), explain=explain_hypotheses
)
