"""Write penstock/servers/prefect.sql: the tables that the installed Prefect's migrations make."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

from penstock.servers.new_database import MADE_BY, SCHEMA, schema_of


def migrated() -> str:
    """What Prefect makes by itself, from nothing."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "prefect.db"
        ours = {
            "PREFECT_HOME": folder,
            "PREFECT_SERVER_DATABASE_CONNECTION_URL": f"sqlite+aiosqlite:///{database}",
            "PREFECT_SERVER_ANALYTICS_ENABLED": "false",
        }
        prefect = str(Path(sys.executable).with_name("prefect"))
        command = [prefect, "server", "database", "upgrade", "--yes"]
        subprocess.run(command, env=os.environ | ours, check=True, stdout=subprocess.DEVNULL)
        return schema_of(database)


if __name__ == "__main__":
    SCHEMA.write_text(
        f"{MADE_BY}{version('prefect')} leave behind. Written by `make schema`.\n{migrated()}", encoding="utf-8"
    )
