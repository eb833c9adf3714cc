from __future__ import annotations

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.exceptions import NotFittedError
from sklearn.utils.estimator_checks import SkipTestWarning, check_estimator

from penstock.components.preprocessing.dates import DateEncoder
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


@pytest.mark.parametrize("encoder", [TextEncoder(), DateEncoder()])
def test_scikit_learn_has_no_checks_for_frames_of_text_or_dates(encoder: TextEncoder | DateEncoder) -> None:
    with pytest.warns(SkipTestWarning, match="Can't test estimator"):
        assert {check["check_name"] for check in check_estimator(encoder)} == {"check_estimator_cloneable"}
    clone(encoder)
    with pytest.raises(NotFittedError):
        encoder.transform(texts(t=SPOKEN))
