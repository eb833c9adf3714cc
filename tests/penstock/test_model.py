"""The model file: what comes back from it, what it refuses, and how it scores."""

from __future__ import annotations

import logging
import pickle
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.cluster import KMeans
from sklearn.compose import make_column_transformer
from sklearn.impute import SimpleImputer
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.mixture import GaussianMixture
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import OneHotEncoder, StandardScaler

from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.schema import Schema, conform, encode_target, infer_schema
from penstock.errors import DataError, ModelError
from penstock.model import PenstockModel, _load_pyfunc, load_bundle, save_bundle
from penstock.store import Store

NO_RULES: dict[str, Any] = {"version": 1, "rules": [], "not_compiled": []}


def rows(count: int = 60) -> pd.DataFrame:
    rng = np.random.default_rng(0)
    age = rng.integers(18, 80, count)
    return pd.DataFrame(
        {
            "age": age,
            "plan": np.where(rng.random(count) < 0.5, "basic", "gold"),
            "spent": age * 2.0 + rng.normal(size=count),
            "churned": np.where(age + rng.normal(0, 5, count) > 50, "yes", "no"),
        },
        index=pd.Index(range(100, 100 + count), name="customer"),
    )


def rule(kind: str, severity: str = "error", **kwargs: Any) -> dict[str, Any]:
    return {"type": kind, "kwargs": kwargs, "meta": {"severity": severity, "source": "learnt"}}


def contract(*rules: dict[str, Any]) -> dict[str, Any]:
    return {**NO_RULES, "rules": list(rules)}


AGES = rule("expect_column_values_to_be_between", column="age", min_value=0, max_value=120)


def fitted(frame: pd.DataFrame, schema: Schema, model: object) -> Any:
    prepare = make_column_transformer(
        (make_pipeline(SimpleImputer(), StandardScaler()), ["age"]),
        (OneHotEncoder(handle_unknown="ignore"), ["plan"]),
    )
    features = conform(frame, schema, strict=True)[[column.name for column in schema.features]]
    y = None if schema.target is None else encode_target(frame[schema.target], schema)
    return make_pipeline(prepare, model).fit(features, y)


def saved(tmp_path: Path, frame: pd.DataFrame, schema: Schema, model: object, rules: dict[str, Any] = NO_RULES) -> Path:
    store = Store(tmp_path / "store")
    pipeline = fitted(frame, schema, model)
    return store.path(save_bundle(store, pipeline=pipeline, schema=schema, contract=rules, card={"metric": "roc_auc"}))


def classifier(tmp_path: Path, rules: dict[str, Any] = NO_RULES) -> PenstockModel:
    frame = rows().drop(columns="spent")
    schema = infer_schema(frame, problem="classification", target_type="classes", target="churned", positive="yes")
    return load_bundle(saved(tmp_path, frame, schema, LogisticRegression(), rules))


def test_a_model_without_a_coverage_gives_neither_sets_nor_intervals(tmp_path: Path) -> None:
    model = classifier(tmp_path)
    for use, words in (("predict_sets", "was not asked for a coverage"), ("predict_interval", "is for a regression")):
        with pytest.raises(ModelError, match=words) as caught:
            getattr(model, use)(rows())
        assert caught.value.code == "PEN506"


def test_a_model_with_a_rule_answers_by_it(tmp_path: Path) -> None:
    frame = rows().drop(columns="spent")
    schema = infer_schema(frame, problem="classification", target_type="classes", target="churned", positive="yes")
    rule = DecidingClassifier(LogisticRegression(), threshold=0.9, nonconformity=0.8)
    model = load_bundle(saved(tmp_path, frame, schema, rule))
    probability = model.predict_proba(frame)["yes"]
    assert (model.predict(frame) == np.where(probability > 0.9, "yes", "no")).all()
    sets = model.predict_sets(frame)
    assert (sets["yes"] == (probability >= 0.2)).all()
    assert model.score_frame(frame.head(0)).columns.tolist()[-2:] == ["maybe_no", "maybe_yes"]
    assert _load_pyfunc(str(saved(tmp_path, frame, schema, rule))).predict(frame)["maybe_yes"].any()


