from __future__ import annotations

from pathlib import Path
from typing import Any, get_args

import numpy as np
import pandas as pd
import pytest

from penstock.components.preprocessing.augmentation import CHANGES, augment, require_harmless
from penstock.components.preprocessing.plan import make_plan
from penstock.components.schema import infer_schema
from penstock.components.search import Candidate
from penstock.errors import UsageError
from penstock.evidence.evidence import Evidence
from penstock.evidence.folds import Fold, Folds
from penstock.spec.preparation import Invariance, Transform
from penstock.store import Store
from tests.stages import fit as fit_one
from tests.stages import prepare

B = [1, 0, 0, 1, 1, 0, 1, 1, 0]  # a stem on the left, a bowl on the right
D = [0, 0, 1, 0, 1, 1, 0, 1, 1]
PIXELS = [f"p{number}" for number in range(9)]
ROWS = 60


def letters() -> pd.DataFrame:
    rng = np.random.default_rng(0)
    which = rng.integers(2, size=ROWS)
    pictures = np.where(which[:, None] == 0, B, D) * 10 + rng.integers(0, 3, size=(ROWS, 9))
    return pd.DataFrame(pictures.astype(float), columns=PIXELS).assign(letter=np.where(which == 0, "b", "d"))


def planned(**changes: Any) -> dict[str, Any]:
    schema = infer_schema(letters(), problem="classification", target_type="classes", target="letter")
    facts = {name: {"missing": 0.0, "distinct": 13} for name in PIXELS}
    asked = {"shape": (3, 3), "transforms": ["shift-up"], "keeps": ["shift"], "pixels": None} | changes
    nothing: tuple[str, dict[str, Any]] = ("none", {})
    return make_plan(schema, facts, impute=("median", {}), scale=nothing, rare=0, text_components=1, augment=asked)


def test_the_pipeline_file_knows_every_change() -> None:
    assert set(get_args(Transform)) == set(CHANGES)
    assert set(get_args(Invariance)) == {kind for kind, _ in CHANGES.values()}


@pytest.mark.parametrize(
    ("transform", "expected"),
    [
        ("shift-left", [2, 3, 0, 5, 6, 0, 8, 9, 0]),
        ("shift-right", [0, 1, 2, 0, 4, 5, 0, 7, 8]),
        ("shift-up", [4, 5, 6, 7, 8, 9, 0, 0, 0]),
        ("shift-down", [0, 0, 0, 1, 2, 3, 4, 5, 6]),
        ("flip-horizontal", [3, 2, 1, 6, 5, 4, 9, 8, 7]),
        ("flip-vertical", [7, 8, 9, 4, 5, 6, 1, 2, 3]),
        ("rotate-half", [9, 8, 7, 6, 5, 4, 3, 2, 1]),
    ],
)
def test_what_each_change_does(transform: str, expected: list[int]) -> None:
    frame = pd.DataFrame([range(1, 10)], columns=PIXELS).astype(float).assign(other="kept")
    rows, origin = augment(frame, PIXELS, (3, 3), [transform])
    assert rows[PIXELS].to_numpy().tolist() == [[*range(1, 10)], expected]
    assert rows["other"].tolist() == ["kept", "kept"]
    assert origin.tolist() == [0, 0]


@pytest.mark.covers("proc_label_preserving_augmentation")
@pytest.mark.parametrize(("transform", "kind"), [("flip-horizontal", "flip-horizontal"), ("rotate-half", "rotate")])
def test_a_change_that_may_change_the_class_is_refused(transform: str, kind: str) -> None:
    """A flipped b is a d; a 6 turned by half is a 9."""
    with pytest.raises(UsageError, match="may turn one class into another") as caught:
        require_harmless(["shift-up", transform], ["shift"], "preparation.augment.transforms")
    assert (caught.value.code, caught.value.where) == ("PEN023", "preparation.augment.transforms")
    assert f"add '{kind}' to `keeps`" in caught.value.remedy
    require_harmless([transform], [kind], "")


@pytest.mark.covers("proc_label_preserving_augmentation")
def test_only_training_rows_are_copied_and_labels_stay(tmp_path: Path) -> None:
    store, frame = Store(tmp_path), letters()
    learning = store.put_frame(frame)
    y = (frame["letter"] == "d").to_numpy().astype(np.int64)
    train, valid = np.arange(40), np.arange(40, ROWS)
    folds = Folds(y, 2, [Fold(train, valid)]).save(store)

    def prepared(plan: dict[str, Any]) -> Any:
        return prepare(store, store.put_facts(plan), learning, folds, 0, seed=0)

    plain, more = prepared({**planned(), "copies": None}), prepared(planned(transforms=["shift-up", "shift-left"]))
    assert more.valid == plain.valid  # by content: not a byte has changed
    assert store.put_frame(frame) == learning
    matrix = np.asarray(store.matrix(more.train))
    assert matrix.shape == (120, 9)
    np.testing.assert_array_equal(matrix[:40], np.asarray(store.matrix(plain.train)))
    assert store.matrix(more.copies).tolist() == [*range(40)] * 3
    # Each copy is trained with the label of the row it was made from: the letters are told apart without fault.
    candidate = Candidate(name="logistic-regression", parameters={}, number=0)
    fit = fit_one(store, candidate, "classification", more, folds)
    assert fit.score == 1.0
    assert Evidence.load(store, fit.evidence).prediction.shape == (20, 2)


@pytest.mark.parametrize(
    ("changes", "where", "what"),
    [
        ({"shape": (3, 4)}, "preparation.augment.shape", "12 columns, but there are 9"),
        (
            {"pixels": ["p0", "letter"], "shape": (1, 2)},
            "preparation.augment.pixels",
            "'letter' is not a numeric",
        ),
    ],
)
def test_columns_that_are_no_picture_are_refused(changes: dict[str, Any], where: str, what: str) -> None:
    with pytest.raises(UsageError, match=what) as caught:
        planned(**changes)
    assert (caught.value.code, caught.value.where) == ("PEN024", where)
