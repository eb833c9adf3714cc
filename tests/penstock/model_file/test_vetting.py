"""A model file from elsewhere is tried in a process of its own, whose end is not ours."""

from __future__ import annotations

import importlib
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.linear_model import LinearRegression

from penstock.components.schema import infer_schema
from penstock.errors import ModelError
from penstock.model import PenstockModel, load_bundle, save_bundle
from penstock.model_file import vetting
from penstock.model_file.vetting import typical_rows, vet
from penstock.store import Store

MISBEHAVING = """
import os, signal
import numpy as np
from sklearn.linear_model import LinearRegression

class Misbehaving(LinearRegression):
    def predict(self, X):
        print("a model may print")
        if self.how == "crashes":
            os.kill(os.getpid(), signal.SIGSEGV)
        while self.how == "hangs" or (self.how == "hangs for many rows" and len(X) > 2):
            pass
        kept = []
        while self.how == "fills memory":
            kept.append(np.ones(2**23))

ENTRIES = ()
TRUSTED = ("misbehaving_elsewhere.Misbehaving",)
"""
FRAME = pd.DataFrame({"x": np.arange(20.0), "y": np.arange(20.0) * 2})
SCHEMA = infer_schema(FRAME, problem="regression", target_type="quantity", target="y")
FAULTS = {
    "crashes": ("PEN522", "the process that tried ended with SIGSEGV"),
    "hangs": ("PEN522", "it takes more than 5 seconds"),
    "hangs for many rows": ("PEN522", "it takes more than 5 seconds"),
    "fills memory": ("PEN522", "it takes more memory than a model of its size can need"),
}


@pytest.fixture
def misbehaving(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Another package with a model that its own list trusts."""
    package = tmp_path / "elsewhere"
    folder = package / "misbehaving_elsewhere-1.dist-info"
    folder.mkdir(parents=True)
    (package / "misbehaving_elsewhere.py").write_text(MISBEHAVING)
    (folder / "METADATA").write_text("Metadata-Version: 2.1\nName: misbehaving-elsewhere\nVersion: 1\n")
    (folder / "entry_points.txt").write_text("[penstock.components]\nelsewhere = misbehaving_elsewhere\n")
    monkeypatch.syspath_prepend(str(package))
    monkeypatch.setenv("PYTHONPATH", str(package), prepend=":")
    yield importlib.import_module("misbehaving_elsewhere").Misbehaving
    sys.modules.pop("misbehaving_elsewhere")


@pytest.mark.slow
@pytest.mark.parametrize("how", FAULTS)
def test_a_model_that_misbehaves_ends_its_own_process(
    misbehaving: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    if how.startswith("hangs"):
        monkeypatch.setattr(vetting, "SECONDS", 5)
    monkeypatch.setattr(vetting, "MEMORY", 2500 << 20)
    model = misbehaving().fit(FRAME[["x"]], FRAME["y"])
    model.how = how
    store = Store(tmp_path)
    rules: dict[str, Any] = {"version": 1, "rules": [], "not_compiled": []}
    file = store.path(save_bundle(store, pipeline=model, schema=SCHEMA, contract=rules, card={}))
    code, words = FAULTS[how]
    with pytest.raises(ModelError) as caught:
        vet(file)
    assert caught.value.code == code
    assert words in caught.value.what
    assert caught.value.remedy


def test_the_rows_that_it_is_asked_for_are_made_from_schema_and_contract() -> None:
    frame = pd.DataFrame(
        {
            "age": range(20, 40),
            "size": pd.Categorical(["S", "L"] * 10),
            "plan": ["gold", "basic"] * 10,
            "since": pd.date_range("2024-01-01", periods=20),
            "spent": np.arange(20.0),
        }
    )
    rules = [
        {"type": "expect_column_values_to_be_between", "kwargs": {"column": "age", "min_value": 18, "max_value": 99}},
        {"type": "expect_column_values_to_be_in_set", "kwargs": {"column": "plan", "value_set": ["basic", "gold"]}},
        {"type": "expect_column_values_to_not_be_null", "kwargs": {"column": "plan"}},
    ]
    schema = infer_schema(frame, problem="regression", target_type="quantity", target="spent")
    rows = typical_rows(PenstockModel(LinearRegression(), schema, {"rules": rules}, {}))
    assert rows["age"].tolist() == [18, 99]
    assert rows["plan"].tolist() == ["basic", "gold"]
    assert list(rows.columns) == ["age", "size", "plan", "since"]
    assert rows.notna().all(axis=None)


def test_a_model_that_stumbles_tells_it_in_words(tmp_path: Path) -> None:
    store = Store(tmp_path)
    model = LinearRegression().fit(FRAME[["x"]], FRAME["y"])
    model.coef_ = np.ones(3)
    rules: dict[str, Any] = {"version": 1, "rules": [], "not_compiled": []}
    file = store.path(save_bundle(store, pipeline=model, schema=SCHEMA, contract=rules, card={}))
    for use in ("predict", "score_frame"):
        with pytest.raises(ModelError, match=r"PEN521: the model cannot predict these rows \(ValueError"):
            getattr(load_bundle(file), use)(FRAME)