class TestRoundTrip:
    def test_everything_comes_back(self, tmp_path: Path) -> None:
        frame = rows().drop(columns="spent")
        schema = infer_schema(frame, problem="classification", target_type="classes", target="churned", positive="yes")
        path = saved(tmp_path, frame, schema, LogisticRegression(), contract(AGES))
        model = load_bundle(path)
        assert (model.schema, model.contract, model.card) == (schema, contract(AGES), {"metric": "roc_auc"})
        expected = fitted(frame, schema, LogisticRegression()).predict_proba(conform(frame, schema, strict=False))
        np.testing.assert_array_equal(model.predict_proba(frame).to_numpy(), expected)

    def test_equal_models_have_one_digest(self, tmp_path: Path) -> None:
        frame = rows().drop(columns="spent")
        schema = infer_schema(frame, problem="classification", target_type="classes", target="churned")
        first, second = (saved(tmp_path / name, frame, schema, LogisticRegression()) for name in "ab")
        assert first.read_bytes() == second.read_bytes()


class TestRefusals:
    def test_stranger_in_the_file(self, tmp_path: Path) -> None:
        store = Store(tmp_path)
        ref = save_bundle(store, pipeline=Counter("a"), schema=classifier(tmp_path).schema, contract=NO_RULES, card={})
        with pytest.raises(ModelError, match=r"PEN501.*collections\.Counter") as raised:
            load_bundle(store.path(ref))
        assert "do not load it if you did not make it" in raised.value.remedy

    def test_pickle_under_another_name(self, tmp_path: Path) -> None:
        class Trap:
            def __reduce__(self) -> tuple[Any, ...]:
                return (Path.touch, (tmp_path / "sprung",))

        (tmp_path / "model.skops").write_bytes(pickle.dumps(Trap()))
        with pytest.raises(ModelError, match="PEN502") as raised:
            load_bundle(tmp_path / "model.skops")
        assert "pickles are refused" in raised.value.remedy
        assert not (tmp_path / "sprung").exists()

    def test_altered_file(self, tmp_path: Path) -> None:
        frame = rows().drop(columns="spent")
        schema = infer_schema(frame, problem="classification", target_type="classes", target="churned")
        path = saved(tmp_path, frame, schema, LogisticRegression())
        content = bytearray(path.read_bytes())
        spot = content.find(b"\x93NUMPY") + 130
        content[spot] ^= 0xFF
        path.write_bytes(bytes(content))
        with pytest.raises(ModelError, match="PEN504: the model file is damaged or was altered") as raised:
            load_bundle(path)
        assert "fetch it again" in raised.value.remedy

    def test_file_cut_short(self, tmp_path: Path) -> None:
        path = tmp_path / "model.skops"
        path.write_bytes(b"PK\x03\x04 and then nothing")
        with pytest.raises(ModelError, match="PEN502"):
            load_bundle(path)

    @pytest.mark.parametrize(("name", "why"), [("nothing.skops", "No such file"), ("", "Is a directory")])
    def test_path_of_no_file(self, tmp_path: Path, name: str, why: str) -> None:
        with pytest.raises(ModelError, match=f"PEN504: cannot read the model file: {why}"):
            load_bundle(tmp_path / name)

    def test_skops_file_that_is_no_penstock_model(self, tmp_path: Path) -> None:
        store = Store(tmp_path)
        with pytest.raises(ModelError, match="PEN504: the model file is damaged or was altered"):
            load_bundle(store.path(store.put_estimator({"pipeline": LinearRegression()})))

    def test_format_of_the_future(self, tmp_path: Path) -> None:
        store = Store(tmp_path)
        with pytest.raises(ModelError, match="PEN504: the model file has format 2") as raised:
            load_bundle(store.path(store.put_estimator({"format": 2})))
        assert "the Penstock version that saved it" in raised.value.remedy


