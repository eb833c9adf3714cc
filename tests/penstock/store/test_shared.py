from __future__ import annotations

import hashlib
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

from penstock.actions.records import Actions, Record, record_of
from penstock.components.schema import Schema
from penstock.errors import EnvironmentFault, UsageError
from penstock.executors.pool import WorkerPool
from penstock.home.clean import find_leftovers
from penstock.settings import Settings
from penstock.store import AlteredObjectError, Ref, Store, digest_of
from penstock.store.shared import Shared, shared_at
from penstock.tasks.evaluate import count_winner, winners_evaluated
from tests.conftest import Cli
from tests.penstock.executors.test_pool import a_run


@pytest.fixture(params=["file", "memory"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """On a disk files are renamed into place; in fsspec's memory they are put as into a bucket."""
    return (tmp_path / "shared").as_uri() if request.param == "file" else f"memory://{tmp_path.name}"


@pytest.fixture
def here(url: str, tmp_path: Path) -> Store:
    return Store(tmp_path / "here", url)


@pytest.fixture
def there(url: str, tmp_path: Path) -> Store:
    return Store(tmp_path / "there", url)


def stored(store: Store, ref: Ref) -> Path:
    return store.root / ref.uri


def test_what_one_machine_writes_another_reads(here: Store, there: Store) -> None:
    frame = pd.DataFrame({"a": [1.0, None], "b": ["x", None]})
    batch = pa.RecordBatch.from_pydict({"n": [1, 2]})
    refs = [here.put_frame(frame), here.put_matrix(np.eye(2)), here.put_facts({"a": 1})]
    parted = here.put_batches(batch.schema, [batch])
    assert not any(stored(there, ref).exists() for ref in refs), "nothing is fetched before it is read"
    pd.testing.assert_frame_equal(there.frame(refs[0]), frame)
    assert there.matrix(refs[1]).tolist() == [[1, 0], [0, 1]]
    assert there.facts(refs[2]) == {"a": 1}
    assert there.frame(parted)["n"].tolist() == [1, 2]
    assert all(stored(there, ref).exists() for ref in refs), "from now on, its own copy serves"
    assert not list(there.root.rglob(".writing-*"))


def test_refs_are_those_of_a_store_of_one_machine(here: Store, tmp_path: Path) -> None:
    alone = Store(tmp_path / "alone")
    assert here.put_facts({"a": 1}) == alone.put_facts({"a": 1})
    assert here.put_matrix(np.eye(3)) == alone.put_matrix(np.eye(3))


def test_records_are_shared(here: Store, there: Store) -> None:
    key = digest_of({"x": 1})
    assert Actions(there).find(key) is None
    record = Record(key=key, stage="train", parts={"x": 1}, made=None, seconds=1.0, run="r")
    Actions(here).keep(record, "churn", "train")
    assert Actions(there).find(key) == record
    assert Actions(there).reason({"x": 1}, "churn", "train") == "its record is missing"
    there.write(record_of(key), b'{"key": "ab')
    assert Actions(here).find(key) is None, "half a record is none"


def test_an_object_that_changed_on_the_way_is_refused_and_made_anew(here: Store, there: Store, url: str) -> None:
    ref = here.put_facts({"a": 1})
    shared_at(url).write(ref.uri, b'{"a":2}')  # as long as the true one
    with pytest.raises(AlteredObjectError, match="altered"):
        there.facts(ref)
    assert there.fault(ref) == "missing"
    assert there.put_facts({"a": 1}) == ref
    assert there.facts(ref) == {"a": 1}
    shared_at(url).write(ref.uri, b"{")
    here.put_facts({"a": 1})
    assert shared_at(url).read(ref.uri) == b'{"a":1}', "what was cut off is put in its place"


def test_what_the_shared_store_lost_and_a_machine_still_has_is_sent_again(here: Store, there: Store, url: str) -> None:
    ref = here.put_facts({"a": 1})
    shared_at(url).remove(ref.uri)
    assert there.fault(ref) == "missing"
    assert here.fault(ref) is None
    assert there.fault(ref) is None


def test_the_memory_of_a_process_and_passwords_are_no_shared_store(monkeypatch: pytest.MonkeyPatch) -> None:
    for place, word in (("memory://x", "no store that others see"), ("s3://key:secret@bucket/x", "password")):
        monkeypatch.setenv("PENSTOCK_STORE", place)
        with pytest.raises(UsageError, match=word) as caught:
            Settings.from_environment()
        assert caught.value.code == "PEN091"
        assert "secret" not in str(caught.value)


def test_a_store_is_named_by_url_or_by_path(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path))
    for place, url in (("s3://bucket/team/", "s3://bucket/team"), (str(tmp_path), tmp_path.as_uri())):
        monkeypatch.setenv("PENSTOCK_STORE", place)
        settings = Settings.from_environment()
        assert (settings.shared_store, settings.store) == (url, tmp_path / "cache")


@pytest.mark.parametrize("url", ["nosuch://bucket", "ftp://127.0.0.1:1/x", "file:///proc/nowhere"], ids=str)
def test_a_store_that_cannot_be_used_is_said(url: str) -> None:
    with pytest.raises(EnvironmentFault, match="shared store cannot be used") as caught:
        Shared(url).write("a", b"a")
    assert (caught.value.code, caught.value.where) == ("PEN920", f"PENSTOCK_STORE={url}")
    assert "check the address" in caught.value.remedy


@pytest.mark.slow
def test_a_worker_process_reads_and_writes_the_shared_store(tmp_path: Path) -> None:
    url = (tmp_path / "shared").as_uri()
    elsewhere = Store(tmp_path / "elsewhere", url)
    rows, schema = (
        elsewhere.put_frame(pd.DataFrame({"a": [1.0]})),
        elsewhere.put_facts(Schema(columns=[], problem="clustering")),
    )
    run = a_run(tmp_path / "home").model_copy(update={"shared_store": url})
    pool = WorkerPool(run)
    ref = schema.model_dump()
    asked: dict[str, Any] = {"name": "hoeffding", "parameters": {"rows": 200}, "digests": {}}
    asked["rows"] = {"received": ref, "frame": ref, "schema_": ref, "reading": ref}
    asked["data_split"] = {"train": rows.model_dump(), "test": ref, "folds": ref, "facts": ref, "n_folds": 0}
    outcome = pool.call("penstock.tasks.diagnose:diagnose", asked)
    pool.close()
    assert (run.home / "cache" / rows.uri).exists(), outcome.reason
    assert elsewhere.facts(Ref(**outcome.value["facts"]))["name"] == "hoeffding"


def test_doctor_tells_how_large_it_is(home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, cli: Cli) -> None:
    url = (tmp_path / "shared").as_uri()
    Store(tmp_path / "elsewhere", url).put_facts({"a": 1})
    monkeypatch.setenv("PENSTOCK_STORE", url)
    status, out, _ = cli("doctor")
    assert status == 0
    assert f"shared store: 1 objects, 7 bytes at {url}" in out
    monkeypatch.setenv("PENSTOCK_STORE", "nosuch://bucket")
    status, out, _ = cli("doctor")
    assert status == 6
    assert "check the address" in out


def test_cleaning_takes_this_homes_copies_and_leaves_the_shared_store_alone(
    home: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    url = (tmp_path / "shared").as_uri()
    monkeypatch.setenv("PENSTOCK_STORE", url)
    settings = Settings.from_environment()
    ref = Store(settings.store, url).put_facts({"a": 1})
    find_leftovers(settings, 1).remove()
    assert not (settings.store / ref.uri).exists()
    assert (tmp_path / "shared" / ref.uri).read_bytes() == b'{"a":1}'
    assert Store(settings.store, url).facts(ref) == {"a": 1}


def test_a_store_of_one_machine_does_without_fsspec(tmp_path: Path) -> None:
    code = (
        "import sys; from penstock.store import Store; Store(sys.argv[1]).put_facts({}); print('fsspec' in sys.modules)"
    )
    assert subprocess.check_output([sys.executable, "-c", code, str(tmp_path)], text=True).strip() == "False"
    assert [path.stem for path in tmp_path.glob("objects/*/*.json")] == [hashlib.sha256(b"{}").hexdigest()]


def test_homes_that_count_at_once_take_nothing_from_each_others_count(here: Store, there: Store, url: str) -> None:
    test = here.put_facts("the test rows")
    others = [(store, store.put_facts(f"winner {number}")) for number in range(20) for store in (here, there)]
    assert winners_evaluated(here, test) == []
    with ThreadPoolExecutor(8) as at_once:
        list(at_once.map(lambda one: count_winner(one[0], test, one[1]), others + others))
    winners = sorted({ref.digest for _, ref in others})
    assert winners_evaluated(here, test) == winners_evaluated(there, test) == winners
    assert len(winners) == 20, "a winner that both have found is one"
    shared_at(url).write(f"evaluated/{test.digest}/.writing-0", b"")
    assert winners_evaluated(there, test) == winners, "half-written files are not counted"


def test_a_home_of_its_own_counts_in_the_same_way(tmp_path: Path) -> None:
    store = Store(tmp_path)
    test, model = store.put_facts("the test rows"), store.put_facts("a winner")
    assert winners_evaluated(store, test) == []
    count_winner(store, test, model)
    count_winner(store, test, model)
    assert winners_evaluated(store, test) == [model.digest]
