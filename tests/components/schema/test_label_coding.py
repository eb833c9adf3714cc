"""However classes are written, models learn from codes, and answers are given as they were written."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.catalog import build
from penstock.components.schema import conform, encode_target, infer_schema

CODINGS: dict[str, list[Any]] = {"words": ["no", "yes"], "zero and one": [0, 1], "minus and plus": [-1, 1]}
METHODS = ("logistic-regression", "linear-svm", "perceptron", "linear-discriminant-analysis")


@pytest.mark.covers("proc_label_encoding_per_estimator")
def test_the_same_fit_from_every_coding_and_the_labels_come_back() -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(60, 3))
    of_class = (X @ [1.0, -2, 0.5] + 0.3 * rng.normal(size=60) > 0).astype(int)
    answers: dict[str, list[Any]] = {name: [] for name in METHODS}
    for labels in CODINGS.values():
        raw = pd.DataFrame(X, columns=["a", "b", "c"]).assign(y=[labels[code] for code in of_class])
        schema = infer_schema(raw, problem="classification", target_type="classes", target="y")
        frame = conform(raw, schema, strict=True)
        codes = encode_target(frame["y"], schema)
        assert codes.tolist() == of_class.tolist()
        assert schema.classes is not None
        assert [str(schema.classes[code]) for code in codes] == [str(value) for value in raw["y"]]
        for name in METHODS:
            model = build(name, {}, seed=0, problem="classification").fit(X, codes)
            answers[name].append(model.predict_proba(X))
    for first, *rest in answers.values():
        assert all(np.array_equal(first, other) for other in rest)


@pytest.mark.covers("proc_label_encoding_per_estimator")
@pytest.mark.parametrize("name", METHODS)
def test_estimators_themselves_take_any_coding(name: str) -> None:
    rng = np.random.default_rng(1)
    X = rng.normal(size=(60, 2))
    of_class = (X[:, 0] + 0.3 * rng.normal(size=60) > 0).astype(int)
    found = []
    for labels in CODINGS.values():
        y = np.array(labels)[of_class]
        predicted = build(name, {}, seed=0, problem="classification").fit(X, y).predict(X)
        assert set(predicted) <= set(labels)
        found.append(np.array([labels.index(value) for value in predicted.tolist()]))
    assert np.array_equal(found[0], found[1])
    assert np.array_equal(found[0], found[2])


@pytest.mark.covers("ex_one_hot_label_class")
def test_a_column_for_each_class_names_the_class_by_its_place() -> None:
    """The second of five columns is one: class number 2, counted from one as in the books, code 1 here."""
    raw = pd.DataFrame({"x": np.arange(10.0), "y": list("abcde") * 2})
    schema = infer_schema(raw, problem="classification", target_type="classes", target="y")
    codes = encode_target(raw["y"], schema)
    one_hot = np.eye(5)[codes]
    assert one_hot[1].tolist() == [0, 1, 0, 0, 0]
    assert int(one_hot[1].argmax()) + 1 == 2
    assert schema.classes is not None
    assert schema.classes[codes[1]] == "b"
