from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LogisticRegression

from penstock.components.catalog import build, entries
from penstock.components.dissimilarity.catalog import ENCODER
from penstock.components.preprocessing.plan import KEEP_MISSING, make_plan
from penstock.components.preprocessing.preparation import build_pipeline, build_preparation, feature_names
from penstock.components.schema import Column, Schema
from penstock.store import Store, dump_estimator

pytestmark = pytest.mark.usefixtures("one_thread")

APART = (ENCODER, KEEP_MISSING)
"""Own distances have no default, and gaps that are kept are gaps: they have tests of their own."""
NAMES = {
    kind: sorted(entry.name for entry in entries().values() if entry.kind == kind and entry.name not in APART)
    for kind in ("clipper", "imputer", "basis", "encoder", "scaler")
}
CHANGES = [
    *({"clip": (name, {})} for name in NAMES["clipper"]),
    *({"expand": (name, {})} for name in NAMES["basis"]),
    *({"impute": (name, {})} for name in NAMES["imputer"]),
    *({"impute_levels": (name, {})} for name in ("mode", "constant", "class-mode")),
    *({"encode": (name, {}), "scale": ("none", {})} for name in NAMES["encoder"]),
    *({"scale": (name, {})} for name in NAMES["scaler"]),
]
EVERY_CHANGE = pytest.mark.parametrize(
    "changes", CHANGES, ids=lambda changes: "-".join(f"{k}-{v[0]}" for k, v in changes.items())
)
LEARN_FROM_TARGET: dict[str, Any] = {
    "impute": ("class-mode", {}),
    "impute_levels": ("class-mode", {}),
    "encode": ("target", {"folds": 3}),
}
STEPS: dict[str, Any] = {"select": ("mutual-information", {"keep": 12}), "extract": ("pca", {"components": 0.9})}
QUICK: dict[str, dict[str, Any]] = {"mlp": {"epochs": 3}, "hist-gradient-boosting": {"max_iter": 5}}
DTYPES = {"numeric": "float64", "boolean": "float64", "date": "datetime64[us]"}


def prepared(
    values: dict[str, tuple[str, list[Any]]], train: int | None = None, y: Any = None, **changes: Any
) -> pd.DataFrame:
    """Fit on the first `train` rows of columns given as (role, values), and show all rows as prepared."""
    roles: dict[str, Any] = {name: role for name, (role, _) in values.items()}
    levels = ["low", "mid", "high"]
    columns = [
        Column(name=name, role=role, levels=levels if role == "ordinal" else None, reason="said")
        for name, role in roles.items()
    ]
    frame = pd.DataFrame(
        {name: pd.Series(column, dtype=DTYPES.get(role, "str")) for name, (role, column) in values.items()}
    )
    facts = {name: {"missing": 0.1, "distinct": 2} for name in values}
    settings: dict[str, Any] = {"impute": ("median", {}), "scale": ("standard", {}), "rare": 0.0, "text_components": 5}
    schema = Schema(columns=columns, problem="regression" if y is None else "classification", target="outcome")
    preparation = build_preparation(make_plan(schema, facts, **(settings | changes)), seed=0)
    seen = preparation.fit_transform(frame[:train], y)
    shown = preparation.transform(frame)
    if y is not None:  # training rows as they are in training
        shown[:train] = seen
    return pd.DataFrame(shown, columns=feature_names(preparation))


@pytest.mark.covers("prep-standardise")
def test_numbers_are_standardised_by_the_training_rows() -> None:
    shown = prepared({"x": ("numeric", [1.0, 2.0, 3.0, 5.0])}, train=3)["x"]
    assert shown.round(6).tolist() == [-1.224745, 0.0, 1.224745, 3.674235]
    assert shown[:3].mean() == pytest.approx(0.0)
    assert shown[:3].var(ddof=0) == pytest.approx(1.0)
    constant = prepared({"x": ("numeric", [7.0, 7.0])})
    assert constant["x"].tolist() == [0.0, 0.0]


def test_scaling_can_be_left_out() -> None:
    assert prepared({"x": ("numeric", [1.0, 2.0, 9.0])}, scale=("none", {}))["x"].tolist() == [1.0, 2.0, 9.0]


