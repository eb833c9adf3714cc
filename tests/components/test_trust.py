from __future__ import annotations

import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.linear_model import LinearRegression, LogisticRegression
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer, StandardScaler
from skops.io import get_untrusted_types

from penstock.components.catalog import build, entries
from penstock.components.clustering.assignment import Assigner
from penstock.components.decision.calibrator import ProbabilityCalibrator
from penstock.components.decision.classifier import DecidingClassifier
from penstock.components.decision.regressor import IntervalRegressor
from penstock.components.ensembles.chosen import Chosen, build_chosen
from penstock.components.preprocessing.preparation import build_pipeline
from penstock.components.trust import trusted_types
from penstock.errors import ModelError
from penstock.store import dump_estimator, read_estimator
from tests.methods import problems_of

pytestmark = pytest.mark.usefixtures("one_thread")

QUICK: dict[str, dict[str, Any]] = {
    "ada-boost": {"n_estimators": 5},
    "bagging": {"n_estimators": 3},
    "random-subspace": {"n_estimators": 3},
    "extra-trees": {"n_estimators": 5},
    "gradient-boosting": {"n_estimators": 5},
    "hist-gradient-boosting": {"max_iter": 5},
    "mlp": {"epochs": 2},
    "random-forest": {"n_estimators": 5},
}
STEPS: dict[str, Any] = {"select": ("mutual-information", {}), "extract": ("pca", {})}
LEARNERS = [
    (entry.name, problem)
    for entry in entries().values()
    if entry.kind in ("classifier", "regressor", "predictor", "clusterer", "density-estimator", "baseline")
    for problem in problems_of(entry)
]
METRICS = [
    *("braycurtis", "canberra", "chebyshev", "dice", "euclidean", "hamming", "jaccard", "manhattan"),
    *("rogerstanimoto", "russellrao", "sokalmichener", "sokalsneath"),
]


ENSEMBLE: dict[str, Any] = {
    "name": "voting-ensemble",
    "parameters": {},
    "members": [
        {"name": "decision-tree", "parameters": {"max_depth": 2}, "weight": 0.7},
        {"name": "k-nearest-neighbours", "parameters": {}, "weight": 0.3},
    ],
}


@pytest.mark.slow
@pytest.mark.parametrize("problem", ["classification", "regression"])
def test_an_ensemble_is_saved_and_loaded_inside_a_pipeline(mixed: Any, tmp_path: Path, problem: Any) -> None:
    table = mixed[problem]
    model = build_chosen(Chosen(**ENSEMBLE), seed=0, problem=problem)
    fitted = build_pipeline(table.plan(), model, seed=0).fit(table.frame, table.y)
    path = tmp_path / "model.skops"
    path.write_bytes(dump_estimator(fitted))
    loaded = read_estimator(path, trusted_types())
    answer = "predict_proba" if problem == "classification" else "predict"
    assert np.array_equal(getattr(loaded, answer)(table.frame), getattr(fitted, answer)(table.frame))


@pytest.mark.slow
@pytest.mark.parametrize(("name", "problem"), LEARNERS)
def test_every_method_is_saved_and_loaded_inside_a_pipeline(
    mixed: Any, tmp_path: Path, name: str, problem: Any
) -> None:
    table = mixed[problem]
    steps = STEPS if table.y is not None else {"extract": STEPS["extract"]}
    model = build(name, QUICK.get(name, {}), seed=0, problem=problem)
    fitted = build_pipeline(table.plan(**steps), model, seed=0).fit(table.frame, table.y)
    path = tmp_path / "model.skops"
    path.write_bytes(dump_estimator(fitted))
    loaded = read_estimator(path, trusted_types())
    answer = {"classification": "predict_proba", "density": "score_samples"}.get(problem, "predict")
    assert np.array_equal(getattr(loaded, answer)(table.frame), getattr(fitted, answer)(table.frame))


@pytest.mark.slow
def test_the_list_holds_what_is_needed_and_nothing_else(mixed: Any) -> None:
    needed: set[str] = set()

    def note(estimator: object) -> None:
        needed.update(get_untrusted_types(data=dump_estimator(estimator)))

    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.normal(size=60)
    for name, problem in LEARNERS:
        given = (y > 0).astype(int) if problem == "classification" else y
        note(build(name, QUICK.get(name, {}), seed=0, problem=problem).fit(X, given))
    note(build_chosen(Chosen(**ENSEMBLE), seed=0, problem="regression").fit(X, y))
    note(build("bagging", {"vote": "majority", "n_estimators": 2}, seed=0, problem="classification").fit(X, y > 0))
    note(build("svm", {"solver": "smo"}, seed=0, problem="classification").fit(X, y > 0))
    for metric in METRICS:
        ball = {"algorithm": "ball_tree", "metric": metric}
        note(build("k-nearest-neighbours", ball, seed=0, problem="regression").fit((X > 0).astype(float), y))
    note(build("k-nearest-neighbours", {"p": 3}, seed=0, problem="regression").fit(X, y))
    holes = np.where(X > 1, np.nan, X)
    kinds = ("clipper", "imputer", "basis", "encoder", "scaler", "selector", "extractor")
    for step in (entry for entry in entries().values() if entry.kind in kinds):
        given = holes if step.kind == "imputer" else X.round().astype(str) if step.kind == "encoder" else np.abs(X)
        problem = "classification" if step.fits("classification") else step.problems[0]
        note(build(step.name, {}, seed=0, problem=problem).fit(given, (y > 0).astype(int)))
    note(build("kernel-pca", {}, seed=0, problem="reduction").fit(X))
    table = mixed["classification"]
    note(build_pipeline(table.plan(**STEPS), LinearRegression(), seed=0).fit(table.frame, table.y))
    answers, probabilities = (y > 0).astype(int), np.column_stack([1 - (y > 0.2), y > 0.2]).astype(float)
    for method in ("sigmoid", "isotonic", "temperature"):
        calibrator = ProbabilityCalibrator(method).fit(probabilities, answers)
        note(DecidingClassifier(LogisticRegression(), calibrator=calibrator).fit(X, answers))
    note(IntervalRegressor(LinearRegression(), half_width=1.0).fit(X, y))
    note(Assigner().fit(X, (y > 0).astype(int)))
    assert sorted(needed) == trusted_types()


class Stranger(StandardScaler):  # type: ignore[misc]
    """A type that nobody has put on the list."""


def test_a_stranger_in_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.skops"
    X = np.arange(6.0).reshape(3, 2)
    path.write_bytes(dump_estimator(make_pipeline(Stranger(), LinearRegression()).fit(X, X[:, 0])))
    with pytest.raises(ModelError) as caught:
        read_estimator(path, trusted_types())
    assert caught.value.code == "PEN501"
    assert "Stranger" in caught.value.what


def test_a_function_in_the_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.skops"
    path.write_bytes(dump_estimator(FunctionTransformer(pickle.loads)))
    with pytest.raises(ModelError) as caught:
        read_estimator(path, trusted_types())
    assert caught.value.code == "PEN501"


def test_a_pickle_by_another_name_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.skops"
    path.write_bytes(pickle.dumps(LinearRegression()))
    with pytest.raises(ModelError) as caught:
        read_estimator(path, trusted_types())
    assert caught.value.code == "PEN502"
    assert "pickles are refused" in caught.value.remedy
