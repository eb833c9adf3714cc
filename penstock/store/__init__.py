"""The store: small references flow between stages, data stays here.

Every object is one file named by the sha256 of its bytes, so a reference is also a checksum. Bytes are made canonical
before they are written: the same frame, matrix, fact or estimator gives the same digest on every machine. Where
machines share a store, the folder is one machine's copy: an object is fetched when first read and sent when written.
"""

from __future__ import annotations

import hashlib
import io
import json
import os
import re
import secrets
import sys
import zipfile
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from importlib.abc import MetaPathFinder
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, Self

from pydantic import BaseModel, ConfigDict, TypeAdapter, model_validator
from typing_extensions import TypeVar

from penstock.document.facts import Facts
from penstock.document.facts import Volatile as Volatile
from penstock.errors import DataError
from penstock.home.disk import disk_fault

if TYPE_CHECKING:
    import numpy as np
    import pandas as pd
    import pyarrow as pa

    from penstock.store.shared import Shared

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True, default=object)

Figures = dict[str, str]
"""SVG by name."""

ROWS_PER_GROUP = 1 << 16

PENDING: Literal["pending"] = "pending"
Kind = Literal["frame", "matrix", "arrays", "estimator", "facts", "pending"]
SUFFIX: dict[str, str] = {
    "frame": ".parquet",
    "matrix": ".npy",
    "arrays": ".npz",
    "estimator": ".skops",
    "facts": ".json",
}


DIGEST = re.compile(r"[0-9a-f]{64}")


def is_digest(text: object) -> bool:
    return isinstance(text, str) and DIGEST.fullmatch(text) is not None


class Ref(BaseModel, Generic[T_co]):
    """What an object is, and the digest of its bytes; its place in a store follows from both and is never stored.

    A `Ref[Schema]` is one of facts that come back as a Schema. Nothing of the type is stored: it is that of the field,
    the argument or the result that the reference is found in. A bare `Ref` is one of anything, such as a frame.
    """

    model_config = ConfigDict(frozen=True)

    kind: Kind
    digest: str

    @model_validator(mode="after")
    def _has_a_digest(self) -> Self:
        if self.kind != PENDING and not is_digest(self.digest):
            raise ValueError("a digest has 64 hexadecimal digits")
        return self

    @classmethod
    def holds(cls) -> Any:
        """The type of its facts; Any where it does not say."""
        held = cls.__pydantic_generic_metadata__["args"]
        return held[0] if held else Any

    def holding(self, kind: type[T]) -> Ref[T]:
        """The same, as a reference to facts of that type; of `object`, as JSON has them."""
        return _ref_to(kind, self.kind, self.digest)

    def __reduce__(self) -> tuple[Any, ...]:
        return _ref_to, (self.holds(), self.kind, self.digest)

    @property
    def uri(self) -> str:
        """The object's place below a store's root."""
        return f"objects/{self.digest[:2]}/{self.digest}{SUFFIX[self.kind]}"

    def __str__(self) -> str:
        return f"{self.kind}:{self.digest[:12]}"


def _ref_to(held: Any, kind: Kind, digest: str) -> Ref[Any]:
    return Ref[held](kind=kind, digest=digest)


def pending(what: str) -> Ref[Any]:
    """Stands for what does not exist yet; `what` it waits for."""
    return Ref(kind=PENDING, digest=what)


class AlteredObjectError(DataError):
    """A stored object is missing, its bytes are not those that were written, or they are not of its kind."""


def open_store(home: Path, shared: str | None) -> Store:
    """The store of a home, or its copy of the one that it shares with others."""
    return Store(local_folder(home, shared), shared)


def local_folder(home: Path, shared: str | None) -> Path:
    return home / ("cache" if shared else "store")


