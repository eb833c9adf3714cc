"""Models that explain themselves: from a fitted model to sentences, tables, rules and pictures of how it decides."""

from penstock.components.explanation.models.base import Shown, Table, Teller, Told
from penstock.components.explanation.models.registry import tell, teller_of

__all__ = ["Shown", "Table", "Teller", "Told", "tell", "teller_of"]
