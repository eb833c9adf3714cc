"""Digest of a module's code and of every module of ours that it imports; a team's plug-ins are ours here.

Syntax trees are compared, so a changed comment or line break runs nothing again. Imports are followed as written in the
source; what is found at run time (the catalogue's methods) is not, so a new method changes no other stage's digest.
"""

from __future__ import annotations

import ast
import hashlib
import platform
import threading
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from importlib.util import find_spec, resolve_name
from pathlib import Path
from typing import NamedTuple

from pydantic import TypeAdapter

from penstock import plugins
from penstock.errors import PenstockError
from penstock.store import Store, write_atomically

PACKAGE = Path(__file__).parents[1]
KEPT = "code.json"
MAX_KEPT = 5000
PROBLEMS = "penstock.problems"

LEFT_OUT = {
    "penstock": "the front door: it names the version and what Python users call",
    "penstock.errors": "words for people",
    "penstock.plugins": "finds other packages; what is chosen of them is digested by itself",
    "penstock.components.catalog": "lists methods; what a chosen one is enters the key as values",
    "penstock.components.cards": "says what kind of model a method is, for people",
    "penstock.components.trust": "refuses model files, and changes none",
    "penstock.model_file": "refuses model files, and changes none",
    "penstock.problems.registry": "finds declarations",
    "penstock.problems.declaration": "what a stage reads of a declaration enters its key as values",
    "penstock.actions": "finds what a stage has made before, by the digests of its code",
    "penstock.store": "keeps values as they are, here and elsewhere",
    "penstock.context": "says where a run's things are",
    "penstock.home": "knows which runs are going on, and whether the disk is full",
    "penstock.settings": "says where this machine's things are",
    "penstock.servers.database": "says where this machine's things are",
    "penstock.stage": "calls a stage",
    "penstock.executors": "have stages done in workers, or find what they have made",
    "penstock.worker": "carries arguments to a worker, and its value back",
}
"""Modules that cannot change a result, with all below them, and why. What only they import is left out as well."""

_reading = threading.Lock()
"""Many fits ask the same at once. And Python 3.11 counts the depth of syntax trees for all threads together."""


class Source(NamedTuple):
    """What a file says: the digest of its syntax tree, and the names that may be modules which it imports."""

    digest: str
    imports: tuple[str, ...]


def code_digests(modules: tuple[str, ...], store: Store) -> dict[str, str]:
    """Digest of each module in the import closure of `modules`, by name: once, as this process goes on as it began."""
    with _reading:
        return _digests(modules, store.root / KEPT)


def files_of(modules: tuple[str, ...], ends: frozenset[str] = frozenset({"penstock"})) -> dict[str, Path]:
    """The file of each module that these need, with none left out; what only `ends` import is not looked for."""
    with _reading:
        return {name: path for name, path, _ in _closure(modules, Sources(None), {}, ends)}


def changed_since(code: Mapping[str, str]) -> list[str]:
    """Of modules whose digests were taken by this version of Python, those that are others now, or gone."""
    with _reading:
        kept, files = Sources(None), {name: _located(name) for name in code}
        return [name for name, file in files.items() if not file or kept.read(name, file).digest != code[name]]


@cache
def _digests(modules: tuple[str, ...], file: Path) -> dict[str, str]:
    kept = _kept(file)
    found = {name: source.digest for name, _, source in _closure(modules, kept, LEFT_OUT)}
    kept.save()
    return dict(sorted(found.items()))


def _closure(
    modules: tuple[str, ...], kept: Sources, left_out: Mapping[str, str], ends: frozenset[str] = frozenset()
) -> Iterator[tuple[str, Path, Source]]:
    """Each module that may be imported, the packages that it lies in included: its name, its file, what that says."""
    seen: set[str] = set()
    waiting = list(modules)
    while waiting:
        name = waiting.pop()
        if not name or name in seen:
            continue
        seen.add(name)
        path = _file_of(name)
        waiting.append(name.rpartition(".")[0])
        if path is None or _is_left_out(name, left_out):
            continue
        source = kept.read(name, path)
        yield name, path, source
        waiting += () if name in ends else source.imports


def _is_left_out(name: str, left_out: Mapping[str, str]) -> bool:
    if left_out and _declares(name):
        return True
    return name in left_out or any(name.startswith(f"{one}.") for one in left_out if one != "penstock")


def _declares(name: str) -> bool:
    """Whether the module only says what a kind of question is: what a stage reads of that enters its key as values."""
    path = _file_of(name)
    inside = name == PROBLEMS or name.rpartition(".")[0] == PROBLEMS
    return inside and path is not None and path.name == "__init__.py"


@cache
def _file_of(module: str) -> Path | None:
    """Of a module of ours, or of a package that adds methods."""
    package = module.partition(".")[0]
    return _located(module) if package == PACKAGE.name or package in plugins.releases() else None


def _located(module: str) -> Path | None:
    package, *inner = module.split(".")
    for folder in _folders(package):
        base = folder.joinpath(package, *inner)
        for path in (base.with_suffix(".py"), base / "__init__.py"):
            if path.is_file():
                return path
    return None


@cache
def _folders(package: str) -> tuple[Path, ...]:
    """Where the folder or the file of a top-level package lies."""
    if package == PACKAGE.name:
        return (PACKAGE.parent,)
    spec = find_spec(package)
    if spec is None:
        return ()
    if spec.submodule_search_locations:
        return tuple(Path(location).parent for location in spec.submodule_search_locations)
    return (Path(spec.origin).parent,) if spec.origin else ()


class Sources:
    """What the files say, kept by their content: reading a syntax tree takes ten times as long as reading a file."""

    def __init__(self, file: Path | None) -> None:
        self.file = file
        self.changed = False
        self.known: dict[str, Source] = {}
        self.seen: dict[Path, Source] = {}
        with suppress(OSError, ValueError):  # there is none yet, or it is damaged
            self.known = _stored.validate_json(file.read_bytes()) if file else {}

    def read(self, module: str, path: Path) -> Source:
        if path not in self.seen:
            content = path.read_bytes()
            package = module if path.name == "__init__.py" else module.rpartition(".")[0]
            key = hashlib.sha256(f"{platform.python_version()} {package}\n".encode() + content).hexdigest()
            if key not in self.known:
                self.known[key] = _read(content, package)
                self.changed = True
            self.seen[path] = self.known[key]
        return self.seen[path]

    def save(self) -> None:
        """Where there is room: the next run reads the files again otherwise."""
        if self.changed and self.file:
            newest = list(self.known.items())[-MAX_KEPT:]
            with suppress(OSError, PenstockError):
                write_atomically(self.file, _stored.dump_json(dict(newest)))
            self.changed = False


_stored = TypeAdapter(dict[str, Source])
_kept = cache(Sources)


def _read(content: bytes, package: str) -> Source:
    tree = ast.parse(content)
    digest = hashlib.sha256(ast.dump(tree).encode()).hexdigest()
    return Source(digest, tuple(dict.fromkeys(_imports(tree, package))))


def _imports(tree: ast.AST, package: str) -> Iterator[str]:
    """Names of modules, and what may be some; not what is imported for the types alone."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package) if node.level else node.module or ""
            yield module
            yield from (f"{module}.{alias.name}" for alias in node.names)
        elif isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING"):
            for other in node.orelse:
                yield from _imports(ast.Module([other], []), package)
        else:
            yield from _imports(node, package)
