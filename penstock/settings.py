"""Where Penstock keeps its things on this machine, and which servers it talks to."""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from urllib.parse import urlsplit

from penstock.errors import UsageError
from penstock.servers.database import SETTING, database_uri, require_postgresql

HOME_FOLDER = ".penstock"
ALLOW_PATHS = "PENSTOCK_ALLOW_PATHS"
AUTH = "PENSTOCK_AUTH"
WEBHOOKS = "PENSTOCK_WEBHOOKS"
PUBLIC_HOSTS = "PENSTOCK_PUBLIC_HOSTS"
SHORTEST_PASSWORD = 12  # of MLflow's server

TELEMETRY_OFF = {
    "DO_NOT_TRACK": "true",
    "MLFLOW_DISABLE_TELEMETRY": "true",
    "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
    "PREFECT_SERVER_UI_V2_ENABLED": "false",  # its newer page calls Amplitude whatever else is set
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
class Credentials:
    """What opens servers that other machines can reach."""

    user: str
    password: str = field(repr=False)

    @classmethod
    def from_text(cls, text: str) -> Credentials:
        user, _, password = text.partition(":")
        if not user or len(password) < SHORTEST_PASSWORD:
            raise UsageError(
                "PEN054",
                f"this is no user and password of {SHORTEST_PASSWORD} characters or more",
                where=AUTH,
                remedy=f"write it like {AUTH}=team:a-long-password, or unset it",
            )
        return cls(user, password)

    @property
    def pair(self) -> str:
        return f"{self.user}:{self.password}"

    def for_clients(self) -> dict[str, str]:
        return {
            "PREFECT_API_AUTH_STRING": self.pair,
            "MLFLOW_TRACKING_USERNAME": self.user,
            "MLFLOW_TRACKING_PASSWORD": self.password,
        }


@dataclass(frozen=True)
class Settings:
    """Folders and addresses of one Penstock home.

    `artifact_root` is None where the MLflow server at `tracking_uri` decides it; `prefect_api_url` is None where
    Penstock runs a Prefect API of its own; `shared_store` is None where the store is this home's alone;
    `database` is the PostgreSQL server that holds what SQLite files in the home would hold. Addresses of
    databases may hold passwords, and are not shown. `public_hosts` are the names by which a proxy is found that
    stands before our servers.
    """

    home: Path
    tracking_uri: str = field(repr=False)
    artifact_root: Path | None
    prefect_api_url: str | None
    shared_store: str | None = None
    database: str | None = field(default=None, repr=False)
    credentials: Credentials | None = None
    webhooks: Mapping[str, str] = field(default_factory=dict, repr=False)
    public_hosts: tuple[str, ...] = ()

    @classmethod
    def from_environment(cls) -> Settings:
        home = Path(os.environ.get("PENSTOCK_HOME") or HOME_FOLDER).expanduser().absolute()
        tracking_uri = os.environ.get("MLFLOW_TRACKING_URI")
        database = require_postgresql(os.environ[SETTING]) if os.environ.get(SETTING) else None
        return cls(
            home=home,
            tracking_uri=tracking_uri or _own_tracking_uri(home, database),
            artifact_root=None if tracking_uri else home / "artifacts",
            prefect_api_url=os.environ.get("PREFECT_API_URL") or _url_of_active_profile(),
            shared_store=_shared_store(os.environ.get("PENSTOCK_STORE")),
            database=database,
            credentials=Credentials.from_text(os.environ[AUTH]) if os.environ.get(AUTH) else None,
            webhooks=_webhooks(os.environ.get(WEBHOOKS, "")),
            public_hosts=_public_hosts(os.environ.get(PUBLIC_HOSTS, "")),
        )

    def on_own_servers(self) -> Settings:
        """The same home, whatever servers the environment names."""
        own = _own_tracking_uri(self.home, self.database)
        return replace(self, tracking_uri=own, artifact_root=self.home / "artifacts", prefect_api_url=None)

    @property
    def store(self) -> Path:
        """The folder of the store, or of this home's copy of a shared one."""
        from penstock.store import local_folder

        return local_folder(self.home, self.shared_store)

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

    @property
    def allowed_paths_file(self) -> Path:
        """Files outside their project that the user has named to `penstock init`, one in each line."""
        return self.home / "allowed-paths"

    def allowed_paths(self) -> list[Path]:
        """What pipeline files may name outside their project."""
        said = os.environ.get(ALLOW_PATHS, "").split(os.pathsep)
        kept = self.allowed_paths_file
        told = kept.read_text(encoding="utf-8").splitlines() if kept.exists() else []
        return [Path(path).expanduser() for path in (*said, *told) if path]

    @property
    def prefect_database(self) -> str:
        """The address of the database of a Prefect API of our own."""
        if self.database:
            return database_uri(self.database, "prefect")
        return f"sqlite+aiosqlite:///{self.prefect / 'prefect.db'}"

    def quiet_environment(self) -> dict[str, str]:
        """Telemetry off everywhere; where the Prefect API is our own, its home and how it writes."""
        if self.prefect_api_url:
            return dict(TELEMETRY_OFF)
        return TELEMETRY_OFF | WRITE_IN_BATCHES | {"PREFECT_HOME": str(self.prefect)}

    def apply(self) -> None:
        """Put the quiet environment, and what opens the servers, in force; but never over what the user has set."""
        let_in = self.credentials.for_clients() if self.credentials else {}
        for name, value in (self.quiet_environment() | let_in).items():
            os.environ.setdefault(name, value)


def _shared_store(place: str | None) -> str | None:
    """The URL that PENSTOCK_STORE names; a folder is named by its path too."""
    if not place:
        return None
    if "://" not in place:
        return Path(place).expanduser().absolute().as_uri()
    parts = urlsplit(place)
    if ":" in parts.netloc.rpartition("@")[0]:
        raise UsageError(
            "PEN091",
            "the address of the shared store holds a password",
            where="PENSTOCK_STORE",
            remedy="leave keys to the driver's own environment variables or files",
        )
    if "memory" in parts.scheme:
        raise UsageError(
            "PEN091",
            "the memory of a process is no store that others see",
            where="PENSTOCK_STORE",
            remedy="name a bucket, or a folder that all machines see",
        )
    return place.rstrip("/")


def _webhooks(text: str) -> dict[str, str]:
    """Addresses by name, from a text like `team=https://... ops=https://...`."""
    found = {name: url for name, _, url in (word.partition("=") for word in text.split())}
    if not all(name and urlsplit(url).scheme in ("http", "https") for name, url in found.items()):
        raise UsageError(
            "PEN058",
            "this is no list of names and addresses",
            where=WEBHOOKS,
            remedy=f"write it like {WEBHOOKS}='team=https://chat.example.com/hook ops=https://...'",
        )
    return found


def _public_hosts(text: str) -> tuple[str, ...]:
    hosts = tuple(text.split())
    for host in hosts:
        if not re.fullmatch(r"([\w.-]+|\[[0-9a-fA-F:]+\])(:\d+)?", host):
            raise UsageError(
                "PEN065",
                f"'{host[:100]}' is no name of a host",
                where=PUBLIC_HOSTS,
                remedy=f"write names as browsers know them, like {PUBLIC_HOSTS}='ml.example.com prefect.example.com'",
            )
    return hosts


def _own_tracking_uri(home: Path, database: str | None) -> str:
    return database_uri(database, "mlflow") if database else f"sqlite:///{home / 'mlflow.db'}"


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
