"""A program that is to run as long as we do: started, waited for, started again, ended with all that it started."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import psutil

from penstock.errors import EnvironmentFault
from penstock.servers.local import LONGEST_START, LONGEST_STOP, POLL, Record

MAX_DEATHS = 3
CALM_SECONDS = 60.0  # deaths further apart than that are counted anew


@dataclass
class Service:
    """`host`, `port` and `health`: where it answers; a program without a port is taken at its word."""

    name: str
    command: list[str]
    environment: dict[str, str] = field(repr=False)  # holds secrets
    log: Path
    host: str = "127.0.0.1"
    port: int | None = None
    health: str = ""
    process: subprocess.Popen[bytes] | None = None
    deaths: list[float] = field(default_factory=list)

    def start(self) -> None:
        self._sweep()
        self.log.parent.mkdir(parents=True, exist_ok=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(
                self.command,
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=subprocess.STDOUT,
                cwd=self.log.parent,  # where no file of the user's can be mistaken for a module or for settings
                env=self.environment,
                start_new_session=True,  # Ctrl-C is for us; we end it in order
            )

    def is_alive(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def wait(self) -> None:
        """Until it answers."""
        deadline = time.monotonic() + LONGEST_START
        while self.port:
            if not self.is_alive():
                raise self.fault("did not start")
            if Record(0, 0.0, self.port, "", self.host).is_ready(self.health):
                return
            if time.monotonic() > deadline:
                raise self.fault(f"gave no answer in {LONGEST_START:.0f} seconds")
            time.sleep(POLL)

    def end(self) -> None:
        if self.process is None:
            return
        try:
            family = [psutil.Process(self.process.pid)]
            family += family[0].children(recursive=True)
        except psutil.NoSuchProcess:
            family = []
        if self.is_alive():
            self.process.terminate()
        for stubborn in psutil.wait_procs(family, LONGEST_STOP / 2)[1]:
            if stubborn.is_running():
                stubborn.kill()
        self.process.wait()
        self._sweep()

    def _sweep(self) -> None:
        """What a killed one has left behind would hold its port."""
        if self.process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self.process.pid, signal.SIGKILL)

    def died(self) -> None:
        """Count it; too often in too short a time is a fault that starting again does not mend."""
        now = time.monotonic()
        self.deaths = [moment for moment in self.deaths if now - moment < CALM_SECONDS] + [now]
        if len(self.deaths) >= MAX_DEATHS:
            raise self.fault(f"ended {MAX_DEATHS} times within {CALM_SECONDS:.0f} seconds")

    def fault(self, what: str) -> EnvironmentFault:
        lines = self.log.read_text(encoding="utf-8", errors="replace").splitlines() if self.log.exists() else []
        tail = "\n".join(line for line in lines[-20:] if line.strip())[-350:]
        return EnvironmentFault(
            "PEN912",
            f"{self.name} {what}; its log ends with:\n{tail}" if tail else f"{self.name} {what}",
            where=str(self.log),
            remedy="run `penstock doctor`; what was started besides has been stopped",
        )
