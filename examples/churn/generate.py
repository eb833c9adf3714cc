"""Write churn.csv: monthly snapshots of the customers of an invented telephone company.

Some relations are straight lines and some are not, some values are missing for a reason, and the snapshots of one
customer resemble each other. `churned` says whether the customer gave notice in the two months after the snapshot;
many are won back, so a customer can be seen again after a "yes".
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pandas as pd
from numpy.typing import NDArray

SEED = 20260101
CUSTOMERS_BY_SNAPSHOTS = {2: 700, 3: 1000, 4: 650}
CHURN_SHARE = 0.25
KEPT_PER_CUSTOMER = ["age", "household_income"]  # known in all snapshots of a customer, or in none

SATISFACTION = ["very low", "low", "medium", "high", "very high"]
PLAN_PRICE = {"start": 15.0, "plus": 28.0, "family": 42.0, "unlimited": 55.0}
CONTRACT_RISK = {"monthly": 0.9, "one year": 0.0, "two years": -0.8}
LINE_SPEED = {"fibre": 250.0, "cable": 120.0, "dsl": 40.0, "mobile only": np.nan}

NOTE_OPENINGS = [
    "called about",
    "chatted about",
    "wrote in about",
    "came in about",
    "phoned twice about",
    "messaged us about",
    "son called about",
    "long call about",
]
NOTE_TOPICS = {
    "leaving": [
        "a cheaper rival offer",
        "keeping the number elsewhere",
        "the notice period",
        "better coverage with a competitor",
        "ending the contract early",
    ],
    "upset": [
        "a bill higher than agreed",
        "slow internet every evening",
        "the technician who never came",
        "calls that break off",
        "fees nobody had explained",
    ],
    "routine": [
        "a new address for invoices",
        "roaming prices for a holiday",
        "a lost sim card",
        "how to read the bill",
        "blocking premium numbers",
    ],
    "pleased": [
        "adding a second line",
        "moving to the larger plan",
        "a friend wanting to join",
        "renewing the contract",
        "a newer handset",
    ],
}
NOTE_TIMES = ["", " again", " since monday", " since moving", " for weeks", " before travelling"]
NOTE_TOPIC_RISK = {"leaving": 2.0, "upset": 0.8, "routine": 0.0, "pleased": -1.0}
NOTE_ENDING_RISK = {
    "": 0.0,
    "solved on the spot": -0.5,
    "no further action needed": 0.0,
    "wants a call back": 0.3,
    "discount offered and accepted": -1.0,
    "discount offered but declined": 1.0,
    "hung up unhappy": 0.8,
}


def make_customers(rng: np.random.Generator) -> pd.DataFrame:
    """One row per customer: what stays the same from month to month."""
    snapshots = rng.permutation(np.repeat(list(CUSTOMERS_BY_SNAPSHOTS), list(CUSTOMERS_BY_SNAPSHOTS.values())))
    count = len(snapshots)
    first_month = np.datetime64("2025-01") + rng.integers(0, 9, count)
    tenure_days = np.minimum(rng.gamma(1.3, 700, count) + 20, 4000).astype(int)
    plan = rng.choice(list(PLAN_PRICE), count, p=[0.3, 0.35, 0.2, 0.15])
    internet = rng.choice(list(LINE_SPEED), count, p=[0.35, 0.25, 0.2, 0.2])
    age = np.clip(rng.normal(46, 16, count), 18, 90).round()
    return pd.DataFrame(
        {
            "customer_id": [f"C{number:05d}" for number in range(1, count + 1)],
            "snapshots": snapshots,
            "first_month": first_month,
            "signup_date": first_month.astype("datetime64[D]") - tenure_days,
            "region": rng.choice(["north", "south", "east", "west", "capital", "islands"], count),
            "age": age,
            "household_income": (np.exp(rng.normal(10.4, 0.45, count) - ((age - 50) / 60) ** 2) / 100).round() * 100,
            "plan": plan,
            "contract": rng.choice(list(CONTRACT_RISK), count, p=[0.5, 0.3, 0.2]),
            "payment_method": rng.choice(["direct debit", "card", "transfer", "cash"], count, p=[0.45, 0.3, 0.15, 0.1]),
            "internet": internet,
            "paperless_billing": rng.random(count) < 0.6,
            "device_insurance": np.where(rng.random(count) < 0.3, "yes", "no"),
            "base_charge": pd.Series(plan).map(PLAN_PRICE) + np.where(internet == "mobile only", 0, 18),
            "usual_usage": rng.normal(0, 0.75, count),
            "mood": rng.normal(0, 0.8, count),
            "loyalty": rng.normal(0, 0.5, count),
        }
    )


def make_snapshots(rng: np.random.Generator, customers: pd.DataFrame) -> pd.DataFrame:
    """One row per customer and month: what changes, with nothing missing yet."""
    rows = customers.loc[customers.index.repeat(customers["snapshots"])].reset_index(drop=True)
    count = len(rows)
    month = rows["first_month"].to_numpy().astype("datetime64[M]") + rows.groupby("customer_id").cumcount().to_numpy()
    rows["snapshot_date"] = (month + 1).astype("datetime64[D]") - 1
    rows["tenure_years"] = (rows["snapshot_date"] - rows["signup_date"]).dt.days / 365.25
    rows["snapshot_id"] = [f"S{number:06d}" for number in rng.permutation(count) + 1]
    rows["monthly_charge"] = (rows["base_charge"] + rng.gamma(2.0, 4.0, count)).round(2)
    rows["allowance_used_pct"] = (60 * np.exp(rows["usual_usage"] + rng.normal(0, 0.35, count))).round()
    rows["call_minutes"] = rng.gamma(2.0, 110.0, count).round()
    rows["dropped_calls"] = rng.negative_binomial(1.5, 0.3, count)
    rows["support_calls"] = rng.poisson(np.exp(-0.1 - 0.35 * rows["mood"]))
    rows["late_payments"] = rng.poisson(np.where(rows["payment_method"] == "direct debit", 0.2, 0.7))
    rows["line_speed_mbps"] = (rows["internet"].map(LINE_SPEED) * rng.beta(6, 2, count)).round()
    mood = rows["mood"] - 0.08 * rows["dropped_calls"] - 0.2 * rows["support_calls"] + rng.normal(0, 0.6, count)
    rows["satisfaction_level"] = np.digitize(mood, [-1.7, -0.9, -0.1, 0.7])
    rows["last_support_note"], rows["note_risk"] = write_notes(rng, mood.to_numpy())
    return rows


def write_notes(rng: np.random.Generator, mood: NDArray[np.float64]) -> tuple[list[str], list[float]]:
    """The note of each row, and what it adds to the risk; those in a bad mood complain more."""
    topic = np.array(list(NOTE_TOPICS))[np.digitize(mood + rng.normal(0, 1.3, len(mood)), [-2.2, -0.9, 1.2])]
    ending = rng.choice(list(NOTE_ENDING_RISK), len(mood))
    opening = rng.choice(NOTE_OPENINGS, len(mood))
    detail = [rng.choice(NOTE_TOPICS[name]) for name in topic]
    time = rng.choice(NOTE_TIMES, len(mood))
    notes = [f"{o} {d}{t}, {e}".removesuffix(", ") for o, d, t, e in zip(opening, detail, time, ending, strict=True)]
    risk = [NOTE_TOPIC_RISK[name] + NOTE_ENDING_RISK[e] for name, e in zip(topic, ending, strict=True)]
    return notes, risk


def churn_score(rows: pd.DataFrame) -> NDArray[np.float64]:
    """The log-odds of churning, up to a constant."""
    straight = (
        rows["contract"].map(CONTRACT_RISK)
        + rows["note_risk"]
        - 0.45 * rows["satisfaction_level"]
        - 0.7 * np.log1p(rows["tenure_years"])
        + 0.25 * rows["late_payments"]
        - 0.3 * (rows["device_insurance"] == "yes")
        - rows["loyalty"]
    )
    christmas_offer = rows["signup_date"].dt.month >= 11
    too_little_or_too_much = np.minimum(np.log(rows["allowance_used_pct"].clip(lower=1) / 60) ** 2, 2.5)
    young_or_old = np.minimum(((rows["age"] - 46) / 16) ** 2, 3)
    nobody_helps = np.minimum(rows["support_calls"], 3) * np.minimum(rows["dropped_calls"], 8)
    pays_much_for_slow = (rows["monthly_charge"] > 55) & (rows["line_speed_mbps"] < 150)
    bent = (
        1.2 * christmas_offer
        + 1.4 * too_little_or_too_much
        + 0.5 * young_or_old
        + 0.12 * nobody_helps
        + 1.8 * (pays_much_for_slow & (rows["contract"] == "monthly"))
    )
    return np.asarray(straight + bent, dtype=np.float64)


def hide_values(rng: np.random.Generator, rows: pd.DataFrame) -> None:
    """Blank out values for reasons that lie in the value itself or in another column."""
    level, income, usage = rows["satisfaction_level"], rows["household_income"], rows["allowance_used_pct"]
    chance_hidden = {
        "satisfaction": np.array([0.35, 0.25, 0.12, 0.08, 0.05])[level],
        "household_income": np.where(income > income.quantile(0.8), 0.4, 0.08),
        "age": np.where(rows["payment_method"] == "cash", 0.35, 0.02),
        "allowance_used_pct": np.where(usage > 150, 0.2, 0.01),
        "line_speed_mbps": np.where(rows["internet"] == "dsl", 0.15, 0.03),
        "last_support_note": np.where(rows["support_calls"] == 0, 0.3, 0.02),
    }
    customer = pd.factorize(rows["customer_id"])[0]
    for column, chance in chance_hidden.items():
        luck = rng.random(len(rows))
        if column in KEPT_PER_CUSTOMER:
            luck = luck[customer]
        rows[column] = rows[column].mask(luck < chance)


COLUMNS = [
    "snapshot_id",
    "customer_id",
    "snapshot_date",
    "signup_date",
    "region",
    "age",
    "household_income",
    "plan",
    "contract",
    "payment_method",
    "internet",
    "paperless_billing",
    "device_insurance",
    "monthly_charge",
    "allowance_used_pct",
    "call_minutes",
    "dropped_calls",
    "support_calls",
    "late_payments",
    "line_speed_mbps",
    "satisfaction",
    "last_support_note",
    "churned",
]
WHOLE_NUMBERS = ["age", "household_income", "allowance_used_pct", "call_minutes", "line_speed_mbps"]


def generate() -> pd.DataFrame:
    rng = np.random.default_rng(SEED)
    rows = make_snapshots(rng, make_customers(rng))
    score = churn_score(rows) + rng.logistic(size=len(rows))
    rows["churned"] = np.where(score > np.quantile(score, 1 - CHURN_SHARE), "yes", "no")
    rows["satisfaction"] = np.array(SATISFACTION)[rows["satisfaction_level"]]
    hide_values(rng, rows)
    return rows[COLUMNS].astype(dict.fromkeys(WHOLE_NUMBERS, "Int64"))


if __name__ == "__main__":
    generate().to_csv(Path(__file__).with_name("churn.csv"), index=False, lineterminator="\n")
