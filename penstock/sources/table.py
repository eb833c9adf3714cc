"""A table that is read part by part: its types are known, its rows come in batches, as often as they are asked for."""

from __future__ import annotations

import gzip
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from penstock.components.schema import ROW_ID
from penstock.errors import DataError, examples
from penstock.sources.options import how_to_say

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa

QUOTES_NEEDED = "correct the file there; a value that contains the separator or a line break needs quotes around it"
FILE_NEEDED = "get the file again from where it came; this copy is damaged"
BATCH_ROWS = 16_384
MAX_COLUMNS = 16_384  # those of a spreadsheet


@dataclass(frozen=True)
class Table:
    """`facts`: what was found out about the source, for people. `positions`: of sampled rows, in the source."""

    schema: pa.Schema
    rows: int
    batches: Callable[[], Iterator[pa.RecordBatch]]
    facts: dict[str, Any]
    positions: NDArray[np.int64] | None = None

    def frame(self) -> pd.DataFrame:
        import pyarrow as pa

        frame: pd.DataFrame = pa.Table.from_batches(self.batches(), self.schema).to_pandas()
        return frame

    def sample(self, rows: int | None, seed: int) -> Table:
        """That many rows drawn by the seed, in the source's order; all of them where there are no more."""
        if rows is None or rows >= self.rows:
            return self
        drawn = np.sort(np.random.default_rng(seed).choice(self.rows, size=rows, replace=False))

        def batches() -> Iterator[pa.RecordBatch]:
            start = 0
            for batch in self.batches():
                here = drawn[np.searchsorted(drawn, start) : np.searchsorted(drawn, start + batch.num_rows)]
                start += batch.num_rows
                if len(here):
                    yield batch.take(here - (start - batch.num_rows))

        return replace(self, rows=rows, batches=batches, positions=drawn)

    def require_rows(self, fewest: int, where: str) -> Table:
        if self.rows < fewest:
            what = f"only {self.rows} row(s)" if self.rows else "a header but no rows"
            raise DataError(
                "PEN108" if self.rows else "PEN104",
                f"the source has {what}",
                where=where,
                remedy=f"use a source with more rows: at least {fewest}",
            )
        return self


def require_few_columns(count: int, where: str) -> None:
    if count > MAX_COLUMNS:
        raise DataError(
            "PEN168",
            f"the source has more than {MAX_COLUMNS:,} columns, the most that can be read",
            where=where,
            remedy="choose columns before, or turn the table if its rows are the columns; where it has fewer, say what "
            f"separates its values: {how_to_say('delimiter', ';')}",
        )


def require_names(names: Sequence[str], where: str) -> None:
    require_few_columns(len(names), where)
    twice = sorted(name for name, count in Counter(names).items() if name and count > 1)
    if twice:
        raise DataError(
            "PEN106",
            f"{len(twice)} column name(s) occur more than once: {examples(twice)}",
            where=f"{where}, header",
            remedy="rename columns, so that each has a name of its own",
        )
    if ROW_ID in names:
        raise DataError(
            "PEN122",
            f"the column name '{ROW_ID}' is reserved for Penstock's own row ids",
            where=f"{where}, header",
            remedy="rename the column; if it names the rows, declare it as `key`",
        )


def named(names: Iterable[str | None]) -> list[str]:
    """The names, with one for each column that has none."""
    return [name or f"Unnamed: {position}" for position, name in enumerate(names)]


def unreadable(where: str, why: str, remedy: str) -> DataError:
    return DataError("PEN109", why, where=where, remedy=remedy)


def cut_short(where: str, error: Exception) -> DataError:
    """Of a file that its decompressor, or the disk, cannot read to its end."""
    if isinstance(error, gzip.BadGzipFile) and "Not a gzipped file" in str(error):
        return unreadable(where, "the name ends in .gz, but the file is not compressed", "rename it, without .gz")
    return unreadable(where, f"the file cannot be read to its end: {error}", FILE_NEEDED)


def empty(where: str) -> DataError:
    return DataError("PEN103", "the source is empty", where=where, remedy="use a source with a header and rows")


def kept_type(kind: pa.DataType) -> pa.DataType:
    """The type that a column is kept in: few types, so that equal values from unlike sources are equal bytes."""
    import pyarrow as pa
    from pyarrow import types

    if types.is_dictionary(kind):
        return kind if kind.ordered else kept_type(kind.value_type)
    if types.is_null(kind) or types.is_decimal(kind) or kind == pa.float16():
        return pa.float64()
    if types.is_date(kind) or types.is_timestamp(kind):
        return pa.timestamp("us", tz=getattr(kind, "tz", None))
    if types.is_string(kind) or types.is_string_view(kind):
        return pa.large_string()
    return kind


def kept(batch: pa.RecordBatch, schema: pa.Schema) -> pa.RecordBatch:
    """The batch in the schema's types; points in time lose what is below a microsecond."""
    import pyarrow as pa

    columns = [batch.column(field.name).cast(field.type, safe=False) for field in schema]
    return pa.RecordBatch.from_arrays(columns, schema=schema)


def without_index(names: Iterable[str]) -> list[str]:
    """Names without those that pandas gives to an index that has none."""
    return [name for name in names if not re.fullmatch(r"__index_level_\d+__", name)]
