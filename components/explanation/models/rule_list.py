"""How rules given by hand decide: what each answers, and how often it is right about the rows that are known."""

from __future__ import annotations

from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table
from penstock.components.trees.rule_list import RuleListClassifier


def explain_rule_list(shown: Shown) -> Explanation:
    """A rule that speaks of no row may name a level that is not there: this is where it is seen."""
    model = shown.model
    lines = [*model.rules, f"otherwise {shown.labels[model.answers_[-1]]}"]
    rows: list[list[object]] = []
    for line, counts, prediction in zip(lines, model.counts_, model.answers_, strict=True):
        spoken = float(counts.sum())
        right = f"{counts[prediction] / spoken:.0%}" if spoken else "no row to tell by"
        rows.append([line, f"{spoken:,.0f}", right])
    spoken_of = model.counts_[:-1].sum()
    sentences = [
        f"{len(model.rules)} rules were given and not learnt; the first that holds answers. They speak of "
        f"{spoken_of / model.counts_.sum():.0%} of the training rows.",
    ]
    if silent := [line for line, counts in zip(model.rules, model.counts_, strict=False) if not counts.sum()]:
        sentences.append(f"Rules that answer no training row: {len(silent)}. The first of them: {silent[0]}.")
    return Explanation(
        sentences, [Table("Rules: the first that holds answers", ["Rule", "Rows that it answers", "Right"], rows)]
    )


EXPLAINER = Explainer(
    name="rule list", suits=lambda model: isinstance(model, RuleListClassifier), explain=explain_rule_list
)
