"""Scoring from a source to a destination: what is ordered, the rows part by part, and the delivery."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
from pydantic import BaseModel, ConfigDict, Field

from penstock.components.contract import Rule
from penstock.components.formulas import Formulas, formulas_named
from penstock.components.policies import (
    UNIQUE,
    Policies,
    Tally,
    falls_on_rows,
    policies_of,
    refused,
    sort_out,
    value_hashes,
    warnings_in,
)
from penstock.components.schema import require_columns, texts
from penstock.errors import DataError, EnvironmentFault, UsageError
from penstock.model import PenstockModel, load_bundle
from penstock.scoring.chunk import Chunk, Terms, score_chunk
from penstock.scoring.work import Counts, Work, identity_of
from penstock.settings import Settings
from penstock.sources.location import fill_in, require_known_placeholders, require_no_secret
from penstock.sources.options import reading_of
from penstock.sources.reading import opened
from penstock.sources.table import Table
from penstock.sources.writing import Destination
from penstock.store import digest_of

if TYPE_CHECKING:
    import pyarrow as pa

CHUNK_ROWS = 1 << 16

Progress = Callable[[int, int], None]
"""Called with the rows that are done, and all rows."""
Scorer = Callable[[PenstockModel, "pa.Table", Terms, int], Callable[[], Chunk]]
"""Begins to score rows, the first of which has this place in the source, and returns what waits for the scores."""


class Order(BaseModel):
    """What to score by what into what.

    `reading`, `on_breach`: texts like `delimiter=;` and `quarantine` or `age=impute`. `give`: what is asked for, by
    default all that the model gives. `table`: of a database. `formulas`: escape or keep, by default as the pipeline
    file said. Source and destination may hold `{date}`.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    model: str
    source: str
    destination: str
    table: str | None = None
    reading: list[str] = []
    give: list[str] = []
    on_breach: list[str] = []
    formulas: str | None = None
    chunk_rows: int = Field(default=CHUNK_ROWS, ge=1)


class Job(BaseModel):
    """An order with the version of the model that carries it out, and the folder where its work is kept."""

    order: Order
    name: str
    version: str
    digest: str
    file: Path
    folder: Path


class Done(BaseModel):
    """All rows are scored, and wait in the job's folder. `puts_aside`: whether a policy may have quarantined some."""

    rows: int
    scored: int = 0
    quarantined: int = 0
    abstained: int = 0
    imputed: int = 0
    breaches: list[dict[str, Any]] = []
    warnings: list[str] = []
    puts_aside: bool = False
    formulas: Formulas = "escape"
    parts: int = 0
    reused: int = 0
    seconds: float = 0.0

    def add(self, counts: Counts) -> None:
        self.parts += 1
        for name in ("scored", "quarantined", "abstained", "imputed"):
            setattr(self, name, getattr(self, name) + getattr(counts, name))


def prepare(order: Order) -> Job:
    """Refuse what cannot be, before any work; fetch the model."""
    from penstock.tracking import Tracking
    from penstock.tracking.registry import DIGEST_TAG

    name, _, which = order.model.partition("@")
    if not name:
        raise UsageError(
            "PEN016", f"'{order.model}' names no model", where="score", remedy="write name@champion or name@3"
        )
    for place in (order.source, order.destination):
        require_no_secret(place)
        require_known_placeholders(place)
    now = datetime.now(UTC)
    order = order.model_copy(
        update={"source": fill_in(order.source, now, "UTC"), "destination": fill_in(order.destination, now, "UTC")}
    )
    reading_of(order.reading)
    if order.formulas is not None:
        formulas_named(order.formulas)
    Destination(order.destination, order.table).require_possible()
    settings = Settings.from_environment()
    settings.apply()
    registry = Tracking(settings.tracking_uri, settings.artifact_root).registry
    version = registry.version(name, which or "champion")
    file = registry.download(name, version.version, settings.home / "downloads")
    where = digest_of([name, str(Path(order.source).absolute()), str(Path(order.destination).absolute()), order.table])
    return Job(
        order=order,
        name=name,
        version=version.version,
        digest=version.tags[DIGEST_TAG],
        file=file,
        folder=settings.home / "scoring" / where[:16],
    )


def here(model: PenstockModel, rows: pa.Table, terms: Terms, start: int) -> Callable[[], Chunk]:
    return lambda: score_chunk(model, rows, terms, start)


