from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from sklearn.base import BaseEstimator
from sklearn.datasets import make_classification, make_regression
from sklearn.utils.estimator_checks import parametrize_with_checks

from penstock.components.catalog import build
from penstock.components.explanation.models.network import gradient_health
from penstock.components.neural_network.mlp import TorchMLPClassifier, TorchMLPRegressor, output_for
from penstock.components.search import Candidate
from penstock.components.trust import trusted_types
from penstock.errors import DivergedError
from penstock.store import dump_estimator, read_estimator
from tests.searching import make_search

pytestmark = pytest.mark.usefixtures("one_thread")

Array = np.ndarray[Any, Any]
QUICK: dict[str, Any] = {"width": 32, "depth": 1, "learning_rate": 0.02, "epochs": 30}


@pytest.fixture(scope="module")
def classes() -> tuple[Array, Array]:
    X, y = make_classification(400, 8, n_informative=6, n_classes=3, random_state=0)
    return X, y


@pytest.fixture(scope="module")
def quantity() -> tuple[Array, Array]:
    X, y = make_regression(400, 8, noise=20.0, random_state=0)
    return X, 1e4 + y


@pytest.mark.slow
@parametrize_with_checks([TorchMLPClassifier(**QUICK), TorchMLPRegressor(**QUICK)])
def test_it_is_a_scikit_learn_estimator(estimator: BaseEstimator, check: Any) -> None:
    check(estimator)


def test_it_learns_classes(classes: tuple[Array, Array]) -> None:
    X, y = classes
    model = TorchMLPClassifier(**QUICK, random_state=0).fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > 0.7
    shares = model.predict_proba(X)
    assert shares.dtype == np.float64
    assert np.allclose(shares.sum(axis=1), 1.0)
    assert np.array_equal(model.predict(X), shares.argmax(axis=1))


def test_it_learns_a_quantity_far_from_zero(quantity: tuple[Array, Array]) -> None:
    X, y = quantity
    model = TorchMLPRegressor(**QUICK, random_state=0).fit(X[:300], y[:300])
    assert model.score(X[300:], y[300:]) > 0.8
    assert model.predict(X).dtype == np.float64


@pytest.mark.slow
def test_a_hidden_layer_learns_what_no_linear_model_can() -> None:
    X = np.array([[0, 0], [0, 1], [1, 0], [1, 1]] * 8, dtype=float)
    y = np.array([0, 1, 1, 0] * 8)
    settings: dict[str, Any] = {"learning_rate": 0.05, "epochs": 300, "patience": 300, "weight_decay": 0.0}
    assert TorchMLPClassifier(width=4, depth=1, random_state=3, **settings).fit(X, y).score(X, y) == 1.0
    assert TorchMLPClassifier(depth=0, random_state=3, **settings).fit(X, y).score(X, y) <= 0.75


@pytest.mark.covers("nn-reg-early-stopping")
def test_training_ends_patience_epochs_after_the_best_which_is_kept(classes: tuple[Array, Array]) -> None:
    X, y = classes
    settings = {"width": 64, "depth": 1, "learning_rate": 0.02, "batch_size": 64}

    def fit(**changes: Any) -> Any:
        return build("mlp", settings | changes, seed=0, problem="classification").fit(X, y)

    patient = fit(patience=5, epochs=1000)
    best = int(np.argmin(patient.history_["validation_loss"]))
    assert len(patient.history_["validation_loss"]) == best + 1 + 5
    valid_mask = ~np.isin(np.arange(len(y)), _learnt(patient, y))
    proba = patient.predict_proba(X[valid_mask])[np.arange(valid_mask.sum()), y[valid_mask]]
    assert -np.log(proba).mean() == pytest.approx(patient.history_["validation_loss"][best], rel=1e-5)

    stopped_there = fit(patience=1000, epochs=best + 1)
    assert np.array_equal(patient.state_, stopped_there.state_)

    endless = fit(patience=1000, epochs=best + 40)
    assert len(endless.history_["validation_loss"]) == best + 40
    assert np.array_equal(endless.history_["validation_loss"][: best + 6], patient.history_["validation_loss"])
    assert (patient.best_epoch_, stopped_there.best_epoch_) == (best, best)
    shortest = fit(patience=1000, epochs=int(np.argmin(endless.history_["validation_loss"])) + 1)
    assert np.array_equal(endless.state_, shortest.state_)


def _learnt(model: TorchMLPClassifier, y: Array) -> Array:
    """The rows that a fitted model with this seed has trained on, by asking it for its evaluates again."""
    random = np.random.RandomState(model.random_state)
    random.randint(np.iinfo(np.int32).max)
    return np.flatnonzero(~model._validation_mask(y, random))