@pytest.mark.parametrize(("impute", "filled"), [("median", 2.0), ("mean", 4.0)])
def test_missing_numbers_are_filled_and_marked(impute: str, filled: float) -> None:
    values = [1.0, 2.0, 9.0, None, 100.0, None]
    shown = prepared({"x": ("numeric", values)}, train=4, impute=(impute, {}), scale=("none", {}))
    assert shown["x"].tolist() == [1.0, 2.0, 9.0, filled, 100.0, filled]
    assert shown["x_missing"].tolist() == [0.0, 0.0, 0.0, 1.0, 0.0, 1.0]


def test_booleans_are_filled_with_the_commoner_value_and_marked() -> None:
    shown = prepared({"b": ("boolean", [1.0, 1.0, 0.0, None])})
    assert shown["b"].tolist() == [1.0, 1.0, 0.0, 1.0]
    assert shown["b_missing"].tolist() == [0.0, 0.0, 0.0, 1.0]


def test_levels_become_columns_and_missing_is_a_level() -> None:
    shown = prepared({"c": ("nominal", ["x", "y", None, "x"])})
    assert list(shown) == ["c = x", "c = y", "c = (missing)"]
    assert shown.to_numpy().tolist() == [[1, 0, 0], [0, 1, 0], [0, 0, 1], [1, 0, 0]]


def test_rare_and_new_levels_go_together() -> None:
    shown = prepared({"c": ("nominal", ["x"] * 8 + ["y", "z", "new", None])}, train=10, rare=0.2)
    assert list(shown) == ["c = x", "c = (rare)"]
    assert shown.iloc[8:].to_numpy().tolist() == [[0, 1]] * 4


def test_a_new_level_without_rare_ones_is_no_level() -> None:
    shown = prepared({"c": ("nominal", ["x", "y", "new"])}, train=2)
    assert shown.iloc[2].tolist() == [0, 0]


def test_ordinals_keep_their_order_and_new_levels_count_as_missing() -> None:
    shown = prepared({"o": ("ordinal", ["high", "low", "mid", None, "odd"])}, train=4, scale=("none", {}))
    assert shown["o"].tolist() == [2.0, 0.0, 1.0, 1.0, 1.0]
    assert shown["o_missing"].tolist() == [0.0, 0.0, 0.0, 1.0, 1.0]


def test_dates_give_parts_seconds_and_whether_they_are_missing() -> None:
    shown = prepared({"d": ("date", ["2024-05-13 12:00", None, "2023-01-01 06:00"])}, scale=("none", {}))
    assert shown.iloc[0].to_dict() == {
        "d_year": 2024,
        "d_month": 5,
        "d_day": 13,
        "d_hour": 12,
        "d_total_seconds": pytest.approx(1715601600, abs=64),
        "d_weekday": 1,
        "d_missing": 0,
    }
    assert shown.iloc[1]["d_missing"] == 1
    assert np.isfinite(shown.to_numpy()).all()


def test_names_show_the_group_only_where_two_would_be_the_same() -> None:
    shown = prepared({"d": ("date", ["2024-05-13", "2023-01-01"]), "d_year": ("numeric", [1.0, 2.0])})
    assert {"numeric__d_year", "date__d_year", "d_month"} <= set(shown)


@EVERY_CHANGE
@pytest.mark.slow
@pytest.mark.parametrize("rows", [1, 5])
def test_few_rows_are_enough(mixed: Any, rows: int, changes: dict[str, Any]) -> None:
    table = mixed["classification"]
    preparation = build_preparation(table.plan(text_components=30, **changes), seed=0)
    assert np.isfinite(preparation.fit_transform(table.frame[:rows], table.y[:rows])).all()
    matrix = preparation.transform(table.frame)
    assert np.isfinite(matrix).all()
    assert matrix.shape == (len(table.frame), len(feature_names(preparation)))


@EVERY_CHANGE
@pytest.mark.slow
def test_columns_with_nothing_in_them_do_no_harm(mixed: Any, changes: dict[str, Any]) -> None:
    table = mixed["classification"]
    empty = table.frame.copy()
    for column in table.schema.features:
        empty[column.name] = pd.Series([None] * len(empty), dtype=empty[column.name].dtype)
    preparation = build_preparation(table.plan(**changes), seed=0)
    for fitted, shown in ((empty, table.frame), (table.frame, empty)):
        assert np.isfinite(preparation.fit_transform(fitted, table.y)).all()
        assert np.isfinite(preparation.transform(shown)).all()


