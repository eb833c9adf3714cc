"""The gate's work on two real models, without a registry."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from penstock.components.evaluation.terms import Terms
from penstock.components.schema import ROW_ID, infer_schema
from penstock.model import save_bundle
from penstock.store import Ref, Store
from tests.stages import as_facts, compare

ROWS = 1200


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


@pytest.fixture
def frame() -> pd.DataFrame:
    """The outcome follows `a`, and in the north `b` instead."""
    rng = np.random.default_rng(0)
    region = rng.choice(["north", "south", "west"], ROWS, p=[0.25, 0.74, 0.01])
    a, b = rng.normal(size=(2, ROWS))
    logit = 3 * np.where(region == "north", b, a)
    frame = pd.DataFrame({"a": a, "b": b, "region": region, "age": rng.integers(20, 60, ROWS)})
    frame["y"] = np.where(rng.random(ROWS) < 1 / (1 + np.exp(-logit)), "yes", "no")
    frame.insert(0, ROW_ID, [f"r{number}" for number in range(ROWS)])
    return frame


def model(store: Store, frame: pd.DataFrame, features: list[str], sharper: float = 1.0) -> Ref:
    """Logistic regression on some of the columns; `sharper` makes its probabilities more extreme than they are."""
    roles: dict[str, Any] = {name: "ignore" for name in ("a", "b", "region", "age") if name not in features}
    schema = infer_schema(
        frame.drop(columns=ROW_ID),
        problem="classification",
        target_type="classes",
        target="y",
        positive="yes",
        roles=roles,
    )
    pipeline = make_pipeline(LogisticRegression()).fit(frame[features], (frame["y"] == "yes").astype(int))
    pipeline[-1].coef_ *= sharper
    return save_bundle(store, pipeline=pipeline, schema=schema, contract={"version": 1, "rules": []}, card={})


def judged(
    store: Store,
    challenger: Ref,
    champion: Ref | None,
    frame: pd.DataFrame,
    seen: list[str] | None = None,
    metric: str = "accuracy",
    **terms: Any,
) -> dict[str, Any]:
    ids = store.put_frame(pd.DataFrame({ROW_ID: seen or ["elsewhere"]}))
    files = (store.path(champion), store.path(ids)) if champion else (None, None)
    return as_facts(
        compare(store, "classification", challenger, *files, store.put_frame(frame), metric, Terms(**terms))
    )


def test_better_overall_but_worse_on_a_slice_is_held_and_the_slice_is_named(store: Store, frame: pd.DataFrame) -> None:
    champion, challenger = model(store, frame, ["b"]), model(store, frame, ["a"])
    plain = judged(store, challenger, champion, frame)
    assert (plain["verdict"], plain["rows"], plain["checks"]) == ("promote", ROWS, [])
    assert plain["difference"]["low"] > 0.1

    guarded = judged(store, challenger, champion, frame, slices={"columns": ["region"], "margin": 0.02})
    north, south, west = guarded["checks"]
    assert guarded["verdict"] == "hold"
    assert "the challenger is better" in guarded["reason"]
    assert "but on the slice region = north it is worse by more than the margin of 0.02" in guarded["reason"]
    assert [(one["name"], one["state"]) for one in (north, south, west)] == [
        ("region = north", "failed"), ("region = south", "passed"), ("region = west", "undecided"),
    ]  # fmt: skip
    assert north["high"] < -0.02
    # Two slices are large enough to be evaluated: each interval has half of the error.
    assert north["confidence"] == south["confidence"] == pytest.approx(0.975)
    assert f"it has {(frame['region'] == 'west').sum()} rows, 50 are needed" in west["reason"]
    assert not guarded["timed"]

    # A margin that allows for the loss.
    assert (
        judged(store, challenger, champion, frame, slices={"columns": ["region"], "margin": 0.9})["verdict"]
        == "promote"
    )


@pytest.mark.slow
def test_undecided_slices_are_said_and_wait_where_strict(store: Store, frame: pd.DataFrame) -> None:
    south = frame[frame["region"] != "north"].reset_index(drop=True)
    champion, challenger = model(store, frame, ["b"]), model(store, frame, ["a"])
    wanted = {"columns": ["region", "age"], "margin": 0.02}
    loose = judged(store, challenger, champion, south, slices=wanted)
    assert loose["verdict"] == "promote"
    assert "though region = west is undecided" in loose["reason"]
    assert {one["name"].split(" = ")[0] for one in loose["checks"]} == {"region", "age"}
    assert judged(store, challenger, champion, south, slices=wanted, strict=True)["verdict"] == "inconclusive"


def test_only_rows_that_the_champion_never_saw_judge(store: Store, frame: pd.DataFrame) -> None:
    champion, challenger = model(store, frame, ["b"]), model(store, frame, ["a"])
    seen = frame[ROW_ID].tolist()
    found = judged(store, challenger, champion, frame, seen[:1100])
    assert found["rows"] == 100
    nothing = judged(store, challenger, champion, frame, seen)
    assert (nothing["verdict"], nothing["difference"]) == ("inconclusive", None)
    assert "only 0 of the test rows are new to the champion" in nothing["reason"]


def test_rows_of_one_class_leave_it_open(store: Store, frame: pd.DataFrame) -> None:
    champion, challenger = model(store, frame, ["b"]), model(store, frame, ["a"])
    positive = frame[frame["y"] == "yes"].reset_index(drop=True)
    found = judged(store, challenger, champion, positive, metric="roc_auc", slices={"columns": ["region"]})
    assert (found["verdict"], found["difference"]) == ("inconclusive", None)
    assert "the ROC AUC is not defined on these rows" in found["reason"]
    assert {one["state"] for one in found["checks"]} == {"undecided"}


def test_a_champion_that_cannot_predict_leaves_it_open(store: Store, frame: pd.DataFrame, tmp_path: Path) -> None:
    champion, challenger = model(store, frame, ["b"]), model(store, frame, ["a"])
    gone = judged(store, challenger, champion, frame.drop(columns="b"))
    assert gone["verdict"] == "inconclusive"
    assert gone["reason"] == "the champion cannot predict these rows: the data have no column 'b'"
    # What it must not break is evaluated all the same.
    held = judged(store, challenger, champion, frame.drop(columns="b"), limits={"size_mb": 1e-6})
    assert held["verdict"] == "hold"
    assert "besides, the champion cannot predict these rows" in held["reason"]

    damaged = tmp_path / "damaged.skops"
    damaged.write_bytes(b"no model")
    ids = store.path(store.put_frame(pd.DataFrame({ROW_ID: ["elsewhere"]})))
    rows = store.put_frame(frame)
    found = as_facts(compare(store, "classification", challenger, damaged, ids, rows, "accuracy", Terms()))
    assert found["verdict"] == "inconclusive"
    assert "the champion cannot be loaded: this is not a skops model file" in found["reason"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("limits", "states", "words"),
    [
        ({"size_mb": 1e-6}, {"size": "failed"}, "the limit is 1e-06 MB"),
        ({"size_mb": 100}, {"size": "passed"}, ""),
        ({"latency": {"milliseconds": 1e-6}}, {"latency": "failed"}, "a prediction of 1 row(s) takes"),
        ({"latency": {"rows": 500, "milliseconds": 1e6, "ratio": 1e-6}},
         {"latency": "passed", "latency ratio": "failed"}, "times as long as the champion's"),
        ({"latency": {"rows": 3000, "ratio": 1e6}}, {"latency ratio": "passed"}, ""),
        ({"calibration_error": 0.9}, {"calibration": "passed"}, ""),
        ({"calibration_error": 0.001}, {"calibration": "failed"}, "its calibration error is"),
    ],
)  # fmt: skip
def test_limits(store: Store, frame: pd.DataFrame, limits: dict[str, Any], states: dict[str, str], words: str) -> None:
    champion, challenger = model(store, frame, ["b"]), model(store, frame, ["a"], sharper=5.0)
    found = judged(store, challenger, champion, frame, limits=limits)
    assert {one["kind"]: one["state"] for one in found["checks"]} == states
    assert found["verdict"] == ("hold" if "failed" in states.values() else "promote")
    assert words in found["reason"]
    assert all(one["value"] is not None for one in found["checks"])
    assert not found["timed"]  # all of these limits are far away


def test_the_first_model_must_meet_the_limits_too(store: Store, frame: pd.DataFrame) -> None:
    only = model(store, frame, ["a"])
    limits = {"size_mb": 100, "calibration_error": 0.9, "latency": {"ratio": 2}}
    found = judged(store, only, None, frame, limits=limits, slices={"columns": ["region"]})
    assert (found["verdict"], found["rows"], found["difference"]) == ("promote", 0, None)
    assert [one["state"] for one in found["checks"]] == ["passed", "passed", "skipped"]
    held = judged(store, only, None, frame, limits={"size_mb": 1e-6})
    assert held["verdict"] == "hold"
    assert "there was no champion to compare with; but its file has" in held["reason"]


def test_a_near_limit_on_time_marks_the_verdict(
    store: Store, frame: pd.DataFrame, monkeypatch: pytest.MonkeyPatch
) -> None:
    champion, challenger = model(store, frame, ["b"]), model(store, frame, ["a"])
    monkeypatch.setattr("penstock.tasks.compare.median_milliseconds", lambda calls: [3.0, 2.0][: len(calls)])
    found = judged(store, challenger, champion, frame, limits={"latency": {"milliseconds": 2.5, "ratio": 10}})
    assert (found["verdict"], found["timed"]) == ("hold", True)
    found = judged(store, challenger, champion, frame, limits={"latency": {"milliseconds": 4.0, "ratio": 10}})
    assert (found["verdict"], found["timed"]) == ("promote", True)
    found = judged(store, challenger, champion, frame, limits={"latency": {"milliseconds": 40.0, "ratio": 10}})
    assert (found["verdict"], found["timed"]) == ("promote", False)
