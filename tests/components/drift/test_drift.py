from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from penstock.components.drift import compare_inputs, compare_predictions, compare_scores, settle
from penstock.components.drift.compare import Drift
from penstock.components.drift.describe import describe
from penstock.components.drift.statistics import counted, level_counts, ordered
from penstock.components.drift.windows import units_of, windows_of
from penstock.components.evaluation.metrics import METRICS
from penstock.components.schema import Column, Schema

ROLES = {"a": "numeric", "b": "numeric", "plan": "nominal", "mood": "ordinal", "since": "date", "note": "text"}
SCHEMA = Schema(
    columns=[
        Column.model_validate(
            {"name": name, "role": role, "reason": "", "levels": ["low", "mid", "high"] if role == "ordinal" else None}
        )
        for name, role in ROLES.items()
    ],
    problem="clustering",
)
WORDS = np.array(["late", "early", "slow", "kind", "rude", "cheap", "dear", "broken"])


def rows(rng: np.random.Generator, count: int, *, tie: float = 0.8) -> pd.DataFrame:
    a = rng.normal(size=count)
    return pd.DataFrame(
        {
            "a": a,
            "b": tie * a + np.sqrt(1 - tie**2) * rng.normal(size=count),
            "plan": rng.choice(["basic", "plus", "pro"], count),
            "mood": rng.choice(["low", "mid", "high"], count),
            "since": pd.Timestamp("2024-01-01") + pd.to_timedelta(rng.integers(0, 700, count), unit="D"),
            "note": [" ".join(rng.choice(WORDS, 4)) for _ in range(count)],
        }
    )


def drift(reference: pd.DataFrame, recent: pd.DataFrame, rate: float = 0.01) -> Drift:
    frame = pd.concat([reference, recent], ignore_index=True)
    windows = windows_of(units_of(None, len(frame)), len(recent), seed=0, rounds=199)
    return settle([compare_inputs(frame, SCHEMA, windows)], rate)


def found(result: Drift) -> set[tuple[str, str | None]]:
    return {(one.kind, one.column) for family in result.families for one in family.found if one.drifted}


@pytest.mark.covers("proc_concept_drift")
def test_a_shifted_column_raises_an_alarm_and_resampled_training_rows_do_not() -> None:
    rng = np.random.default_rng(0)
    reference = rows(rng, 600)
    same = reference.sample(200, random_state=1)
    assert not drift(reference.drop(same.index), same).drifted
    shifted = rows(rng, 200).assign(a=lambda frame: frame["a"] + 1)
    result = drift(reference, shifted)
    assert result.drifted
    assert ("numbers", "a") in found(result)
    assert ("levels", "plan") not in found(result)


@pytest.mark.parametrize(
    ("change", "seen"),
    [
        (lambda f, rng: f.assign(a=2 * f["a"]), ("numbers", "a")),
        (lambda f, rng: f.assign(plan=f["plan"].where(rng.random(len(f)) > 0.1, "new")), ("levels", "plan")),
        (lambda f, rng: f.assign(b=f["b"].where(rng.random(len(f)) > 0.15)), ("missing", "b")),
        (lambda f, rng: f.assign(mood=f["mood"].replace("low", "high")), ("numbers", "mood")),
        (lambda f, rng: f.assign(since=f["since"] + pd.Timedelta(days=200)), ("numbers", "since")),
        (lambda f, rng: f.assign(note=f["note"] + " and so on"), ("length", "note")),
        (lambda f, rng: f.assign(note=f["note"].str.replace("late", "soon")), ("terms", "note")),
        (lambda f, rng: rows(rng, len(f), tie=-0.8), ("joint", None)),
    ],
    ids=["scale", "new level", "missing", "order of levels", "dates", "longer texts", "other words", "joint only"],
)
def test_each_kind_of_change_is_seen_where_it_is(change: object, seen: tuple[str, str | None]) -> None:
    rng = np.random.default_rng(3)
    reference, recent = rows(rng, 600), rows(rng, 300)
    result = drift(reference, change(recent, rng))  # type: ignore[operator]
    assert seen in found(result)
    assert found(result) <= {seen, ("joint", None), ("length", "note"), ("terms", "note")}


def test_groups_of_rows_that_are_alike_are_no_drift_when_they_are_held_together() -> None:
    alarms = {True: 0, False: 0}
    schema = Schema(columns=SCHEMA.columns[:1], problem="clustering")
    for seed in range(20):
        rng = np.random.default_rng(seed)
        owner = np.repeat(np.arange(120), 5)
        frame = pd.DataFrame({"a": rng.normal(size=120)[owner] + 0.1 * rng.normal(size=600)})
        for together in alarms:
            units = units_of(pd.Series(owner) if together else None, 600)
            windows = windows_of(units, 200, seed=seed, rounds=99)
            alarms[together] += settle([compare_inputs(frame, schema, windows)], 0.05).drifted
    assert alarms[True] <= 4 < alarms[False]


