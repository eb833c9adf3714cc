from __future__ import annotations

import errno
import os
import pickle
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from pydantic import BaseModel
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from penstock.document.facts import Interval
from penstock.errors import DataError, EnvironmentFault, ModelError, PenstockError
from penstock.store import AlteredObjectError, Ref, Store, canonical_json, read_estimator


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def test_what_is_put_comes_back(store: Store) -> None:
    frame = pd.DataFrame({"a": [1.0, None], "b": ["x", None], "c": pd.to_datetime(["2026-01-01", None])})
    matrix = np.arange(6.0).reshape(2, 3)
    pd.testing.assert_frame_equal(store.frame(store.put_frame(frame)), frame)
    np.testing.assert_array_equal(store.matrix(store.put_matrix(matrix)), matrix)
    assert store.arrays(store.put_arrays(a=matrix, b=matrix[0]))["b"].tolist() == [0, 1, 2]
    assert store.facts(store.put_facts({"x": [1, 2.5, None]})) == {"x": [1, 2.5, None]}


def test_facts_come_back_as_the_type_that_they_were_put_as(store: Store) -> None:
    made = store.put_facts(Interval(value=1, low=0.5, high=1.5, confidence=0.95))
    assert store.facts(made.holding(Interval)) == Interval(value=1, low=0.5, high=1.5, confidence=0.95)
    assert store.facts(store.put_facts({"a": 1}).holding(dict[str, int])) == {"a": 1}
    with pytest.raises(AlteredObjectError) as caught:
        store.facts(store.put_facts({"value": "none"}).holding(Interval))
    assert caught.value.code == "PEN517"


def test_equal_content_has_one_digest_and_one_file(store: Store, tmp_path: Path) -> None:
    first, second = store.put_facts({"a": 1, "b": 2}), Store(tmp_path / "other").put_facts({"b": 2, "a": 1})
    assert first == second
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    refs = {store.put_estimator(RandomForestClassifier(5, random_state=0).fit(X, y)).digest for _ in range(2)}
    assert len(refs) == 1
    assert store.put_estimator(LogisticRegression().fit(X, y)).digest not in refs


def test_a_canonical_estimator_still_loads_and_predicts_alike(store: Store) -> None:
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(60, 4)), rng.integers(0, 2, 60)
    model = LogisticRegression().fit(X, y)
    loaded = read_estimator(store.path(store.put_estimator({"m": model, "again": model})), [])
    np.testing.assert_array_equal(loaded["m"].predict_proba(X), model.predict_proba(X))
    assert loaded["m"] is loaded["again"]


def test_a_missing_or_altered_object_is_said(store: Store) -> None:
    ref = store.put_facts({"a": 1})
    path = store.path(ref)
    path.write_bytes(b'{"a":2}')
    assert store.fault(ref) == "altered"
    with pytest.raises(AlteredObjectError, match="altered") as caught:
        store.facts(ref)
    assert (caught.value.code, "recomputed" in caught.value.remedy) == ("PEN503", True)
    path.unlink()
    assert store.fault(ref) == "missing"
    assert store.put_facts({"a": 1}) == ref
    assert store.fault(ref) is None


def test_tampering_that_keeps_size_and_time_is_seen_by_another_process(store: Store) -> None:
    ref = store.put_facts({"a": 1})
    path = store.path(ref)
    stat = path.stat()
    path.write_bytes(b'{"a":9}')
    os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
    assert Store(store.root).fault(ref) == "altered"


