"""Parquet: one file, or a folder of part files, whose folders may be named like year=2024."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from penstock.components.sources.table import (
    BATCH_ROWS,
    FILE_NEEDED,
    Table,
    kept,
    kept_type,
    require_names,
    unreadable,
    without_index,
)
from penstock.errors import DataError, UsageError, examples

if TYPE_CHECKING:
    import pyarrow as pa

SUFFIXES = (".parquet", ".pq")


def part_files(folder: Path) -> list[Path]:
    """The part files below a folder, in order of their names; those that begin with a dot or a dash below are none."""
    found = [file for file in sorted(folder.rglob("*")) if file.name.lower().endswith(SUFFIXES)]
    return [file for file in found if not any(step.startswith((".", "_")) for step in file.relative_to(folder).parts)]


def read_parquet(path: Path) -> Table:
    import pyarrow as pa
    from pyarrow import dataset

    files = part_files(path) if path.is_dir() else [path]
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
            names = dataset.dataset(str(part), format="parquet").schema.names
            require_names(names, str(part))
        whole = dataset.dataset(
            [str(file) for file in files],
            format="parquet",
            partitioning="hive",
            partition_base_dir=str(path if path.is_dir() else path.parent),
        )
        first = whole.schema
        schemas = [fragment.physical_schema for fragment in whole.get_fragments()]
        for part, columns in zip(files, schemas, strict=True):
            first = _widened(first, columns, part, files[0])
        rows = whole.count_rows()
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError, OSError) as error:
        raise unreadable(str(part), f"this is not a Parquet file: {error}", FILE_NEEDED) from None
    names = without_index(first.names)
    index = _named_range(schemas[0])
    fields = [(name, kept_type(first.field(name).type)) for name in names]
    schema = pa.schema(fields + ([(index.name, pa.int64())] if index else []))

    def batches() -> Iterator[pa.RecordBatch]:
        try:
            for fragment in whole.get_fragments():  # one after the other: the order of rows is part of the data
                labels = _named_range(fragment.physical_schema)
                for batch in fragment.to_batches(schema=first, columns=names, batch_size=BATCH_ROWS, **_calm()):
                    if labels:
                        batch = batch.append_column(labels.name, pa.array(labels.take(batch.num_rows)))
                    yield kept(batch, schema)
        except (pa.ArrowInvalid, OSError) as error:
            raise unreadable(str(path), f"the file cannot be read to its end: {error}", FILE_NEEDED) from None

    facts = {"format": "parquet", "parts": len(files) if path.is_dir() else None}
    return Table(schema, rows, batches, facts)


def _calm() -> dict[str, object]:
    """Few batches ahead, and no buffer of the raw file, which Arrow would keep to the end: memory stays bounded."""
    from pyarrow import dataset

    options = dataset.ParquetFragmentScanOptions(pre_buffer=False)
    return {"batch_readahead": 2, "fragment_readahead": 0, "use_threads": False, "fragment_scan_options": options}


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
            return _Labels(index["name"], index["start"], index["step"])
    return None