def test_the_judges_keep_the_shares_of_the_classes() -> None:
    y = np.array([0] * 180 + [1] * 20)
    valid = TorchMLPClassifier()._validation_mask(y, np.random.RandomState(0))
    assert valid.sum() == 20
    assert y[valid].sum() == 2


def test_a_class_of_one_row_can_be_learnt_from() -> None:
    X = np.random.default_rng(0).normal(size=(150, 3))
    y = np.array([0, 1] * 74 + [2, 0])
    assert TorchMLPClassifier(**QUICK | {"epochs": 2}).fit(X, y).predict_proba(X).shape == (150, 3)


def test_few_rows_all_teach_and_judge() -> None:
    assert TorchMLPClassifier()._validation_mask(np.array([0, 1] * 40), np.random.RandomState(0)).all()


@pytest.mark.parametrize("dropout", [0.0, 0.3])
def test_the_seed_decides_every_bit(classes: tuple[Array, Array], dropout: float) -> None:
    X, y = classes

    def fit(seed: int) -> bytes:
        return dump_estimator(TorchMLPClassifier(epochs=4, dropout=dropout, random_state=seed).fit(X, y))

    assert fit(0) == fit(0)
    assert fit(0) != fit(1)


def test_dropout_changes_training_but_is_off_when_predicting(classes: tuple[Array, Array]) -> None:
    X, y = classes
    plain, dropped = (TorchMLPClassifier(epochs=4, dropout=p, random_state=0).fit(X, y) for p in (0.0, 0.3))
    assert not np.array_equal(plain.state_, dropped.state_)
    assert np.array_equal(dropped.predict_proba(X), dropped.predict_proba(X))


def test_weight_decay_shrinks_the_weights(classes: tuple[Array, Array]) -> None:
    from safetensors.numpy import load

    X, y = classes

    def size(decay: float) -> float:
        model = TorchMLPClassifier(**QUICK, weight_decay=decay, patience=100, random_state=0).fit(X, y)
        return float(sum(np.square(part).sum() for part in load(model.state_.tobytes()).values()))

    assert size(0.1) < 0.5 * size(0.0)


def test_torchs_global_generator_is_left_as_it_was(quantity: tuple[Array, Array]) -> None:
    torch.manual_seed(5)
    before = torch.get_rng_state()
    TorchMLPRegressor(epochs=2, dropout=0.2, random_state=0).fit(*quantity).predict(quantity[0])
    assert torch.equal(torch.get_rng_state(), before)


def test_a_row_is_answered_alike_whatever_stands_beside_it(
    classes: tuple[Array, Array], monkeypatch: pytest.MonkeyPatch
) -> None:
    X, y = classes
    model = TorchMLPClassifier(epochs=3, random_state=0).fit(X, y)
    together = model.predict_proba(X)
    assert np.allclose(model.predict_proba(X[7:8]), together[7:8], rtol=1e-12)
    monkeypatch.setattr("penstock.components.neural_network.training.ROWS_AT_ONCE", 33)
    assert np.allclose(model.predict_proba(X), together, rtol=1e-12)


def test_what_is_fitted_is_plain_data_and_loads_again(classes: tuple[Array, Array], tmp_path: Path) -> None:
    X, y = classes
    model = TorchMLPClassifier(epochs=3, random_state=0).fit(X, y)
    assert model.state_.dtype == np.uint8
    assert all(values.dtype == np.float64 for values in (*model.history_.values(), model.gradient_norms_))
    assert not any(isinstance(value, torch.nn.Module) for value in vars(model).values())
    (tmp_path / "model.skops").write_bytes(dump_estimator(model))
    again = read_estimator(tmp_path / "model.skops", trusted_types())
    assert np.array_equal(again.predict_proba(X), model.predict_proba(X))
    assert all(np.array_equal(again.history_[name], values) for name, values in model.history_.items())
    assert (again.best_epoch_, again.held_out_) == (model.best_epoch_, True)


def test_a_matrix_that_cannot_be_written_to_is_no_hindrance(quantity: tuple[Array, Array]) -> None:
    X, y = (part.copy() for part in quantity)
    X = X.astype(np.float32)
    X.flags.writeable = y.flags.writeable = False
    model = TorchMLPRegressor(epochs=1, random_state=0).fit(X, y)
    assert model.predict(X).shape == y.shape


