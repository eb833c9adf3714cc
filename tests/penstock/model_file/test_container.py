"""What a model file may be as an archive, and how large what it holds may become."""

from __future__ import annotations

import io
import json
import struct
import tracemalloc
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.sparse import csr_matrix

from penstock.errors import ModelError
from penstock.model_file import container
from penstock.store import dump_estimator, read_estimator
from tests.penstock.model_file.repacking import (
    Members,
    members_of,
    nodes_of,
    packed,
    schema_of,
    stored_array,
    stored_header,
    with_schema,
)

SPARSE = [f"scipy.sparse._{kind}.{kind}_matrix" for kind in ("csr", "csc", "bsr", "coo", "dia")]
FINE = dump_estimator({"numbers": np.arange(6.0), "words": ["a", "b"], "state": np.random.RandomState(0)})


def code_of(tmp_path: Path, content: bytes) -> str:
    """Of the error that loading ends with; memory beyond a few times the file's size is a fault, too."""
    path = tmp_path / "model.skops"
    path.write_bytes(content)
    tracemalloc.start()
    try:
        with pytest.raises(ModelError) as caught:
            read_estimator(path, SPARSE)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < (1 << 24) + 40 * len(content)
    assert caught.value.remedy
    return caught.value.code


def flagged(content: bytes, at: int, value: int) -> bytes:
    """The first member's two bytes at a place of its header, in both copies."""
    changed = bytearray(content)
    struct.pack_into("<H", changed, at, value)
    struct.pack_into("<H", changed, changed.find(b"PK\x01\x02") + at + 2, value)
    return bytes(changed)


def array_named(members: Members) -> str:
    return next(name for name in members if name.endswith(".npy") and len(members[name]) == 128 + 48)


def with_array(stored: bytes) -> bytes:
    members = members_of(FINE)
    return packed({**members, array_named(members): stored})


def twice() -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr(zipfile.ZipInfo("schema.json"), b"{}")
        with pytest.warns(UserWarning, match="Duplicate name"):
            archive.writestr(zipfile.ZipInfo("schema.json"), members_of(FINE)["schema.json"])
    return buffer.getvalue()


