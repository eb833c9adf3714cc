"""Write segments.csv: customers of an invented shop, and in the last column the group each was made from.

Four groups are planted; one row in twenty is noise and belongs to none.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import pandas as pd

SEED = 20260202
NOISE_ROWS = 90
NOISE = "noise"
CHANNELS = ["shop", "web", "app"]
ADVICE = ["never", "sometimes", "often"]


class Group(NamedTuple):
    """Means of the numbers, and shares of the categories."""

    size: int
    age: float
    income: float
    visits: float
    basket: float
    discount: float
    channels: tuple[float, float, float]
    advice: tuple[float, float, float]
    member: float


GROUPS = {
    "bargain hunters": Group(500, 38, 24_000, 9.0, 22, 45, (0.15, 0.75, 0.10), (0.80, 0.15, 0.05), 0.15),
    "young app users": Group(450, 24, 31_000, 5.0, 48, 15, (0.05, 0.10, 0.85), (0.85, 0.10, 0.05), 0.80),
    "weekend families": Group(420, 42, 52_000, 3.5, 135, 22, (0.80, 0.15, 0.05), (0.15, 0.70, 0.15), 0.85),
    "seasoned regulars": Group(340, 68, 36_000, 11.0, 62, 8, (0.90, 0.07, 0.03), (0.05, 0.15, 0.80), 0.90),
}


def make_group(rng: np.random.Generator, group: Group) -> pd.DataFrame:
    count = group.size
    return pd.DataFrame(
        {
            "age": np.clip(rng.normal(group.age, 5.0, count), 18, 95),
            "yearly_income": np.maximum(rng.normal(group.income, 4_500, count), 8_000),
            "visits_per_month": np.maximum(rng.normal(group.visits, 1.1, count), 0.2),
            "basket_value": np.maximum(rng.normal(group.basket, 12, count), 3),
            "discount_share_pct": np.clip(rng.normal(group.discount, 5, count), 0, 100),
            "favourite_channel": rng.choice(CHANNELS, count, p=group.channels),
            "asks_for_advice": rng.choice(ADVICE, count, p=group.advice),
            "member": np.where(rng.random(count) < group.member, "yes", "no"),
        }
    )


def make_noise(rng: np.random.Generator, count: int) -> pd.DataFrame:
    return pd.DataFrame(
        {
            "age": rng.uniform(18, 85, count),
            "yearly_income": rng.uniform(12_000, 70_000, count),
            "visits_per_month": rng.uniform(0.2, 14, count),
            "basket_value": rng.uniform(5, 170, count),
            "discount_share_pct": rng.uniform(0, 60, count),
            "favourite_channel": rng.choice(CHANNELS, count),
            "asks_for_advice": rng.choice(ADVICE, count),
            "member": np.where(rng.random(count) < 0.5, "yes", "no"),
        }
    )


def generate() -> pd.DataFrame:
    """The customers, with the planted group of each."""
    rng = np.random.default_rng(SEED)
    parts = {name: make_group(rng, group) for name, group in GROUPS.items()} | {NOISE: make_noise(rng, NOISE_ROWS)}
    rows = pd.concat(parts, names=["planted"]).reset_index("planted")
    rows = rows.iloc[rng.permutation(len(rows))].reset_index(drop=True)
    rows.insert(0, "customer", [f"K{number:04d}" for number in range(1, len(rows) + 1)])
    rows["planted"] = rows.pop("planted")
    rows = rows.round(
        {"age": 0, "yearly_income": -2, "visits_per_month": 1, "basket_value": 2, "discount_share_pct": 0}
    )
    # Rare visitors leave too few traces to tell the channel.
    chance_hidden = np.where(rows["visits_per_month"] < 4, 0.12, 0.03)
    rows["favourite_channel"] = rows["favourite_channel"].mask(rng.random(len(rows)) < chance_hidden)
    return rows.astype(dict.fromkeys(["age", "yearly_income", "discount_share_pct"], "Int64"))


if __name__ == "__main__":
    generate().to_csv(Path(__file__).with_name("segments.csv"), index=False, lineterminator="\n")