@pytest.mark.covers("proc_gradient_health")
def test_training_that_diverges_stops_at_once_with_a_named_reason(quantity: tuple[Array, Array]) -> None:
    X, y = quantity
    with pytest.raises(DivergedError, match=r"training loss is (infinite|not a number) after epoch 1") as caught:
        TorchMLPRegressor(learning_rate=1e30, epochs=5, random_state=0).fit(X, y)
    assert isinstance(caught.value, ValueError)
    assert caught.value.code == "PEN316"
    for remedy in ("learning_rate", "activation", "initialisation", "preparation.scale"):
        assert remedy in caught.value.remedy


@pytest.mark.covers("proc_training_curves")
@pytest.mark.parametrize("problem", ["two classes", "three classes", "quantity"])
def test_every_epoch_measures_four_series_as_the_model_then_was(problem: str, classes: Any, quantity: Any) -> None:
    X, y = quantity if problem == "quantity" else classes
    y = y > 0 if problem == "two classes" else y
    kind = "regression" if problem == "quantity" else "classification"

    def fit(epochs: int) -> Any:
        given = {**QUICK, "dropout": 0.2, "epochs": epochs, "patience": 3}
        return build("mlp", given, seed=0, problem=kind).fit(X, y)

    model = fit(40)
    assert list(model.history_) == ["training_loss", "validation_loss", "training_error", "validation_error"]
    (epochs,) = {len(values) for values in model.history_.values()}
    assert model.gradient_norms_.shape == (epochs, 2)
    assert (model.gradient_norms_ > 0).all()
    assert model.best_epoch_ == np.argmin(model.history_["validation_loss"])
    assert model.held_out_

    kept = fit(model.best_epoch_ + 1)
    codes = y if kind == "regression" else np.unique(y, return_inverse=True)[1]
    learnt = np.isin(np.arange(len(y)), _learnt(kept, codes))
    for rows, part in ((learnt, "training"), (~learnt, "validation")):
        missed = np.abs(kept.predict(X[rows]) - y[rows]) if kind == "regression" else kept.predict(X[rows]) != y[rows]
        assert model.history_[f"{part}_error"][model.best_epoch_] == pytest.approx(missed.mean(), rel=1e-4)
    assert not np.array_equal(model.history_["training_loss"], model.history_["validation_loss"])


def test_rows_in_parts_measure_the_same(classes: tuple[Array, Array], monkeypatch: pytest.MonkeyPatch) -> None:
    X, y = classes
    whole = TorchMLPClassifier(epochs=3, random_state=0).fit(X, y).history_
    monkeypatch.setattr("penstock.components.neural_network.training.ROWS_AT_ONCE", 33)
    parts = TorchMLPClassifier(epochs=3, random_state=0).fit(X, y).history_
    assert all(np.allclose(parts[name], whole[name], rtol=1e-5) for name in whole)


def test_where_all_rows_judge_both_series_are_of_the_same_rows(classes: tuple[Array, Array]) -> None:
    model = TorchMLPClassifier(epochs=2, random_state=0).fit(classes[0][:60], classes[1][:60])
    assert not model.held_out_
    assert np.array_equal(model.history_["training_error"], model.history_["validation_error"])


@pytest.mark.covers("proc_gradient_health", "cl_vanishing_gradient")
def test_gradients_vanish_over_twelve_layers_of_sigmoids_and_of_no_others() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 50))
    y = (X[:, 0] > 0).astype(int)

    def norms(activation: str, initialisation: str) -> Array:
        shape = {"depth": 12, "width": 50, "activation": activation, "initialisation": initialisation}
        model = build("mlp", {**shape, "learning_rate": 1e-9, "epochs": 1}, seed=0, problem="classification")
        return np.asarray(model.fit(X, y).gradient_norms_)

    found = {"sigmoid": norms("sigmoid", "xavier"), "tanh": norms("tanh", "xavier"), "relu": norms("relu", "he")}
    assert {values.shape for values in found.values()} == {(1, 13)}
    ratios = {name: values[0, 0] / values[0, 11] for name, values in found.items()}
    assert ratios["sigmoid"] < 1e-4
    assert min(ratios["tanh"], ratios["relu"]) > 0.05
    assert gradient_health(found["sigmoid"]).startswith("Gradients vanish: ")
    assert "Try activation: relu or tanh, initialisation" in gradient_health(found["sigmoid"])
    assert gradient_health(found["sigmoid"][:, ::-1]).startswith("Gradients explode: ")
    assert all(gradient_health(found[name]).startswith("Gradients are in good health") for name in ("tanh", "relu"))