@EVERY_CHANGE
@pytest.mark.slow
def test_columns_that_never_change_do_no_harm(mixed: Any, changes: dict[str, Any]) -> None:
    table = mixed["classification"]
    constant = pd.concat([table.frame.iloc[[0]]] * 30, ignore_index=True)
    preparation = build_preparation(table.plan(**changes), seed=0).fit(constant, table.y[:30])
    assert np.isfinite(preparation.transform(table.frame)).all()


def test_the_matrix_is_dense_and_lies_row_by_row(mixed: Any) -> None:
    table = mixed["regression"]
    for steps in ({}, STEPS, {"select": STEPS["select"]}):
        matrix = build_preparation(table.plan(**steps), seed=0).fit_transform(table.frame, table.y)
        assert type(matrix) is np.ndarray
        assert matrix.dtype == np.float64
        assert matrix.flags.c_contiguous


def test_selection_and_extraction_are_part_of_it(mixed: Any) -> None:
    table = mixed["classification"]
    preparation = build_preparation(table.plan(**STEPS), seed=0).fit(table.frame, table.y)
    assert preparation["select"].get_support().sum() == 12
    assert "income" in feature_names(preparation[:2])
    assert preparation["extract"].svd_solver == "full"
    assert feature_names(preparation)[0] == "pca0"


def test_extra_columns_and_their_order_do_not_matter(mixed: Any) -> None:
    table = mixed["classification"]
    preparation = build_preparation(table.plan(), seed=0).fit(table.frame, table.y)
    turned = table.frame[table.frame.columns[::-1]].assign(more=1).drop(columns="left")
    assert np.array_equal(preparation.transform(turned), preparation.transform(table.frame))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("problem", "model"),
    [
        ("classification", "logistic-regression"),
        ("classification", "hist-gradient-boosting"),
        ("classification", "mlp"),
        ("regression", "ridge"),
        ("regression", "mlp"),
        ("regression", "k-nearest-neighbours"),
    ],
)
@pytest.mark.parametrize("steps", [{}, STEPS, LEARN_FROM_TARGET], ids=["plain", "select-extract", "from-target"])
def test_prepared_matrix_and_model_equal_the_whole_pipeline_to_the_bit(
    mixed: Any, tmp_path: Any, problem: Any, model: str, steps: dict[str, Any]
) -> None:
    table = mixed[problem]
    if problem == "regression" and steps is LEARN_FROM_TARGET:
        steps = {"encode": steps["encode"], "impute": ("k-nearest", {})}  # a quantity has no classes
    plan = table.plan(**steps)
    train, valid = table.frame[:80], table.frame[80:]
    quick = QUICK.get(model, {})
    whole = build_pipeline(plan, build(model, quick, seed=1, problem=problem), seed=1).fit(train, table.y[:80])
    preparation = build_preparation(plan, seed=1)
    store = Store(tmp_path)
    stored = store.matrix(store.put_matrix(preparation.fit_transform(train, table.y[:80])))
    alone = build(model, quick, seed=1, problem=problem).fit(stored, table.y[:80])
    answer = "predict_proba" if problem == "classification" else "predict"
    assert np.array_equal(getattr(whole, answer)(valid), getattr(alone, answer)(preparation.transform(valid)))
    assert dump_estimator(whole["model"]) == dump_estimator(alone)


def test_two_fits_have_one_digest(mixed: Any) -> None:
    table = mixed["classification"]
    dumps = {
        dump_estimator(build_pipeline(table.plan(**STEPS), LogisticRegression(), seed=3).fit(table.frame, table.y))
        for _ in range(2)
    }
    assert len(dumps) == 1


def test_where_groups_are_looked_for_missing_values_are_filled_and_not_marked(mixed: dict[str, Any]) -> None:
    """Rows would be alike for what is not known of them."""
    table = mixed["clustering"]
    preparation = build_preparation(table.plan(), seed=0).fit(table.frame)
    marks = [name for name in feature_names(preparation) if name.endswith("_missing")]
    assert not [name for name in marks if not name.startswith("since")]
    assert np.isfinite(preparation.transform(table.frame)).all()
