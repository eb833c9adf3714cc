"""Whether recent rows still come from where the training rows came from.

Windows of training rows as large as the recent batch tell what chance alone does; all that is watched is held against
what the largest of it does by chance, so that watching many columns raises no more false alarms than watching one.
"""

from penstock.components.drift.compare import Comparison, Drift, compare_inputs, compare_predictions, settle
from penstock.components.drift.performance import compare_scores

__all__ = ["Comparison", "Drift", "compare_inputs", "compare_predictions", "compare_scores", "settle"]
