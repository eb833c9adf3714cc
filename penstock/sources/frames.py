"""Data frames from Python, as a source like any other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from penstock.errors import DataError, UsageError, examples
from penstock.sources.spool import array_of
from penstock.sources.table import BATCH_ROWS, Table, kept, kept_type, require_names

if TYPE_CHECKING:
    import pandas as pd
    import pyarrow as pa


def frame_table(frame: pd.DataFrame, where: str, facts: dict[str, Any]) -> Table:
    """The frame's rows; an index with a name is a column, one without is left out."""
    import pandas as pd
    import pyarrow as pa

    if not isinstance(frame, pd.DataFrame):
        raise UsageError(
            "PEN144",
            f"the data are to be a pandas DataFrame, not {type(frame).__name__}",
            where=where,
            remedy="make a frame of them: pandas.DataFrame(...), or .to_pandas()",
        )
    if any(name is not None for name in frame.index.names):
        frame = frame.reset_index()
    if frame.columns.nlevels > 1:
        raise DataError(
            "PEN144",
            f"the columns have {frame.columns.nlevels} levels of names",
            where=where,
            remedy="join the levels: frame.columns = ['_'.join(map(str, names)) for names in frame.columns]",
        )
    names = [str(name) for name in frame.columns]
    require_names(names, where)
    if not names:
        raise DataError("PEN144", "the frame has no columns", where=where, remedy="give a frame with rows and columns")
    arrays = [_array(frame.iloc[:, at], name, where) for at, name in enumerate(names)]
    whole = pa.RecordBatch.from_arrays(arrays, names=names)
    schema = pa.schema([(field.name, kept_type(field.type)) for field in whole.schema])

    def batches() -> Iterator[pa.RecordBatch]:
        for start in range(0, whole.num_rows, BATCH_ROWS):
            yield kept(whole.slice(start, BATCH_ROWS), schema)

    return Table(schema, whole.num_rows, batches, facts)


def _array(values: pd.Series[Any], name: str, where: str) -> pa.Array:
    import pandas as pd
    import pyarrow as pa
    import pyarrow.compute as pc

    try:
        if isinstance(values.dtype, pd.DatetimeTZDtype):
            array = pc.assume_timezone(pa.array(values.dt.tz_convert(None)), "UTC")
        else:
            array = array_of(values.tolist()) if values.dtype == object else pa.array(values, from_pandas=True)
        array = array.combine_chunks() if isinstance(array, pa.ChunkedArray) else array
        if isinstance(array.type, pa.ExtensionType):
            return pa.array(values.astype("str"), from_pandas=True)
        return array
    except (pa.ArrowException, TypeError, ValueError) as error:
        raise DataError(
            "PEN144",
            f"column '{name}' holds values that cannot be kept: {examples(values.head(3).tolist())} ({error})",
            where=where,
            remedy="make it numbers, texts or points in time before the run",
        ) from None
