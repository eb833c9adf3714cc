"""Values that come once and in any type, kept on disk until the type of every column is known."""

from __future__ import annotations

import datetime
import decimal
import json
import math
import tempfile
import weakref
from collections.abc import Iterable, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from penstock.components.schema import MISSING_WORDS
from penstock.sources.table import BATCH_ROWS, Table, kept_type, named
from penstock.sources.unpacking import max_bytes, require_small

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_BYTES = 1 << 26
"""About as much of a part is held in memory, however wide its rows or long its texts are."""
CELL = 8


def spooled(
    names: Sequence[str],
    rows: Iterable[Sequence[Any]],
    facts: dict[str, Any],
    scratch: Path | None = None,
    where: str = "",
) -> Table:
    """A table of rows of Python values, read once, in the order of `names`, to which rows may add at their end."""
    import pyarrow as pa

    with ExitStack() as closing:
        file = closing.enter_context(tempfile.TemporaryFile(dir=scratch))
        kinds, starts, total = _fill(file, names, iter(rows), where)
        schema = pa.schema([(name, kept_type(kind)) for name, kind in zip(named(names), kinds, strict=True)])
        keep_open = closing.pop_all()

    def batches() -> Iterator[pa.RecordBatch]:
        for start in starts:
            file.seek(start)
            batch = pa.ipc.open_stream(file).read_next_batch()
            arrays = [_cast(column, field.type) for column, field in zip(batch.columns, schema, strict=False)]
            arrays += [pa.nulls(batch.num_rows, field.type) for field in list(schema)[len(arrays) :]]
            yield pa.RecordBatch.from_arrays(arrays, schema=schema)

    weakref.finalize(batches, keep_open.close)
    return Table(schema, total, batches, facts)


def _fill(
    file: IO[bytes], names: Sequence[str], rows: Iterator[Sequence[Any]], where: str
) -> tuple[list[pa.DataType], list[int], int]:
    """Write the rows part by part; returns the columns' types, where each part begins, and how many rows there are."""
    import pyarrow as pa

    kinds: list[pa.DataType] = []
    starts: list[int] = []
    total, limit = 0, max_bytes()
    while part := _part(rows):
        columns = [array_of([row[at] if at < len(row) else None for row in part]) for at in range(len(names))]
        kinds += [pa.null()] * (len(columns) - len(kinds))
        kinds = [_joined(kind, column.type) for kind, column in zip(kinds, columns, strict=True)]
        starts.append(file.tell())
        batch = pa.RecordBatch.from_arrays(columns, names=[str(at) for at in range(len(columns))])
        with pa.ipc.new_stream(file, batch.schema) as stream:
            stream.write_batch(batch)
        require_small(file.tell(), limit, where)
        total += len(part)
    return kinds + [pa.null()] * (len(names) - len(kinds)), starts, total


def _part(rows: Iterator[Sequence[Any]]) -> list[Sequence[Any]]:
    part: list[Sequence[Any]] = []
    size = 0
    for row in rows:
        part.append(row)
        size += CELL * len(row) + sum(len(value) for value in row if isinstance(value, (str, bytes)))
        if len(part) == BATCH_ROWS or size >= BATCH_BYTES:
            break
    return part


def array_of(values: list[Any]) -> pa.Array:
    """The values as one type; as texts where they have no type in common."""
    import pyarrow as pa

    values = [_plain(value) for value in values]
    types = {type(value) for value in values if value is not None}
    try:
        if types <= {int, float} and len(types) == 2:
            values = [None if value is None else float(value) for value in values]
        elif len(types) > 1:
            values = [None if value is None else _text(value) for value in values]
        return pa.array(values, from_pandas=True)
    except (pa.ArrowException, OverflowError, TypeError, ValueError):
        return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _plain(value: Any) -> Any:
    if value is None or isinstance(value, (bool, int)):
        return value
    if isinstance(value, str):
        return None if value in MISSING_WORDS else value
    if isinstance(value, float):
        return None if math.isnan(value) else value
    if isinstance(value, decimal.Decimal):
        number = None if value.is_nan() else float(value)
        return str(value) if value.is_finite() and number in (math.inf, -math.inf) else number
    if isinstance(value, datetime.datetime):
        return value
    if isinstance(value, datetime.date):
        return datetime.datetime(value.year, value.month, value.day)
    if isinstance(value, (list, dict)):
        return json.dumps(value, ensure_ascii=False, sort_keys=True, default=str)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return bytes(value).hex()
    return str(value)


def _text(value: Any) -> str:
    if isinstance(value, datetime.datetime):
        return value.isoformat()
    return str(int(value)) if isinstance(value, float) and value.is_integer() else str(value)


def _joined(before: pa.DataType, now: pa.DataType) -> pa.DataType:
    import pyarrow as pa
    from pyarrow import types

    if before == now or types.is_null(now):
        return before
    if types.is_null(before):
        return now
    if {before, now} == {pa.int64(), pa.float64()}:
        return pa.float64()
    return pa.string()


def _cast(column: pa.Array, kind: pa.DataType) -> pa.Array:
    import pyarrow as pa

    if kind == pa.large_string() and column.type not in (pa.string(), pa.null()):
        return pa.array([None if value is None else _text(value) for value in column.to_pylist()], kind)
    return column.cast(kind, safe=False)
