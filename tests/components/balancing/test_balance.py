from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from penstock.components.balancing.balance import balance
from penstock.components.balancing.class_weights import ClassWeights
from penstock.components.catalog import entries
from penstock.components.preprocessing.plan import Step
from penstock.errors import PenstockError

Array = np.ndarray[Any, Any]
BALANCERS = sorted(entry.name for entry in entries().values() if entry.kind == "balancer")


def rows(common: int = 80, rare: int = 15) -> tuple[Array, Array]:
    rng = np.random.default_rng(0)
    y = np.repeat([0, 1], [common, rare])
    return rng.normal(size=(len(y), 3)) + 0.7 * y[:, None], y


def balanced(name: str, X: Array, y: Array, weight: Array | None = None, **given: Any) -> Any:
    return balance(Step(name=name, parameters=given), X, y, weight, seed=0)


@pytest.mark.parametrize("name", BALANCERS)
@pytest.mark.parametrize("classes", [2, 3])
def test_every_balancer_makes_classes_more_alike_and_the_seed_decides(name: str, classes: int) -> None:
    X, y = rows()
    if classes == 3:
        X, y = np.vstack([X, X[:30] - 1]), np.r_[y, np.full(30, 2)]
    more, codes, weight = balanced(name, X, y)
    counted = np.bincount(codes, weights=weight)
    assert counted.min() / counted.max() > np.bincount(y).min() / np.bincount(y).max()
    assert more.shape == (len(codes), 3)
    again = balanced(name, X, y)
    assert np.array_equal(more, again[0])
    assert np.array_equal(codes, again[1])


def test_class_weights_count_every_class_the_same() -> None:
    X, y = rows()
    same, codes, weight = balanced("class-weights", X, y)
    assert same is X
    assert codes is y
    assert np.bincount(y, weights=weight) == pytest.approx([95 / 2] * 2)
    assert ClassWeights(strength=0).weigh(y) == pytest.approx(np.ones(95))
    between = np.bincount(y, weights=ClassWeights(strength=0.5).weigh(y))
    assert between.sum() == pytest.approx(95)
    assert between[0] / between[1] == pytest.approx(np.sqrt(80 / 15))
    # Rows that count for more already: their sums are made equal.
    own = np.arange(1.0, 96.0)
    assert np.bincount(y, weights=ClassWeights().weigh(y, own)) == pytest.approx([own.sum() / 2] * 2)


@pytest.mark.parametrize("name", [name for name in BALANCERS if not entries()[name].invents_rows])
def test_a_row_keeps_its_weight(name: str) -> None:
    X, y = rows()
    if name == "class-weights":
        return
    own = np.arange(95.0)
    more, _, weight = balanced(name, X, y, own)
    at = {tuple(row): value for row, value in zip(X, own, strict=True)}
    assert [at[tuple(row)] for row in more] == weight.tolist()


def test_rows_that_smote_makes_lie_between_rows_of_their_class() -> None:
    X, y = rows()
    more, codes, _ = balanced("smote", X, y, neighbours=3)
    assert np.array_equal(more[:95], X)
    assert (codes[95:] == 1).all()
    rare = X[y == 1]
    assert (more[95:] >= rare.min(axis=0)).all()
    assert (more[95:] <= rare.max(axis=0)).all()


@pytest.mark.parametrize(
    ("name", "given", "rare", "weighted", "code", "words"),
    [
        ("smote", {}, 4, False, "PEN152", "give at most `neighbours: 3`"),
        ("smote-tomek", {}, 4, False, "PEN152", "random-over-sampling"),
        ("adasyn", {}, 5, False, "PEN152", "give at most `neighbours: 4`"),
        ("smote", {}, 1, False, "PEN152", "choose class-weights"),
        ("smote", {}, 15, True, "PEN028", "random-under-sampling"),
        ("random-over-sampling", {"ratio": 0.01}, 15, False, "PEN154", "choose another balancer"),
    ],
)
def test_what_cannot_be_balanced_is_refused(
    name: str, given: dict[str, Any], rare: int, weighted: bool, code: str, words: str
) -> None:
    X, y = rows(rare=rare)
    with pytest.raises(PenstockError) as caught:
        balanced(name, X, y, np.ones(len(y)) if weighted else None, **given)
    assert (caught.value.code, caught.value.where) == (code, "preparation.balance")
    assert words in caught.value.remedy


def test_a_class_whose_rows_weigh_nothing_takes_no_share_and_spoils_no_other() -> None:
    y, weight = np.array([0, 0, 0, 1, 2, 2]), np.array([1.0, 1.0, 2.0, 2.0, 0.0, 0.0])
    weighed = ClassWeights().weigh(y, weight)
    assert weighed == pytest.approx([0.75, 0.75, 1.5, 3.0, 0.0, 0.0])
    assert ClassWeights(strength=0.0).weigh(y, weight) == pytest.approx(weight)
