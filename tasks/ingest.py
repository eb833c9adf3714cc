"""Ingest: read the source, decide what each column is, give every row its identity."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import Annotated, Any, cast

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from numpy.typing import NDArray
from pydantic import BaseModel

from penstock.components.schema import ROW_ID, Schema, conform, infer_schema, texts
from penstock.components.splitting import row_ids
from penstock.context import Run
from penstock.document.data import Reading as SourceFacts
from penstock.errors import DataError, did_you_mean
from penstock.problems import find, proposals
from penstock.problems.data import Rows
from penstock.sources.files import file_named
from penstock.sources.frames import frame_table
from penstock.sources.location import fill_in, place_of
from penstock.sources.options import Reading
from penstock.sources.reading import described_table, digest_of_file, opened
from penstock.sources.table import Table
from penstock.spec.data import SOURCE, Data, Ordinal, table_key
from penstock.stage import check, stage
from penstock.store import Ref, Store, Volatile

CELLS = 1 << 22  # held at once while columns are looked at


class Content(BaseModel):
    """What a source held when the run began: of a file the digest of its bytes, of all else the rows themselves."""

    name: str
    digest: str = ""
    held: Ref | None = None
    reading: Annotated[Ref[SourceFacts] | None, Volatile] = None


@stage(label=lambda table, **_: table)
def ingest(
    run: Run, data: Data, problem: str, content: Content, sample: int | None, seed: int, table: str = ""
) -> Rows:
    """All rows of the source, typed, in memory for one column or one part of the rows at a time.

    `table`: the name of a further one, which may not have the column that says which rows belong together.
    """
    store = run.store
    if content.held and content.reading:
        received, reading = content.held, content.reading
        found = _stored(store, received).sample(sample, seed)
        if found.positions is not None:
            received = store.put_batches(found.schema, found.batches())
    else:
        run.folder.mkdir(parents=True, exist_ok=True)
        folders = run.folders_of(table_key(table) if table else SOURCE)
        with opened(content.name, data.reading, run.base, folders=folders, scratch=run.folder) as whole:
            found = whole.sample(sample, seed)
            received, reading = store.put_batches(found.schema, found.batches()), _reading(store, found)
        if digest_of_file(file_named(content.name, run.base), folders) != content.digest:
            raise DataError(
                "PEN145",
                "the file changed while it was read",
                where=content.name,
                remedy="run again when nothing writes to it any more",
            )
    if table and data.group not in found.schema.names:
        data = data.model_copy(update={"group": None})
    _require_columns(find(problem).tables.get(table, ()), found, table)
    roles = {name: role.ordinal if isinstance(role, Ordinal) else role for name, role in data.columns.items()}
    schema = infer_schema(
        cast(pd.DataFrame, _ByColumn(store, received)),
        problem=problem,
        target_type=find(problem).target_type,
        proposals=proposals(),
        target=data.target,
        positive=data.positive,
        key=data.key,
        group=data.group,
        roles=roles,
    )
    frame = _conformed(store, received, schema, data, found.positions)
    grouping = schema.known_grouping
    truth = _truth(store, received, frame, grouping) if grouping else None
    return Rows(received=received, frame=frame, schema_=store.put_facts(schema), truth=truth, reading=reading)


def take(run: Run, data: Data, timezone: str, key: str = SOURCE) -> Content:
    """The source as it is now. Rows that are not in a file here are brought into the store: they may soon be others."""
    name = fill_in(data.source, run.started, timezone)
    place, folders = place_of(name), run.folders_of(key)
    if place == "file":
        return Content(name=name, digest=digest_of_file(file_named(name, run.base), folders))
    return (_read if place == "bundled" else fetch)(run, name, data.reading, key)


@stage(cached=False)
def fetch(run: Run, name: str, reading: Reading, key: str) -> Content:
    """Rows from elsewhere, as they are now. `key`: of the pipeline file, which names them."""
    return _read(run, name, reading, key)


def _read(run: Run, name: str, reading: Reading, key: str) -> Content:
    run.folder.mkdir(parents=True, exist_ok=True)
    with opened(name, reading, run.base, folders=run.folders_of(key), scratch=run.folder) as table:
        return _hold(run.store, table)


def hold_frame(store: Store, frame: pd.DataFrame) -> Content:
    """Rows that were given in Python, in the place of the pipeline's source."""
    table = frame_table(frame, "data", {"format": "DataFrame"})
    return _hold(store, described_table(table, "a data frame", Reading()).require_rows(2, "data"))


