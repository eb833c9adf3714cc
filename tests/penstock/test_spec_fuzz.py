"""Whatever stands in a pipeline file: a Spec, or an error for people that names the key."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from penstock.errors import PenstockError, UsageError
from penstock.spec.checks import check_spec
from penstock.spec.reading import load_text, parse_spec

SOUND: dict[str, Any] = {
    "version": 1,
    "name": "churn",
    "problem": "classification",
    "data": {
        "source": "churn.csv",
        "target": "left",
        "positive": "yes",
        "reading": {"delimiter": ";", "encoding": "utf-8"},
        "columns": {"plan": "nominal", "mood": {"ordinal": ["low", "high"]}},
    },
    "validation": {"suite": "learnt", "on_failure": "stop"},
    "split": {"test": 0.2, "folds": 5, "seed": 7},
    "preparation": {"impute": "median", "scale": ["standard", {"robust": {"unit_variance": [True, False]}}]},
    "features": {"select": ["none", {"mutual-information": {"keep": 20}}]},
    "models": ["logistic-regression", {"random-forest": {"n_estimators": [200, 500]}}],
    "search": {"strategy": "random", "fits": 60, "metric": "roc_auc"},
    "limits": {"workers": 2},
    "register": {"promote": {"margin": 0.005}},
    "schedule": {"cron": "0 3 * * *", "timezone": "Europe/Rome"},
}

THOROUGH = settings(max_examples=100, deadline=None, derandomize=True)

scalars = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=12),
    st.dates(),
    st.sampled_from(["{date}", "{x}", "env:", "s3://a:b@c/d", "nominal", "ridge", "\0", "0x", "é", "a" * 600]),
)
documents = st.recursive(
    scalars,
    lambda below: st.one_of(
        st.lists(below, max_size=4), st.dictionaries(st.one_of(st.text(max_size=8), st.integers()), below, max_size=4)
    ),
    max_leaves=12,
)


def places(node: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    below = node.items() if isinstance(node, dict) else enumerate(node) if isinstance(node, list) else ()
    return [path, *(place for key, value in below for place in places(value, (*path, key)))]


def fault_of(read: Callable[[], object]) -> PenstockError | None:
    try:
        read()
    except PenstockError as error:
        return error
    return None


def read(raw: dict[Any, Any]) -> None:
    """Anything but an error for people would be raised from here."""
    error = fault_of(lambda: check_spec(parse_spec(raw), "pipeline"))
    if error:
        assert isinstance(error, UsageError) or error.code in ("PEN125", "PEN162")  # roles, as of a frame in Python
        assert error.where
        assert error.remedy
        assert len(str(error)) < 3000


@given(st.dictionaries(st.one_of(st.sampled_from(sorted(SOUND)), st.text(max_size=8)), documents, max_size=6))
@THOROUGH
def test_a_random_document(raw: dict[Any, Any]) -> None:
    read(raw)


@given(st.sampled_from(places(SOUND)[1:]), documents, st.sampled_from(["replace", "remove", "rename", "add"]))
@THOROUGH
def test_a_sound_file_with_one_thing_changed(place: tuple[Any, ...], value: Any, how: str) -> None:
    raw = copy.deepcopy(SOUND)
    above: Any = raw
    for key in place[:-1]:
        above = above[key]
    key = place[-1]
    if how == "replace":
        above[key] = value
    elif how == "add" and isinstance(above[key], dict):
        above[key][str(value)[:20]] = value
    elif how == "rename" and isinstance(above, dict):
        above[f"{key}x"] = above.pop(key)
    else:
        del above[key]
    read(raw)


@given(st.integers(0, 600), st.text(alphabet="{}[]:,-&*!|>'\"#%@`? \n\tab1~", max_size=6), st.integers(0, 8))
@THOROUGH
def test_a_sound_text_with_a_few_characters_changed(at: int, inserted: str, left_out: int) -> None:
    text = yaml.safe_dump(SOUND, sort_keys=False)
    text = text[:at] + inserted + text[at + left_out :]
    error = fault_of(lambda: load_text(text, "pipeline.yaml"))
    if error:
        assert error.code == "PEN001"
        return
    raw = load_text(text, "pipeline.yaml")
    if isinstance(raw, dict):
        read(raw)
