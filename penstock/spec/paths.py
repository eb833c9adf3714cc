"""Files and hosts that a pipeline file may name: those of its project, and those that the user has allowed.

A pipeline file is passed from hand to hand, and scheduled under accounts that may read more than its author.
What stands on the command line is the user's own word, and so is what `penstock init` was asked to look at.
The same is evaluated again where a file is opened: links may have changed by then.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from urllib.parse import urlsplit

from penstock.settings import Settings
from penstock.sources.address import address_of
from penstock.sources.files import file_named, resolve
from penstock.sources.hosts import require_allowed
from penstock.sources.location import place_of
from penstock.sources.remote import require_host
from penstock.sources.sql_access import database_file, require_written
from penstock.spec.pipeline import Spec
from penstock.store import write_atomically

WRITTEN = "validation.written"
ENGINE = "engine.dask.address"


def require_inside(spec: Spec, pipeline: Path, overrides: Iterable[str]) -> None:
    """`overrides`: texts such as `data.source=sales.csv`, which the user has given beside the file."""
    folder = pipeline.resolve().parent
    folders, free = allowed(folder), named_by_user(spec, overrides)
    for key, source in spec.data.sources.items():
        if key not in free:
            _require_source_inside(source, folder, folders, f"{pipeline}: {key}")
    dask = spec.engine.dask
    if dask and dask.address and ENGINE not in free:
        scheduler = urlsplit(dask.address)
        require_allowed(scheduler.hostname or "", scheduler.port, f"{pipeline}: {ENGINE}")
    if WRITTEN not in free and spec.validation.written:
        resolve(file_named(spec.validation.written, folder), folders, f"{pipeline}: {WRITTEN}")


def _require_source_inside(source: str, folder: Path, folders: tuple[Path, ...], where: str) -> None:
    place = place_of(source)
    if place == "file":
        resolve(file_named(source, folder), folders, where)
    elif place == "database":
        require_written(source, folder, folders, where)
    elif place == "remote":
        address = address_of(source)
        require_host(address, where)
        if address.path:
            resolve(file_named(address.path, folder), folders, where)


def named_by_user(spec: Spec, overrides: Iterable[str]) -> tuple[str, ...]:
    """The keys that name files and hosts, as far as the user has given them beside the file, or a key above."""
    given = tuple(f"{override.partition('=')[0].strip()}." for override in overrides)
    return tuple(key for key in (*spec.data.sources, WRITTEN, ENGINE) if f"{key}.".startswith(given))


def allow(source: str, pipeline: Path) -> None:
    """Remember, in this home, that the user has named this source for this pipeline."""
    for path in local_files(source):
        _remember(Path(path).parent if "{" in path else Path(path), pipeline)


def local_files(source: str) -> list[str]:
    """The file of this machine that a source's text names, also at the end of a chain of URLs or as a database."""
    place = place_of(source)
    if place == "file":
        return [source]
    found = database_file(source) if place == "database" else address_of(source).path if place == "remote" else None
    return [found.removeprefix("file:")] if found else []


def _remember(file: Path, pipeline: Path) -> None:
    file = file.expanduser().resolve()
    if not any(file.is_relative_to(place) for place in allowed(pipeline.resolve().parent)):
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


def allowed(folder: Path) -> tuple[Path, ...]:
    """Folders that hold what a pipeline file in this folder may name, its project first."""
    return (project_of(folder), *(path.resolve() for path in Settings.from_environment().allowed_paths()))