def with_local_gap() -> bytes:
    """Bytes between two members that no directory speaks of; all later places are moved."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in members_of(FINE).items():
            archive.writestr(zipfile.ZipInfo(name), content)
            archive.fp.write(b"hidden")  # type: ignore[union-attr]
            archive.start_dir = archive.fp.tell()  # type: ignore[union-attr]
    return buffer.getvalue()


LAYOUTS: dict[str, tuple[Callable[[], bytes], str]] = {
    "compressed": (lambda: packed(members_of(FINE), zipfile.ZIP_DEFLATED), "PEN518"),
    "method 99": (lambda: flagged(FINE, 8, 99), "PEN518"),
    "encrypted": (lambda: flagged(FINE, 6, 1), "PEN518"),
    "one name twice": (twice, "PEN518"),
    "a name above": (lambda: packed({**members_of(FINE), "../x.npy": b""}), "PEN518"),
    "an absolute name": (lambda: packed({**members_of(FINE), "/x.npy": b""}), "PEN518"),
    "something before": (lambda: b"before" + FINE, "PEN518"),
    "something after": (lambda: FINE + b"after", "PEN518"),
    "something between": (with_local_gap, "PEN518"),
    "cut short": (lambda: FINE[:-30], "PEN502"),
    "nothing": (lambda: b"", "PEN502"),
    "no schema": (lambda: packed({"x.npy": b""}), "PEN502"),
    "a byte changed": (lambda: FINE.replace(b"NUMPY", b"NUMPx", 1), "PEN504"),
}
ARRAYS: dict[str, bytes] = {
    "ten trillion numbers": stored_header("(10000000000000,)") + bytes(48),
    "more than there are": stored_header("(7,)") + bytes(48),
    "fewer than there are": stored_header("(5,)") + bytes(48),
    "a negative length": stored_header("(-6,)") + bytes(48),
    "elements of no size": stored_header("(10000000000000,)", "|V0"),
    "a long axis of nothing": stored_header("(0, 10000000000000)"),
    "objects": stored_header("(6,)", "|O") + bytes(48),
    "a version of the future": b"\x93NUMPY\x09\x00" + stored_header("(6,)")[8:] + bytes(48),
    "no header": b"\x93NUMPY\x01\x00\xff\xff",
    "brackets without end": stored_header("(" * 5000) + bytes(48),
    "an archive": packed({"x.npy": stored_array(np.arange(6.0))}),
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_a_file_that_is_not_laid_out_as_ours_is_refused(tmp_path: Path, name: str) -> None:
    made, code = LAYOUTS[name]
    assert code_of(tmp_path, made()) == code


@pytest.mark.parametrize("name", ARRAYS)
def test_an_array_is_as_long_as_its_header_says(tmp_path: Path, name: str) -> None:
    assert code_of(tmp_path, with_array(ARRAYS[name])) == "PEN504"


def test_what_we_write_is_read(tmp_path: Path) -> None:
    path = tmp_path / "model.skops"
    path.write_bytes(FINE)
    assert read_estimator(path, [])["numbers"].tolist() == list(range(6))
    path.write_bytes(packed(members_of(FINE)))
    assert read_estimator(path, [])["words"] == ["a", "b"]


def listed(content: Any, at: int) -> dict[str, Any]:
    return {"__class__": "list", "__module__": "builtins", "__loader__": "ListNode", "content": content, "__id__": at}


@pytest.mark.parametrize("depth", [400, 100_000])
def test_a_schema_nested_too_deeply_is_refused(tmp_path: Path, depth: int) -> None:
    nested = f'{{"protocol": 2, "__id__": 1, "x": {"[" * depth}{"]" * depth}}}'
    assert code_of(tmp_path, packed({"schema.json": nested.encode()})) == "PEN504"
    lists = listed([], 0)
    for at in range(1, min(depth, 450)):
        lists = listed([lists], at)
    lists["protocol"] = 2
    assert code_of(tmp_path, packed({"schema.json": json.dumps(lists).encode()})) == "PEN504"


def test_objects_that_share_their_parts_again_and_again_are_refused_at_once(tmp_path: Path) -> None:
    shared = listed([], 1)
    for at in range(2, 60):
        shared = listed([shared, {"__id__": at - 1, "__loader__": "CachedNode"}], at)
    assert code_of(tmp_path, packed({"schema.json": json.dumps(shared | {"protocol": 2}).encode()})) == "PEN504"


def test_an_object_that_holds_itself_is_refused(tmp_path: Path) -> None:
    round_and_round = listed([listed([], 1)], 1) | {"protocol": 2}
    assert code_of(tmp_path, packed({"schema.json": json.dumps(round_and_round).encode()})) == "PEN504"


@pytest.mark.parametrize("protocol", [0, 1, 3, None, "2", [2], True])
def test_only_the_protocol_that_we_write_is_read(tmp_path: Path, protocol: Any) -> None:
    members = members_of(FINE)
    schema = schema_of(members) | {"protocol": protocol}
    assert code_of(tmp_path, packed(with_schema(members, schema))) == "PEN504"


def sparse(indices: Any, *, columns: int = 1000) -> bytes:
    return dump_estimator({"sparse": csr_matrix((np.ones(len(indices)), indices, [0, len(indices)]), (1, columns))})


def test_a_sparse_matrix_of_zeros_without_end_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(container, "ALLOWANCE", 1 << 20)
    members = members_of(sparse(np.arange(3)))
    name = next(name for name in members if name.endswith(".npz"))
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(members[name])) as old, zipfile.ZipFile(buffer, "w", zipfile.ZIP_DEFLATED) as new:
        for part in old.namelist():
            new.writestr(part, old.read(part))
        with new.open("more.npy", "w") as file:
            file.write(stored_header("(4194304,)") + bytes(1 << 25))
    assert code_of(tmp_path, packed({**members, name: buffer.getvalue()})) == "PEN519"


def test_one_member_is_not_read_again_and_again(tmp_path: Path) -> None:
    array = next(
        node
        for node in nodes_of(schema_of(members_of(dump_estimator(np.zeros(1 << 17)))))
        if node["__loader__"] == "NdArrayNode"
    )
    schema = listed([{**array, "__id__": at} for at in range(1000)], 1000) | {"protocol": 2}
    content = packed({"schema.json": json.dumps(schema).encode(), array["file"]: stored_array(np.zeros(1 << 17))})
    assert code_of(tmp_path, content) == "PEN519"


@pytest.mark.parametrize("indices", [[5, 10**6], [-1], [2**31 - 1]])
def test_a_sparse_matrix_with_an_index_outside_is_refused(tmp_path: Path, indices: list[int]) -> None:
    matrix = csr_matrix((np.ones(len(indices)), np.zeros(len(indices), dtype=np.int32), [0, len(indices)]), (1, 1000))
    matrix.indices[:] = indices
    for kind in ("csr", "csc", "bsr"):
        bad = matrix if kind == "csr" else matrix.T if kind == "csc" else matrix.tobsr((1, 1))
        assert bad.format == kind
        content = dump_estimator({"sparse": bad})
        assert code_of(tmp_path, content) == "PEN520"
        members = members_of(content)
        disguised = schema_of(members)
        for node in nodes_of(disguised):
            if node["__loader__"] == "SparseMatrixNode":
                node["__module__"], node["__class__"] = "scipy.sparse._matrix", "spmatrix"  # which skops trusts
        assert code_of(tmp_path, packed(with_schema(members, disguised))) == "PEN520"


@pytest.mark.parametrize("spoil", [lambda m: m.coords[0].__setitem__(0, 99), lambda m: m.coords[1].__setitem__(0, -1)])
def test_a_sparse_matrix_of_coordinates_lies_inside(tmp_path: Path, spoil: Callable[[Any], None]) -> None:
    matrix = csr_matrix(np.eye(3)).tocoo()
    spoil(matrix)
    assert code_of(tmp_path, dump_estimator({"sparse": matrix})) == "PEN504"  # by scipy itself
