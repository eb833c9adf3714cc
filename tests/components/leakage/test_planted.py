"""Twenty leaks, planted one by one: each is named by its check, or cannot happen, and it is shown why.

The eight of preparation steps fitted on all rows are here at the end; the other twelve are named.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.balancing.balance import balance
from penstock.components.leakage.registry import CHECKS, certify
from penstock.components.preprocessing.plan import Step, make_plan
from penstock.components.preprocessing.preparation import build_preparation
from penstock.components.schema import infer_schema
from penstock.components.splitting import earlier_and_later, ordered_folds, refuse_overlap
from penstock.components.splitting.by_time import duration
from penstock.errors import DataError
from penstock.evidence.folds import Fold, Folds
from penstock.store import Store
from tests.components.leakage.conftest import Certify, clean_rows, sides_of
from tests.stages import prepare

CLASSES: dict[str, Any] = {"problem": "classification", "target": "left", "key": "key"}
QUANTITY: dict[str, Any] = {"problem": "regression", "target": "amount", "key": "key"}


def classes() -> pd.DataFrame:
    return clean_rows().drop(columns="amount")


def quantity() -> pd.DataFrame:
    return clean_rows().drop(columns="left")


def test_of_clean_rows_the_certificate_has_nothing_to_say(certificate: Certify) -> None:
    for answers in (certificate(classes(), **CLASSES), certificate(quantity(), **QUANTITY)):
        assert [code for code, run in answers.items() if run["outcome"] == "found"] == []
        assert list(answers) == [check.code for check in CHECKS] == [f"LEK{number:03d}" for number in range(1, 15)]


def test_copies_of_test_rows_among_the_learning_rows() -> None:
    sides = sides_of(classes(), **CLASSES)
    copies = sides.test.head(7).assign(left="gone", _row_id=[f"copy {number}" for number in range(7)])
    train = pd.concat([sides.train, copies], ignore_index=True)
    planted = type(sides)(train, sides.test, sides.schema, 0, alone=sides.alone)
    run = certify(planted)["checks"][1]
    assert (run["code"], run["outcome"], run["severity"], run["count"]) == ("LEK002", "found", "error", 7)
    assert run["examples"] == sides.test["_row_id"].head(5).tolist()


def test_the_same_rows_under_their_own_names() -> None:
    """By construction a row has one side; a fitted model refuses rows it has seen."""
    sides = sides_of(classes(), **CLASSES)
    both = sides.test.head(3).assign(left="gone")
    planted = type(sides)(pd.concat([sides.train, both]), sides.test, sides.schema, 0, alone=sides.alone)
    run = certify(planted)["checks"][0]
    assert (run["code"], run["outcome"], run["count"]) == ("LEK001", "found", 3)
    with pytest.raises(DataError, match=r"3 row\(s\) to be evaluated on were seen in fitting"):
        refuse_overlap(planted.train["_row_id"], planted.test["_row_id"])


def test_near_copies(certificate: Certify) -> None:
    raw, rng = classes(), np.random.default_rng(1)
    twins = raw.sample(60, random_state=1).assign(key=[f"twin{number}" for number in range(60)])
    for name in ("income", "age", "tenure", "speed"):
        twins[name] += rng.normal(scale=1e-3, size=60) * raw[name].std()
    run = certificate(pd.concat([raw, twins], ignore_index=True), **CLASSES)["LEK003"]
    assert (run["outcome"], run["severity"]) == ("found", "warning")
    assert run["count"] >= 10
    assert run["numbers"]["by_chance"] < 1
    assert any("twin" in example for example in run["examples"])


@pytest.mark.slow
def test_one_customer_on_both_sides(certificate: Certify) -> None:
    raw = classes().assign(customer_id=[f"c{number % 150}" for number in range(600)])
    run = certificate(raw, **CLASSES)["LEK004"]
    assert (run["outcome"], run["columns"]) == ("found", ["customer_id"])
    assert "not declared as group" in run["message"]
    assert "`data.group`" in run["remedy"]
    held_together = certificate(raw, **CLASSES, group="customer_id")["LEK004"]
    assert held_together["outcome"] == "passed"
    assert "3 folds" in held_together["message"]


@pytest.mark.slow
def test_future_rows_among_the_learning_rows(certificate: Certify) -> None:
    days = pd.Timestamp("2024-01-01") + pd.to_timedelta(np.random.default_rng(2).permutation(600), unit="D")
    raw = classes().assign(day=days)
    options = CLASSES | {"roles": {"day": "time"}, "ordered": True}
    published = certificate(raw, **options, test=np.arange(600) % 5 == 0)["LEK005"]
    assert (published["outcome"], published["severity"], published["columns"]) == ("found", "error", ["day"])
    cut = earlier_and_later(days.to_numpy(dtype="datetime64[us]"), share=0.2, gap=duration("7d", "split.gap"))
    sides = sides_of(raw, test=cut.test, **options)
    ordered = certify(sides)["checks"][4]
    assert ordered["outcome"] == "found"  # the shuffled folds of this table's helper are not those of a split by time
    assert "fold 1" in ordered["message"]
    taught = raw["day"][cut.train].to_numpy(dtype="datetime64[us]")
    parts = ordered_folds(taught, folds=3, gap=duration("7d", "split.gap"), window=None)
    train = sides.train[sides.train["day"].isin(taught)].reset_index(drop=True)
    by_time = type(sides)(train, sides.test, sides.schema, 0, folds=parts, ordered=True, alone=sides.alone)
    run = certify(by_time)["checks"][4]
    assert (run["outcome"], run["numbers"]["gap_days"]) == ("passed", 8.0)


def test_overlapping_windows(certificate: Certify) -> None:
    """Rows that are windows of one series: shuffled, neighbours evaluate each other; by time with a gap, none
    overlaps.
    """
    series = np.random.default_rng(3).normal(size=505).cumsum()
    raw = pd.DataFrame({f"lag_{lag}": series[5 - lag : 505 - lag] for lag in range(1, 5)})
    raw["amount"] = series[5:]
    raw["day"] = pd.date_range("2024-01-01", periods=500)
    shuffled = certificate(raw, problem="regression", target="amount")["LEK006"]
    assert (shuffled["outcome"], shuffled["severity"]) == ("found", "error")
    assert shuffled["columns"] == ["lag_1", "lag_2", "lag_3", "lag_4"]
    assert "split.gap" in shuffled["remedy"]
    times = raw["day"].to_numpy(dtype="datetime64[us]")
    for part in ordered_folds(times, folds=4, gap=duration("4d", "split.gap"), window=None):
        held = set(raw.iloc[part.train][["lag_1", "lag_2", "lag_3", "lag_4", "amount"]].to_numpy().ravel())
        assert not held & set(raw["amount"].iloc[part.valid])
        assert not held & set(raw.iloc[part.valid][["lag_1", "lag_2", "lag_3", "lag_4"]].to_numpy().ravel())


def of_classes(make: Callable[[pd.Series[Any]], Any]) -> tuple[Callable[[], pd.DataFrame], dict[str, Any]]:
    return lambda: classes().assign(planted=lambda rows: make(rows["left"])), CLASSES


def of_quantity(make: Callable[[pd.Series[Any]], Any]) -> tuple[Callable[[], pd.DataFrame], dict[str, Any]]:
    return lambda: quantity().assign(planted=lambda rows: make(rows["amount"])), QUANTITY


def three_classes() -> pd.DataFrame:
    rows = quantity()
    rows["left"] = pd.qcut(rows.pop("amount") + np.random.default_rng(4).normal(size=600), 3, labels=["a", "b", "c"])
    return rows.assign(left=lambda rows: rows["left"].astype(str), planted=lambda rows: rows["left"].isin(["a", "c"]))


DERIVED = {
    "classes copied": of_classes(lambda left: left),
    "classes as numbers": of_classes(lambda left: left.map({"gone": 3.5, "here": 7.25})),
    "classes reversed": of_classes(lambda left: left.map({"gone": "no", "here": "yes"})),
    "classes binned": (three_classes, CLASSES),
    "quantity copied": of_quantity(lambda amount: amount),
    "quantity scaled": of_quantity(lambda amount: 3 * amount + 40),
    "quantity reversed": of_quantity(lambda amount: -amount),
    "quantity bent": of_quantity(lambda amount: np.exp(amount)),
    "quantity binned": of_quantity(lambda amount: pd.cut(amount, [-99, -1, 0, 1, 99], labels=list("wxyz")).astype(str)),
}


@pytest.mark.parametrize("name", DERIVED)
def test_the_target_in_another_form(name: str, certificate: Certify) -> None:
    make, options = DERIVED[name]
    answers = certificate(make(), **options)
    assert (answers["LEK008"]["outcome"], answers["LEK008"]["columns"]) == ("found", ["planted"])
    assert answers["LEK008"]["severity"] == "error"
    if "binned" not in name:
        assert answers["LEK007"]["columns"] == ["planted"]


def test_a_noisy_copy_of_the_target_predicts_too_well_alone(certificate: Certify) -> None:
    rng = np.random.default_rng(5)
    raw = quantity().assign(planted=lambda rows: rows["amount"] + rng.normal(scale=0.02, size=600))
    answers = certificate(raw, **QUANTITY)
    assert answers["LEK008"]["outcome"] == "passed"
    assert (answers["LEK007"]["outcome"], answers["LEK007"]["columns"]) == ("found", ["planted"])


@pytest.mark.parametrize("name", ["closed_date", "days_after_notice", "outcome", "cancellation_fee", "left_reason"])
def test_a_column_that_comes_after_the_event_by_name(name: str, certificate: Certify) -> None:
    run = certificate(classes().rename(columns={"speed": name}), **CLASSES)["LEK009"]
    assert (run["outcome"], run["severity"], run["columns"]) == ("found", "warning", [name])


@pytest.mark.parametrize("name", ["post_code", "income_after_tax", "left_last_year", "result_count", "target_group"])
def test_a_column_with_an_innocent_name(name: str, certificate: Certify) -> None:
    assert certificate(classes().rename(columns={"speed": name}), **CLASSES)["LEK009"]["outcome"] == "passed"


def test_a_column_that_comes_after_the_event_by_date(certificate: Certify) -> None:
    rng = np.random.default_rng(6)
    seen = pd.Timestamp("2024-06-01") + pd.to_timedelta(rng.integers(0, 300, 600), unit="D")
    raw = classes().assign(
        snapshot_date=seen,
        signup_date=seen - pd.to_timedelta(rng.integers(1, 900, 600), unit="D"),
        contract_end_date=seen + pd.to_timedelta(rng.integers(1, 900, 600), unit="D"),
        visited=seen + pd.to_timedelta(rng.integers(-300, 60, 600), unit="D"),
    )
    run = certificate(raw, **CLASSES)["LEK010"]
    assert (run["outcome"], run["severity"], run["columns"]) == ("found", "error", ["visited"])
    assert "'contract_end_date' may be planned ahead" in run["message"]
    assert run["count"] == len(run["examples"]) or run["count"] > 5


@pytest.mark.slow
@pytest.mark.parametrize(("rows", "options"), [(classes, CLASSES), (quantity, QUANTITY)], ids=["classes", "quantity"])
def test_row_order_that_tells_the_target(
    rows: Callable[[], pd.DataFrame], options: dict[str, Any], certificate: Certify
) -> None:
    """Nothing reads the order: it is only noted. A feature that follows it is another matter."""
    ordered = rows().sort_values(options["target"], ignore_index=True)
    noted = certificate(ordered, **options)["LEK012"]
    assert (noted["outcome"], noted["severity"]) == ("found", "note")
    counted = ordered.assign(reading=np.arange(600) * 1.5)
    leaking = certificate(counted, **options)["LEK012"]
    assert (leaking["severity"], leaking["columns"]) == ("error", ["reading"])


def test_classes_in_turn(certificate: Certify) -> None:
    rows = classes()
    turns = rows.assign(left=np.where(np.arange(600) % 2, "gone", "here"))
    run = certificate(turns, problem="classification", target="left", key="key", test=np.arange(600) >= 480)["LEK012"]
    assert run["outcome"] == "found"
    assert "480 runs" in run["message"]


def test_an_id_that_tells_the_target(certificate: Certify) -> None:
    rng = np.random.default_rng(7)
    numbers = rng.permutation(3000)[:600] * 2
    raw = classes().assign(
        key=lambda rows: [f"c-{n + (w == 'gone')}" for n, w in zip(numbers, rows["left"], strict=True)]
    )
    run = certificate(raw, **CLASSES)["LEK013"]
    assert (run["outcome"], run["columns"]) == ("found", ["key"])
    assert "not a feature here" in run["message"]


@pytest.mark.slow
def test_an_id_among_the_features(certificate: Certify) -> None:
    raw = classes().sort_values("left", ignore_index=True).assign(row_id=np.arange(600) + 10_000)
    answers = certificate(raw, **(CLASSES | {"roles": {"row_id": "numeric"}}))
    assert (answers["LEK011"]["outcome"], answers["LEK011"]["columns"]) == ("found", ["row_id"])
    harmless = classes().assign(row_id=np.arange(600) + 10_000)
    answers = certificate(harmless, **(CLASSES | {"roles": {"row_id": "numeric"}}))
    assert answers["LEK011"]["outcome"] == "passed"
    assert "tell nothing" in answers["LEK011"]["message"]


WORDS = np.array(["red", "green", "blue", "apple", "pear", "river", "mountain", "forest", "table", "chair"])
STEPS: dict[str, dict[str, Any]] = {
    "scaler": {"scale": ("standard", {})},
    "imputer": {"impute": ("mean", {}), "scale": ("none", {})},
    "target encoder": {"encode": ("target", {}), "scale": ("none", {})},
    "selector": {"select": ("mutual-information", {"keep": 3})},
    "PCA": {"extract": ("pca", {"components": 2})},
    "TF-IDF": {"text_components": 4},
    "outliers": {"clip": ("clip-quantiles", {})},
}


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_no_step_learns_from_rows_that_judge_it(step: str, tmp_path: Path) -> None:
    """Other validation rows, other targets of theirs: the prepared training rows stay as they are, to the bit.

    The same step fitted on all rows does not pass this test.
    """
    rng = np.random.default_rng(8)
    frame = clean_rows(200).drop(columns=["key", "amount", "member"])
    frame["note"] = [" ".join(rng.choice(WORDS, 5)) for _ in range(200)]
    frame.loc[rng.random(200) < 0.2, "age"] = np.nan
    train, valid = np.arange(140), np.arange(140, 200)
    other = frame.copy()
    other.loc[valid, ["income", "age", "tenure", "speed"]] = rng.normal(50, 9, size=(60, 4))
    other.loc[valid, "plan"] = rng.choice(["basic", "pro"], 60)
    other.loc[valid, "note"] = "river mountain table chair"
    other.loc[valid, "left"] = np.where(frame.loc[valid, "left"] == "gone", "here", "gone")
    schema = infer_schema(frame, problem="classification", target_type="classes", target="left")
    facts = {name: {"missing": 0.1, "distinct": 100} for name in frame.columns}
    settings: dict[str, Any] = {"impute": ("median", {}), "scale": ("none", {}), "rare": 0.01, "text_components": 3}
    plan = make_plan(schema, facts, **(settings | STEPS[step]))
    store = Store(tmp_path)

    def prepared(rows: pd.DataFrame) -> tuple[Any, Any]:
        y = (rows["left"] == "gone").to_numpy().astype(np.int64)
        folds = Folds(y, 2, [Fold(train, valid)]).save(store)
        made = prepare(store, store.put_facts(plan), store.put_frame(rows), folds, 0, 0)
        on_all = build_preparation(plan, seed=0).fit(rows, y).transform(frame.iloc[train])
        return made, on_all

    (ours, leaky), (again, leaky_again) = prepared(frame), prepared(other)
    assert (ours.train.digest, ours.names.digest) == (again.train.digest, again.names.digest)
    assert ours.valid.digest != again.valid.digest
    assert not np.array_equal(leaky, leaky_again)


@pytest.mark.parametrize("balancer", ["random-over-sampling", "smote"])
def test_no_row_is_made_from_rows_that_judge(balancer: str, tmp_path: Path) -> None:
    """Rows are balanced in the fit of a fold, from its training rows. Balanced first and cut then, copies meet."""
    rng = np.random.default_rng(9)
    frame = clean_rows(200)[["income", "age", "tenure", "speed"]].assign(
        left=np.where(np.arange(200) % 7, "here", "gone")
    )
    schema = infer_schema(frame, problem="classification", target_type="classes", target="left")
    facts = {name: {"missing": 0.0, "distinct": 200} for name in frame.columns}
    settings: dict[str, Any] = {"impute": ("median", {}), "scale": ("none", {}), "rare": 0.01, "text_components": 3}
    plan = make_plan(schema, facts, balance=(balancer, {}), **settings)
    y = (frame["left"] == "gone").to_numpy().astype(np.int64)
    shuffled = rng.permutation(200)
    train, valid = np.sort(shuffled[:140]), np.sort(shuffled[140:])
    store = Store(tmp_path)
    other = frame.copy()
    other.loc[valid, ["income", "age", "tenure", "speed"]] = 1e6

    def taught(rows: pd.DataFrame) -> tuple[Any, Any]:
        folds = Folds(y, 2, [Fold(train, valid)]).save(store)
        made = prepare(store, store.put_facts(plan), store.put_frame(rows), folds, 0, 0)
        assert made.balance is not None
        return balance(made.balance, np.asarray(store.matrix(made.train)), y[train], None, seed=0)[:2]

    (matrix, classes), (again, _) = taught(frame), taught(other)
    assert np.bincount(classes).tolist() == [int((y[train] == 0).sum())] * 2
    np.testing.assert_array_equal(matrix, again)
    if balancer == "random-over-sampling":
        own = {tuple(row) for row in frame.iloc[train, :4].to_numpy()}
        assert {tuple(row) for row in matrix} <= own
        on_all, _, _ = balance(Step(**plan["balance"]), frame.iloc[:, :4].to_numpy(), y, None, seed=0)
        cut = np.random.default_rng(0).permutation(len(on_all))
        sides = [{tuple(row) for row in on_all[part]} for part in (cut[:240], cut[240:])]
        assert sides[0] & sides[1]  # what would have leaked
