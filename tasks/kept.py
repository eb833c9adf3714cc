"""What a registered model kept of the rows that made it."""

from __future__ import annotations

from pathlib import Path

from penstock.context import Run
from penstock.errors import ModelError
from penstock.tasks.register import REFERENCE_FACTS, REFERENCE_FILE, tracking_of
from penstock.tracking.registry import Version


def fetch_kept(run: Run, version: Version) -> tuple[Path, Path]:
    tracking, downloads = tracking_of(run), run.home / "downloads"
    try:
        return (
            tracking.fetch(version.run_id, REFERENCE_FILE, downloads),
            tracking.fetch(version.run_id, REFERENCE_FACTS, downloads),
        )
    except ModelError as error:
        raise ModelError(
            "PEN605",
            f"version {version.version} of '{version.name}' kept nothing to compare with",
            where=f"models:/{version.name}/{version.version}",
            remedy="run its pipeline again: models that are registered now keep a sample of their rows",
        ) from error
