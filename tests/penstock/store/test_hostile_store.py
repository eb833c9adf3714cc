"""A store that somebody else may write to: it can be spoilt, but leads nowhere else and ends in words."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from penstock.actions.records import MAX_BYTES, Actions, Record, record_of
from penstock.context import Run
from penstock.document.run import VERSION
from penstock.errors import EnvironmentFault, ModelError, PenstockError, UsageError
from penstock.executors.caching import look_up
from penstock.home import runs
from penstock.home.clean import find_leftovers
from penstock.settings import Settings
from penstock.stage import stage
from penstock.store import AlteredObjectError, Ref, Store, digest_of
from penstock.tasks.evaluate import count_winner, winners_evaluated
from penstock.tracking.registry import DIGEST_TAG
from penstock.tracking.runs import Tracking
from tests.conftest import Cli
from tests.documents import typed

PARTS = {"inputs": {"rows": "facts"}}
KEY = digest_of(PARTS)
SECRET = b'{"mine": true}'


@pytest.fixture
def shared(tmp_path: Path) -> Path:
    folder = tmp_path / "shared"
    folder.mkdir()
    return folder


@pytest.fixture
def reader(tmp_path: Path, shared: Path) -> Store:
    return Store(tmp_path / "reader", shared.as_uri())


@pytest.fixture
def mine(tmp_path: Path) -> Path:
    """A file of the reader's, outside every store."""
    path = tmp_path / "mine.json"
    path.write_bytes(SECRET)
    return path


def planted(shared: Path, name: str, content: bytes) -> Path:
    path = shared / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)
    return path


def a_record(**changes: Any) -> dict[str, Any]:
    return {"key": KEY, "stage": "train", "parts": PARTS, "made": None, "seconds": 1.0, "run": "r", **changes}


@pytest.mark.parametrize("place", ["absolute", "upwards"])
def test_a_record_that_names_a_place_reads_overwrites_and_removes_nothing_there(
    reader: Store, shared: Path, mine: Path, place: str
) -> None:
    uri = str(mine) if place == "absolute" else f"../{mine.name}"
    theirs = b'{"theirs": true}'
    digest = hashlib.sha256(theirs).hexdigest()
    planted(shared, f"objects/{digest[:2]}/{digest}.json", theirs)
    made = {"kind": "facts", "digest": digest, "uri": uri}
    planted(shared, record_of(KEY), json.dumps(a_record(made=made)).encode())

    record = Actions(reader).find(KEY)
    assert record
    ref = Ref(**record.made)
    assert ref.uri == f"objects/{digest[:2]}/{digest}.json"
    assert reader.facts(ref) == {"theirs": True}
    reader.forget(ref)
    assert mine.read_bytes() == SECRET
    assert not (reader.root / ref.uri).exists()


@pytest.mark.parametrize("digest", ["", "a" * 63, "A" * 64, "../../mine", "/etc/passwd", "a" * 64 + "\n", 7, None])
def test_a_digest_is_64_hexadecimal_digits(digest: Any) -> None:
    with pytest.raises(ValueError, match=r"digest|string"):
        Ref(kind="facts", digest=digest)


@pytest.mark.parametrize("kind", ["../x", "pickle", "", None])
def test_a_kind_is_one_that_is_known(kind: Any) -> None:
    with pytest.raises(ValueError, match="kind"):
        Ref(kind=kind, digest="a" * 64)


def test_what_only_stands_for_a_result_was_never_stored(reader: Store) -> None:
    ref = Ref(kind="pending", digest="../../mine")
    assert reader.fault(ref) == "missing"
    assert "missing" in str(Actions(reader).fault([ref]))


@pytest.mark.parametrize("name", ["/etc/passwd", "../mine.json", "a/../../b", "", "a//b", "a/./b", "a\0b"])
def test_a_name_in_a_store_leads_nowhere_else(reader: Store, tmp_path: Path, name: str) -> None:
    for store in (reader, Store(tmp_path / "alone")):
        for use in (store.read, store.names, lambda name, store=store: store.write(name, b"x")):
            with pytest.raises(ValueError, match="no name in a store"):
                use(name)


