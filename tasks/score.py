"""Score: a registered model over rows of any length, part by part on a cluster."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from functools import lru_cache
from pathlib import Path
from typing import Any

import pyarrow as pa
from pydantic import BaseModel

from penstock.components.policies import Tally
from penstock.context import Run
from penstock.model import PenstockModel, load_bundle
from penstock.scoring import batch
from penstock.scoring.batch import Done, Job
from penstock.scoring.chunk import Chunk, Terms, score_chunk
from penstock.stage import stage
from penstock.store import Ref

PARTS_AT_ONCE = 32


def score_rows_on(run: Run, job: Job, tell: batch.Progress) -> Done:
    """On a cluster: rows go there part by part, and scores come back in their order."""
    model = run.store.put_file("estimator", job.file)

    def scorer(_: PenstockModel, rows: pa.Table, terms: Terms, start: int) -> Callable[[], Chunk]:
        sent = run.store.put_batches(rows.schema, rows.to_batches())
        run.store.forget(sent)
        wait = score_part.submit(run, model, sent, run.store.put_facts(terms), start)
        return lambda: _fetched(run, wait())

    return batch.score_rows(job, tell, scorer, PARTS_AT_ONCE)


class ScoredChunk(BaseModel):
    """A scored part in the store."""

    scores: Ref
    scored: int
    quarantined: Ref
    tallies: list[dict[str, Any]]
    abstained: int
    imputed: int


@stage(cached=False, travels=True, label=lambda start, **_: f"from row {start + 1}")
def score_part(run: Run, model: Ref, rows: Ref, terms: Ref[Terms], start: int) -> ScoredChunk:
    """On a worker, which keeps no copies: each part is needed once."""
    store = run.store
    asked = store.facts(terms)
    chunk = score_chunk(_loaded(store.path(model)), store.table(rows), asked, start)
    tables = [store.put_batches(table.schema, table.to_batches()) for table in (chunk.scores, chunk.quarantined)]
    store.forget(rows, *tables)
    tallies = [asdict(tally) for tally in chunk.tallies]
    return ScoredChunk(
        scores=tables[0],
        scored=chunk.scored,
        quarantined=tables[1],
        tallies=tallies,
        abstained=chunk.abstained,
        imputed=chunk.imputed,
    )


@lru_cache(maxsize=1)
def _loaded(path: Path) -> PenstockModel:
    return load_bundle(path)


def _fetched(run: Run, part: ScoredChunk) -> Chunk:
    scores, quarantined = (run.store.table(ref) for ref in (part.scores, part.quarantined))
    run.store.forget(part.scores, part.quarantined)
    tallies = [Tally(**tally) for tally in part.tallies]
    return Chunk(scores, part.scored, quarantined, tallies, abstained=part.abstained, imputed=part.imputed)
