"""Words that are made once: the same frame for everyone but the clock."""

from __future__ import annotations

import numpy as np
import pandas as pd

from penstock.components.schema import shared_words, texts


def test_the_frame_is_the_same_and_its_words_are_one_object() -> None:
    frame = pd.DataFrame({"plan": ["a", None, "b", "a"], "x": [1.0, 2.0, 3.0, 4.0]}, index=[5, 6, 7, 8])
    shared = shared_words(frame, ["plan"])
    pd.testing.assert_frame_equal(shared, frame, check_dtype=False)
    assert shared["plan"].dtype == "str"
    words = np.asarray(shared["plan"])
    assert words[0] is words[3]


def test_texts_are_cleaned_by_their_words() -> None:
    clean = pd.Series(["a", None, "b"], name="plan", dtype="str")
    pd.testing.assert_series_equal(texts(clean), clean)
    spoilt = pd.Series([" a", "NA", "b ", None], index=[3, 4, 5, 6], name="plan", dtype="str")
    expected = pd.Series(["a", None, "b", None], index=[3, 4, 5, 6], name="plan", dtype="str")
    pd.testing.assert_series_equal(texts(spoilt), expected)
