"""Encoders and vectorizers: which column a level or a word goes to."""

from __future__ import annotations

import math
import re
from re import _constants, _parser  # type: ignore[attr-defined]
from typing import Any

import numpy as np

from penstock.model_file.checks.trees import features_of
from penstock.model_file.checks.unsound import count_of, require

REPEATS = (_constants.MAX_REPEAT, _constants.MIN_REPEAT, _constants.POSSESSIVE_REPEAT)
MAX_REPETITIONS = 2


def one_hot(encoder: Any) -> None:
    """It lays out a sparse matrix by its learnt counts, and nothing looks at that before it is read."""
    if "categories_" not in vars(encoder):
        return
    features, known = features_of(encoder), encoder.categories_
    require(len(known) == features and len(encoder._n_features_outs) == features, "its levels are of other features")
    dropped = encoder._drop_idx_after_grouping
    require(dropped is None or len(dropped) == features, "its levels are of other features")
    for at, levels in enumerate(known):
        require(type(levels) is np.ndarray and levels.ndim == 1, "its levels are missing")
        require(levels.dtype.kind in "OUS" or _ascending(levels), "its levels are not in order")
        columns = len(levels) if not encoder._infrequent_enabled else _grouped(encoder, at, len(levels))
        if dropped is not None and dropped[at] is not None:
            require(count_of(dropped[at], "the level that it drops", least=0) < columns, "it drops no level")
            columns -= 1
        require(encoder._n_features_outs[at] == columns, "its levels have another number")


def _ascending(levels: Any) -> bool:
    """As a search by halves needs them, with nan at the end."""
    known = levels[: len(levels) - int(np.isnan(levels).sum())]
    return bool((known[1:] > known[:-1]).all() and not np.isnan(known).any())


def _grouped(encoder: Any, at: int, levels: int) -> int:
    rare, groups = encoder._infrequent_indices[at], encoder._default_to_infrequent_mappings[at]
    require((rare is None) == (groups is None), "its rare levels are missing")
    if groups is None:
        return levels
    require(type(groups) is np.ndarray and groups.shape == (levels,), "its rare levels are others")
    require(groups.dtype.kind in "iu" and groups.min() >= 0 and groups.max() < levels, "its rare levels are others")
    require(len(rare) and min(rare) >= 0 and max(rare) < levels, "its rare levels are others")
    return int(groups.max()) + 1


def vocabulary(vectorizer: Any) -> None:
    words = vars(vectorizer).get("vocabulary_")
    if words is not None:
        require(isinstance(words, dict), "its vocabulary is missing")
        places = [count_of(place, "the place of a word", least=0) for place in words.values()]
        require(sorted(places) == list(range(len(places))), "the words of its vocabulary have other places")
    names = vars(vectorizer).get("feature_names_")
    require(names is None or len(names) == len(words or ()), "its features are others")


def hashes(hasher: Any) -> None:
    """Compiled code divides by it."""
    count_of(hasher.n_features, "its number of features")


def patterns(vectorizer: Any) -> None:
    """Each repetition of any length takes as many steps as a text is long, for each step of those beside it."""
    pattern = vars(vectorizer).get("token_pattern")
    if pattern is None:
        return
    require(isinstance(pattern, str), "its pattern of words is no text")
    try:
        require(_repetitions(_parser.parse(pattern)) <= MAX_REPETITIONS, "its pattern of words may never end")
    except (re.error, OverflowError) as error:
        require(False, f"its pattern of words is none: {error}")


def _repetitions(parsed: Any, repeated: bool = False) -> float:
    """Those of any length; one inside another, or a choice inside one, takes time without end."""
    found = 0.0
    for operation, argument in parsed:
        inner = repeated
        if operation in REPEATS:
            least, most, body = argument
            if least != most:
                found += math.inf if repeated else 1
            if most > 1 and _is_marked_off(body):
                continue
            inner = repeated or most > 1
        elif operation is _constants.BRANCH and repeated:
            return math.inf
        for part in argument if isinstance(argument, (tuple, list)) else (argument,):
            for one in part if isinstance(part, list) else [part]:
                if isinstance(one, _parser.SubPattern):
                    found += _repetitions(one, inner)
    return found


def _is_marked_off(parsed: Any) -> bool:
    """Whether it is a mark beside a word, as in `(?:-\\w+)*`: a text can then be cut in one way only."""
    if len(parsed) == 1 and parsed[0][0] is _constants.SUBPATTERN:
        return _is_marked_off(parsed[0][1][-1])
    if len(parsed) != 2:
        return False
    (mark, sign), (word, counted) = sorted(parsed, key=lambda one: one[0] is not _constants.LITERAL)
    return (
        mark is _constants.LITERAL
        and not (chr(sign).isalnum() or chr(sign) == "_")
        and word in REPEATS
        and counted[0] > 0
        and list(counted[2]) == [(_constants.IN, [(_constants.CATEGORY, _constants.CATEGORY_WORD)])]
    )