@pytest.mark.covers("proc_architecture_rules")
def test_the_task_decides_on_the_last_layer() -> None:
    assert [output_for(classes) for classes in (2, 3, 10)] == ["sigmoid", "softmax", "softmax"]
    quantities = {target: output_for(None, target) for target in ("any", "positive", "bounded")}
    assert quantities == {"any": "identity", "positive": "relu", "bounded": "sigmoid"}

    rng = np.random.default_rng(0)
    X = rng.normal(size=(200, 3))
    two = TorchMLPClassifier(**QUICK, random_state=0).fit(X, (X[:, 0] > 0).astype(int))
    three = TorchMLPClassifier(**QUICK, random_state=0).fit(X, np.digitize(X[:, 0], [-0.5, 0.5]))
    assert (two.output_, two.n_outputs_, three.output_, three.n_outputs_) == ("sigmoid", 1, "softmax", 3)
    assert two.score(X, (X[:, 0] > 0).astype(int)) > 0.95

    signal = np.exp(X[:, 0])
    far = 10 * X + 10  # beyond all rows that were seen
    given = {**QUICK, "epochs": 60, "validation_share": 0.0}
    answers = {
        target: build("mlp", {**given, "target": target}, seed=0, problem="regression").fit(X, signal)
        for target in ("any", "positive", "bounded")
    }
    assert answers["any"].predict(-far).min() < 0
    assert answers["positive"].predict(-far).min() >= 0
    assert signal.min() <= answers["bounded"].predict(far).min()
    assert answers["bounded"].predict(far).max() <= signal.max()
    for model in answers.values():
        assert model.score(X, signal) > 0.8
    with pytest.raises(ValueError, match="the smallest value is -1"):
        TorchMLPRegressor(target="positive").fit(X[:2], [-1.0, 1.0])


@pytest.mark.covers("proc_architecture_rules")
def test_the_search_starts_with_one_hidden_layer_of_rectified_units() -> None:
    search = make_search([("mlp", {})], problem="regression", strategy="random", candidates=30, batch=30, seed=0)
    drawn = [trial.candidate.parameters for trial in search.ask()][1:]
    assert (drawn[0]["depth"], drawn[0]["width"]) == (1, 64)
    assert max(one["depth"] for one in drawn) > 1
    first = build("mlp", drawn[0], seed=0, problem="regression")
    assert (first.activation, first.target) == ("relu", "any")
    from safetensors.numpy import load

    deep = build("mlp", {"depth": 3, "width": 7, "epochs": 1}, seed=0, problem="regression")
    weights = load(deep.fit(np.zeros((20, 2)), np.arange(20.0)).state_.tobytes())
    shapes = [weights[name].shape for name in sorted(weights) if name.endswith("weight")]
    assert shapes == [(7, 2), (7, 7), (7, 7), (1, 7)]  # the same width in every layer


@pytest.mark.covers("proc_grid_or_random_search")
@pytest.mark.parametrize("strategy", ["grid", "random"])
def test_every_choice_of_a_network_can_be_searched_and_comes_again_with_the_seed(strategy: str) -> None:
    """Layers, widths, activations, batch size, epochs, learning rate, regularisation, initialisation."""
    space: dict[str, Any] = {
        "depth": [1, 2],
        "width": [8, 16],
        "activation": ["relu", "tanh"],
        "batch_size": [32, 64],
        "epochs": [2, 3],
        "learning_rate": [0.001, 0.01],
        "weight_decay": [0.0, 0.1],
        "dropout": 0.0,
        "initialisation": ["he", "xavier"],
    }

    def candidates(seed: int) -> list[Candidate]:
        options: dict[str, Any] = {"strategy": strategy, "candidates": 257 if strategy == "grid" else 40}
        search = make_search([("mlp", space)], problem="classification", batch=300, seed=seed, **options)
        return [trial.candidate for trial in search.ask()]

    found = candidates(0)
    assert found == candidates(0)
    assert (found == candidates(1)) == (strategy == "grid")
    assert len(found) == (1 + 2**8 if strategy == "grid" else 40)
    assert len({repr(one.parameters) for one in found[1:]}) == len(found) - 1
    for name in space:
        if name != "dropout":
            assert {one.parameters[name] for one in found[1:]} == set(space[name])


def test_first_weights_can_be_drawn_in_three_ways(classes: tuple[Array, Array]) -> None:
    from safetensors.numpy import load

    X, y = classes

    def first(how: str) -> Array:
        model = TorchMLPClassifier(width=400, epochs=1, learning_rate=1e-12, initialisation=how, random_state=0)
        return np.asarray(load(model.fit(X, y).state_.tobytes())["0.weight"])

    assert first("he").std() == pytest.approx(np.sqrt(2 / 8), rel=0.1)
    assert first("xavier").std() == pytest.approx(np.sqrt(2 / 408), rel=0.1)
    assert np.abs(first("torch")).max() <= 1 / np.sqrt(8)
