"""What a home no longer needs: found first, removed only when asked.

A run is kept if it is among the newest of its pipeline, if it made a registered version, if a kept run repeats it, or
if it was stopped and nothing of its pipeline has come to an end since; of looks for drift the newest are kept too. What
a kept run names is kept: its records, and every object that these or other kept objects speak of. How often test rows
have evaluated is never forgotten, and MLflow's and Prefect's databases are theirs to clean. A store that homes share is
left alone, as no home knows what the others need: of it, only this home's copies go.
"""

from __future__ import annotations

import re
import shutil
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from penstock.actions.records import record_of
from penstock.context import read_journal
from penstock.errors import EnvironmentFault
from penstock.home import runs
from penstock.settings import Settings
from penstock.store import open_store
from penstock.tracking import Tracking
from penstock.tracking.registry import DIGEST_TAG

DIGEST = re.compile(rb"\b[0-9a-f]{64}\b")
FORGOTTEN = 7 * 86400.0  # seconds after which a stopped scoring is not expected to go on any more
ABANDONED = 3600.0  # seconds after which a half-written file has no writer any more


@dataclass(frozen=True)
class Leftovers:
    """Files and folders by what they are, and the runs that stay."""

    found: dict[str, list[Path]]
    kept: list[str] = field(default_factory=list)

    def document(self) -> dict[str, Any]:
        parts = {
            name: {"count": len(paths), "bytes": sum(map(_bytes, paths))} for name, paths in self.found.items() if paths
        }
        return {"leftovers": parts, "bytes": sum(part["bytes"] for part in parts.values()), "kept_runs": self.kept}

    def remove(self) -> None:
        """Records before the objects that they name, so that whoever starts meanwhile finds no empty promise."""
        for paths in self.found.values():
            for path in paths:
                if path.is_dir() and not path.is_symlink():
                    shutil.rmtree(path, ignore_errors=True)
                else:
                    path.unlink(missing_ok=True)


def find_leftovers(settings: Settings, keep: int) -> Leftovers:
    """What may go, if the newest `keep` runs of each pipeline stay."""
    _refuse_while_running(settings)
    tracking = Tracking(settings.tracking_uri, settings.artifact_root)
    versions = [version for name in tracking.registry.names() for version in tracking.registry.versions(name)]
    made = {version.run_id for version in versions}
    kept = _kept_runs(settings, keep, tracking, made)
    records, objects = _reached(settings, kept)
    models = {version.tags.get(DIGEST_TAG) for version in versions}
    store, home = settings.store, settings.home
    found = {
        "runs": [folder for folder in _below(settings.runs, "*") if folder.name not in kept],
        "records": [path for path in _below(store / "actions", "*/*.json") if path.stem not in records],
        "answers kept for Prefect": [
            path for path in _below(settings.prefect / "storage", "*") if path.name not in records
        ],
        "objects": [path for path in _below(store / "objects", "*/[0-9a-f]*.*") if path.stem not in objects],
        "fetched models": [path for path in _below(home / "downloads", "*.skops") if path.stem not in models],
        "fetched samples": [path for path in _below(home / "downloads", "*/") if path.name not in made],
        "stopped scorings": [
            path
            for path in _below(home / "scoring", "*")
            if path.is_dir() and time.time() - path.stat().st_mtime > FORGOTTEN
        ],
        "half-written files": [
            path for path in _below(home, "**/.writing-*") if time.time() - path.lstat().st_mtime > ABANDONED
        ],
    }
    return Leftovers(found, sorted(kept))


def _refuse_while_running(settings: Settings) -> None:
    dead = set(runs.dead(settings.home))
    alive = [path.stem for path in _below(settings.home / "running", "*.json") if path.stem not in dead]
    if alive:
        raise EnvironmentFault(
            "PEN908",
            f"{len(alive)} run(s) are going on here: {', '.join(alive[:3])}",
            where=str(settings.home),
            remedy="wait until they have ended; what they use is not yet written down",
        )


def _kept_runs(settings: Settings, keep: int, tracking: Tracking, registered: set[str]) -> set[str]:
    finished_runs, looks = runs.finished_runs(settings.home), _looks(settings)
    kept = {run for ended in (finished_runs, looks) for of_one in _by_pipeline(ended).values() for run in of_one[:keep]}
    kept |= {run["run"] for run in tracking.runs() if run["mlflow_run"] in registered}
    kept |= {str(origin) for run in kept & set(finished_runs) if (origin := runs.origin_of(settings.home, run))}
    return kept | set(_stopped(settings, finished_runs)) - (set(looks) - kept)


def _looks(settings: Settings) -> list[str]:
    """Runs of `penstock monitor` that came to their end, the newest first."""
    found = {path.parent.name: path.stat().st_mtime for path in settings.runs.glob("*/drift.json")}
    return sorted(found, key=lambda run: found[run], reverse=True)


def _stopped(settings: Settings, finished_runs: list[str]) -> Iterator[str]:
    """Runs that did not come to their end, and after which none of their pipeline did."""
    folders = {folder.name: folder.stat().st_mtime for folder in settings.runs.glob("*")}
    for of_pipeline in _by_pipeline(folders).values():
        ended = max((folders[run] for run in of_pipeline if run in finished_runs), default=0.0)
        yield from (run for run in of_pipeline if run not in finished_runs and folders[run] > ended)


def _by_pipeline(run_ids: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for run in run_ids:
        found.setdefault(runs.pipelines([run])[0], []).append(run)
    return found


def _reached(settings: Settings, kept: Iterable[str]) -> tuple[set[str], set[str]]:
    """Keys of records and digests of objects that kept runs lead to."""
    records: set[str] = set()
    waiting: set[str] = set()
    for run in kept:
        folder = settings.runs / run
        records |= {str(event["key"]) for event in read_journal(folder) if event.get("key")}
        if (folder / "run.json").exists():
            waiting |= _digests((folder / "run.json").read_bytes())
    store = open_store(settings.home, settings.shared_store)
    for key in records:
        waiting |= _digests(store.read(record_of(key)) or b"")
    objects: set[str] = set()
    while waiting:
        digest = waiting.pop()
        if digest not in objects:
            objects.add(digest)
            facts = settings.store / "objects" / digest[:2] / f"{digest}.json"
            waiting |= _digests(facts.read_bytes()) if facts.exists() else set()
    return records, objects


def _digests(content: bytes) -> set[str]:
    return {found.decode() for found in DIGEST.findall(content)}


def _bytes(path: Path) -> int:
    if path.is_dir() and not path.is_symlink():
        return sum(part.stat().st_size for part in path.rglob("*") if part.is_file())
    return path.lstat().st_size


def _below(folder: Path, pattern: str) -> list[Path]:
    """What lies in a folder, in order; nothing that a link below it leads to."""
    place = folder.resolve()
    return sorted(path for path in folder.glob(pattern) if path.parent.resolve().is_relative_to(place))
