"""How many of the recommended items a user has bought."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pandas as pd

from penstock.components.evaluation.intervals import Interval
from penstock.evidence.evidence import Evidence
from toy_baskets.popular import PLACES

METRIC, LABEL = "hit_rate", "hit rate"
WIDTH = 1.96


def hits(recommender: Any, bought: pd.DataFrame) -> Evidence:
    """The share of hits among the recommended items, for each user."""
    owned = {str(user): set(items) for user, items in bought.groupby("user")["item"]}
    shares = [len(owned[user] & set(recommender.recommend(user))) / PLACES for user in owned]
    return Evidence(np.array(list(owned), dtype=str), {"share": np.array(shares)})


def mean_interval(shares: np.ndarray[Any, Any], confidence: float = 0.95) -> Interval:
    value, half_width = float(shares.mean()), WIDTH * float(shares.std()) / math.sqrt(len(shares))
    return Interval(value=value, low=value - half_width, high=value + half_width, confidence=confidence)
