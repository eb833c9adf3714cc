"""Ingest: read the source, decide what each column is, give every row its identity."""

from __future__ import annotations

import hashlib
from pathlib import Path

from pydantic import BaseModel

from penstock.components.reading import read_table
from penstock.components.schema import ROW_ID, Problem, conform, infer_schema
from penstock.components.splitting import row_ids
from penstock.context import Run
from penstock.spec.data import Data, Ordinal
from penstock.store import Ref
from penstock.tasks.stage import stage


class Rows(BaseModel):
    """The rows as received, the same with every column in the form of its role, and what the columns are."""

    received: Ref
    frame: Ref
    schema_: Ref


@stage()
def ingest(run: Run, data: Data, problem: Problem, content: str, sample: int | None, seed: int) -> Rows:
    """All rows of the source, typed. `content` is the digest of the source's bytes: new bytes are read anew."""
    raw = read_table(run.base / data.source, sample=sample, seed=seed)
    roles = {name: role.ordinal if isinstance(role, Ordinal) else role for name, role in data.columns.items()}
    schema = infer_schema(
        raw, problem=problem, target=data.target, positive=data.positive, key=data.key, group=data.group, roles=roles
    )
    frame = conform(raw, schema, strict=True)
    frame.insert(0, ROW_ID, row_ids(raw, key=data.key, source=data.source))
    store = run.store
    return Rows(received=store.put_frame(raw), frame=store.put_frame(frame), schema_=store.put_facts(schema))


def source_digest(path: Path) -> str:
    """Digest of the source's bytes; empty where it cannot be read, which ingest then says better."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""
