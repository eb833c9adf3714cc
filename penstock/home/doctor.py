"""`penstock doctor`: is this machine, this home, and what is installed fit to run? Each answer with what to do."""

from __future__ import annotations

import hashlib
import os
import re
import secrets
import shlex
import shutil
import socket
import sqlite3
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from email.utils import parsedate_to_datetime
from http.client import HTTPException
from importlib.metadata import PackageNotFoundError, distribution, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Literal

from filelock import FileLock, Timeout
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet

from penstock.actions.records import Actions
from penstock.document.formats import address, size
from penstock.errors import PenstockError
from penstock.home import runs
from penstock.home.disk import nearest
from penstock.servers.auth import auth_file
from penstock.servers.database import DRIVERS, SETTING, look
from penstock.servers.local import Board
from penstock.settings import TELEMETRY_OFF, Settings
from penstock.store import Store, open_store

State = Literal["ok", "warn", "fail"]

SAMPLE_FILES = 200
SAMPLE_BYTES = 200_000_000
KEY_FILE = re.compile(r"../[^/]+\.json")
SHARED_FILES, SHARED_BYTES = 20, 10_000_000
LITTLE_SPACE, NO_SPACE = 2_000_000_000, 200_000_000
MAX_SKEW = 5.0  # seconds
ABANDONED = 3600.0  # seconds after which a half-written file has no writer any more
ANSWER_SECONDS = 5
CLASHES = {
    "fastapi": "Prefect's API does not start with this one, though pip sees no conflict",
    "sqlalchemy": "Prefect's schedules never fire with this one, though pip sees no conflict",
}
MIGRATIONS = {
    "mlflow": ("mlflow", "store/db_migrations/versions"),
    "prefect": ("prefect", "server/database/_migrations/versions/sqlite"),
}


@dataclass(frozen=True)
class Check:
    name: str
    state: State
    what: str
    remedy: str = ""


def examine(settings: Settings) -> list[dict[str, Any]]:
    """All checks, in the order in which to put things right."""
    checks: list[Callable[[Settings], Iterator[Check]]] = [
        check_versions,
        check_extras,
        check_telemetry,
        check_space,
        check_home,
        check_store,
        check_locks,
        check_databases,
        check_servers,
        check_clock,
    ]
    return [asdict(found) for check in checks for found in check(settings)]


def check_versions(_: Settings) -> Iterator[Check]:
    penstock = distribution("penstock")
    python, wanted = sys.version.split()[0], penstock.metadata["Requires-Python"]
    if python in SpecifierSet(wanted or ""):
        yield Check("python", "ok", python)
    else:
        yield Check("python", "fail", f"{python} is not {wanted}", f"make an environment with Python {wanted}")
    good = 0
    for requirement in map(Requirement, penstock.requires or []):
        if requirement.marker and not requirement.marker.evaluate({"extra": ""}):
            continue
        installed = _installed(requirement.name)
        if installed and requirement.specifier.contains(installed, prereleases=True):
            good += 1
            continue
        what = f"{requirement.name} {installed or 'is not installed'}, needed: {requirement.specifier}"
        why = CLASHES.get(requirement.name.lower())
        remedy = f"pip install '{requirement.name}{requirement.specifier}'"
        yield Check("versions", "fail", f"{what}; {why}" if why and installed else what, remedy)
    yield Check("versions", "ok", f"{good} libraries are in their ranges")


def check_extras(_: Settings) -> Iterator[Check]:
    torch = _installed("torch")
    if torch:
        yield Check("extras", "ok", f"torch {torch}: neural networks can be used")
    else:
        yield Check("extras", "ok", "no torch: everything but the neural networks works; pip install 'penstock[torch]'")


def check_telemetry(_: Settings) -> Iterator[Check]:
    on = {
        name: os.environ[name]
        for name, off in TELEMETRY_OFF.items()
        if os.environ.get(name, off).lower() not in (off, {"true": "1", "false": "0"}[off])
    }
    for name, value in on.items():
        yield Check(
            "telemetry", "warn", f"{name}={value} lets it out", f"unset {name}, or set it to {TELEMETRY_OFF[name]}"
        )
    if not on:
        yield Check("telemetry", "ok", "off in Prefect, MLflow and Great Expectations")


