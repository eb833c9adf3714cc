"""Where Penstock keeps its things on this machine, and which servers it talks to."""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

HOME_FOLDER = ".penstock"

TELEMETRY_OFF = {
    "DO_NOT_TRACK": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "GX_ANALYTICS_ENABLED": "false",
}

# Prefect writes to SQLite row by row unless told otherwise, and loses records or stalls when many tasks end at once.
WRITE_IN_BATCHES = {
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TASK_RUN_RECORDER_FLUSH_INTERVAL": "1",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_BATCH_SIZE": "200",
    "PREFECT_SERVER_SERVICES_EVENT_PERSISTER_READ_BATCH_SIZE": "100",
    "PREFECT_SERVER_SERVICES_TRIGGERS_READ_BATCH_SIZE": "100",
}

# Prefect knows this profile even where the user's file only names it as the active one.
SHIPPED_PROFILES = {"local": {"PREFECT_API_URL": "http://127.0.0.1:4200/api"}}


@dataclass(frozen=True)
class Settings:
    """Folders and addresses of one Penstock home.

    `artifact_root` is None where the MLflow server at `tracking_uri` decides it; `prefect_api_url` is None where
    Penstock runs a Prefect API of its own.
    """

    home: Path
    tracking_uri: str
    artifact_root: Path | None
    prefect_api_url: str | None

    @classmethod
    def from_environment(cls) -> Settings:
        home = Path(os.environ.get("PENSTOCK_HOME") or HOME_FOLDER).expanduser().absolute()
        tracking_uri = os.environ.get("MLFLOW_TRACKING_URI")
        return cls(
            home=home,
            tracking_uri=tracking_uri or f"sqlite:///{home / 'mlflow.db'}",
            artifact_root=None if tracking_uri else home / "artifacts",
            prefect_api_url=os.environ.get("PREFECT_API_URL") or _url_of_active_profile(),
        )

    @property
    def store(self) -> Path:
        return self.home / "store"

    @property
    def runs(self) -> Path:
        return self.home / "runs"

    @property
    def locks(self) -> Path:
        return self.home / "locks"

    @property
    def logs(self) -> Path:
        return self.home / "logs"

    @property
    def prefect(self) -> Path:
        return self.home / "prefect"

    def quiet_environment(self) -> dict[str, str]:
        """Telemetry off everywhere; where the Prefect API is our own, its home and how it writes."""
        if self.prefect_api_url:
            return dict(TELEMETRY_OFF)
        return TELEMETRY_OFF | WRITE_IN_BATCHES | {"PREFECT_HOME": str(self.prefect)}

    def apply(self) -> None:
        """Put the quiet environment in force, but never over what the user has set."""
        for name, value in self.quiet_environment().items():
            os.environ.setdefault(name, value)


def _url_of_active_profile() -> str | None:
    """What `prefect profile use` chose, read without importing Prefect, which takes seconds."""
    prefect_home = Path(os.environ.get("PREFECT_HOME") or "~/.prefect").expanduser()
    file = Path(os.environ.get("PREFECT_PROFILES_PATH") or prefect_home / "profiles.toml")
    if not file.is_file():
        return None
    import tomllib

    try:
        written = tomllib.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return None
    name = os.environ.get("PREFECT_PROFILE") or written.get("active")
    profile = (SHIPPED_PROFILES | written.get("profiles", {})).get(name, {})
    return profile.get("PREFECT_API_URL") or None