class Store:
    """Content-addressed files below one folder, and perhaps at a URL that other machines see too."""

    def __init__(self, root: Path | str, shared: str | None = None) -> None:
        self.root = Path(root)
        self.location = [str(root), *([shared] if shared else [])]
        self._seen: dict[str, tuple[int, int]] = {}
        self._shared: Shared | None = None
        if shared:
            from penstock.store.shared import shared_at

            self._shared = shared_at(shared)

    def put_frame(self, frame: pd.DataFrame) -> Ref:
        buffer = io.BytesIO()
        frame.to_parquet(buffer, index=False)
        return self._put("frame", buffer.getvalue())

    def put_batches(self, schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Ref:
        """A frame of any length, part by part; its bytes do not depend on how the rows were parted."""
        import pyarrow.parquet as pq

        temporary = self.root / "objects" / f".writing-{secrets.token_hex(8)}"
        try:
            temporary.parent.mkdir(parents=True, exist_ok=True)
            with temporary.open("xb+") as file:
                with pq.ParquetWriter(file, schema, use_dictionary=_texts_in(schema)) as writer:
                    for group in _even_groups(schema, batches):
                        writer.write_table(group, row_group_size=ROWS_PER_GROUP)
                file.flush()
                os.fsync(file.fileno())
                file.seek(0)
                ref = Ref(kind="frame", digest=hashlib.file_digest(file, "sha256").hexdigest())
            path = self.root / ref.uri
            path.parent.mkdir(parents=True, exist_ok=True)
            os.replace(temporary, path)
        except OSError as error:
            raise disk_fault(error, temporary) from error
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        if self._shared:
            self._shared.send(ref.uri, path)
        return ref

    def put_matrix(self, matrix: np.ndarray[Any, Any]) -> Ref:
        import numpy as np

        buffer = io.BytesIO()
        np.save(buffer, matrix, allow_pickle=False)
        return self._put("matrix", buffer.getvalue())

    def put_arrays(self, **arrays: np.ndarray[Any, Any]) -> Ref:
        import numpy as np

        buffer = io.BytesIO()
        np.savez(buffer, allow_pickle=False, **arrays)
        return self._put("arrays", buffer.getvalue())

    def put_estimator(self, estimator: object) -> Ref:
        return self._put("estimator", dump_estimator(estimator))

    def put_file(self, kind: Kind, path: Path) -> Ref:
        """What lies in another store already, or came out of one."""
        return self._put(kind, path.read_bytes())

    def put_facts(self, facts: T) -> Ref[T]:
        ref = self._put("facts", canonical_json(facts))
        return _ref_to(type(facts) if isinstance(facts, BaseModel) else Any, ref.kind, ref.digest)

    def batches(self, ref: Ref) -> Iterator[pa.RecordBatch]:
        """A frame part by part."""
        import pyarrow.parquet as pq

        with self._read_as(ref), pq.ParquetFile(self.path(ref)) as file:
            for group in range(file.num_row_groups):
                yield from file.read_row_group(group, use_threads=False).combine_chunks().to_batches()

    def table(self, ref: Ref) -> pa.Table:
        """A frame with the very types that it was put with."""
        import pyarrow.parquet as pq

        with self._read_as(ref):
            return pq.read_table(self.path(ref), use_threads=False).replace_schema_metadata(None)

    def frame(self, ref: Ref, columns: list[str] | None = None) -> pd.DataFrame:
        import pandas as pd

        with self._read_as(ref):
            return pd.read_parquet(self.path(ref), columns=columns)

    def matrix(self, ref: Ref) -> np.ndarray[Any, Any]:
        """Memory-mapped, so that workers share one copy."""
        from numpy.lib.format import open_memmap

        with self._read_as(ref):
            return open_memmap(self.path(ref), mode="r")

    def arrays(self, ref: Ref) -> dict[str, np.ndarray[Any, Any]]:
        from numpy.lib.npyio import NpzFile

        with self._read_as(ref), self.path(ref).open("rb") as file, NpzFile(file, allow_pickle=False) as arrays:
            return dict(arrays)

    def facts(self, ref: Ref[T]) -> T:
        """As the type that the reference holds."""
        with self._read_as(ref):
            found: T = _adapter(ref.holds()).validate_python(json.loads(self.path(ref).read_bytes()))
            return found

    def path(self, ref: Ref) -> Path:
        """The object's file, after its bytes were checked."""
        fault = self.fault(ref)
        if fault:
            raise AlteredObjectError(
                "PEN503",
                f"stored {ref.kind} {ref.digest[:12]} is {fault}",
                where=str(self.root / ref.uri),
                remedy="run the same command again: what is missing or altered is recomputed",
            )
        return self.root / ref.uri

    @contextmanager
    def _read_as(self, ref: Ref) -> Iterator[None]:
        """Whoever can write to a shared store can put anything there under the digest of just that."""
        try:
            yield
        except (ValueError, KeyError, EOFError, RecursionError, zipfile.BadZipFile) as error:
            raise AlteredObjectError(
                "PEN517",
                f"stored {ref.kind} {ref.digest[:12]} cannot be read as such: {type(error).__name__}",
                where=", ".join(f"{place}/{ref.uri}" for place in self.location),
                remedy="delete that file wherever it lies and run again: it is made anew",
            ) from error

    def read(self, name: str, most: int | None = None) -> bytes | None:
        """A file that is found by its name and not by its digest; None where there is none.

        Of one that has more than `most` bytes, one byte more than that.
        """
        if self._shared:
            return self._shared.read(_plain_name(name), most)
        try:
            with (self.root / _plain_name(name)).open("rb") as file:
                return file.read(-1 if most is None else most + 1)
        except FileNotFoundError:
            return None

    def write(self, name: str, content: bytes) -> None:
        if self._shared:
            self._shared.write(_plain_name(name), content)
        else:
            write_atomically(self.root / _plain_name(name), content)

    def names(self, below: str) -> list[str]:
        """Of the files in a folder."""
        if self._shared:
            return self._shared.names(_plain_name(below))
        return sorted(path.name for path in (self.root / _plain_name(below)).glob("[!.]*"))

    def fault(self, ref: Ref) -> str | None:
        """Why the object cannot be used: 'missing', 'altered', or None when it is whole."""
        if ref.kind == PENDING:
            return "missing"
        fault = self._fault_here(ref)
        if self._shared is None:
            return fault
        if fault:
            return self._fetch(self._shared, ref)
        self._shared.ensure(ref.uri, self.root / ref.uri)
        return None

    def forget(self, *refs: Ref) -> None:
        """Remove this machine's copies of what other machines see too."""
        if self._shared:
            for ref in refs:
                (self.root / ref.uri).unlink(missing_ok=True)

    def _fetch(self, shared: Shared, ref: Ref) -> str | None:
        path = self.root / ref.uri
        temporary = path.with_name(f".writing-{secrets.token_hex(8)}")
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            if not shared.fetch(ref.uri, temporary):
                return "missing"
            with temporary.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != ref.digest:
                    shared.remove(ref.uri)  # under this name nobody can use it, and it would stand in the way
                    return "altered"
            os.replace(temporary, path)
        except OSError as error:
            raise disk_fault(error, path) from error
        finally:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
        return None

    def _fault_here(self, ref: Ref) -> str | None:
        path = self.root / ref.uri
        try:
            stat = path.stat()
        except FileNotFoundError:
            return "missing"
        state = (stat.st_mtime_ns, stat.st_size)
        if self._seen.get(ref.uri) != state:
            with path.open("rb") as file:
                if hashlib.file_digest(file, "sha256").hexdigest() != ref.digest:
                    return "altered"
            self._seen[ref.uri] = state
        return None

    def _put(self, kind: Kind, content: bytes) -> Ref:
        ref = Ref(kind=kind, digest=hashlib.sha256(content).hexdigest())
        if self._fault_here(ref):
            write_atomically(self.root / ref.uri, content)
        if self._shared:
            self._shared.send(ref.uri, self.root / ref.uri)
        return ref


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


def _plain_name(name: str) -> str:
    """A name in a store, which leads nowhere else."""
    if any(part in ("", ".", "..") for part in name.split("/")) or "\0" in name:
        raise ValueError(f"{name!r} is no name in a store")
    return name


def _texts_in(schema: pa.Schema) -> list[str]:
    """Columns worth a dictionary; of numbers it makes larger files, and takes ten times as long to write."""
    import pyarrow as pa

    return [field.name for field in schema if field.type in (pa.large_string(), pa.string())]


def _even_groups(schema: pa.Schema, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.Table]:
    """The rows in groups of one size, each in one piece: the writer's pages follow the pieces that it is given."""
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    rows = 0
    for batch in batches:
        waiting.append(batch)
        rows += batch.num_rows
        while rows >= ROWS_PER_GROUP:
            table = pa.Table.from_batches(waiting, schema)
            yield table.slice(0, ROWS_PER_GROUP).combine_chunks()
            waiting = table.slice(ROWS_PER_GROUP).to_batches()
            rows -= ROWS_PER_GROUP
    if rows:
        yield pa.Table.from_batches(waiting, schema).combine_chunks()


def write_atomically(path: Path, content: bytes) -> None:
    """Write whole or not at all, also when the machine stops half-way."""
    temporary = path.with_name(f".writing-{secrets.token_hex(8)}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with temporary.open("xb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise disk_fault(error, path) from error


def canonical_json(value: object) -> bytes:
    return json.dumps(
        value, sort_keys=True, ensure_ascii=False, allow_nan=False, separators=(",", ":"), default=_plain
    ).encode()


def digest_of(value: object) -> str:
    return hashlib.sha256(canonical_json(value)).hexdigest()


def _plain(value: object) -> object:
    if isinstance(value, BaseModel):
        return value.model_dump(mode="json", exclude_unset=isinstance(value, Facts))
    if hasattr(value, "item") and getattr(value, "ndim", None) == 0:
        return value.item()
    if hasattr(value, "tolist"):
        return value.tolist()
    raise TypeError(f"{type(value).__name__} is not a fact")


def dump_estimator(estimator: object) -> bytes:
    """skops bytes in canonical form.

    skops names members and nodes by memory address, so two dumps of one object differ. Here nodes are renumbered in
    order of visit and members are named by their content.
    """
    with _without_torch():
        from skops.io import dumps

    names: dict[str, str] = {}
    members: dict[str, bytes] = {}
    with zipfile.ZipFile(io.BytesIO(dumps(estimator))) as archive:
        schema = json.loads(archive.read("schema.json"))
        for name in archive.namelist():
            if name != "schema.json":
                content = archive.read(name)
                names[name] = hashlib.sha256(content).hexdigest() + Path(name).suffix
                members[names[name]] = content
    _renumber(schema, names, {})
    members["schema.json"] = json.dumps(schema, indent=1).encode()
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
        for name in sorted(members):
            archive.writestr(zipfile.ZipInfo(name), members[name])
    return buffer.getvalue()


class _NoTorch(MetaPathFinder):
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name == "torch":
            raise ModuleNotFoundError(name)


@contextmanager
def _without_torch() -> Iterator[None]:
    """skops imports every module of scikit-learn, one of which would load torch: seconds for nothing."""
    finder = _NoTorch()
    if "skops.io" not in sys.modules:
        sys.meta_path.insert(0, finder)
    try:
        yield
    finally:
        if finder in sys.meta_path:
            sys.meta_path.remove(finder)


def _renumber(node: object, names: dict[str, str], ids: dict[int, int]) -> None:
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "__id__":
                node[key] = ids.setdefault(value, len(ids))
            elif isinstance(value, str) and value in names:
                node[key] = names[value]
            else:
                _renumber(value, names, ids)
    elif isinstance(node, list):
        for item in node:
            _renumber(item, names, ids)


def read_estimator(path: Path, trusted: list[str]) -> Any:
    """Load a skops file, if all its types are on the caller's list. The file has no say in it."""
    with _without_torch():
        from penstock.model_file.reading import read_model

    return read_model(path, trusted)