def check_space(settings: Settings) -> Iterator[Check]:
    place = nearest(settings.home)
    free = shutil.disk_usage(place).free
    what = f"{size(free)} free at {place}"
    remedy = "free some space, or set PENSTOCK_HOME to a folder on another disk"
    yield Check("disk", "fail" if free < NO_SPACE else "warn" if free < LITTLE_SPACE else "ok", what, remedy)


def check_home(settings: Settings) -> Iterator[Check]:
    place = nearest(settings.home)
    if not os.access(place, os.W_OK | os.X_OK) or not place.is_dir():
        yield Check(
            "home", "fail", f"no permission to write at {place}", "set PENSTOCK_HOME to a folder that you may write to"
        )
    elif place != settings.home:
        yield Check("home", "ok", f"{settings.home} does not exist yet; the first run makes it")
    else:
        yield Check("home", "ok", f"{settings.home}, {len(runs.finished_runs(settings.home))} whole runs")


def check_store(settings: Settings) -> Iterator[Check]:
    """The files' names are the digests of their bytes: a sample is read and compared."""
    objects = settings.store / "objects"
    here = [path for path in objects.glob("??/*") if not path.name.startswith(".")]
    files = [path for path in here if path.is_file() and not path.is_symlink()]
    sizes = {path: path.stat().st_size for path in files}
    if len(files) < len(here):
        strange = next(path for path in here if path not in sizes)
        what = f"{len(here) - len(files)} in the place of objects are links or no files, such as {strange}"
        yield Check("store", "fail", what, "remove them, and see who else may write to this home")
    altered, unreadable, checked, read = [], [], 0, 0
    for path in secrets.SystemRandom().sample(files, min(len(files), SAMPLE_FILES)):
        if checked and read + sizes[path] > SAMPLE_BYTES:
            continue
        try:
            with path.open("rb") as file:
                same = hashlib.file_digest(file, "sha256").hexdigest() == path.name.partition(".")[0]
        except OSError:
            unreadable.append(path)
            continue
        checked, read = checked + 1, read + sizes[path]
        if not same:
            altered.append(path)
    for paths, word in ((altered, "altered since they were written"), (unreadable, "closed to us")):
        if paths:
            what = f"{len(paths)} of {checked + len(unreadable)} files looked at are {word}, such as {paths[0]}"
            remedy = "delete them: the next run makes them anew; then look for the cause (disk, other programs)"
            yield Check("store", "fail", what, remedy)
    if not altered and not unreadable and len(files) == len(here):
        what = f"{len(files)} objects, {size(sum(sizes.values()))}; {checked} looked at, none altered"
        yield Check("store", "ok", what)
    yield from _records(Store(settings.store), sorted(settings.store.glob("actions/??/*.json")))
    if settings.shared_store:
        yield from _shared_store(settings)
    left = [path for path in settings.home.rglob(".writing-*") if time.time() - path.stat().st_mtime > ABANDONED]
    if left:
        what = f"{len(left)} half-written files of killed runs, {size(sum(path.stat().st_size for path in left))}"
        yield Check("store", "warn", what, f"delete them; they are named .writing-*, below {settings.home}")


def _shared_store(settings: Settings) -> Iterator[Check]:
    """A small sample: it may be far away."""
    from penstock.store.shared import shared_at

    assert settings.shared_store
    try:
        shared = shared_at(settings.shared_store)
        sizes = shared.sizes("objects")
        names = [name for name, bytes_ in sizes.items() if bytes_ <= SHARED_BYTES]
        looked_at = secrets.SystemRandom().sample(names, min(len(names), SHARED_FILES))
        altered = [name for name in looked_at if shared.checksum(f"objects/{name}") != Path(name).stem]
        records = [Path(name) for name in shared.sizes("actions") if KEY_FILE.fullmatch(name)]
        yield from _records(open_store(settings.home, settings.shared_store), records, "shared store")
    except PenstockError as error:
        yield Check("shared store", "fail", f"{error.what}: {error.where}", error.remedy)
        return
    if altered:
        what = f"{len(altered)} of {len(looked_at)} files looked at are not what their names say, such as {altered[0]}"
        remedy = "delete them there: the next run puts them anew; then see who may write to it"
        yield Check("shared store", "fail", what, remedy)
    else:
        yield Check(
            "shared store", "ok", f"{len(sizes)} objects, {size(sum(sizes.values()))} at {settings.shared_store}"
        )


