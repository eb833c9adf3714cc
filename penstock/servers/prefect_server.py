"""Prefect's server as `penstock up` runs it: with its pages and all its services, behind our guard.

Where the password is the home's own, the server leaves a record in the home, so that programs of the home find the
password by the address.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

import psutil
from filelock import FileLock, Timeout

from penstock.servers.auth import home_auth
from penstock.servers.guard import is_loopback, netloc, own_hosts
from penstock.servers.local import Board, Record
from penstock.servers.new_database import create
from penstock.servers.prefect_app import guarded_prefect
from penstock.settings import Settings


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m penstock.servers.prefect_server", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    asked = parser.parse_args(arguments)
    settings = replace(Settings.from_environment(), home=asked.home)
    board = Board(settings)
    for folder in (board.folder, board.lock.parent):
        folder.mkdir(parents=True, exist_ok=True)
    me = psutil.Process()
    record = Record(me.pid, me.create_time(), asked.port, f"http://{netloc(asked.host, asked.port)}/api", asked.host)

    import uvicorn

    if board.new_database:
        with suppress(Timeout), FileLock(board.lock, timeout=0):  # a run's server would make it, too
            create(board.new_database)
    app = guarded_prefect(own_hosts(asked.host, asked.port), settings.public_hosts)
    if is_loopback(asked.host) and os.environ.get("PREFECT_SERVER_API_AUTH_STRING") == home_auth(asked.home):
        board.publish_up(record)
    uvicorn.run(app, host=asked.host, port=asked.port, log_level="warning", timeout_graceful_shutdown=3)


if __name__ == "__main__":
    main()