BAD_RECORDS: dict[str, tuple[bytes, str]] = {
    "no JSON": (b"\x80\x04}q\x00.", "cannot be read"),
    "empty": (b"", "cannot be read"),
    "a list": (b"[]", "cannot be read"),
    "other types": (json.dumps(a_record(parts=[], seconds="soon")).encode(), "cannot be read"),
    "another schema": (b'{"version": 2}', "cannot be read"),
    "deep": (b'{"made":' * 50_000, "cannot be read"),
    "no number": (json.dumps(a_record(seconds=float("nan"))).encode(), "cannot be read"),
    "no number in its parts": (json.dumps(a_record(parts={"x": float("inf")})).encode(), "cannot be read"),
    "a run elsewhere": (json.dumps(a_record(run="../../elsewhere")).encode(), "cannot be read"),
    "huge": (b" " * (MAX_BYTES + 1), "more than 32 MB"),
    "of another key": (json.dumps(a_record(key="b" * 64)).encode(), "another key"),
    "of other parts": (json.dumps(a_record(parts={})).encode(), "another key"),
}


@pytest.mark.parametrize("name", BAD_RECORDS)
def test_a_record_that_is_none_is_not_used_and_the_reason_is_said(reader: Store, shared: Path, name: str) -> None:
    content, why = BAD_RECORDS[name]
    planted(shared, record_of(KEY), content)
    record, fault = Actions(reader).look(KEY)
    assert record is None
    assert why in str(fault)


def test_a_key_is_a_digest(reader: Store) -> None:
    for key in ("../../mine", "", "b" * 63, "/etc/passwd"):
        assert Actions(reader).find(key) is None


@stage()
def one_object(run: Run, text: str) -> Ref:
    return run.store.put_facts({"text": text})


@pytest.mark.parametrize(
    "made", [None, 7, [], {"kind": "facts"}, {"kind": "facts", "digest": "../x", "uri": "/x"}, "r"]
)
def test_a_result_of_another_shape_is_made_anew(tmp_path: Path, shared: Path, made: Any) -> None:
    home = tmp_path / "home"
    run = Run(id="r", pipeline="p", home=home, folder=home / "runs/r", base=home, tracking_uri="", engine="plain",
              shared_store=shared.as_uri())  # fmt: skip
    right = one_object(run, "a")
    found = look_up(one_object, {"run": run, "text": "a"})
    assert found.record
    spoilt = found.record.model_copy(update={"made": made}).model_dump(mode="json")
    planted(shared, record_of(found.key), json.dumps(spoilt).encode())
    assert "does not hold what 'one_object' makes" in look_up(one_object, {"run": run, "text": "a"}).reason
    assert one_object(run, "a") == right
    assert look_up(one_object, {"run": run, "text": "a"}).record


@pytest.mark.parametrize("spoil", [lambda path, to: path.symlink_to(to), lambda path, _: os.mkfifo(path)],
                         ids=["link", "pipe"])  # fmt: skip
@pytest.mark.parametrize("kind", ["record", "object", "folder"])
def test_a_link_or_a_pipe_in_a_shared_folder_is_said_and_not_followed(
    reader: Store, shared: Path, mine: Path, spoil: Callable[[Path, Path], None], kind: str
) -> None:
    ref = Ref(kind="facts", digest=hashlib.sha256(SECRET).hexdigest())
    names = {"record": record_of(KEY), "object": ref.uri, "folder": f"objects/{ref.digest[:2]}"}
    path = shared / names[kind]
    path.parent.mkdir(parents=True)
    spoil(path, mine if kind != "folder" else mine.parent)
    uses: list[Callable[[], object]] = {
        "record": [lambda: Actions(reader).look(KEY), lambda: reader.write(record_of(KEY), b"x")],
        "object": [lambda: reader.fault(ref), lambda: reader.put_facts(json.loads(SECRET))],
        "folder": [lambda: reader.fault(ref)],
    }[kind]  # type: ignore[assignment]
    for use in uses[:1]:
        with pytest.raises(EnvironmentFault, match="shared store is") as caught:
            use()
        assert (caught.value.code, caught.value.where) == ("PEN907", str(path))
        assert "remove it and run again" in caught.value.remedy
    assert mine.read_bytes() == SECRET
    assert not (reader.root / ref.uri).exists()