def _records(store: Store, files: list[Path], name: str = "store") -> Iterator[Check]:
    """What stages did, by key: a sample is read."""
    actions = Actions(store)
    looked_at = secrets.SystemRandom().sample(files, min(len(files), SAMPLE_FILES))
    faults = {}
    for path in looked_at:
        record, fault = actions.look(path.stem)
        if record is None:
            faults[path] = fault or "its name is no key"
    if faults:
        path, fault = next(iter(faults.items()))
        what = f"{len(faults)} of {len(looked_at)} records looked at are not used, such as {path}: {fault}"
        remedy = "delete them: the next run does those stages again; then see who else may write there"
        yield Check(name, "fail", what, remedy)


def check_locks(settings: Settings) -> Iterator[Check]:
    dead = runs.dead(settings.home)
    if dead:
        what = f"{len(dead)} killed run(s) still count as running: {', '.join(dead[:3])}"
        yield Check("locks", "warn", what, "start any run: it closes them in Prefect and MLflow")
    held = [path.stem for path in sorted(settings.locks.glob("*.lock")) if _is_held(path)]
    alive = sorted((settings.home / "running").glob("*.json"))
    if held and len(alive) == len(dead) and set(held) - {"prefect-server", "pages"}:
        what = f"held, though no run is announced here: {', '.join(held)}"
        yield Check("locks", "warn", what, "see which process has the file open (lsof), and end it if it hangs")
    elif not dead:
        yield Check("locks", "ok", f"held now: {', '.join(held)}" if held else "none is held, no run was left open")


def check_databases(settings: Settings) -> Iterator[Check]:
    if settings.database:
        for name in DRIVERS:
            fault = look(settings.database, name)
            missing = fault is not None and "does not exist" in fault
            state: State = "ok" if fault is None or missing else "fail"
            what = "made by the first run" if missing else fault or "answers, on PostgreSQL"
            yield Check(f"{name} database", state, what, f"see that PostgreSQL runs and that {SETTING} is right")
        return
    files = {"prefect": settings.prefect / "prefect.db"}
    if settings.artifact_root:
        files["mlflow"] = settings.home / "mlflow.db"
    for name, path in files.items():
        yield _database(name, path) if path.exists() else Check(f"{name} database", "ok", "made by the first run")


def check_servers(settings: Settings) -> Iterator[Check]:
    try:
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
        yield Check("ports", "ok", "loopback has free ports")
    except OSError as error:
        yield Check("ports", "fail", f"no port can be opened on 127.0.0.1: {error}", "see the limits of this container")
    if settings.prefect_api_url:
        yield _answer("prefect", f"{settings.prefect_api_url.rstrip('/')}/health", "PREFECT_API_URL")
    else:
        record = Board(settings).record()
        if record is None or not record.is_alive():
            yield Check("prefect", "ok", "a local API is started by each run that needs one")
        elif record.is_ready():
            yield Check("prefect", "ok", f"a local API answers at {record.url}")
        else:
            what = f"the local API at {record.url} (process {record.pid}) does not answer"
            yield Check("prefect", "warn", what, "the next run replaces it, or end that process")
    password = auth_file(settings.home)
    if password.exists():
        what = f'for Prefect\'s own commands: export PREFECT_API_AUTH_STRING="$(cat {shlex.quote(str(password))})"'
        yield Check("prefect password", "ok", f"{what}; another one: penstock up --new-password")
    if settings.tracking_uri.startswith("http"):
        yield _answer("mlflow", f"{settings.tracking_uri.rstrip('/')}/health", "MLFLOW_TRACKING_URI")


