"""Texts as which words they hold."""

from __future__ import annotations

from collections.abc import Sequence
from numbers import Integral
from typing import Any, ClassVar, Self

import numpy as np
import pandas as pd
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction.text import CountVectorizer, TfidfVectorizer
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import _check_feature_names, _check_n_features, check_is_fitted

Array = np.ndarray[Any, Any]
WORDS_AND_MARKS = r"\w+|[^\w\s]"


class BagOfWords(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """Bag of words: a column for each word of the training texts, punctuation marks among them.

    Their order is lost, and new words count nothing. Missing text counts as empty. A column in which nothing is written
    gives no columns.

    Parameters
    ----------
    weights : {"counts", "presence", "tf-idf"}, default="counts"
        How often a word stands in a text; whether it does; or how often, weighed by how rare it is, normalised to
        length one.
    most : int, default=1000
        Maximum number of words that are kept of each column, the most common ones.

    Attributes
    ----------
    words_ : dict of str to CountVectorizer
        One for each column that holds words.

    Examples
    --------
    >>> import pandas as pd
    >>> from penstock.components.preprocessing.bag_of_words import BagOfWords
    >>> texts = pd.DataFrame({"text": ["good food", "good good place", "bad"]})
    >>> words = BagOfWords().fit(texts)
    >>> words.get_feature_names_out().tolist()
    ['text: bad', 'text: food', 'text: good', 'text: place']
    >>> words.transform(texts).tolist()
    [[0.0, 1.0, 1.0, 0.0], [0.0, 0.0, 2.0, 1.0], [1.0, 0.0, 0.0, 0.0]]
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "weights": [StrOptions({"counts", "presence", "tf-idf"})],
        "most": [Interval(Integral, 1, None, closed="left")],
    }

    def __init__(self, weights: str = "counts", most: int = 1000) -> None:
        self.weights = weights
        self.most = most

    def fit(self, X: Any, y: Any = None) -> Self:
        self.fit_transform(X)
        return self

    def fit_transform(self, X: Any, y: Any = None, **_: Any) -> Array:
        """In one pass over the words of a text, which takes most of the time."""
        self._validate_params()
        texts = _texts(X)
        _check_feature_names(self, texts, reset=True)
        _check_n_features(self, texts, reset=True)
        self.words_ = {}
        blocks = []
        for name in texts.columns:
            if texts[name].str.strip().any():
                self.words_[name] = self._vectorizer()
                blocks.append(self.words_[name].fit_transform(texts[name]))
        return _table(blocks, len(texts))

    def _vectorizer(self) -> Any:
        settings: dict[str, Any] = {"token_pattern": WORDS_AND_MARKS, "max_features": self.most}
        if self.weights == "tf-idf":
            return TfidfVectorizer(**settings)
        return CountVectorizer(**settings, binary=self.weights == "presence")

    def transform(self, X: Any) -> Array:
        check_is_fitted(self)
        texts = _texts(X)
        _check_feature_names(self, texts, reset=False)
        _check_n_features(self, texts, reset=False)
        return _table([words.transform(texts[name]) for name, words in self.words_.items()], len(texts))

    def get_feature_names_out(self, input_features: Any = None) -> Array:
        check_is_fitted(self)
        names = [f"{name}: {word}" for name, words in self.words_.items() for word in words.get_feature_names_out()]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # a frame of texts, which no matrix of numbers can stand for
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags


def _texts(X: Any) -> pd.DataFrame:
    frame = pd.DataFrame(X)
    frame.columns = frame.columns.map(str)
    return frame.astype("object").where(frame.notna(), "").astype("str")


def _table(blocks: Sequence[Any], rows: int) -> Array:
    return np.hstack([np.empty((rows, 0)), *(part.toarray().astype(np.float64) for part in blocks)])
