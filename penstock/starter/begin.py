"""From a table to its first pipeline file and its first written suite."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import BaseModel

from penstock.components.sources.location import (
    fill_in,
    place_of,
    require_known_placeholders,
    require_no_secret,
)
from penstock.components.sources.options import reading_of
from penstock.components.sources.reading import opened
from penstock.errors import UsageError
from penstock.starter.look import Found, look
from penstock.starter.pipeline import declared, pipeline_text
from penstock.starter.suite import suite_text
from penstock.store import write_atomically

PLAIN = {"delimiter": ",", "decimal": ".", "encoding": "utf-8", "header": True}


@dataclass(frozen=True)
class Taken:
    """The rows of a source, how they were read in words, and what of it a pipeline file should hold on to."""

    source: str
    frame: pd.DataFrame
    summary: str
    reading: dict[str, Any]


class Begun(BaseModel):
    """The files written, and what they say."""

    name: str
    source: str
    reading: str
    pipeline: Path
    suite: Path
    found: Found

    def document(self) -> dict[str, Any]:
        """For scripts."""
        found = self.found
        columns = [
            {
                "name": column.name,
                "role": found.corrections[column.name].role if column.name in found.corrections else declared(column),
                "reason": column.reason,
                "suggests": column.suggests,
                "written": column.name in found.corrections,
            }
            for column in found.columns
        ]
        facts = found.model_dump(mode="json", include={"rows", "problem", "why", "target", "key", "group", "metric"})
        files = {"pipeline": str(self.pipeline), "suite": str(self.suite)}
        return {"name": self.name, "source": self.source, "reading": self.reading, **facts, "columns": columns, **files}


def take(source: str, reading: Sequence[str] = ()) -> Taken:
    """All rows of whatever a pipeline's `data.source` can be; `reading` are texts such as `delimiter=;`."""
    require_no_secret(source)
    require_known_placeholders(source)
    how = reading_of(reading)
    with opened(fill_in(source, datetime.now(UTC), "UTC"), how, Path()) as table:
        frame, facts = table.frame(), table.facts
    found = {name: facts[name] for name in (*PLAIN, "thousands", "sheet") if facts.get(name) is not None}
    unusual = {name: value for name, value in found.items() if value != PLAIN.get(name)}
    return Taken(source, frame, facts["summary"], unusual | how.declared())


def begin(
    taken: Taken,
    *,
    target: str | None,
    problem: str | None,
    out: Path | None = None,
    force: bool = False,
) -> Begun:
    """Look at the rows and write both files, each whole or not at all; only force replaces any."""
    name = _name(out.name if out else Path(taken.source).name)
    pipeline = out or Path(f"{name}.yaml")
    suite = pipeline.with_name(f"{pipeline.stem}.expectations.yaml")
    for file in (pipeline, suite):
        if file.exists() and not force:
            raise UsageError(
                "PEN166",
                f"'{file}' is there already",
                where=str(file),
                remedy="say --force to replace it, or --out with the path of another file",
            )
    found = look(taken.frame, target, problem)
    source = _relative(taken.source, pipeline) if place_of(taken.source) == "file" else taken.source
    write_atomically(suite, suite_text(taken.frame, found, source=source, file=pipeline.name).encode())
    text = pipeline_text(found, name=name, source=source, reading=taken.reading, file=pipeline.name, suite=suite.name)
    write_atomically(pipeline, text.encode())
    return Begun(name=name, source=source, reading=taken.summary, pipeline=pipeline, suite=suite, found=found)


def _name(file: str) -> str:
    """A name that a pipeline may have, from a file's."""
    stem = re.sub(r"[^a-z0-9_-]+", "-", file.rpartition(":")[2].split(".")[0].lower()).strip("-_")
    return (stem if stem[:1].isalpha() else f"p-{stem}".strip("-"))[:63]


def _relative(source: str, pipeline: Path) -> str:
    """Relative where the data are below the pipeline file, so that both can move together."""
    file, folder = Path(os.path.abspath(source)), Path(os.path.abspath(pipeline)).parent
    return str(file.relative_to(folder) if file.is_relative_to(folder) else file)