@pytest.mark.parametrize("kind", ["frame", "matrix", "arrays", "facts"])
@pytest.mark.parametrize("content", [b"", b"\0", b"PK\3\4", b"PAR1PAR1", b"\x93NUMPY\1\0\xff\xff{", b"[" * 100_000])
def test_an_object_that_is_not_of_its_kind_ends_in_words(
    reader: Store, shared: Path, kind: Any, content: bytes
) -> None:
    ref = Ref(kind=kind, digest=hashlib.sha256(content).hexdigest())
    planted(shared, ref.uri, content)
    with pytest.raises(AlteredObjectError, match="cannot be read as such") as caught:
        getattr(reader, kind)(ref)
    assert (caught.value.code, caught.value.exit_status) == ("PEN517", 3)
    assert "delete that file" in caught.value.remedy


def test_only_digests_count_as_winners(reader: Store, shared: Path) -> None:
    test, model = reader.put_facts("the test rows"), reader.put_facts("a winner")
    count_winner(reader, test, model)
    for name in ("x", "\x1b[31m", "A" * 64):
        planted(shared, f"evaluated/{test.digest}/{name}", b"")
    assert winners_evaluated(reader, test) == [model.digest]


@pytest.mark.parametrize("run", ["../..", "a/b", "/etc", "", ".", "..", "a\nb", "x" * 300])
def test_a_run_is_a_folder_of_this_home(tmp_path: Path, run: str) -> None:
    with pytest.raises(UsageError, match="no id of a run") as caught:
        runs.read_document(tmp_path, run)
    assert caught.value.code == "PEN041"
    begun = runs.begin(tmp_path, run or "x")
    assert [path.stem for path in (tmp_path / "running").iterdir()] == [begun]


@pytest.mark.parametrize("content", [b"", b"[]", b"{}", b'{"run": 1}', b"\xff", b"[" * 100_000])
def test_a_document_that_is_none_is_said(home: Path, cli: Cli, content: bytes) -> None:
    for number in (1, 2):
        planted(home, f"runs/churn-20260101-00000{number}-00000{number}/run.json", content)
    for command in (("runs", "--diff", "churn", "churn~1"),):
        status, _, err = cli(*command)
        assert (status, err[:6]) == (6, "PEN906")
        assert "bring that file back" in err


@pytest.mark.parametrize("version", [None, 0, VERSION + 1, "x"])
@pytest.mark.parametrize("command", [("runs", "--diff", "churn", "churn~1"), ("report", "churn")])
def test_a_document_of_another_version_is_refused(
    home: Path, cli: Cli, version: object, command: tuple[str, ...]
) -> None:
    facts = typed({}).as_json() | {"version": version}
    content = json.dumps({key: value for key, value in facts.items() if value is not None}).encode()
    for number in (1, 2):
        planted(home, f"runs/churn-20260101-00000{number}-00000{number}/run.json", content)
    status, _, err = cli(*command)
    assert (status, err[:6]) == (6, "PEN918")
    assert "run its pipeline file again" in err


def test_a_document_with_a_key_that_none_has_cannot_be_read(home: Path) -> None:
    run = "churn-20260101-000001-000001"
    planted(home, f"runs/{run}/run.json", json.dumps(typed({}).as_json() | {"extra": 1}).encode())
    with pytest.raises(EnvironmentFault) as caught:
        runs.read_document(home, run)
    assert caught.value.code == "PEN906"