class TestClassification:
    def test_labels_and_probabilities_agree(self, tmp_path: Path) -> None:
        model, frame = classifier(tmp_path), rows()
        scores = model.score_frame(frame)
        assert list(scores.columns) == ["prediction", "probability_no", "probability_yes"]
        pd.testing.assert_index_equal(scores.index, frame.index)
        assert set(scores["prediction"]) == {"no", "yes"}
        assert ((scores["probability_yes"] > 0.5) == (scores["prediction"] == "yes")).all()
        assert (scores["prediction"] == frame["churned"]).mean() > 0.8
        pd.testing.assert_series_equal(model.predict(frame), scores["prediction"])
        assert list(model.predict_proba(frame).columns) == ["no", "yes"]

    def test_rows_under_one_index_label_stay_apart(self, tmp_path: Path) -> None:
        model, frame = classifier(tmp_path), rows()
        alike = frame.set_axis([1] * len(frame))
        np.testing.assert_array_equal(model.score_frame(alike).to_numpy(), model.score_frame(frame).to_numpy())

    @pytest.mark.parametrize(
        ("labels", "kind"), [([1, 2, 3], "int64"), ([0.5, 1.5, 2.5], "float64"), (["a", "b", "c"], "str")]
    )
    def test_labels_keep_their_type(self, tmp_path: Path, labels: list[Any], kind: str) -> None:
        frame = rows().drop(columns="spent").assign(churned=np.resize(np.array(labels), 60))
        schema = infer_schema(frame, problem="classification", target_type="classes", target="churned")
        model = load_bundle(saved(tmp_path, frame, schema, LogisticRegression()))
        prediction = model.predict(frame)
        assert prediction.dtype == kind
        assert set(prediction) <= set(labels)
        assert list(model.predict_proba(frame).columns) == labels

    def test_booleans_stay_booleans(self, tmp_path: Path) -> None:
        frame = rows().drop(columns="spent")
        frame["churned"] = frame["churned"] == "yes"
        schema = infer_schema(frame, problem="classification", target_type="classes", target="churned", positive=True)
        scores = load_bundle(saved(tmp_path, frame, schema, LogisticRegression())).score_frame(frame)
        assert scores["prediction"].dtype == bool
        assert list(scores.columns) == ["prediction", "probability_False", "probability_True"]

    def test_class_without_training_rows_has_probability_zero(self, tmp_path: Path) -> None:
        frame = rows().drop(columns="spent").assign(churned=np.resize(np.array(["a", "b", "c"]), 60))
        schema = infer_schema(frame, problem="classification", target_type="classes", target="churned")
        path = saved(tmp_path, frame[frame["churned"] != "b"], schema, LogisticRegression())
        probabilities = load_bundle(path).predict_proba(frame)
        assert list(probabilities.columns) == ["a", "b", "c"]
        assert (probabilities["b"] == 0).all()
        np.testing.assert_allclose(probabilities.sum(axis=1), 1)
        assert set(load_bundle(path).predict(frame)) <= {"a", "c"}

    def test_one_row_keeps_its_index(self, tmp_path: Path) -> None:
        model = classifier(tmp_path, contract(AGES))
        one = rows().iloc[[7]]
        assert model.score_frame(one).index.tolist() == [107]

    def test_no_rows_give_no_scores(self, tmp_path: Path) -> None:
        model = classifier(tmp_path, contract(AGES))
        nothing = model.score_frame(rows().iloc[:0])
        assert len(nothing) == 0
        assert nothing.dtypes.equals(model.score_frame(rows()).dtypes)
        assert len(model.predict(rows().iloc[:0])) == 0


class TestOtherProblems:
    def test_regression_gives_numbers(self, tmp_path: Path) -> None:
        frame = rows().drop(columns="churned")
        schema = infer_schema(frame, problem="regression", target_type="quantity", target="spent")
        model = load_bundle(saved(tmp_path, frame, schema, LinearRegression()))
        scores = model.score_frame(frame)
        assert list(scores.columns) == ["prediction"]
        assert scores["prediction"].dtype == "float64"
        assert np.abs(scores["prediction"] - frame["spent"]).mean() < 2
        assert model.score_frame(frame.iloc[:0])["prediction"].dtype == "float64"
        with pytest.raises(ModelError, match="PEN506: this regression model gives no probabilities") as raised:
            model.predict_proba(frame)
        assert "use predict" in raised.value.remedy

    def test_clusters_are_numbers(self, tmp_path: Path) -> None:
        frame = rows()[["age", "plan"]]
        schema = infer_schema(frame, problem="clustering")
        model = load_bundle(saved(tmp_path, frame, schema, KMeans(3, n_init=1, random_state=0)))
        scores = model.score_frame(frame)
        assert list(scores.columns) == ["prediction"]
        assert scores["prediction"].dtype == "int64"
        assert set(scores["prediction"]) == {0, 1, 2}

    def test_mixture_gives_probabilities_of_clusters(self, tmp_path: Path) -> None:
        frame = rows()[["age", "plan"]]
        schema = infer_schema(frame, problem="clustering")
        model = load_bundle(saved(tmp_path, frame, schema, GaussianMixture(2, random_state=0)))
        scores = model.score_frame(frame)
        assert list(scores.columns) == ["prediction", "probability_0", "probability_1"]
        assert (scores[["probability_0", "probability_1"]].to_numpy().argmax(axis=1) == scores["prediction"]).all()
        assert model.score_frame(frame.iloc[:0]).dtypes.equals(scores.dtypes)


