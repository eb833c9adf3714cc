"""Parquet: one file, or a folder of part files, whose folders may be named like year=2024."""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from penstock.errors import DataError, UsageError, examples
from penstock.sources.decoding import Decoding, decoding_of, size_of, small
from penstock.sources.files import Folders, open_file, resolve
from penstock.sources.table import (
    FILE_NEEDED,
    Table,
    kept,
    kept_type,
    require_names,
    unreadable,
    without_index,
)
from penstock.sources.unpacking import max_bytes, require_small

if TYPE_CHECKING:
    import pyarrow as pa

# Those of Arrow are of these kinds; the labels that pandas has left beside are JSON, and may be any.
_DAMAGED = (OSError, ValueError, TypeError, LookupError, AttributeError, NotImplementedError, RecursionError)
SUFFIXES = (".parquet", ".pq")


def part_files(folder: Path) -> list[Path]:
    """The part files below a folder, in order of their names; those that begin with a dot or a dash below are none."""
    found = [file for file in sorted(folder.rglob("*")) if file.name.lower().endswith(SUFFIXES)]
    return [file for file in found if not any(step.startswith((".", "_")) for step in file.relative_to(folder).parts)]


def read_parquet(path: Path, folders: Folders = None) -> Table:
    import pyarrow as pa
    from pyarrow import dataset

    files = part_files(path) if path.is_dir() else [path]
    for file in files:
        resolve(file, folders)
    system, limit = _file_system(folders), max_bytes()
    if not files:
        raise UsageError(
            "PEN102",
            "the folder holds no Parquet file",
            where=str(path),
            remedy="name a file, or a folder of files that end in .parquet",
        )
    part = files[0]
    try:
        for part in files:
            names = dataset.dataset(str(part), format="parquet", filesystem=system).schema.names
            require_names(names, str(part))
        whole = dataset.dataset(
            [str(file) for file in files],
            format="parquet",
            filesystem=system,
            partitioning="hive",
            partition_base_dir=str(path if path.is_dir() else path.parent),
        )
        first = whole.schema
        schemas = [fragment.physical_schema for fragment in whole.get_fragments()]
        least = sum(_decoding(fragment).least for fragment in whole.get_fragments())
        for part, columns in zip(files, schemas, strict=True):
            first = _widened(first, columns, part, files[0])
        rows = whole.count_rows()
        index = _named_range(schemas[0])
    except _DAMAGED as error:
        raise unreadable(str(part), f"this is not a Parquet file: {error}", FILE_NEEDED) from None
    names = without_index(first.names)
    require_small(max(least, rows * len(names)), limit, str(path))
    fields = [(name, kept_type(first.field(name).type)) for name in names]
    schema = pa.schema(fields + ([(index.name, pa.int64())] if index else []))

    def batches() -> Iterator[pa.RecordBatch]:
        given = 0
        try:
            for file, fragment in zip(files, whole.get_fragments(), strict=True):
                for batch in _decoded(file, fragment, schema, folders):
                    size = size_of(batch)
                    given += size
                    require_small(given, limit, str(path))
                    for part in small(batch, size):
                        yield kept(part, schema)
        except _DAMAGED as error:
            raise unreadable(str(path), f"the file cannot be read to its end: {error}", FILE_NEEDED) from None

    facts = {"format": "parquet", "files": len(files) if path.is_dir() else None}
    return Table(schema, rows, batches, facts)


def _decoding(fragment: Any) -> Decoding:
    return decoding_of(fragment.metadata, fragment.physical_schema)


def _decoded(file: Path, fragment: Any, schema: pa.Schema, folders: Folders) -> Iterator[pa.RecordBatch]:
    """The rows of one part, in their order, with what its folders' names say of them. A data set would decode whole row
    groups at once.
    """
    import pyarrow as pa
    from pyarrow import dataset, parquet

    decoding, labels = _decoding(fragment), _named_range(fragment.physical_schema)
    said = dataset.get_partition_keys(fragment.partition_expression)
    with open_file(file, folders) as content:
        part = parquet.ParquetFile(
            content, metadata=fragment.metadata, read_dictionary=decoding.texts, pre_buffer=False
        )
        for batch in part.iter_batches(batch_size=decoding.rows, use_threads=False):
            columns = dict(zip(batch.schema.names, batch.columns, strict=True))
            for name, value in said.items():
                columns[name] = pa.repeat(pa.scalar(value, schema.field(name).type), batch.num_rows)
            if labels:
                columns[labels.name] = pa.array(labels.take(batch.num_rows))
            yield pa.RecordBatch.from_arrays([columns[name] for name in schema.names], schema.names)


class _Released(io.BufferedReader):
    """Arrow lets go of files without closing them."""

    def __del__(self) -> None:
        self.close()


def _file_system(folders: Folders) -> Any:
    """Arrow's own where any file may be read, else one that opens files below the folders only."""
    if folders is None:
        return None
    from fsspec.implementations.local import LocalFileSystem
    from pyarrow.fs import FSSpecHandler, PyFileSystem

    class Below(LocalFileSystem):  # type: ignore[misc]
        cachable = False

        def _open(self, path: str, mode: str = "rb", **_: object) -> IO[bytes]:
            return _Released(open_file(Path(path), folders).detach())

    return PyFileSystem(FSSpecHandler(Below()))


def _widened(first: pa.Schema, part: pa.Schema, file: Path, model: Path) -> pa.Schema:
    """The types that hold the values of both. Arrow fills columns that a part lacks with nothing, without a word."""
    import pyarrow as pa

    kinds = {field.name: field.type for field in first}
    joined = {field.name: _joined(kinds[field.name], field.type) for field in part if field.name in kinds}
    others = [field.name for field in part if joined.get(field.name) is None]
    absent = [name for name in first.names if name not in part.names and f"{name}=" not in str(file)]
    if others or absent:
        raise DataError(
            "PEN142",
            f"a part has other columns, or columns of other types, than the first one: {examples(others + absent)}",
            where=f"{file}, beside {model.name}",
            remedy="write all parts with the same columns and types, or keep the others in another folder",
        )
    return pa.schema([(name, joined.get(name, kind)) for name, kind in kinds.items()])


def _joined(one: pa.DataType, other: pa.DataType) -> pa.DataType | None:
    """A part without values has no type of its own, and whole numbers are written as such where none is missing."""
    import pyarrow as pa
    from pyarrow import types

    if one == other or types.is_null(other):
        return one
    if types.is_null(one):
        return other
    one, other = kept_type(one), kept_type(other)
    if types.is_integer(one) and types.is_integer(other):
        return pa.int64()
    if all(types.is_integer(kind) or types.is_floating(kind) for kind in (one, other)):
        return pa.float64()
    return one if one == other else None


@dataclass
class _Labels:
    """An index that pandas did not write out, because it only counts."""

    name: str
    next: int
    step: int

    def take(self, rows: int) -> range:
        taken = range(self.next, self.next + rows * self.step, self.step)
        self.next = taken.stop
        return taken


def _named_range(schema: pa.Schema) -> _Labels | None:
    for index in (schema.pandas_metadata or {}).get("index_columns", []):
        if isinstance(index, dict) and index.get("kind") == "range" and index.get("name"):
            return _Labels(str(index["name"]), int(index["start"]), int(index["step"]))
    return None
