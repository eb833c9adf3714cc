"""What the tests would notice: small faults in the code, and whether the tests of its folder fail.

    python -m benchmarks.mutants components/svm components/trees     # fifty mutants, drawn from these folders
    python -m benchmarks.mutants components/svm --before CHECKOUT    # survivors meet the tests of another checkout, too

A mutant is one changed comparison, sum, connective, constant or returned value. Everything happens in a copy of the
repository, in which the tests that mirror the mutant's folder (or its file, if that was named) run until the first one
fails; no end in time is a death.
With `--before`, a mutant that the tests of the other checkout kill and ours do not is an error: tests grew weaker.
"""

from __future__ import annotations

import argparse
import ast
import copy
import os
import random
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path

ROOT = Path(__file__).parent.parent
LEFT_OUT = shutil.ignore_patterns(".git", ".venv", ".*_cache", "__pycache__", ".penstock", "site")
LOADED_ONCE = ("pandas", "pytest", "scipy.stats", "sklearn.pipeline", "sklearn.utils.estimator_checks")
OTHER: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.Add: ast.Sub, ast.Sub: ast.Add,
    ast.Mult: ast.Div, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult, ast.Pow: ast.Mult, ast.And: ast.Or, ast.Or: ast.And,
}  # fmt: skip


@dataclass(frozen=True)
class Mutant:
    """One place in a file, and what stands there instead."""

    file: str
    line: int
    start: int
    end: int
    new: str

    def applied(self, source: bytes) -> bytes:
        return source[: self.start] + self.new.encode() + source[self.end :]

    def describe(self, source: bytes) -> str:
        return f"{self.file}:{self.line}: {source[self.start : self.end].decode()} -> {self.new}"


def mutants_of(path: Path, name: str) -> Iterator[Mutant]:
    """Every mutant of a file whose change fits one line."""
    source = path.read_bytes()
    starts = [0]
    for line in source.splitlines(keepends=True):
        starts.append(starts[-1] + len(line))
    for node in _executed(ast.parse(source)):
        new = _changed(node)
        if new and isinstance(node, (ast.expr, ast.stmt)) and node.lineno == node.end_lineno:
            begin = starts[node.lineno - 1]
            text = ast.unparse(new)
            text = text if isinstance(node, (ast.Constant, ast.stmt)) else f"({text})"
            yield Mutant(name, node.lineno, begin + node.col_offset, begin + (node.end_col_offset or 0), text)