def test_a_full_disk_is_said_and_leaves_nothing_half_written(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def no_space(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", no_space)
    with pytest.raises(EnvironmentFault, match="disk is full") as caught:
        store.put_facts({"a": 1})
    assert (caught.value.code, caught.value.exit_status) == ("PEN901", 6)
    assert "PENSTOCK_HOME" in caught.value.remedy
    assert [path for path in store.root.rglob("*") if path.is_file()] == []


@pytest.mark.parametrize("kind", [errno.EACCES, errno.EROFS, errno.EPERM])
def test_a_place_that_is_closed_to_us_is_said(store: Store, monkeypatch: pytest.MonkeyPatch, kind: int) -> None:
    def closed(_: int) -> None:
        raise OSError(kind, "no")

    monkeypatch.setattr(os, "fsync", closed)
    with pytest.raises(EnvironmentFault, match="no permission to write") as caught:
        store.put_facts({"a": 1})
    assert (caught.value.code, caught.value.exit_status) == ("PEN902", 6)
    assert "PENSTOCK_HOME" in caught.value.remedy
    assert "--out" in caught.value.remedy


def test_a_renamed_pickle_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.skops"
    path.write_bytes(pickle.dumps({"a": 1}))
    with pytest.raises(ModelError, match="not a skops model file") as caught:
        read_estimator(path, [])
    assert caught.value.code == "PEN502"


def test_a_type_that_is_not_on_the_list_is_refused(tmp_path: Path, store: Store) -> None:
    class Stranger:
        pass

    Stranger.__module__ = "stranger.module"
    Stranger.__qualname__ = "Stranger"
    ref = store.put_estimator({"x": Stranger()})
    with pytest.raises(ModelError, match=r"stranger\.module\.Stranger") as caught:
        read_estimator(store.path(ref), ["sklearn.tree._tree.Tree"])
    assert caught.value.code == "PEN501"


def test_a_zip_without_a_schema_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "model.skops"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("x", "y")
    with pytest.raises(ModelError):
        read_estimator(path, [])


def test_facts_have_no_nan() -> None:
    with pytest.raises(ValueError, match="not JSON compliant"):
        canonical_json({"a": float("nan")})
    assert canonical_json({"r": Ref(kind="facts", digest="d" * 64), "n": np.float64(1.5)}) == (
        b'{"n":1.5,"r":{"digest":"%s","kind":"facts"}}' % (b"d" * 64)
    )


def test_an_error_survives_a_process_boundary() -> None:
    error = EnvironmentFault("PEN901", "the disk is full", where="/x", remedy="free some")
    for copy in (pickle.loads(pickle.dumps(error)), PenstockError.from_parts(error.parts())):
        assert type(copy) is EnvironmentFault
        assert str(copy) == str(error)


def test_frames_written_in_parts_do_not_depend_on_the_parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import pyarrow as pa

    import penstock.store as module

    monkeypatch.setattr(module, "ROWS_PER_GROUP", 10)
    frame = pd.DataFrame({"a": range(35), "t": [f"x{n % 4}" if n % 5 else None for n in range(35)]})
    whole = pa.RecordBatch.from_pandas(frame, preserve_index=False)
    schema = whole.schema.remove_metadata()
    refs = set()
    for size in (1, 3, 10, 35):
        parts = [whole.slice(start, size).replace_schema_metadata(None) for start in range(0, 35, size)]
        refs.add(Store(tmp_path / str(size)).put_batches(schema, parts))
    (ref,) = refs
    store = Store(tmp_path / "3")
    pd.testing.assert_frame_equal(store.frame(ref), frame)
    assert [batch.num_rows for batch in store.batches(ref)] == [10, 10, 10, 5]
    assert not list(tmp_path.rglob(".writing-*"))


def test_nothing_is_left_when_a_part_cannot_be_made(tmp_path: Path) -> None:
    import pyarrow as pa

    schema = pa.schema([("a", pa.int64())])

    def parts() -> Any:
        yield pa.RecordBatch.from_pydict({"a": [1]}, schema=schema)
        raise DataError("PEN109", "broken", remedy="mend it")

    with pytest.raises(DataError, match="broken"):
        Store(tmp_path).put_batches(schema, parts())
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_a_reference_says_what_it_holds_wherever_it_is_typed(tmp_path: Path) -> None:
    class Found(BaseModel):
        interval: Ref[Interval]
        more: Ref[list[Interval]] | None = None

    store, interval = Store(tmp_path), Interval(value=1, low=0.5, high=1.5, confidence=0.95)
    one, several = store.put_facts(interval), store.put_facts([interval])
    plain = Ref(kind="facts", digest=one.digest)
    found = Found(interval=plain, more=several)
    assert store.facts(found.interval) == store.facts(one) == store.facts(plain.holding(Interval)) == interval
    assert store.facts(found.more or several) == [interval]
    assert found.interval == plain
    assert hash(found.interval) == hash(plain)
    assert Found.model_validate_json(found.model_dump_json()).interval.holds() is Interval
    assert found.model_dump(mode="json")["interval"] == {"kind": "facts", "digest": one.digest}
    assert pickle.loads(pickle.dumps(one)).holds() is Interval