@check
def tell(run: Run, rows: Rows) -> None:
    """A line for people: what was found out about the source."""
    run.note({"event": "reading", "summary": run.store.facts(rows.reading).summary})


def _require_columns(names: Sequence[str], found: Table, table: str) -> None:
    missing = [name for name in names if name not in found.schema.names]
    if missing:
        raise DataError(
            "PEN157",
            f"the table '{table}' has no column '{missing[0]}'",
            where=f"data.tables.{table}",
            remedy=did_you_mean(missing[0], found.schema.names),
        )


def _reading(store: Store, table: Table) -> Ref[SourceFacts]:
    return store.put_facts(SourceFacts.model_validate(table.facts))


def _hold(store: Store, table: Table) -> Content:
    held = store.put_batches(table.schema, table.batches())
    return Content(name=table.facts["source"], held=held, reading=_reading(store, table))


def _stored(store: Store, ref: Ref) -> Table:
    with pq.ParquetFile(store.path(ref)) as file:
        schema, rows = file.schema_arrow, file.metadata.num_rows
    return Table(schema, rows, lambda: store.batches(ref), {})


def _conformed(store: Store, received: Ref, schema: Schema, data: Data, positions: NDArray[np.int64] | None) -> Ref:
    """Every column in the form of its role, one part of the rows at a time. `positions`: of sampled rows."""
    if data.key:
        names = store.frame(received, columns=[data.key])
    else:
        names = pd.DataFrame(index=range(_stored(store, received).rows) if positions is None else positions)
    ids = row_ids(names, key=data.key, source=data.source).reset_index(drop=True)
    data_split = _parts(store, received, schema, ids)
    first = next(data_split)
    kinds = pa.Schema.from_pandas(first, preserve_index=False).remove_metadata()
    batches = (pa.RecordBatch.from_pandas(part, kinds, preserve_index=False) for part in chain([first], data_split))
    return store.put_batches(kinds, batches)


def _truth(store: Store, received: Ref, frame: Ref, name: str) -> Ref:
    """The identity of each row, and the group that it is known to be of."""
    known = store.frame(frame, columns=[ROW_ID])
    return store.put_frame(known.assign(truth=texts(store.frame(received, columns=[name])[name]).to_numpy()))


def _parts(store: Store, received: Ref, schema: Schema, ids: pd.Series[str]) -> Iterator[pd.DataFrame]:
    start = 0
    for batch in store.batches(received):
        frame = conform(batch.to_pandas(), schema, strict=True)
        frame = frame.drop(columns=schema.known_grouping or [])
        frame.insert(0, ROW_ID, ids.iloc[start : start + len(frame)].to_numpy())
        start += len(frame)
        yield frame


class _ByColumn:
    """Stands for the whole frame where one column after the other is looked at.

    Every read goes through the descriptions of all columns, so that short columns are read many at once.
    """

    def __init__(self, store: Store, ref: Ref) -> None:
        self.store, self.ref = store, ref
        table = _stored(store, ref)
        self.columns = table.schema.names
        self._at_once = max(1, CELLS // max(1, table.rows))
        self._places = {name: place for place, name in enumerate(self.columns)}
        self._near = pd.DataFrame()

    def __getitem__(self, name: str) -> pd.Series[Any]:
        if name not in self._near.columns:
            first = self._places[name] // self._at_once * self._at_once
            self._near = self.store.frame(self.ref, columns=self.columns[first : first + self._at_once])
        return self._near[name]