def score_rows(job: Job, progress: Progress = lambda done, rows: None, scorer: Scorer = here, at_once: int = 1) -> Done:
    """Score all rows into the job's folder; parts that are there already are not scored again."""
    started = time.perf_counter()
    order, model = job.order, load_bundle(job.file)
    model.require_columns(order.give)
    with opened(order.source, reading_of(order.reading), Path(), fewest_rows=1) as table:
        identity = identity_of(order.source, table)
        done = _Scoring(job, model, table, identity, scorer, at_once).run(progress)
        if identity_of(order.source, table) != identity:
            raise DataError(
                "PEN512",
                "the source was changed while it was scored",
                where=order.source,
                remedy="wait until it is written, and run the same command again",
            )
    formulas = formulas_named(order.formulas or policies_of(model.contract).formulas)
    return done.model_copy(update={"formulas": formulas, "seconds": time.perf_counter() - started})


def deliver(job: Job, done: Done) -> dict[str, Any]:
    """Write the scores whole or not at all, and what was put aside; returns what a person wants to know."""
    started = time.perf_counter()
    work = Work(job.folder)
    target = Destination(job.order.destination, job.order.table, done.formulas)
    aside = target.beside("quarantine") if done.puts_aside else None
    try:
        if aside:
            aside.write(work.tables("quarantined"))
        target.write(work.tables("scores"))
    except OSError as error:
        raise EnvironmentFault(
            "PEN916",
            f"the scores cannot be written there: {error.strerror or error}",
            where=target.name,
            remedy="put right what stands in the way and give the same command again: the rows are not scored anew",
        ) from error
    work.remove()
    return {
        **done.model_dump(include={"rows", "scored", "quarantined", "abstained", "imputed", "breaches", "warnings"}),
        "model": {"name": job.name, "version": job.version, "sha256": job.digest},
        "source": job.order.source,
        "destination": target.name,
        "table": target.table,
        "quarantine": (aside.table or aside.name) if aside else None,
        "chunks": {"scored": done.parts - done.reused, "reused": done.reused},
        "seconds": round(done.seconds + time.perf_counter() - started, 3),
    }


