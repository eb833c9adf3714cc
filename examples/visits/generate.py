"""Write visits.csv: appointments at an invented practice, several for each patient.

A patient has a habit of coming or not, and an age and a way to go that no other patient has: a model that sees some of
a patient's visits can recognise the others. So only patients it has never seen tell how good it is.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd

SEED = 20260202
PATIENTS = 420
MISSED_SHARE = 0.3
CLINICS = {"children": -0.3, "dental": 0.5, "general": 0.0, "physiotherapy": 0.2}


def generate() -> pd.DataFrame:
    """One row for each appointment."""
    rng = np.random.default_rng(SEED)
    habit = rng.normal(scale=1.3, size=PATIENTS)
    age = np.clip(rng.normal(46, 19, PATIENTS), 1, 95).round(1)
    distance = rng.gamma(2.0, 3.0, PATIENTS).round(2)
    visits = rng.integers(2, 6, PATIENTS)
    patient = np.repeat(np.arange(PATIENTS), visits)
    rows = len(patient)
    clinic = rng.choice(list(CLINICS), rows)
    lead_days = rng.gamma(1.5, 9.0, rows).round()
    reminded = rng.random(rows) < 0.55
    morning = rng.random(rows) < 0.5
    rain = rng.gamma(0.6, 4.0, rows).round(1)
    risk = (
        habit[patient]
        + 0.05 * lead_days
        - 1.1 * reminded
        + 0.3 * morning
        + 0.06 * distance[patient] * (rain > 3)
        + np.array([CLINICS[name] for name in clinic])
        - 0.012 * (age[patient] - 46)
    )
    chance = 1 / (1 + np.exp(-(risk - np.quantile(risk, 1 - MISSED_SHARE))))
    missed = rng.random(rows) < chance
    lead_days = np.where(rng.random(rows) < 0.04, np.nan, lead_days)
    return pd.DataFrame(
        {
            "visit_id": [f"v{number:05d}" for number in rng.permutation(rows)],
            "patient_id": [f"p{number:04d}" for number in rng.permutation(PATIENTS)[patient]],
            "clinic": clinic,
            "age": age[patient],
            "distance_km": distance[patient],
            "lead_days": lead_days,
            "reminded": np.where(reminded, "yes", "no"),
            "half_of_day": np.where(morning, "morning", "afternoon"),
            "rain_mm": rain,
            "missed": np.where(missed, "yes", "no"),
        }
    )


if __name__ == "__main__":
    target = Path(__file__).with_name("visits.csv")
    generate().to_csv(target, index=False, lineterminator="\n")
    print(f"wrote {target}")
