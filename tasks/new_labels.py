"""New labels: how many rows with labels a source has gained since the champion was trained."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

from penstock.components.schema import count_known
from penstock.settings import Settings
from penstock.sources.files import Folders
from penstock.sources.location import fill_in
from penstock.sources.reading import read_frame
from penstock.spec.pipeline import Spec
from penstock.tasks.register import LABELS_TAG
from penstock.tracking import Tracking


def new_labels(settings: Settings, spec: Spec, base: Path, folders: Folders = None) -> int:
    """Without a champion, all of them; of a source without labels, its rows."""
    source = fill_in(spec.data.source, datetime.now(UTC), spec.schedule.timezone if spec.schedule else "UTC")
    frame = read_frame(source, spec.data.reading, base, folders=folders)
    now = count_known(frame, spec.data.target)
    champion = Tracking(settings.tracking_uri, settings.artifact_root).registry.champion(spec.name)
    return now - int(champion.tags.get(LABELS_TAG, 0)) if champion else now
