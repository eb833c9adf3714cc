"""How many clusters there are: criteria by name, each with a value for every K, the K it picks and why."""

from penstock.components.number_of_clusters.answer import Answer
from penstock.components.number_of_clusters.evidence import Evidence, draw
from penstock.components.number_of_clusters.registry import CRITERIA, Criterion, answers, choose, find

__all__ = ["CRITERIA", "Answer", "Criterion", "Evidence", "answers", "choose", "draw", "find"]
