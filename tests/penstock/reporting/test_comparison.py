"""Two runs compared; each is made of what a run leaves: its document, its records and its evidence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from penstock.actions.records import Actions, Record
from penstock.evidence.evidence import Evidence
from penstock.home import runs
from penstock.reporting.comparison import compare
from penstock.store import Ref, Store, digest_of
from tests.conftest import Cli
from tests.documents import typed

ROWS = 120
SPEC = "name: churn\nproblem: classification\ndata: {source: churn.csv, target: left, key: id}\nmodels: [ridge]\n"


def parts_of(stage: str, number: int) -> dict[str, Any]:
    return {"stage": stage, "run": number}


def a_run(home: Path, number: int, ids: list[int], quality: float, **changes: Any) -> str:
    """A run whose test rows are `ids` and whose model is right the more, the higher `quality` is."""
    run_id = f"churn-20260101-00000{number}-{number:06x}"
    store = Store(home / "store")
    truth = np.random.default_rng(0).integers(0, 2, 1000)[ids]
    positive = np.clip(0.5 + quality * (truth - 0.5) + np.random.default_rng(number).normal(0, 0.2, len(ids)), 0, 1)
    arrays = {"y": changes.pop("y", truth), "prediction": np.column_stack([1 - positive, positive])}
    units = np.array([str(one) for one in ids])
    kept = Evidence(units, {"prediction": arrays["prediction"]}, {"y": arrays["y"]}, **changes.pop("arrays", {}))
    made = {"evaluate": {"evidence": kept.save(store).model_dump()}}
    for stage, refs in made.items():
        parts = parts_of(stage, number)
        record = Record(key=digest_of(parts), stage=stage, parts=parts, made=refs, seconds=0, run=run_id)
        Actions(store).keep(record, "churn", stage)
    document = {
        "problem": "classification",
        "metric": "roc_auc",
        "run": {"spec_yaml": changes.pop("spec", SPEC)},
        "winner": {"name": "ridge", "parameters": {"alpha": number}},
        "metrics": {
            name: {"value": 0.7, "low": 0.6, "high": 0.8, "label": name, "sign": sign}
            for name, sign in {"neg_log_loss": -1, "roc_auc": 1}.items()
        },
        "data": {
            "digest": "d" * 64,
            "rows": 600,
            "test_rows": len(ids),
            "schema": [{"name": "id", "role": "key"}, {"name": "age", "role": "numeric"}],
            "target": {"name": "left", "classes": ["no", "yes"]},
        },
        "stages": [{"stage": stage, "key": digest_of(parts_of(stage, number))} for stage in made],
    }
    document["data"] |= changes
    runs.keep_document(home, run_id, typed(document))
    return run_id


def test_scores_are_compared_pair_by_pair_on_rows_that_judged_both(tmp_path: Path) -> None:
    first = a_run(tmp_path, 1, list(range(ROWS)), quality=0.1)
    second = a_run(tmp_path, 2, list(range(ROWS + 40, 20, -1)), quality=0.6)
    found = compare(tmp_path, first, second).as_json()
    assert found["paired_rows"] == ROWS - 21
    assert [metric["name"] for metric in found["metrics"]] == ["roc_auc", "neg_log_loss"]
    gain = found["metrics"][0]["difference"]
    assert gain["verdict"] == "B is better"
    assert 0 < gain["low"] < gain["value"] < gain["high"]

    shared = range(21, ROWS)
    old, new = _evidence(tmp_path)
    there = ROWS + 40 - np.array(shared)
    expected = roc_auc_score(new.y[there], new.prediction[there, 1]) - roc_auc_score(
        old.y[shared], old.prediction[shared, 1]
    )
    assert gain["value"] == pytest.approx(expected)
    assert compare(tmp_path, second, first).as_json()["metrics"][0]["difference"]["verdict"] == "A is better"
    assert compare(tmp_path, first, first).as_json()["metrics"][0]["difference"]["verdict"] == "equal"


def _evidence(home: Path) -> list[Evidence]:
    store = Store(home / "store")
    actions = Actions(store)
    records = [actions.find(digest_of(parts_of("evaluate", number))) for number in (1, 2)]
    return [Evidence.load(store, Ref(**record.made["evidence"])) for record in records if record]


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"target": {"name": "stays", "classes": ["no", "yes"]}}, "different questions"),
        ({"digest": "e" * 64, "schema": [{"name": "age", "role": "numeric"}]}, "data.key"),
        ({"y": np.ones(ROWS, int)}, "outcome of"),
    ],
)
def test_what_cannot_be_compared_is_said(tmp_path: Path, changes: dict[str, Any], why: str) -> None:
    first = a_run(tmp_path, 1, list(range(ROWS)), quality=0.1)
    second = a_run(tmp_path, 2, list(range(ROWS)), quality=0.6, **changes)
    found = compare(tmp_path, first, second).as_json()
    assert why in found["not_paired_because"]
    assert [metric["difference"] for metric in found["metrics"]] == [None, None]


def test_models_that_no_file_names_are_compared_too(tmp_path: Path) -> None:
    usual = SPEC.replace("models: [ridge]\n", "")
    first = a_run(tmp_path, 1, list(range(ROWS)), quality=0.1, spec=usual)
    second = a_run(tmp_path, 2, list(range(ROWS)), quality=0.1, spec=f"{usual}models: [logistic-regression]\n")
    assert compare(tmp_path, first, second).as_json()["spec"] == [
        {"key": "models.hist-gradient-boosting", "from": {}, "to": None},
        {"key": "models.random-forest", "from": {}, "to": None},
    ]


def test_rows_that_no_one_shares_predictions_that_are_gone_and_few_rows(tmp_path: Path) -> None:
    first = a_run(tmp_path, 1, list(range(ROWS)), quality=0.1)
    elsewhere = a_run(tmp_path, 2, list(range(500, 500 + ROWS)), quality=0.6)
    few = a_run(tmp_path, 3, list(range(30)), quality=0.9)
    grouped = a_run(tmp_path, 4, list(range(ROWS)), quality=0.9, arrays={"groups": np.arange(ROWS) // 10})
    assert compare(tmp_path, first, elsewhere).as_json()["not_paired_because"] == "no row evaluated both"
    assert (
        compare(tmp_path, first, few).as_json()["metrics"][0]["difference"]["verdict"]
        == "too few rows to tell: 30 of 50"
    )
    assert "12 of 50" in compare(tmp_path, first, grouped).as_json()["metrics"][0]["difference"]["verdict"]
    for file in (tmp_path / "store" / "objects").glob("*/*.npz"):
        file.unlink()
    assert "no longer in the store" in compare(tmp_path, first, few).as_json()["not_paired_because"]


def test_file_data_and_winner_are_compared_key_by_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, cli: Cli
) -> None:
    first = a_run(tmp_path, 1, list(range(ROWS)), quality=0.1)
    columns = [{"name": "id", "role": "key"}, {"name": "age", "role": "nominal"}, {"name": "town", "role": "nominal"}]
    second = a_run(
        tmp_path,
        2,
        list(range(ROWS)),
        quality=0.6,
        digest="e" * 64,
        rows=700,
        schema=columns,
        spec=f"{SPEC}split: {{seed: 4}}\nsearch: {{metric: accuracy}}\n",
    )
    found = compare(tmp_path, first, second).as_json()
    assert found["spec"] == [
        {"key": "search.metric", "from": None, "to": "accuracy"},
        {"key": "split.seed", "from": 0, "to": 4},
    ]
    assert found["data"]["added"] == ["town"]
    assert found["data"]["roles"] == [{"column": "age", "from": "numeric", "to": "nominal"}]
    assert found["winner"] == [{"key": "alpha", "from": 1, "to": 2}]

    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path))
    status, out, err = cli("runs", "--diff", "latest~1", "latest")
    assert (status, err) == (0, "")
    for words in ("split.seed: 0 became 4", "town: absent became present", "role of age", "B is better", "120 rows"):
        assert words in out
    status, out, _ = cli("runs", "--json", "--diff", first, second)
    assert json.loads(out) == json.loads(json.dumps(found))
