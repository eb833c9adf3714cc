"""The command line. Heavy libraries are loaded by the command that needs them, so `--help` is quick."""

from __future__ import annotations

import gc
import sys

from penstock.cli import pipelines, models, records, servers  # isort: skip - the order of --help
from penstock.cli.common import app
from penstock.errors import PenstockError

__all__ = ["app", "main", "models", "pipelines", "records", "servers"]


def main() -> None:
    """Run the command line; errors for people go to standard error without a traceback."""
    # The libraries are a million objects that stay: by default Python looks through them all again and again.
    gc.set_threshold(50_000, 10, 10)
    try:
        app(standalone_mode=True)
    except PenstockError as error:
        sys.stderr.write(f"{error}\n")
        raise SystemExit(error.exit_status) from None
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; the same command goes on from here\n")
        raise SystemExit(130) from None
