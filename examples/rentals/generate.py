"""Write rentals.csv: how many bicycles an invented shop by a lake rents out, day by day for three years.

The business grows, so that a model is always asked about days unlike those it was trained on: only later days tell how
good it is. `rentals_last_week` is the sum of the seven days before; it is known in the morning.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

SEED = 20260303
DAYS = 1100
FIRST = "2023-03-01"
WEEK = 7
HOLIDAYS = ((1, 1), (4, 25), (5, 1), (6, 2), (8, 15), (12, 25), (12, 26))


def generate() -> pd.DataFrame:
    """One row for each day, in a random order, as files often come."""
    rng = np.random.default_rng(SEED)
    days = pd.Series(pd.date_range(FIRST, periods=DAYS + WEEK, freq="D"))
    season = -np.cos(2 * np.pi * (days.dt.day_of_year.to_numpy() - 20) / 365.25)
    warmth = np.convolve(rng.normal(scale=3.5, size=len(days) + 4), np.ones(5) / 5, mode="valid") * 2
    temperature = (13 + 9 * season + warmth).round(1)
    rain = np.where(rng.random(len(days)) < 0.3, rng.gamma(1.2, 5.0, len(days)), 0.0).round(1)
    holiday = np.array([(day.month, day.day) in HOLIDAYS for day in days])
    weekend = days.dt.day_of_week.to_numpy() >= 5
    wish = (
        3.0
        + 0.0006 * np.arange(len(days))
        + 0.045 * np.clip(temperature - 4, 0, 24)
        - 0.05 * np.minimum(rain, 12)
        + 0.45 * (weekend | holiday)
    )
    rentals = rng.poisson(np.exp(wish + rng.normal(scale=0.12, size=len(days))))
    last_week = pd.Series(rentals).rolling(WEEK).sum().shift(1).to_numpy()
    table = pd.DataFrame(
        {
            "day": days.dt.strftime("%Y-%m-%d"),
            "weekday": days.dt.day_name(),
            "holiday": np.where(holiday, "yes", "no"),
            "temperature_c": temperature,
            "rain_mm": np.where(rng.random(len(days)) < 0.02, np.nan, rain),
            "rentals_last_week": last_week,
            "rentals": rentals,
        }
    )
    return table.iloc[WEEK:].sample(frac=1.0, random_state=SEED)


if __name__ == "__main__":
    target = Path(__file__).with_name("rentals.csv")
    generate().to_csv(target, index=False, lineterminator="\n")
    print(f"wrote {target}")
