"""How many rows of a Parquet file are decoded at once: in it, a few bytes can stand for as many as one likes.

Texts are decoded as references to a dictionary of the different ones, counted, and written out part by part.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from penstock.sources.table import BATCH_ROWS

if TYPE_CHECKING:
    import pyarrow as pa

BATCH_BYTES = 1 << 26
WIDTHS = {"BOOLEAN": 1, "INT32": 4, "FLOAT": 4, "INT64": 8, "DOUBLE": 8, "INT96": 12}
TEXTS = "BYTE_ARRAY"
PREFIXED = "DELTA_BYTE_ARRAY"
"""An encoding in which a value repeats the one before it at no cost."""
DELTAS = (PREFIXED, "DELTA_LENGTH_BYTE_ARRAY")
"""Encodings that Arrow does not decode into a dictionary."""
OFFSET = 4


@dataclass(frozen=True)
class Decoding:
    """`texts`: columns to be decoded as references; `rows`: how many at once; `least`: bytes of all that is no text."""

    texts: tuple[str, ...]
    rows: int
    least: int


def decoding_of(metadata: Any, schema: pa.Schema) -> Decoding:
    """By what a file says of its columns. Arrow decodes categories as references by itself."""
    chunks = [_chunks(metadata, group) for group in range(metadata.num_row_groups)]
    texts = {chunk.path_in_schema for group in chunks for chunk, _ in group if chunk.physical_type == TEXTS}
    texts -= {chunk.path_in_schema for group in chunks for chunk, _ in group if set(chunk.encodings) & set(DELTAS)}
    widest, least = 1.0, 0
    for group, held in enumerate(chunks):
        sizes = [_decoded(chunk, length, as_references=chunk.path_in_schema in texts) for chunk, length in held]
        widest = max(widest, sum(sizes) / max(metadata.row_group(group).num_rows, 1))
        least += sum(size for size, (chunk, _) in zip(sizes, held, strict=True) if chunk.physical_type != TEXTS)
    rows = max(1, min(BATCH_ROWS, int(BATCH_BYTES / widest)))
    return Decoding(tuple(sorted(texts - {field.name for field in schema if _refers(field.type)})), rows, least)


def _chunks(metadata: Any, group: int) -> list[tuple[Any, int]]:
    """Each column's part of a row group, with the length of its values if that is fixed."""
    held = metadata.row_group(group)
    return [(held.column(at), metadata.schema.column(at).length) for at in range(held.num_columns)]


def _decoded(chunk: Any, length: int, *, as_references: bool) -> int:
    """The bytes that its values take, at most."""
    if chunk.physical_type != TEXTS:
        return int(chunk.num_values * WIDTHS.get(chunk.physical_type, length))
    if as_references:
        return int(chunk.num_values * OFFSET)
    longest = chunk.num_values if PREFIXED in chunk.encodings else 1
    return int(chunk.total_uncompressed_size * longest)


def _refers(kind: pa.DataType) -> bool:
    from pyarrow import types

    return types.is_dictionary(kind) or any(_refers(kind.field(at).type) for at in range(kind.num_fields))


def size_of(batch: pa.RecordBatch) -> int:
    """The bytes that it takes once its texts are written out. Missing values take no place in Arrow's own count."""
    return max(sum(map(_written_out, batch.columns)), int(batch.num_rows * batch.num_columns))


def _written_out(array: Any) -> int:
    from pyarrow import types

    if types.is_dictionary(array.type):
        return OFFSET * len(array) + _referred(array)
    if _refers(array.type):
        return OFFSET * len(array) + sum(map(_written_out, _parts(array)))
    return int(array.nbytes)


def _referred(array: Any) -> int:
    """The bytes of the texts, each as often as it is referred to."""
    from pyarrow import types

    words = array.dictionary
    large = types.is_large_string(words.type) or types.is_large_binary(words.type)
    if not large and not types.is_string(words.type) and not types.is_binary(words.type):
        return OFFSET * len(array)
    known = array.indices.drop_null().to_numpy().astype(np.int64)
    if not len(known):
        return 0
    ends = np.frombuffer(words.buffers()[1], np.int64 if large else np.int32)[words.offset :]
    return int((ends[known + 1] - ends[known]).sum(dtype=np.int64))


def _parts(array: Any) -> list[Any]:
    from pyarrow import types

    if types.is_map(array.type):
        held = slice(array.offsets[0].as_py(), array.offsets[-1].as_py())
        return [array.keys[held], array.items[held]]
    return list(array.flatten()) if types.is_struct(array.type) else [array.flatten()]


def small(batch: pa.RecordBatch, size: int) -> Iterator[pa.RecordBatch]:
    """The batch, whose size is known, in parts that are small once their texts are written out."""
    rows = batch.num_rows
    if size <= BATCH_BYTES or rows < 2:
        yield batch
        return
    for held in (range(rows // 2), range(rows // 2, rows)):
        part = batch.take(list(held))  # of a slice, Arrow writes out what lies beyond it, too
        yield from small(part, size_of(part))
