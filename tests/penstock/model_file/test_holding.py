from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.pipeline import make_pipeline
from skops.io import get_untrusted_types

from penstock.components.catalog import build
from penstock.errors import PenstockError
from penstock.model_file.holding import own_modules, types_in
from penstock.store import dump_estimator

METHODS: list[tuple[str, dict[str, Any]]] = [
    ("gaussian-naive-bayes", {}),
    ("kernel-ridge", {"kernel": "rbf"}),
    ("random-forest", {"n_estimators": 3}),
]


@pytest.mark.parametrize(("name", "given"), METHODS)
def test_nothing_that_skops_does_not_trust_is_passed_over(name: str, given: dict[str, Any], tmp_path: Path) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(30, 2))
    problem = "regression" if name == "kernel-ridge" else "classification"
    model = make_pipeline(build("midpoint", {}, seed=0), build(name, given, seed=0, problem=problem))
    file = tmp_path / "model.skops"
    file.write_bytes(dump_estimator(model.fit(X, (X[:, 0] > 0).astype(int))))
    strangers = set(get_untrusted_types(file=file))
    assert strangers
    assert strangers <= types_in(file)
    assert own_modules(strangers) == own_modules(types_in(file))


def test_what_is_no_model_file_is_refused(tmp_path: Path) -> None:
    (tmp_path / "model.skops").write_bytes(b"no model")
    with pytest.raises(PenstockError) as caught:
        types_in(tmp_path / "model.skops")
    assert caught.value.code == "PEN502"
