"""From a table to its first pipeline file and its first written suite."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import BaseModel

from penstock.components.reading import read_table
from penstock.errors import UsageError
from penstock.starter.look import Found, look
from penstock.starter.pipeline import declared, pipeline_text
from penstock.starter.suite import suite_text
from penstock.store import write_atomically


class Begun(BaseModel):
    """The files written, and what they say."""

    name: str
    source: str
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
        return {"name": self.name, "source": self.source, **facts, "columns": columns, **files}


def read(source: Path) -> pd.DataFrame:
    return read_table(source)


def begin(
    frame: pd.DataFrame,
    source: Path,
    *,
    target: str | None,
    problem: str | None,
    out: Path | None = None,
    force: bool = False,
) -> Begun:
    """Look at the rows of `source` and write both files, each whole or not at all; only force replaces any."""
    name = _name(out.name if out else source.name)
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
    found = look(frame, target, problem)
    place = _relative(source, pipeline)
    write_atomically(suite, suite_text(frame, found, source=place, file=pipeline.name).encode())
    text = pipeline_text(found, name=name, source=place, file=pipeline.name, suite=suite.name)
    write_atomically(pipeline, text.encode())
    return Begun(name=name, source=place, pipeline=pipeline, suite=suite, found=found)


def _name(file: str) -> str:
    """A name that a pipeline may have, from a file's."""
    stem = re.sub(r"[^a-z0-9_-]+", "-", file.split(".")[0].lower()).strip("-_")
    return (stem if stem[:1].isalpha() else f"p-{stem}".strip("-"))[:63]


def _relative(source: Path, pipeline: Path) -> str:
    """Relative where the data are below the pipeline file, so that both can move together."""
    source, folder = source.resolve(), pipeline.resolve().parent
    return str(source.relative_to(folder)) if source.is_relative_to(folder) else str(source)
