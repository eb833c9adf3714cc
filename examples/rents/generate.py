"""Write rents.csv: flats to let in four invented districts, and what they cost.

In the old town prices follow whims more than square metres: a model must do worse there, and should say so.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

SEED = 20260303
ROWS = 1400
DISTRICTS = {"harbour": 1.10, "old town": 1.25, "hills": 1.00, "outskirts": 0.80}
SHARES = [0.25, 0.2, 0.25, 0.3]
WHIM = {"old town": 0.22}
USUAL_WHIM = 0.07
ENERGY = ["G", "F", "E", "D", "C", "B", "A"]
HEATING = ["gas", "district", "heat pump", "oil"]


def generate() -> pd.DataFrame:
    rng = np.random.default_rng(SEED)
    district = rng.choice(list(DISTRICTS), ROWS, p=SHARES)
    area = np.round(np.clip(rng.gamma(6.0, 12.0, ROWS), 18, 220), 1)
    built = rng.integers(1890, 2025, ROWS)
    energy = np.clip((built - 1890) / 22 + rng.normal(0, 1, ROWS), 0, 6).round().astype(int)
    floor = rng.integers(0, 9, ROWS)
    lift = (built > 1960) | (rng.random(ROWS) < 0.2)
    station = np.round(rng.gamma(2.0, 0.7, ROWS), 2)
    base = 12.5 * np.array([DISTRICTS[name] for name in district])
    per_metre = (
        base
        * (1 + 0.35 * np.exp(-area / 40))  # small flats cost more by the metre
        * (1 - 0.06 * np.minimum(station, 3))
        * np.where((floor > 3) & ~lift, 0.88, 1.0)  # nobody likes stairs
        * (1 + 0.02 * energy)
    )
    whim = np.array([WHIM.get(name, USUAL_WHIM) for name in district])
    rent = area * per_metre * np.exp(rng.normal(0, 1, ROWS) * whim)
    heating = rng.choice(HEATING, ROWS, p=[0.5, 0.25, 0.15, 0.1]).astype(object)
    heating[rng.random(ROWS) < 0.06] = None
    listed = pd.Timestamp("2025-01-01") + pd.to_timedelta(rng.integers(0, 500, ROWS), unit="D")
    return pd.DataFrame(
        {
            "flat": [f"f{number:05d}" for number in range(1, ROWS + 1)],
            "listed": listed.strftime("%Y-%m-%d"),
            "district": district,
            "area_m2": area,
            "floor": floor,
            "lift": np.where(lift, "yes", "no"),
            "built": built,
            "energy_class": np.array(ENERGY)[energy],
            "heating": heating,
            "km_to_station": station,
            "monthly_rent": np.round(rent).astype(int),
        }
    )


if __name__ == "__main__":
    generate().to_csv(Path(__file__).with_name("rents.csv"), index=False, lineterminator="\n")
