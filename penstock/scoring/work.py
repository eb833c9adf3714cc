"""What a scoring has done so far, on disk: killed and started again, it goes on from there."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import Any

import pyarrow as pa
from filelock import FileLock, Timeout
from pydantic import BaseModel

from penstock.errors import EnvironmentFault
from penstock.home.disk import disk_fault
from penstock.scoring.chunk import Chunk
from penstock.sources.files import file_named
from penstock.sources.location import place_of
from penstock.sources.parquet import part_files
from penstock.sources.table import Table
from penstock.store import canonical_json, write_atomically

RECORD = "record.json"
FACTS = b"penstock"


class Counts(BaseModel):
    """What is known of a finished part beside its scores."""

    rows: int
    scored: int
    quarantined: int
    abstained: int
    imputed: int
    tallies: list[dict[str, Any]]


class Work:
    """A folder with one file for each finished part, and what they were made from."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def begin(self, parts: dict[str, Any]) -> frozenset[int] | None:
        """Keep what a scoring of the same parts has done, and return the rules by which it treated rows."""
        known = self._record()
        if known and known["parts"] == json.loads(canonical_json(parts)):
            return frozenset(known["falls"])
        shutil.rmtree(self.folder, ignore_errors=True)
        return None

    def restart(self, parts: dict[str, Any], falls: frozenset[int]) -> None:
        """Forget all parts; those to come treat rows by `falls`."""
        shutil.rmtree(self.folder, ignore_errors=True)
        write_atomically(self.folder / RECORD, canonical_json({"parts": parts, "falls": sorted(falls)}))

    def keep(self, at: int, chunk: Chunk, rows: int) -> Counts:
        counts = Counts(
            rows=rows,
            scored=chunk.scored,
            quarantined=chunk.quarantined.num_rows,
            abstained=chunk.abstained,
            imputed=chunk.imputed,
            tallies=[asdict(tally) for tally in chunk.tallies],
        )
        if chunk.quarantined.num_rows or at == 0:
            self._write(self._path(at, "quarantined"), chunk.quarantined, {})
        self._write(self._path(at, "scores"), chunk.scores, {FACTS: canonical_json(counts)})
        return counts

    def counts(self, at: int) -> Counts | None:
        """Of a finished part; None where it is not there, or was cut short when the machine stopped."""
        with suppress(OSError, pa.ArrowInvalid), pa.memory_map(str(self._path(at, "scores"))) as file:
            return Counts.model_validate_json(pa.ipc.open_file(file).schema.metadata[FACTS])
        return None

    def tables(self, kind: str) -> Iterator[pa.Table]:
        """All finished parts, in order."""
        for path in sorted(self.folder.glob(f"*.{kind}.arrow")):
            with pa.memory_map(str(path)) as file:
                yield pa.ipc.open_file(file).read_all().replace_schema_metadata(None)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)

    def _record(self) -> dict[str, Any] | None:
        with suppress(OSError, ValueError):
            record: dict[str, Any] = json.loads((self.folder / RECORD).read_bytes())
            return record
        return None

    def _path(self, at: int, kind: str) -> Path:
        return self.folder / f"{at:08d}.{kind}.arrow"

    def _write(self, path: Path, table: pa.Table, facts: dict[bytes, bytes]) -> None:
        temporary = path.with_name(f".writing-{path.name}")
        try:
            with pa.OSFile(str(temporary), "wb") as file:
                table = table.replace_schema_metadata(facts).combine_chunks()
                with pa.ipc.new_file(file, table.schema) as writer:
                    writer.write_table(table)
            os.replace(temporary, path)
        except OSError as error:
            raise disk_fault(error, path) from error


@contextmanager
def alone(folder: Path) -> Iterator[None]:
    """Only one scoring of the same source into the same destination at a time."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    lock = FileLock(folder.with_suffix(".lock"))
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise EnvironmentFault(
            "PEN913",
            "the same scoring is going on already",
            where=str(folder),
            remedy="wait until it has ended, or name another destination",
        ) from None
    try:
        yield
    finally:
        lock.release()


def identity_of(source: str, table: Table) -> list[Any]:
    """What tells that a source has changed: of files name, size and time, of anything else all of its content."""
    if place_of(source) == "file":
        path = file_named(source, Path()).absolute()
        files = part_files(path) if path.is_dir() else [path]
        return [[str(file), (found := file.stat()).st_size, found.st_mtime_ns, found.st_ino] for file in files]
    digest = hashlib.sha256(table.schema.serialize())
    for batch in table.batches():
        digest.update(batch.serialize())
    return [digest.hexdigest()]
