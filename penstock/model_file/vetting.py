"""A model file from elsewhere is read and asked for a prediction in a process of its own first, within limits.

`load_bundle` checks what is known to lead compiled code astray. What is not known then ends that process and not this
one. What this home has made itself is not asked again, nor what has been asked once: see `Registry.download`.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pandas as pd

from penstock.components.contract import BETWEEN, BOUNDS, IN_SET, Rule
from penstock.components.schema import Column
from penstock.errors import ModelError, PenstockError
from penstock.model import PenstockModel, load_bundle

SECONDS, SECONDS_PER_GB = 60, 60
PATIENCE = 4
"""How often the time may pass on a busy machine; what only waits is ended then, too."""
MEMORY, MEMORY_GROWTH = 4 << 30, 40
"""Bytes that a process with the libraries may have, and how many for each byte of the file."""
ROWS = 256
THREADS = ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMEXPR_NUM_THREADS")


def vet(file: Path) -> None:
    """Raise where the file cannot be read, or its model cannot predict, without harm."""
    size = file.stat().st_size
    seconds = SECONDS + SECONDS_PER_GB * size // 10**9
    limits = [str(seconds), str(MEMORY + MEMORY_GROWTH * size)]
    try:
        done = subprocess.run(
            [sys.executable, "-P", "-m", "penstock.model_file.vetting", str(file), *limits],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env={**os.environ, **dict.fromkeys(THREADS, "1")},
            timeout=PATIENCE * seconds,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise _harmful(file, f"it takes more than {seconds} seconds") from None
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        raise _harmful(file, f"it takes more than {seconds} seconds, or all memory")
    if done.returncode:
        ended = signal.Signals(-done.returncode).name if done.returncode < 0 else f"exit status {done.returncode}"
        raise _harmful(file, f"the process that tried ended with {ended}")
    fault = json.loads(done.stdout)
    if fault:
        raise PenstockError.from_parts(fault)


def require_predicts(model: PenstockModel) -> None:
    """Raise where a model has no scores for rows that its own schema and contract describe."""
    rows = typical_rows(model)
    model.score_frame(rows, enforce=False)
    many = pd.concat([rows] * (ROWS // len(rows)), ignore_index=True)
    model.score_frame(many, enforce=False)  # what takes long, or much memory, does so for each row
    for others in (rows, pd.DataFrame(None, index=[0], columns=rows.columns, dtype=object)):
        try:
            model.score_frame(others)
        except PenstockError:
            continue  # the contract or the model may refuse what is missing


def typical_rows(model: PenstockModel) -> pd.DataFrame:
    """Two rows with values that the columns can have."""
    rules: list[Rule] = model.contract["rules"]
    return pd.DataFrame(
        {column.name: list(_values(column, [rule for rule in rules if rule["kwargs"].get("column") == column.name]))
         for column in model.predictions.inputs_of(model.schema)}
    )  # fmt: skip


def _values(column: Column, rules: Iterable[Rule]) -> tuple[Any, Any]:
    known: dict[str, Any] = {}
    for rule in rules:
        if rule["type"] in (IN_SET, BETWEEN):
            known |= rule["kwargs"]
    levels = column.levels or known.get("value_set")
    if levels:
        return levels[0], levels[-1]
    if column.role == "numeric":
        ends = [known[bound] for bound in BOUNDS if isinstance(known.get(bound), (int, float))] or [1.0]
        return float(ends[0]), float(ends[-1])
    return ("2020-01-01", "2020-12-31") if column.role == "date" else ("a", "a b")


def _harmful(file: Path, what: str) -> ModelError:
    return ModelError(
        "PEN522",
        f"the model file cannot be loaded and asked for a prediction without harm: {what}",
        where=str(file),
        remedy="do not use it: it was damaged or made to do harm; ask who registered it, or train the model again",
    )


def _limit(seconds: int, memory: int) -> None:
    limits = {resource.RLIMIT_CPU: seconds, resource.RLIMIT_AS: memory, resource.RLIMIT_CORE: 0}
    for name, limit in limits.items():
        hard = resource.getrlimit(name)[1]
        lowered = limit if hard == resource.RLIM_INFINITY else min(limit, hard)
        resource.setrlimit(name, (lowered, hard))


def main(file: Path, seconds: int, memory: int) -> dict[str, str]:
    _limit(seconds, memory)
    try:
        require_predicts(load_bundle(file))
    except MemoryError:
        return _harmful(file, "it takes more memory than a model of its size can need").parts()
    except PenstockError as error:
        return error.parts()
    return {}


if __name__ == "__main__":
    told = os.dup(1)
    os.dup2(2, 1)  # a model may print
    with os.fdopen(told, "w") as answer:
        json.dump(main(Path(sys.argv[1]), *map(int, sys.argv[2:])), answer)