def test_windows_are_as_large_as_the_batch_and_hold_groups_whole() -> None:
    units = units_of(pd.Series([*np.repeat(range(20), 3), None, None]), 62)
    windows = windows_of(units, 12, seed=0, rounds=50)
    assert windows[0].nonzero()[0].tolist() == list(range(50, 62))
    assert set(windows[1:].sum(axis=1)) <= {11, 12, 13}
    for window in windows[1:]:
        assert all(window[:60].reshape(20, 3).mean(axis=1) % 1 == 0)


def test_the_statistics_are_those_of_the_books() -> None:
    rng = np.random.default_rng(2)
    x, y = rng.normal(size=40), rng.normal(size=25) + 0.3
    windows = np.r_[np.zeros(40, bool), np.ones(25, bool)][None]
    ours = ordered(np.r_[x, y], windows)[0]
    both = np.sort(np.r_[x, y])
    here, there = (np.searchsorted(np.sort(s), both, "right")[:-1] / len(s) for s in (x, y))
    pooled = np.arange(1, 65) / 65
    assert ours == pytest.approx(40 * 25 / 65 * ((here - there) ** 2 / (pooled * (1 - pooled)) / 65).sum(), rel=1e-4)

    levels = pd.Series(rng.choice(list("abc"), 65))
    table = pd.crosstab(levels, windows[0])
    expected = stats.chi2_contingency(table, lambda_="log-likelihood", correction=False).statistic
    assert counted(level_counts(levels), windows)[0] == pytest.approx(expected, rel=1e-4)


@pytest.mark.slow
def test_many_columns_share_one_rate() -> None:
    """Without the correction, one of forty columns would stand out in most batches."""
    alarms = 0
    schema = Schema(columns=[Column(name=f"x{i}", role="numeric", reason="") for i in range(40)], problem="clustering")
    for seed in range(20):
        frame = pd.DataFrame(np.random.default_rng(seed).standard_cauchy(size=(150, 40))).add_prefix("x")
        windows = windows_of(np.arange(150), 50, seed=seed, rounds=99)
        alarms += settle([compare_inputs(frame, schema, windows)], 0.05).drifted
    assert alarms <= 4


def test_answers_and_scores_are_compared_too_and_share_the_rate() -> None:
    rng = np.random.default_rng(5)
    y = rng.integers(0, 2, 500)
    p = np.clip(0.5 + 0.3 * (2 * y - 1) + 0.2 * rng.normal(size=500), 0.01, 0.99)
    p[350:] = np.clip(0.5 + 0.2 * rng.normal(size=150), 0.01, 0.99)  # the last 150 are guessed
    windows = windows_of(np.arange(500), 150, seed=0, rounds=199)
    scores = compare_scores(METRICS["roc_auc"], y, np.column_stack([1 - p, p]), windows)
    assert scores.p == pytest.approx(1 / 200)
    answers = compare_predictions(
        pd.DataFrame({"prediction": np.where(p > 0.5, "yes", "no"), "probability": p}), windows
    )
    result = settle([answers, scores], 0.05)
    assert [(family.name, family.drifted) for family in result.families] == [
        ("predictions", True),
        ("performance", True),
    ]
    better = compare_scores(METRICS["roc_auc"], y[::-1], np.column_stack([1 - p, p])[::-1], windows)
    assert not settle([better], 0.05).drifted


def test_what_moved_is_told_in_the_units_of_the_column() -> None:
    day = pd.Series(pd.date_range("2024-01-01", periods=101, freq="D"))
    tails = describe(day, day + pd.Timedelta(days=101), "numbers")
    assert tails["distance"] == 1
    assert tails["before"]["quartiles"] == ["2024-01-26", "2024-02-20", "2024-03-16"]
    moods = describe(
        pd.Series(["low", "mid", "mid"]), pd.Series(["high"] * 3 + [None]), "numbers", ["low", "mid", "high"]
    )
    assert (moods["distance"], moods["before"]["quartiles"][1], moods["now"]["quartiles"]) == (1, "mid", ["high"] * 3)
    shares = describe(pd.Series(["a", "a", "b", None]), pd.Series(["a", "c", "c", "c"]), "levels")
    assert shares["distance"] == pytest.approx(0.75)
    assert next(iter(shares["now"]["shares"].items())) == ("c", 0.75)
    assert describe(pd.Series([1.0, np.nan]), pd.Series([1.0, 2.0]), "missing")["distance"] == 0.5
