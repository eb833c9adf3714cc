"""The churn example: same bytes from the same seed, and a problem that is worth solving."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import ColumnTransformer
from sklearn.ensemble import HistGradientBoostingClassifier
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score
from sklearn.model_selection import GroupKFold
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, OneHotEncoder, OrdinalEncoder, StandardScaler
from threadpoolctl import threadpool_limits

from penstock.components.catalog import check_parameters, find
from penstock.spec.data import Ordinal
from penstock.spec.reading import load_spec

FOLDER = Path(__file__).parents[2] / "examples" / "churn"
DATES = ["snapshot_date", "signup_date"]
NOMINAL = [
    "region",
    "plan",
    "contract",
    "payment_method",
    "internet",
    "paperless_billing",
    "device_insurance",
]
NUMERIC = [
    "age",
    "household_income",
    "monthly_charge",
    "allowance_used_pct",
    "call_minutes",
    "dropped_calls",
    "support_calls",
    "late_payments",
    "line_speed_mbps",
]


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("churn_generate", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rows() -> pd.DataFrame:
    return pd.read_csv(FOLDER / "churn.csv", parse_dates=DATES)


@pytest.fixture(scope="module")
def before_hiding(generator: ModuleType) -> pd.DataFrame:
    rng = np.random.default_rng(generator.SEED)
    made: pd.DataFrame = generator.make_snapshots(rng, generator.make_customers(rng))
    return made


def test_the_generator_writes_the_committed_bytes(generator: ModuleType) -> None:
    written = generator.generate().to_csv(index=False, lineterminator="\n").encode()
    committed = (FOLDER / "churn.csv").read_bytes()
    assert written == committed
    assert len(committed) < 1_500_000


def test_shape_and_share_of_positives(rows: pd.DataFrame) -> None:
    assert len(rows) == 7000
    assert len(rows.columns) >= 18
    assert set(rows["churned"]) == {"yes", "no"}
    assert 0.24 <= (rows["churned"] == "yes").mean() <= 0.26


def test_each_snapshot_has_its_key_and_each_customer_several_like_snapshots(rows: pd.DataFrame) -> None:
    assert rows["snapshot_id"].is_unique
    assert not rows.duplicated(["customer_id", "snapshot_date"]).any()
    assert rows.groupby("customer_id").size().isin([2, 3, 4]).all()
    churned = (rows["churned"] == "yes").groupby(rows["customer_id"]).agg(["first", "last"]).astype(float)
    assert churned["first"].corr(churned["last"]) > 0.1


def test_notes_are_free_text(rows: pd.DataFrame) -> None:
    notes = rows["last_support_note"].dropna()
    assert (notes.str.count(" ") + 1).between(5, 15).all()
    assert notes.nunique() > 0.5 * len(notes)


@pytest.mark.parametrize(
    ("column", "reason"),
    [
        ("satisfaction", lambda rows: rows["satisfaction_level"] <= 1),
        ("household_income", lambda rows: rows["household_income"] > rows["household_income"].quantile(0.8)),
        ("age", lambda rows: rows["payment_method"] == "cash"),
        ("allowance_used_pct", lambda rows: rows["allowance_used_pct"] > 150),
        ("line_speed_mbps", lambda rows: rows["internet"] == "mobile only"),
        ("last_support_note", lambda rows: rows["support_calls"] == 0),
    ],
)
def test_values_are_missing_for_a_reason(
    rows: pd.DataFrame, before_hiding: pd.DataFrame, column: str, reason: Any
) -> None:
    assert (rows["snapshot_id"] == before_hiding["snapshot_id"]).all()
    missing, struck = rows[column].isna(), reason(before_hiding)
    assert missing[struck].mean() > 2 * missing[~struck].mean() > 0


def test_the_pipeline_file_fits_the_data(rows: pd.DataFrame, generator: ModuleType) -> None:
    spec = load_spec(FOLDER / "pipeline.yaml")
    assert (FOLDER / spec.data.source).is_file()
    for model in spec.models:
        check_parameters(find(model.name, problem=spec.problem), model.parameters)
    assert {spec.data.target, spec.data.key, spec.data.group, *spec.data.columns} <= set(rows.columns)
    assert spec.data.positive in set(rows["churned"])
    assert spec.data.columns["satisfaction"] == Ordinal(ordinal=generator.SATISFACTION)
    assert set(rows["satisfaction"].dropna()) == set(generator.SATISFACTION)


def date_parts(dates: pd.DataFrame) -> pd.DataFrame:
    parts = {(name, part): getattr(dates[name].dt, part) for name in dates for part in ("year", "month", "day")}
    ages = {(name, "age"): (pd.Timestamp("2026-01-01") - dates[name]).dt.days for name in dates}
    return pd.DataFrame({f"{name} {part}": values for (name, part), values in (parts | ages).items()}, dtype=float)


def preparation(levels: list[str]) -> ColumnTransformer:
    ordinal = OrdinalEncoder(categories=[levels], handle_unknown="use_encoded_value", unknown_value=np.nan)
    return ColumnTransformer(
        [
            ("numeric", make_pipeline(SimpleImputer(strategy="median", add_indicator=True), StandardScaler()), NUMERIC),
            ("ordinal", make_pipeline(ordinal, SimpleImputer(add_indicator=True), StandardScaler()), ["satisfaction"]),
            ("nominal", OneHotEncoder(), NOMINAL),
            ("date", make_pipeline(FunctionTransformer(date_parts), StandardScaler()), DATES),
            ("text", TfidfVectorizer(min_df=20), "last_support_note"),
        ],
        sparse_threshold=0,
    )


def grouped_auc(rows: pd.DataFrame, levels: list[str], model: Any, without: tuple[str, ...]) -> dict[str, float]:
    """Mean AUC over grouped folds, with all columns and without each kind of column."""
    features, target = rows.fillna({"last_support_note": ""}), rows["churned"] == "yes"
    scores: dict[str, list[float]] = {}
    for train, held_out in GroupKFold(5, shuffle=True, random_state=0).split(rows, groups=rows["customer_id"]):
        prepare = preparation(levels)
        X = prepare.fit_transform(features.iloc[train])
        X_held_out = prepare.transform(features.iloc[held_out])
        for dropped in ("", *without):
            kept = np.ones(X.shape[1], dtype=bool)
            kept[prepare.output_indices_.get(dropped, slice(0, 0))] = False
            model.fit(X[:, kept], target.iloc[train])
            proba = model.predict_proba(X_held_out[:, kept])[:, 1]
            scores.setdefault(dropped, []).append(roc_auc_score(target.iloc[held_out], proba))
    return {dropped: float(np.mean(values)) for dropped, values in scores.items()}


@pytest.mark.slow
def test_a_straight_line_does_well_a_bent_one_better_and_text_and_date_help(
    rows: pd.DataFrame, generator: ModuleType
) -> None:
    levels = generator.SATISFACTION
    line = LogisticRegression(C=0.1, max_iter=1000)
    trees = HistGradientBoostingClassifier(max_iter=60, max_leaf_nodes=10, random_state=0)
    with threadpool_limits(1):  # on rows this few, threads cost more than they bring
        straight = grouped_auc(rows, levels, line, without=("text", "date"))
        bent = grouped_auc(rows, levels, trees, without=())
    assert 0.80 <= straight[""] <= 0.88
    assert bent[""] >= straight[""] + 0.02
    assert straight["text"] < straight[""] - 0.02
    assert straight["date"] < straight[""] - 0.003
