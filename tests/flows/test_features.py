"""Selection, extraction, bases, clipping and balancing through whole runs, as plain functions."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.preprocessing.preparation import feature_names
from penstock.errors import DataError
from penstock.flows.supervised import supervised
from penstock.model import load_bundle
from penstock.settings import Settings
from penstock.tracking import Tracking
from tests.small import classification, regression


def run(pipeline: Path) -> dict[str, Any]:
    Settings.from_environment().apply()
    return supervised.fn(str(pipeline), engine="plain").as_json()


@pytest.mark.slow
def test_a_run_that_leaves_levels_and_gaps_to_its_models(tmp_path: Path, home: Path) -> None:
    pipeline = classification(
        tmp_path,
        preparation={"impute": "keep-missing", "encode": {"level-codes": {"missing": "kept"}}, "scale": "none"},
        models=[{"id3": {"min_samples_leaf": 10, "max_depth": 2}}],
    )
    document = run(pipeline)
    assert document["winner"]["name"] == "id3"
    bundle = load_bundle(Path(document["artifacts"]["model"]))
    gaps = pd.DataFrame({"a": [np.nan], "b": [0.0], "c": [0.0], "plan": pd.Series([None], dtype="str"),
                         "since": pd.to_datetime(["2024-05-01"])})  # fmt: skip
    prepared = dict(zip(feature_names(bundle.pipeline[:-1]), bundle.pipeline[:-1].transform(gaps)[0], strict=True))
    assert np.isnan(prepared["a"])
    assert prepared["plan"] == -1  # no training row lacks it: a new level
    assert bundle.pipeline.predict_proba(gaps).sum() == pytest.approx(1.0)


@pytest.mark.slow
@pytest.mark.covers("tree-rule-post-pruning")
def test_a_run_with_rules_written_by_hand(tmp_path: Path, home: Path) -> None:
    rules = [
        "if mood > mid and b > 0 then no", "if a > 0 and plan = pro then yes", "if b > 0.5 then no",
        "if a > 0.3 then yes",
    ]  # fmt: skip
    pipeline = classification(
        tmp_path,
        data={"columns": {"mood": {"ordinal": ["low", "mid", "high"]}}},
        preparation={"scale": "none", "rare": 0},
        models=[{"rule-list": {"rules": rules, "otherwise": "no"}}],
    )
    table = pd.read_csv(tmp_path / "data.csv")
    table["mood"] = np.select([table["c"] < -0.5, table["c"] < 0.5], ["low", "mid"], default="high")
    table.to_csv(tmp_path / "data.csv", index=False)
    document = run(pipeline)
    assert document["winner"]["name"] == "rule-list"
    told = document["deciding"]["tables"][0]["rows"]
    assert [row[0] for row in told] == [*rules, "otherwise no"]
    bundle = load_bundle(Path(document["artifacts"]["model"]))
    frame = pd.read_csv(tmp_path / "data.csv", parse_dates=["since"])
    mood = (frame["mood"] == "high") & (frame["b"] > 0)
    plan = (frame["a"] > 0) & (frame["plan"] == "pro")
    said = np.select([mood, plan, frame["b"] > 0.5, frame["a"] > 0.3], [0, 1, 0, 1], default=0)
    whole = frame["a"].notna()  # gaps are filled with the median before rules are asked
    np.testing.assert_array_equal(bundle.pipeline.predict(frame)[whole], said[whole])


@pytest.mark.slow
def test_a_run_that_selects_extracts_and_balances(tmp_path: Path, home: Path) -> None:
    pipeline = classification(
        tmp_path,
        preparation={"clip": "clip-tukey", "impute": "svd", "expand": "polynomial", "balance": "random-over-sampling"},
        features={"select": {"correlation": {"keep": 8}}, "extract": {"pca": {"components": 0.9}}},
    )
    document = run(pipeline)
    told = document["features"]
    assert told["selection"]["by"] == {"name": "correlation", "parameters": {"keep": 8}}
    assert (told["selection"]["folds"], told["selection"]["kept"], told["selection"]["final"]) == (3, [8, 8, 8], 8)
    rows = {row["feature"]: row for row in told["selection"]["features"]}
    assert (rows["a"]["chosen"], rows["a"]["final"]) == (3, True)
    assert {"a * b", "c^2", "plan = pro", "a_missing"} <= set(rows)
    assert sum(row["final"] for row in rows.values()) == 8
    assert told["selection"]["offered"] > 15
    spectrum = told["extraction"]["spectrum"]
    assert told["extraction"]["from"] == spectrum["components"] == 8
    assert told["extraction"]["to"] == spectrum["kept"] == len(told["extraction"]["loadings"])
    assert spectrum["explained"][spectrum["kept"] - 1] >= 0.9 == spectrum["share"]

    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    section = page[page.index('<section id="features"') :]
    assert "correlation (keep=8) chose anew in each of 3 folds" in section
    assert 'id="figure-chosen_features"' in section
    assert 'id="figure-scree"' in section
    settings = Settings.from_environment()
    tracked = Tracking(settings.tracking_uri, settings.artifact_root)
    kept = tracked.client.download_artifacts(document["run"]["mlflow_run"], "features.json", str(tmp_path))
    assert json.loads(Path(kept).read_text()) == told

    # The model that ships takes rows as they came, and does what was said.
    bundle = load_bundle(Path(document["artifacts"]["model"]))
    assert list(bundle.pipeline.named_steps) == ["columns", "select", "extract", "matrix", "model"]
    assert len(bundle.predict(pd.read_csv(tmp_path / "data.csv").drop(columns="left"))) == 240


@pytest.mark.slow
def test_what_a_step_cannot_take_ends_the_run_with_its_code(tmp_path: Path, home: Path) -> None:
    """From the worker's process to the one that asked."""
    with pytest.raises(DataError, match="ChiSquaredSelector takes no negative numbers") as caught:
        run(classification(tmp_path, features={"select": "chi-squared"}))
    assert (caught.value.code, caught.value.exit_status) == ("PEN150", 3)
    assert "scale: min-max" in caught.value.remedy


@pytest.mark.slow
def test_a_regression_on_powers_of_one_column_shows_its_fits(tmp_path: Path, home: Path) -> None:
    pipeline = regression(tmp_path, models=["linear-regression"], preparation={"expand": {"polynomial": {"degree": 3}}})
    x = np.random.default_rng(0).uniform(-2, 2, 120)
    frame = pd.DataFrame({"dose": x, "y": x**3 - 2 * x + np.random.default_rng(1).normal(scale=0.3, size=120)})
    frame.to_csv(tmp_path / "data.csv", index=False)
    document = run(pipeline)
    told = document["features"]["polynomial"]
    assert (told["column"], told["chosen"]) == ("dose", 3)
    assert [fit["degree"] for fit in told["fits"]] == [1, 3, 9]
    errors = [fit["unseen"] for fit in told["fits"]]
    assert errors[1] < errors[0]
    assert errors[1] == pytest.approx(0.3, abs=0.1)
    assert document["metrics"]["r2"]["value"] > 0.9
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert 'id="figure-polynomial_fits"' in page