def test_announcements_and_journals_that_are_none_are_left_out(tmp_path: Path) -> None:
    announced = {
        "a": b"[]",
        "b": b'{"pid": -1, "create_time": 0}',
        "c": b'{"pid": "x"}',
        "d": b"\xff",
        "e": b'{"pid": 99999999999999999999, "create_time": 0, "run": "../../x"}',
    }
    for name, content in announced.items():
        planted(tmp_path, f"running/{name}.json", content)
    assert runs.dead(tmp_path) == ["b", "e"]
    run = Run(id="r", pipeline="p", home=tmp_path, folder=tmp_path / "r", base=tmp_path, tracking_uri="")
    run.note({"event": "stage", "stage": "split"})
    with (run.folder / "journal.jsonl").open("ab") as journal:
        journal.write(b'{"event": "sta\n\xff\n[]\n7\n{"event": 7}\n' + b"[" * 100_000 + b"\n")
    run.note({"event": "stage", "stage": "train"})
    assert [event["stage"] for event in run.journal("stage")] == ["split", "train"]


def test_cleaning_follows_no_link_out_of_the_home(home: Path, mine: Path) -> None:
    theirs = mine.parent / "theirs"
    kept = planted(theirs, f"{'a' * 64}.json", b"{}")
    objects = home / "store" / "objects"
    objects.mkdir(parents=True)
    (objects / "aa").symlink_to(theirs)
    (home / "runs").mkdir()
    (home / "runs" / "old-run").symlink_to(theirs)
    find_leftovers(Settings.from_environment(), 1).remove()
    assert kept.exists()


@pytest.mark.parametrize("run", ["../../x", "/etc", "a/b", ""])
def test_mlflow_names_no_place_on_this_machine(home: Path, tmp_path: Path, run: str) -> None:
    settings = Settings.from_environment()
    tracking = Tracking(settings.tracking_uri, settings.artifact_root)
    with pytest.raises(ModelError, match="no id of a run") as caught:
        tracking.fetch(run, "sample.parquet", tmp_path)
    assert (caught.value.code, caught.value.exit_status) == ("PEN516", 2)
    tracking.client.create_registered_model("churn")
    tracking.client.create_model_version("churn", source="file:///x", tags={DIGEST_TAG: "../../mine"})
    with pytest.raises(ModelError, match="was not registered by Penstock"):
        tracking.registry.download("churn", "1", tmp_path / "downloads")


def test_doctor_finds_what_was_planted(
    home: Path, shared: Path, mine: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = Store(home / "store")
    Actions(own).keep(Record(**a_record()), "churn", "train")
    assert cli("doctor")[0] == 0
    planted(own.root, record_of("b" * 64), json.dumps(a_record()).encode())
    (own.root / "objects" / "aa").mkdir(parents=True)
    (own.root / "objects" / "aa" / f"{'a' * 64}.json").symlink_to(mine)
    os.mkfifo(own.root / "objects" / "aa" / f"{'b' * 64}.json")
    status, out, _ = cli("doctor")
    out = " ".join(out.split())  # long paths break lines
    assert status == 6
    assert "2 in the place of objects are links or no files" in out
    assert "its record is that of another key" in out
    assert "delete them: the next run does those stages again" in out

    monkeypatch.setenv("PENSTOCK_STORE", shared.as_uri())
    planted(shared, f"objects/cc/{'c' * 64}.json", b"{}")
    planted(shared, record_of("b" * 64), b"")
    planted(shared, "actions/x", b"")
    status, out, _ = cli("doctor")
    assert status == 6
    assert "not what their names say" in out
    assert "its record cannot be read" in out


def test_errors_of_hostile_stores_are_for_people(reader: Store, shared: Path) -> None:
    planted(shared, "actions/bb", b"in the place of a folder")
    with pytest.raises(PenstockError):
        Actions(reader).keep(Record(**a_record(key="bb" * 32)), "churn", "train")
