from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import SkipTestWarning, check_estimator

from penstock.components.catalog import build
from penstock.components.preprocessing.bag_of_words import BagOfWords
from penstock.components.preprocessing.dates import DateEncoder
from penstock.components.preprocessing.preparation import build_preparation, feature_names
from penstock.components.preprocessing.texts import TextEncoder

pytestmark = pytest.mark.usefixtures("one_thread")


def texts(**columns: list[str | None]) -> pd.DataFrame:
    return pd.DataFrame({name: pd.Series(values, dtype="str") for name, values in columns.items()})


SPOKEN: list[str | None] = ["good food", "good wine", "bad road", "bad roads", None, "good foods"] * 5


def test_texts_alike_lie_close() -> None:
    matrix = TextEncoder(n_components=4, random_state=0).fit_transform(texts(t=SPOKEN))
    assert matrix.shape == (30, 4)
    assert matrix.dtype == np.float64
    near = np.linalg.norm(matrix[2] - matrix[3])
    far = np.linalg.norm(matrix[2] - matrix[0])
    assert near < far / 2


def test_missing_text_is_empty_text() -> None:
    matrix = TextEncoder(n_components=4, random_state=0).fit_transform(texts(t=SPOKEN))
    assert np.allclose(matrix[4], 0.0, atol=1e-6)


def test_a_column_in_which_nothing_is_written_gives_no_columns() -> None:
    encoder = TextEncoder(n_components=3, random_state=0).fit(texts(a=[None] * 30, b=SPOKEN, c=["", "  "] * 15))
    assert list(encoder.get_feature_names_out()) == ["b_0", "b_1", "b_2"]
    assert encoder.transform(texts(a=["now"], b=["good"], c=["words"])).shape == (1, 3)


@pytest.mark.parametrize("rows", [["a"], ["same", "same"], ["same", "SAME", "Same"], ["one", "two", None]])
def test_fewer_texts_than_components(rows: list[str | None]) -> None:
    encoder = TextEncoder(n_components=30, random_state=0)
    matrix = encoder.fit_transform(texts(t=rows))
    assert np.isfinite(matrix).all()
    assert matrix.shape == (len(rows), len(encoder.get_feature_names_out()))
    assert matrix.shape[1] <= 30


def test_the_seed_decides() -> None:
    first, second = (TextEncoder(n_components=4, random_state=1).fit_transform(texts(t=SPOKEN)) for _ in range(2))
    assert np.array_equal(first, second)


@pytest.mark.parametrize("encoder", [TextEncoder(), DateEncoder(), BagOfWords()])
def test_scikit_learn_has_no_checks_for_frames_of_text_or_dates(
    encoder: TextEncoder | DateEncoder | BagOfWords,
) -> None:
    with pytest.warns(SkipTestWarning, match="Can't test estimator"):
        assert {check["check_name"] for check in check_estimator(encoder)} == {"check_estimator_cloneable"}
    clone(encoder)
    with pytest.raises(NotFittedError):
        encoder.transform(texts(t=SPOKEN))


FOOD: list[str | None] = ["The food was good, not bad at all.", "The food was bad, not good at all."]


@pytest.mark.covers("prep-text-counts", "proc_text_intake", "ex_bag_of_words_order")
@pytest.mark.parametrize("weights", ["counts", "presence", "tf-idf"])
def test_a_bag_of_words_has_no_order(weights: str) -> None:
    words = build("bag-of-words", {"weights": weights}, seed=0, problem="classification").fit(texts(t=FOOD))
    one, other = words.transform(texts(t=FOOD))
    assert np.array_equal(one, other)
    assert len(one) == 8 + 2  # eight words, a comma and a full stop
    again = words.transform(texts(t=["good good soup", None]))
    place = words.get_feature_names_out().tolist().index("t: good")
    assert again[0, place] == {"counts": 2, "presence": 1, "tf-idf": 1}[weights]
    assert again[0].sum() == again[0, place]  # a word that no training text has counts nothing
    assert not again[1].any()


@pytest.mark.covers("proc_text_intake", "ex_nb_text_small")
def test_the_courses_small_texts() -> None:
    documents: list[str | None] = ["good fun !", "good good plot", "bad plot", "bad boring fun"]
    words = build("bag-of-words", {}, seed=0, problem="classification")
    counts = words.fit_transform(texts(t=documents))
    assert counts.shape[1] == 6
    query = words.transform(texts(t=["good plot unseen"]))
    given = {"alpha": 1.0, "rescale": False}
    model = build("multinomial-naive-bayes", given, seed=0, problem="classification").fit(counts, [1, 1, 0, 0])
    assert model.predict_joint_log_proba(query)[0] == pytest.approx([-4.7957905456, -3.58351893846], abs=1e-9)
    assert model.predict_proba(query)[0, 1] == pytest.approx(0.770700636943, abs=1e-9)


def test_a_text_column_of_a_table_can_be_counted(mixed: dict[str, Any]) -> None:
    given = mixed["classification"]
    plan = given.plan(columns={"note": {"encode": ("bag-of-words", {"most": 5})}})
    prepared = build_preparation(plan, seed=0)
    prepared.fit(given.frame, given.y)
    assert sum(name.startswith("note: ") for name in feature_names(prepared)) == 5


def test_words_of_other_columns_are_refused() -> None:
    encoder = BagOfWords().fit(texts(a=FOOD, b=FOOD))
    with pytest.raises(ValueError, match="feature names should match"):
        encoder.transform(texts(a=FOOD))
    with pytest.raises(ValueError, match="feature names should match"):
        encoder.transform(texts(a=FOOD, z=FOOD))
