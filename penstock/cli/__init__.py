"""The command line. Heavy libraries are loaded by the command that needs them, so `--help` is quick."""

from __future__ import annotations

import gc
import os
import sys
from contextlib import suppress

from penstock.cli import pipelines, models, records, servers  # isort: skip - the order of --help
from penstock.cli.common import app
from penstock.errors import PenstockError
from penstock.home.disk import full_disk
from penstock.settings import Settings

__all__ = ["app", "main", "models", "pipelines", "records", "servers"]


def main() -> None:
    """Run the command line; errors for people go to standard error without a traceback."""
    # The libraries are a million objects that stay: by default Python looks through them all again and again.
    gc.set_threshold(50_000, 10, 10)
    try:
        try:
            app(standalone_mode=True)
        finally:
            _write_out()
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; the same command goes on from here\n")
        raise SystemExit(130) from None
    except Exception as error:
        fault = _fault_of(error)
        if fault is None:
            raise
        with suppress(OSError):  # it may go to a file on a full disk, too
            sys.stderr.write(f"{fault}\n")
        raise SystemExit(fault.exit_status) from None


def _fault_of(error: Exception) -> PenstockError | None:
    """The error for people, if it is one."""
    told = error if isinstance(error, PenstockError) else None
    with suppress(PenstockError):  # settings that cannot be read are what is wrong, then
        settings = Settings.from_environment()
        return full_disk(error, settings.home, settings.artifact_root) or told
    return told


def _write_out() -> None:
    """What waits to be printed; Python would tell of a full disk at its very end, with another status."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        pass
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        raise