def _executed(node: ast.AST) -> Iterator[ast.AST]:
    """Nodes that run and whose place is known: no annotations, docstrings or texts with values in them."""
    if isinstance(node, (ast.JoinedStr, ast.Assert)) or (
        isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
    ):
        return
    yield node
    for field, value in ast.iter_fields(node):
        if field not in ("annotation", "returns", "type_comment"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _executed(child)


def _changed(node: ast.AST) -> ast.AST | None:
    new = copy.deepcopy(node)
    match new:
        case ast.Compare(ops=[op]) if type(op) in OTHER:
            new.ops = [OTHER[type(op)]()]  # type: ignore[list-item]
        case ast.BinOp() | ast.BoolOp() if type(new.op) in OTHER and not _joins_texts(new):
            new.op = OTHER[type(new.op)]()  # type: ignore[assignment]
        case ast.UnaryOp(op=ast.Not()):
            return new.operand
        case ast.Constant(value=bool()):
            new.value = not new.value
        case ast.Constant(value=int() | float()):
            new.value += 1
        case ast.Return(value=ast.expr()) if not isinstance(new.value, ast.Constant):
            new.value = ast.Constant(None)
        case _:
            return None
    return new


def _joins_texts(node: ast.AST) -> bool:
    return isinstance(node, ast.BinOp) and any(
        isinstance(one, ast.JoinedStr) or (isinstance(one, ast.Constant) and isinstance(one.value, str))
        for one in (node.left, node.right)
    )


def mirror_of(place: str) -> str:
    """What mirrors a folder or a file of the product."""
    path = Path("tests") / place
    return str(path.with_name(f"test_{path.name}") if path.suffix else path)


def draw(folders: list[str], count: int, seed: int) -> list[Mutant]:
    """As many from each folder, as far as they have so many."""
    random_state = random.Random(seed)
    drawn: list[Mutant] = []
    for place, folder in enumerate(folders):
        whole = [ROOT / folder] if folder.endswith(".py") else sorted((ROOT / folder).glob("*.py"))
        files = [file for file in whole if file.name not in ("__init__.py", "catalog.py")]
        found = [mutant for file in files for mutant in mutants_of(file, str(file.relative_to(ROOT)))]
        share = count * (place + 1) // len(folders) - count * place // len(folders)
        drawn += random_state.sample(found, min(share, len(found)))
    return drawn


class Copy:
    """A copy of the repository with the tests of a checkout, in which mutants live and die."""

    def __init__(self, folder: Path, tests: Path) -> None:
        self.folder = folder
        shutil.copytree(ROOT, folder, symlinks=True, ignore=LEFT_OUT)
        shutil.rmtree(folder / "tests")
        shutil.copytree(tests / "tests", folder / "tests", symlinks=True, ignore=LEFT_OUT)

    def kills(self, mutant: Mutant, tests: list[str], seconds: float) -> bool:
        file = self.folder / mutant.file
        whole = file.read_bytes()
        file.write_bytes(mutant.applied(whole))
        try:
            return self.run([one for one in tests if (self.folder / one).exists()], seconds) != 0
        finally:
            file.write_bytes(whole)

    def run(self, tests: list[str], seconds: float) -> int:
        """Exit status of the tests; of those that do not end in time, that of the signal."""
        child = os.fork()
        if not child:
            _test(self.folder, tests)
        deadline = time.monotonic() + seconds
        while time.monotonic() < deadline:
            ended, status = os.waitpid(child, os.WNOHANG)
            if ended:
                return os.waitstatus_to_exitcode(status)
            time.sleep(0.1)
        os.killpg(child, signal.SIGKILL)
        os.waitpid(child, 0)
        return -signal.SIGKILL


def _test(folder: Path, tests: list[str]) -> None:
    """In a process that has the libraries already; ours are loaded from the copy."""
    status = 1
    try:
        os.setsid()
        os.chdir(folder)
        sys.path[:] = [str(folder), *(one for one in sys.path if Path(one).resolve() != ROOT)]
        os.environ["PYTHONPATH"] = str(folder)
        sys.dont_write_bytecode = True
        nowhere = os.open(os.devnull, os.O_WRONLY)
        for standard in (1, 2):
            os.dup2(nowhere, standard)
        status = int(import_module("pytest").main(["-x", "-q", "-p", "no:cacheprovider", *tests]))
    finally:
        os._exit(status)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folders", nargs="+", help="of the product, or files, which are mirrored in tests/")
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--seconds", type=float, default=600.0, help="after which a mutant counts as dead")
    parser.add_argument("--before", type=Path, help="a checkout whose tests kill no more than ours")
    options = parser.parse_args()

    os.environ |= {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    for name in LOADED_ONCE:
        import_module(name)
    weaker = 0
    with tempfile.TemporaryDirectory() as temporary:
        ours = Copy(Path(temporary) / "ours", ROOT)
        theirs = Copy(Path(temporary) / "theirs", options.before) if options.before else None
        for folder in options.folders:
            if ours.run([mirror_of(folder)], options.seconds):
                sys.exit(f"{mirror_of(folder)} fails without a mutant")
        fates = {"dies": 0, "survives": 0}
        for mutant in draw(options.folders, options.count, options.seed):
            tests = [mirror_of(mutant.file)]
            tests += [] if mutant.file in options.folders else [mirror_of(str(Path(mutant.file).parent))]
            dies = ours.kills(mutant, tests, options.seconds)
            fates["dies" if dies else "survives"] += 1
            fate = "dies" if dies else "survives"
            if not dies and theirs:
                died_before = theirs.kills(mutant, tests, options.seconds)
                weaker += died_before
                fate += ", died before" if died_before else ", and did before"
            print(f"{fate}: {mutant.describe((ROOT / mutant.file).read_bytes())}", flush=True)
    print(f"{fates['dies']} of {sum(fates.values())} die" + (f"; {weaker} that died before survive" if theirs else ""))
    sys.exit(weaker > 0)


if __name__ == "__main__":
    main()
