"""How many clusters there are: criteria by name, each with a value for every K, the K it picks and why."""

from penstock.components.number_of_clusters.evidence import Evidence, draw
from penstock.components.number_of_clusters.registry import CRITERIA, Criterion, choose, evaluate_criteria, find
from penstock.components.number_of_clusters.result import CriterionResult

__all__ = ["CRITERIA", "Criterion", "CriterionResult", "Evidence", "choose", "draw", "evaluate_criteria", "find"]
