"""Files that a pipeline file may name: those of its project, and those that the user has allowed.

A pipeline file is passed from hand to hand, and scheduled under accounts that may read more than its author.
What stands on the command line is the user's own word, and so is what `penstock init` was asked to look at.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

from penstock.components.sources.location import place_of
from penstock.errors import UsageError
from penstock.settings import ALLOW_PATHS, Settings
from penstock.spec.pipeline import Spec
from penstock.store import write_atomically


def require_inside(spec: Spec, pipeline: Path, overridden: set[str]) -> None:
    """`overridden`: keys that the user has given beside the file."""
    named = [("data.source", path) for path in local_files(spec.data.source)]
    named += [("validation.written", spec.validation.written)] if spec.validation.written else []
    folder = pipeline.resolve().parent
    for key, path in named:
        if key in overridden or key.partition(".")[0] in overridden:
            continue
        file = (folder / os.path.expanduser(path)).resolve()
        if not any(file.is_relative_to(place) for place in _allowed(folder)):
            raise UsageError(
                "PEN056",
                f"'{path}' is outside the project, {project_of(folder)}",
                where=f"{pipeline}: {key}",
                remedy=f"move it into the project, or allow its folder: export {ALLOW_PATHS}={file.parent}; for once, "
                f"--set {key}={file}",
            )


def allow(source: str, pipeline: Path) -> None:
    """Remember, in this home, that the user has named this source for this pipeline."""
    for path in local_files(source):
        _remember(Path(path).parent if "{" in path else Path(path), pipeline)


def local_files(source: str) -> list[str]:
    """The files of this machine that a source's text names, also within a chain of URLs or as a database."""
    if place_of(source) == "file":
        return [source]
    files = []
    for url in source.split("::"):
        scheme, _, rest = url.partition("://")
        if scheme in ("file", "local"):
            files.append(rest)
        elif re.split(r"[+:]", scheme)[0] in ("sqlite", "duckdb"):
            database = rest.removeprefix("/").partition("?")[0].removeprefix("file:")
            files += [database] if database not in ("", ":memory:") else []
    return files


def _remember(file: Path, pipeline: Path) -> None:
    file = file.resolve()
    if not any(file.is_relative_to(place) for place in _allowed(pipeline.resolve().parent)):
        kept = Settings.from_environment().allowed_paths_file
        known = kept.read_text(encoding="utf-8") if kept.exists() else ""
        write_atomically(kept, f"{known}{file}\n".encode())


def project_of(folder: Path) -> Path:
    """The repository around the folder; without one the working folder, if it is above; else the folder itself."""
    for above in (folder, *folder.parents):
        if (above / ".git").exists():
            return above
    here = Path.cwd().resolve()
    return here if folder.is_relative_to(here) and here != Path(here.anchor) else folder


def _allowed(folder: Path) -> list[Path]:
    return [project_of(folder), *(path.resolve() for path in Settings.from_environment().allowed_paths())]
