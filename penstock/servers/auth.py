"""The password of a home's own Prefect server: a file that its owner alone can read."""

from __future__ import annotations

import os
import re
import secrets
import stat
from contextlib import suppress
from pathlib import Path

from filelock import FileLock

from penstock.home.disk import disk_fault

USER = "penstock"
WHOLE = re.compile(rf"{USER}:[\w-]{{43}}")


def auth_file(home: Path) -> Path:
    return home / "prefect" / "password"


def home_auth(home: Path) -> str:
    """User and password, as Prefect's `auth_string` wants them; made where there is no file that can be trusted."""
    return _read(auth_file(home)) or _make(home, anew=False)


def new_home_auth(home: Path) -> str:
    return _make(home, anew=True)


def _read(file: Path) -> str | None:
    try:
        opened = os.open(file, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(opened, "rb") as content:
        facts = os.fstat(opened)
        if not stat.S_ISREG(facts.st_mode) or facts.st_uid != os.geteuid() or facts.st_mode & 0o077:
            return None
        text = content.read(1000).decode("ascii", "replace").strip()
    return text if WHOLE.fullmatch(text) else None


def _make(home: Path, *, anew: bool) -> str:
    file, lock = auth_file(home), home / "locks" / "prefect-password.lock"
    temporary = file.with_name(f".writing-{secrets.token_hex(8)}")
    try:
        for folder in (file.parent, lock.parent):
            folder.mkdir(parents=True, exist_ok=True)
        with FileLock(lock):
            known = None if anew else _read(file)  # another process may have been quicker
            if known:
                return known
            made = f"{USER}:{secrets.token_urlsafe(32)}"
            opened = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW, 0o600)
            with os.fdopen(opened, "w") as content:
                content.write(made)
                content.flush()
                os.fsync(opened)
            os.replace(temporary, file)
            return made
    except OSError as error:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
        raise disk_fault(error, file) from error