def check_clock(settings: Settings) -> Iterator[Check]:
    """A clock that disagrees with the disk's or a server's puts runs in the wrong order."""
    skews = {}
    for name, url in (("PREFECT_API_URL", settings.prefect_api_url), ("MLFLOW_TRACKING_URI", settings.tracking_uri)):
        date = _date_of(f"{url.rstrip('/')}/health") if url and url.startswith("http") else None
        if date is not None:
            skews[name] = date - time.time()
    newest = max((path.stat().st_mtime for path in settings.runs.glob("*/journal.jsonl")), default=0.0)
    skews["the newest run's journal"] = max(0.0, newest - time.time())
    ahead = {name: skew for name, skew in skews.items() if abs(skew) > MAX_SKEW}
    for name, skew in ahead.items():
        what = f"{name} is {abs(skew):.0f} s {'ahead of' if skew > 0 else 'behind'} this machine's clock"
        yield Check("clock", "warn", what, "set the clocks by a time server (timedatectl set-ntp true)")
    if not ahead:
        yield Check("clock", "ok", "in step with files and servers")


def _database(name: str, path: Path) -> Check:
    label = f"{name} database"
    try:
        connection = sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=ANSWER_SECONDS)
        try:
            verdict = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            found = {row[0] for row in connection.execute("SELECT version_num FROM alembic_version")}
        finally:
            connection.close()
    except sqlite3.Error as error:
        remedy = "if a run is busy now, try again later; else move the file away: the next run makes a new one"
        return Check(label, "fail", f"{path}: {error}", remedy)
    if verdict != "ok":
        return Check(label, "fail", f"{path} is damaged: {verdict}", "bring back a copy, or move the file away")
    known, heads = _migrations(name)
    if found - known:
        what = f"{path} was made by a newer {name} than {version(name)}"
        return Check(label, "fail", what, f"pip install --upgrade {name}, within the range that Penstock allows")
    if found != heads:
        upgrade = f"back it up, then: mlflow db upgrade sqlite:///{path}"
        remedy = upgrade if name == "mlflow" else "start any run: Prefect brings it up to date"
        return Check(label, "fail" if name == "mlflow" else "warn", f"{path} is of an older {name}", remedy)
    return Check(label, "ok", f"whole and up to date, {size(path.stat().st_size)}")


def _migrations(name: str) -> tuple[set[str], set[str]]:
    """All revisions that the installed library knows, and the last one; read from its files, since to import it takes
    seconds."""
    package, folder = MIGRATIONS[name]
    spec = find_spec(package)
    assert spec
    assert spec.submodule_search_locations
    known, replaced = set(), set()
    for file in (Path(spec.submodule_search_locations[0]) / folder).glob("*.py"):
        text = file.read_text(encoding="utf-8")
        known |= set(re.findall(r"^revision\b[^=\n]*=\s*[\"'](\w+)", text, re.MULTILINE))
        replaced |= set(re.findall(r"^down_revision\b[^=\n]*=\s*[\"'](\w+)", text, re.MULTILINE))
    return known, known - replaced


def _answer(name: str, url: str, variable: str) -> Check:
    try:
        urllib.request.urlopen(url, timeout=ANSWER_SECONDS).close()  # noqa: S310
    except urllib.error.HTTPError as error:
        error.close()
    except (OSError, ValueError, HTTPException) as error:
        reason = getattr(error, "reason", None) or type(error).__name__
        what = f"no answer at {address(url)}: {reason}"
        return Check(name, "fail", what, f"start that server, correct {variable}, or unset it")
    return Check(name, "ok", f"answers at {address(url.removesuffix('/health'))}")


def _date_of(url: str) -> float | None:
    try:
        with urllib.request.urlopen(url, timeout=ANSWER_SECONDS) as answer:  # noqa: S310
            return parsedate_to_datetime(answer.headers["Date"]).timestamp()
    except (OSError, ValueError, TypeError, HTTPException):
        return None


def _is_held(path: Path) -> bool:
    lock = FileLock(path)
    try:
        lock.acquire(timeout=0)
    except (Timeout, OSError):
        return True
    lock.release()
    return False


def _installed(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
