"""From a table to its first pipeline file and its first written suite."""

from __future__ import annotations

import os
import re
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pandas as pd
from pydantic import BaseModel

from penstock.errors import EnvironmentFault, UsageError, shorten
from penstock.sources.location import (
    fill_in,
    place_of,
    require_known_placeholders,
    require_no_secret,
)
from penstock.sources.options import reading_of
from penstock.sources.reading import opened
from penstock.sources.sql import url_of
from penstock.spec.paths import local_files
from penstock.starter.look import Found, look
from penstock.starter.pipeline import declared, pipeline_text
from penstock.starter.suite import suite_text
from penstock.store import write_atomically

PLAIN = {"delimiter": ",", "decimal": ".", "encoding": "utf-8", "header": True}


@dataclass(frozen=True)
class Taken:
    """The rows of a source, how they were read in words, and what of it a pipeline file should hold on to.

    `files`: those of this machine that the rows came from.
    """

    source: str
    files: list[Path]
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
    today = fill_in(source, datetime.now(UTC), "UTC")
    with opened(today, how, Path()) as table:
        frame, facts = table.frame(), table.facts
    found = {name: facts[name] for name in (*PLAIN, "thousands", "sheet") if facts.get(name) is not None}
    unusual = {name: value for name, value in found.items() if value != PLAIN.get(name)}
    files = [Path(file) for file in local_files(url_of(today) if place_of(today) == "database" else today)]
    return Taken(source, files, frame, facts["summary"], unusual | how.declared())


def begin(
    taken: Taken,
    *,
    target: str | None,
    problem: str | None,
    out: Path | None = None,
    force: bool = False,
) -> Begun:
    """Look at the rows and write both files, or none; only force replaces any."""
    name = _name(out.name if out else Path(taken.source).name)
    pipeline = out or Path(f"{name}.yaml")
    _require_place(pipeline, taken.files, force)
    suite = pipeline.with_name(f"{pipeline.stem}.expectations.yaml")
    _require_place(suite, taken.files, force)
    found = look(taken.frame, target, problem)
    source = _relative(taken.source, pipeline) if place_of(taken.source) == "file" else taken.source
    rules = suite_text(taken.frame, found, source=source, file=pipeline.name)
    text = pipeline_text(found, name=name, source=source, reading=taken.reading, file=pipeline.name, suite=suite.name)
    _write({suite: rules, pipeline: text})
    return Begun(name=name, source=source, reading=taken.summary, pipeline=pipeline, suite=suite, found=found)


def _require_place(file: Path, data: list[Path], force: bool) -> None:
    """The place is free, or holds what may be replaced: never a folder, never the data themselves."""
    if os.path.isdir(file):
        taken, remedy = "is a folder", f"say --out with the path of a file, such as {file / 'pipeline.yaml'}"
    elif any(os.path.exists(file) and os.path.exists(one) and os.path.samefile(file, one) for one in data):
        taken, remedy = "holds the data", "say --out with the path of another file, such as pipeline.yaml"
    elif os.path.exists(file) and not force:
        taken, remedy = "is there already", "say --force to replace it, or --out with the path of another file"
    else:
        return
    raise UsageError("PEN166", f"'{file}' {taken}", where=str(file), remedy=remedy)


def _write(files: dict[Path, str]) -> None:
    before: dict[Path, bytes | None] = {}
    try:
        for file in files:
            before[file] = file.read_bytes() if os.path.exists(file) else None
        for file, text in files.items():
            write_atomically(file, text.encode())
    except (OSError, EnvironmentFault) as error:
        for written, content in before.items():
            with suppress(OSError, EnvironmentFault):
                written.unlink() if content is None else write_atomically(written, content)
        if isinstance(error, EnvironmentFault):
            raise
        raise UsageError(
            "PEN166",
            f"no file can be written here: {error.strerror}",
            where=shorten(str(file), 300),
            remedy="say --out with the path of another file, such as pipeline.yaml",
        ) from None


def _name(file: str) -> str:
    """A name that a pipeline may have, from a file's."""
    stem = re.sub(r"[^a-z0-9_-]+", "-", file.rpartition(":")[2].split(".")[0].lower()).strip("-_")
    return (stem if stem[:1].isalpha() else f"p-{stem}".strip("-"))[:63]


def _relative(source: str, pipeline: Path) -> str:
    """Relative where the data are below the pipeline file, so that both can move together."""
    file, folder = Path(os.path.abspath(source)), Path(os.path.abspath(pipeline)).parent
    return str(file.relative_to(folder) if file.is_relative_to(folder) else file)
