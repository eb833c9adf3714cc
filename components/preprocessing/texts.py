"""Free text as numbers."""

from __future__ import annotations

import warnings
from numbers import Integral
from typing import TYPE_CHECKING, Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.feature_extraction.text import CountVectorizer
from sklearn.utils import Tags
from sklearn.utils._param_validation import Interval, StrOptions
from sklearn.utils.validation import check_is_fitted

if TYPE_CHECKING:
    import pandas as pd

WORD = r"\w+|[^\w\s]"  # the library's own pattern drops punctuation and words of one letter
MAX_WORDS = 5000


class TextEncoder(TransformerMixin, BaseEstimator):  # type: ignore[misc]
    """The main directions among the letter triples of each text, weighted by how rare they are; or counts of its words.

    Words are what letters and digits stand together in, and every other sign for itself; the commonest 5,000 are kept.
    Missing text counts as empty. A column that holds the same text in all rows, or none, gives no columns.

    Parameters
    ----------
    n_components : int
        Columns made of each text; fewer where rows or triples are fewer. Of words there are as many as occur.
    by : {"lsa", "bag-of-words"}
    random_state : int, RandomState or None
        Seed of the search for the main directions.

    Attributes
    ----------
    encoders_ : dict of str to skrub.StringEncoder or CountVectorizer
        One for each column whose texts differ.
    """

    _parameter_constraints: ClassVar[dict[str, list[Any]]] = {
        "n_components": [Interval(Integral, 1, None, closed="left")],
        "by": [StrOptions({"lsa", "bag-of-words"})],
        "random_state": ["random_state"],
    }

    def __init__(self, n_components: int = 30, by: str = "lsa", random_state: Any = None) -> None:
        self.n_components = n_components
        self.by = by
        self.random_state = random_state

    def fit(self, X: pd.DataFrame, y: Any = None) -> Self:
        from skrub import StringEncoder

        self._validate_params()
        self.feature_names_in_ = np.array(X.columns, dtype=object)
        self.n_features_in_ = X.shape[1]
        self.encoders_ = {}
        for name in X.columns:
            if X[name].str.strip().fillna("").nunique() < 2:
                continue
            if self.by == "bag-of-words":
                counter = CountVectorizer(token_pattern=WORD, max_features=MAX_WORDS)
                self.encoders_[name] = counter.fit(X[name].fillna(""))
                continue
            encoder = StringEncoder(
                # As many directions as rows would learn each row by heart.
                n_components=max(1, min(self.n_components, len(X) - 1)),
                ngram_range=(3, 3),  # longer ones tell little more and make the stored model several times larger
                random_state=self.random_state,
            )
            # Texts that differ in nothing but capitals have no variance to be explained.
            with warnings.catch_warnings(), np.errstate(invalid="ignore"):
                # It then gives the triples themselves, which is what we want of a tiny vocabulary.
                warnings.filterwarnings("ignore", message="The matrix shape is", category=UserWarning)
                self.encoders_[name] = encoder.fit(X[name])
        return self

    def transform(self, X: pd.DataFrame) -> np.ndarray[Any, Any]:
        check_is_fitted(self)
        if self.by == "bag-of-words":
            parts = [encoder.transform(X[name].fillna("")).toarray() for name, encoder in self.encoders_.items()]
        else:
            parts = [encoder.transform(X[name]).to_numpy(dtype=np.float64) for name, encoder in self.encoders_.items()]
        return np.hstack([np.empty((len(X), 0)), *parts])

    def get_feature_names_out(self, input_features: Any = None) -> np.ndarray[Any, Any]:
        check_is_fitted(self)
        told = {name: encoder.get_feature_names_out() for name, encoder in self.encoders_.items()}
        if self.by == "bag-of-words":
            told = {name: [f"{name}: {word}" for word in words] for name, words in told.items()}
        names = [made for columns in told.values() for made in columns]
        return np.array(names, dtype=object)

    def __sklearn_tags__(self) -> Tags:
        tags = super().__sklearn_tags__()
        tags.input_tags.two_d_array = False  # a frame of texts, which no matrix of numbers can stand for
        tags.input_tags.string = True
        tags.input_tags.allow_nan = True
        return tags
