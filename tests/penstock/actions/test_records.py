from __future__ import annotations

from pathlib import Path
from typing import Annotated

import pytest
from pydantic import BaseModel

from penstock.actions.records import Actions, Record, key_parts, plain
from penstock.context import Run
from penstock.store import Ref, Store, Volatile, digest_of


class Timed(BaseModel):
    made: Ref
    seconds: Annotated[float, Volatile]


def a_ref(letter: str) -> Ref:
    return Ref(kind="facts", digest=letter * 64)


def test_volatile_fields_and_the_run_are_no_part_of_the_key(tmp_path: Path) -> None:
    assert plain(Timed(made=a_ref("a"), seconds=1.0)) == plain(Timed(made=a_ref("a"), seconds=2.0))
    runs = [
        Run(id=name, pipeline="p", home=tmp_path / name, folder=tmp_path, base=tmp_path, tracking_uri="")
        for name in "ab"
    ]
    parts = [key_parts("s", ("penstock.naming",), {"run": run, "x": 1}, (), run) for run in runs]
    assert parts[0] == parts[1]


def test_a_frame_is_no_argument_of_a_stage() -> None:
    with pytest.raises(TypeError, match="references and small values"):
        plain(object())


@pytest.fixture
def actions(tmp_path: Path) -> Actions:
    return Actions(Store(tmp_path))


def record(parts: dict[str, object], made: object = None) -> Record:
    return Record(key=digest_of(parts), stage="split", parts=parts, made=made, seconds=1.0, run="r")


def test_the_reason_names_what_changed(actions: Actions) -> None:
    parts = {
        "inputs": {"rows": "frame:" + "a" * 64, "split": {"seed": 0, "folds": 5}},
        "code": {"penstock.tasks.split": "1", "penstock.store": "1"},
        "libraries": {"numpy": "2.4.5"},
    }
    assert actions.reason(parts, "churn", "split") == "first run"
    actions.keep(record(parts), "churn", "split")
    assert actions.find(digest_of(parts)) is not None
    changed = {
        "inputs": {"rows": "frame:" + "b" * 64, "split": {"seed": 7, "folds": 5}},
        "code": {"penstock.tasks.split": "2", "penstock.store": "1"},
        "libraries": {"numpy": "2.4.6"},
    }
    reason = actions.reason(changed, "churn", "split")
    assert reason == "code of penstock.tasks.split changed; input 'rows' changed; split.seed: 0 became 7; and 1 more"
    assert actions.reason({**parts, "libraries": {"numpy": "3"}}, "churn", "split") == "numpy 2.4.5 became 3"
    assert actions.reason(parts, "another pipeline", "split") == "first run"


def test_the_reason_does_not_recite_long_inputs(actions: Actions) -> None:
    parts = {"inputs": {"fits": [{"candidate": {"name": "dummy", "parameters": {}}}]}}
    actions.keep(record(parts), "churn", "prune")
    more = {"inputs": {"fits": 2 * parts["inputs"]["fits"]}}
    assert actions.reason(more, "churn", "prune") == "input 'fits' changed"


def test_a_result_whose_file_is_gone_is_not_used(actions: Actions) -> None:
    ref = actions.store.put_facts({"a": 1})
    assert actions.fault({"x": [ref]}) is None
    actions.store.path(ref).unlink()
    assert "missing" in str(actions.fault({"x": [ref]}))


def test_a_half_written_record_counts_as_none(actions: Actions) -> None:
    parts = {"inputs": {}}
    actions.keep(record(parts), "churn", "split")
    path = next(actions.store.root.glob("actions/??/*.json"))
    path.write_bytes(path.read_bytes()[:20])
    assert actions.find(digest_of(parts)) is None
