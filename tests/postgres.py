"""A PostgreSQL server for tests, on a Unix socket in a folder of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

# Debian keeps the programs of each version apart.
PLACES = os.pathsep.join(
    [os.environ["PATH"], *map(str, sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True))]
)
INITDB = shutil.which("initdb", path=PLACES)
OWNER = "postgres" if os.geteuid() == 0 else None  # it refuses to run as root


class Postgres:
    def __init__(self) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="penstock-postgres-"))
        if OWNER:
            shutil.chown(self.folder, OWNER)
        self.uri = f"postgresql://postgres@/?host={self.folder}"
        self._run("initdb", "--auth=trust", "--username=postgres", "--no-sync", "--pgdata")
        self.start()

    def start(self) -> None:
        settings = f"-c listen_addresses='' -c fsync=off -k {self.folder}"
        self._run("pg_ctl", "-w", "-o", settings, "-l", str(self.folder / "log"), "start", "-D")

    def stop(self) -> None:
        """At once, as if the power had failed."""
        self._run("pg_ctl", "-w", "-m", "immediate", "stop", "-D")

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.folder)

    def _run(self, program: str, *arguments: str) -> None:
        assert INITDB
        command = [str(Path(INITDB).resolve().with_name(program)), *arguments, str(self.folder / "data")]
        subprocess.run(command, check=True, capture_output=program == "initdb", user=OWNER, cwd="/")
