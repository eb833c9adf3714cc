"""Write claims.csv: invented claims of a motor insurance, of which one in twenty-five is a fraud.

A fraud is likelier for high amounts soon after the policy began, without witnesses, reported late, by people with
claims before. Nothing gives it away for sure, so that what matters is where to draw the line: looking into an honest
claim costs an afternoon, paying a false one costs many times that.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

SEED = 20260303
ROWS = 4000
SHARE = 0.04
CHANNELS = ["app", "web", "phone", "broker"]
DAMAGES = ["collision", "glass", "theft", "weather", "vandalism"]


def suspicion(claims: pd.DataFrame) -> np.ndarray:
    """On a scale of log-odds, without the constant that makes frauds rare."""
    early = np.exp(-claims["policy_days"] / 120)
    return (
        1.3 * np.log(claims["amount"] / 1500)
        + 2.2 * early
        + 1.4 * (claims["witnesses"] == 0)
        + 0.7 * np.log1p(claims["report_days"])
        + 0.6 * claims["claims_before"]
        + 1.2 * (claims["damage"] == "theft")
        - 1.0 * (claims["damage"] == "glass")
        + 0.5 * (claims["channel"] == "web")
        - 1.1 * (claims["police_report"] == "yes")
    ).to_numpy()


def constant_for(score: np.ndarray, share: float) -> float:
    """The constant at which the mean probability is the share, by halving."""
    low, high = -30.0, 30.0
    for _ in range(60):
        middle = (low + high) / 2
        if np.mean(1 / (1 + np.exp(-(score + middle)))) < share:
            low = middle
        else:
            high = middle
    return middle


def generate() -> pd.DataFrame:
    rng = np.random.default_rng(SEED)
    damage = rng.choice(DAMAGES, ROWS, p=[0.45, 0.22, 0.08, 0.15, 0.10])
    claims = pd.DataFrame(
        {
            "claim": [f"K{number:05d}" for number in range(1, ROWS + 1)],
            "amount": np.round(np.exp(rng.normal(7.2, 0.9, ROWS)), -1) + 50,
            "policy_days": np.ceil(rng.exponential(700, ROWS)).astype(int),
            "report_days": rng.poisson(2.5, ROWS),
            "witnesses": rng.choice([0, 1, 2, 3], ROWS, p=[0.5, 0.3, 0.15, 0.05]),
            "claims_before": rng.poisson(0.5, ROWS),
            "driver_age": np.clip(rng.normal(44, 14, ROWS), 18, 90).round().astype(int),
            "vehicle_age": np.clip(rng.gamma(3, 2.2, ROWS), 0, 30).round(1),
            "damage": damage,
            "channel": rng.choice(CHANNELS, ROWS, p=[0.35, 0.25, 0.25, 0.15]),
            "police_report": np.where(rng.random(ROWS) < np.where(damage == "theft", 0.8, 0.25), "yes", "no"),
        }
    )
    score = suspicion(claims)
    chance = 1 / (1 + np.exp(-(score + constant_for(score, SHARE))))
    claims["fraud"] = np.where(rng.random(ROWS) < chance, "yes", "no")
    # Who reports by phone is not always asked for the age of the vehicle.
    claims.loc[(claims["channel"] == "phone") & (rng.random(ROWS) < 0.3), "vehicle_age"] = np.nan
    return claims


if __name__ == "__main__":
    path = Path(__file__).parent / "claims.csv"
    table = generate()
    table.to_csv(path, index=False, lineterminator="\n")
    print(f"{len(table)} claims, {(table['fraud'] == 'yes').mean():.1%} of them frauds, in {path.name}")