class _Scoring:
    """The rows of one source, part by part."""

    def __init__(
        self, job: Job, model: PenstockModel, table: Table, identity: list[Any], scorer: Scorer, at_once: int
    ) -> None:
        self.job, self.model, self.table, self.order = job, model, table, job.order
        self.scorer, self.at_once = scorer, at_once
        self.rules = model.rules
        self.work = Work(job.folder)
        self.wider: frozenset[int] = frozenset()
        self.parts = {
            "model": f"{job.name}@{job.version}",
            "sha256": job.digest,
            "identity": identity,
            "order": job.order.model_dump(mode="json", exclude={"model", "formulas"}),
            "types": str(table.schema),
        }

    def run(self, progress: Progress) -> Done:
        features = [column.name for column in self.model.schema.features]
        policies = policies_of(self.model.contract).overridden(self.order.on_breach, features)
        key = self.model.schema.named("key")
        falls = self.work.begin(self.parts)
        if falls is None:
            falls = falls_on_rows(self.rules, policies)
            self.work.restart(self.parts, falls)
        terms = Terms(
            give=tuple(self.order.give) or self.model.predictions.usual,
            policies=policies,
            falls=falls,
            key=key if key in self.table.schema.names else None,
            repeated=self._repeated(),
        )
        while (done := self._pass(terms, progress)) is None:
            # A share was exceeded: its rows are to be treated, those before as well.
            terms = terms.model_copy(update={"falls": terms.falls | self.wider})
            self.work.restart(self.parts, terms.falls)
        return done

    def _pass(self, terms: Terms, progress: Progress) -> Done | None:
        """Once through the rows; None where shares of rows turn out to be exceeded, by the rules in `wider`."""
        tallies = [Tally() for _ in self.rules]
        done = Done(rows=self.table.rows, puts_aside=terms.quarantines)
        start = 0
        for counts, reused in self._counted(terms):
            done.reused += reused
            done.add(counts)
            for tally, more in zip(tallies, counts.tallies, strict=True):
                tally.add(Tally(**more))
            start += counts.rows
            rejecting, self.wider = sort_out(
                self.rules, tallies, terms.policies, terms.falls, done.rows, ended=start == done.rows
            )
            if rejecting:
                self.work.remove()
                raise refused(rejecting)
            if self.wider:
                return None
            progress(start, done.rows)
        done.breaches = [
            _breach_facts(self.rules[at], tallies[at], terms.policies)
            for at in sorted(terms.falls)
            if tallies[at].count
        ]
        left = [at for at in range(len(self.rules)) if at not in terms.falls]
        found = warnings_in([self.rules[at] for at in left], [tallies[at] for at in left], done.rows)
        done.warnings = [finding["message"] for finding in found]
        return done

    def _counted(self, terms: Terms) -> Iterator[tuple[Counts, bool]]:
        """What became of each part, in their order, and whether it was there already."""
        waiting: deque[Callable[[], tuple[Counts, bool]]] = deque()
        start = 0
        for at, rows in enumerate(_ahead(cut(self.table, self._lengths()))):
            waiting.append(self._begin(at, rows, terms, start))
            start += rows.num_rows
            if len(waiting) == self.at_once:
                yield waiting.popleft()()
        while waiting:
            yield waiting.popleft()()

    def _begin(self, at: int, rows: pa.Table, terms: Terms, start: int) -> Callable[[], tuple[Counts, bool]]:
        kept, count = self.work.counts(at), rows.num_rows
        if kept is not None:
            return lambda: (kept, True)
        scored = self.scorer(self.model, rows, terms, start)
        return lambda: (self.work.keep(at, scored(), count), False)

    def _lengths(self) -> Iterator[int]:
        """Of the parts. The rows of a unit are never cut: where they are scattered over the source, parts grow."""
        unit, rows = self.model.predictions.unit_of(self.model.schema), self.order.chunk_rows
        if unit is None:
            return repeat(rows)
        require_columns(pd.DataFrame(columns=self.table.schema.names), [unit])
        return whole_units(texts(pd.concat([batch.to_pandas()[unit] for batch in self._columns([unit])])), rows)

    def _repeated(self) -> dict[int, list[int]]:
        found = {}
        for at, rule in enumerate(self.rules):
            if rule["type"] == UNIQUE:
                name = rule["kwargs"]["column"]
                parts = [value_hashes(batch.to_pandas()[name]) for batch in self._columns([name])]
                hashes, counts = np.unique(np.concatenate(parts), return_counts=True)
                found[at] = hashes[counts > 1].tolist()
        return found

    def _columns(self, names: list[str]) -> Iterator[pa.RecordBatch]:
        return (batch.select(names) for batch in self.table.batches())


def _breach_facts(rule: Rule, tally: Tally, policies: Policies) -> dict[str, Any]:
    finding = tally.finding(rule)
    kept = ("code", "column", "rule", "count", "examples", "message")
    return {"policy": policies.of(rule), **{name: finding[name] for name in kept}}


def whole_units(units: pd.Series[Any], rows: int) -> Iterator[int]:
    """Lengths of parts that cut no unit, as near above `rows` as its rows lie together."""
    codes, names = pd.factorize(units, use_na_sentinel=False)
    places = np.arange(len(codes))
    last = np.zeros(len(names), dtype=np.int64)
    last[codes] = places  # of equal codes the last place stays
    ends = np.flatnonzero(np.maximum.accumulate(last[codes]) == places) + 1
    start = 0
    while start < len(codes):
        end = int(ends[min(int(np.searchsorted(ends, start + rows)), len(ends) - 1)])
        yield end - start
        start = end


def cut(table: Table, lengths: Iterable[int]) -> Iterator[pa.Table]:
    """The rows in parts of these lengths, whatever the batches that they are read in; the last may be shorter."""
    import pyarrow as pa

    waiting: list[pa.RecordBatch] = []
    count, coming = 0, iter(lengths)
    rows = next(coming, 1)
    for batch in table.batches():
        waiting.append(batch)
        count += batch.num_rows
        while count >= rows:
            whole = pa.Table.from_batches(waiting, table.schema)
            yield whole.slice(0, rows)
            waiting = whole.slice(rows).to_batches()
            count -= rows
            rows = next(coming, 1)
    if count:
        yield pa.Table.from_batches(waiting, table.schema)


def _ahead(parts: Iterator[pa.Table]) -> Iterator[pa.Table]:
    """The same parts, each read while the one before is scored."""
    with ThreadPoolExecutor(1, thread_name_prefix="reading") as reader:
        coming = reader.submit(next, parts, None)
        while (part := coming.result()) is not None:
            coming = reader.submit(next, parts, None)
            yield part
