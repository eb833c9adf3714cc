"""Models that explain themselves: from a fitted model to sentences, tables, rules and pictures of how it decides."""

from penstock.components.explanation.models.base import Explainer, Explanation, Shown, Table
from penstock.components.explanation.models.registry import explain, explainer_of

__all__ = ["Explainer", "Explanation", "Shown", "Table", "explain", "explainer_of"]