class TestContract:
    def test_breach_is_refused_with_column_rule_count_examples_and_remedy(self, tmp_path: Path) -> None:
        model = classifier(tmp_path, contract(AGES, rule("expect_column_values_to_not_be_null", column="plan")))
        frame = rows()
        frame.loc[[100, 103], "age"] = [-4, 999]
        frame.loc[104, "plan"] = None
        for scoring in (model.predict, model.predict_proba, model.score_frame):
            with pytest.raises(DataError, match="PEN505") as raised:
                scoring(frame)
            assert "column 'age': 2 of 60 values lie outside of 0 to 120" in raised.value.what
            assert "'-4.0', '999.0' (1 more rule(s) broken)" in raised.value.what
            assert raised.value.where == "column 'age', rule expect_column_values_to_be_between"
            assert "train a new model" in raised.value.remedy

    def test_comparison_of_models_can_leave_the_contract_aside(self, tmp_path: Path) -> None:
        model = classifier(tmp_path, contract(AGES))
        frame = rows().assign(age=999)
        assert len(model.predict(frame, enforce=False)) == len(model.predict_proba(frame, enforce=False)) == 60
        assert len(model.score_frame(frame, enforce=False)) == 60

    def test_warning_is_logged_and_scored(self, tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
        model = classifier(tmp_path, contract({**AGES, "meta": {"severity": "warning", "source": "learnt"}}))
        with caplog.at_level(logging.WARNING, "penstock.model"):
            assert len(model.score_frame(rows().assign(age=999))) == 60
        assert "column 'age': 60 of 60 values lie outside" in caplog.text

    def test_written_rule_judges_the_rows_as_received(self, tmp_path: Path) -> None:
        written = {**rule("expect_column_values_to_be_of_type", column="age", type_="int64"), "meta": {}}
        model = classifier(tmp_path, contract(written))
        assert len(model.predict(rows())) == 60
        with pytest.raises(DataError, match="PEN505") as raised:
            model.predict(rows().astype({"age": "float64"}))
        assert "the suite's file" in raised.value.remedy

    def test_missing_column_is_named(self, tmp_path: Path) -> None:
        with pytest.raises(DataError, match="PEN107: the data have no column 'plan'"):
            classifier(tmp_path).score_frame(rows().drop(columns="plan"))

    def test_other_order_further_columns_and_other_dtypes_change_nothing(self, tmp_path: Path) -> None:
        model, frame = classifier(tmp_path), rows()
        other = frame[["plan", "age"]].astype({"age": str}).assign(extra=1)
        pd.testing.assert_frame_equal(model.score_frame(other), model.score_frame(frame))


def test_pyfunc_gives_the_scores(tmp_path: Path) -> None:
    frame = rows().drop(columns="spent")
    schema = infer_schema(frame, problem="classification", target_type="classes", target="churned", positive="yes")
    path = saved(tmp_path, frame, schema, LogisticRegression())
    pd.testing.assert_frame_equal(
        _load_pyfunc(str(path)).predict(frame, params=None), load_bundle(path).score_frame(frame)
    )


def test_what_a_model_can_be_asked_for(tmp_path: Path) -> None:
    assert classifier(tmp_path).predictions.possible == ("label", "probability")
    frame = rows().drop(columns="churned")
    regression = infer_schema(frame, problem="regression", target_type="quantity", target="spent")
    model = load_bundle(saved(tmp_path, frame, regression, LinearRegression()))
    assert model.predictions.possible == ("value",)
    assert list(model.predict_columns(frame, ("value",)).columns) == ["prediction"]
    groups = infer_schema(frame.drop(columns="spent"), problem="clustering")
    mixture = load_bundle(saved(tmp_path, frame, groups, GaussianMixture(2, random_state=0)))
    assert mixture.predictions.possible == ("cluster", "probability")
    assert list(mixture.predict_columns(conform(frame, groups, strict=False), ("probability",)).columns) == [
        "probability_0",
        "probability_1",
    ]
