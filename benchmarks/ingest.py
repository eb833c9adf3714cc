"""Ingesting a large CSV file against plain pandas.read_csv: seconds and peak memory, each in a process of its own.

    python benchmarks/ingest.py [--rows 250000 1000000 2000000] [--repeats 1] [--data FILE]

Ingest finds out the dialect, checks every row, types every column by all its values, stores the rows as received,
decides on roles, and stores the rows again in the form of their roles. read_csv only reads.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

COLUMNS = 50
PART = 50_000


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[250_000, 1_000_000, 2_000_000])
    parser.add_argument("--repeats", type=int, default=1)
    parser.add_argument("--data", type=Path, help="a CSV file of your own, with a column 'target'")
    parser.add_argument("--one", nargs=2, metavar=("WAY", "FILE"), help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        print(json.dumps(measure(arguments.one[0], Path(arguments.one[1]))))
        return
    print("| rows | file | way | seconds | of processor | peak memory | beyond the imports |")
    print("|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for rows in [0] if arguments.data else arguments.rows:
            file = arguments.data or write(Path(folder, f"{rows}.csv"), rows)
            for way in ("read_csv", "ingest"):
                report(rows, file, way, [run(way, file) for _ in range(arguments.repeats)])
            if not arguments.data:
                file.unlink()


def run(way: str, file: Path) -> dict[str, float]:
    done = subprocess.run([sys.executable, __file__, "--one", way, str(file)], capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def report(rows: int, file: Path, way: str, runs: list[dict[str, float]]) -> None:
    seconds, busy, peak, base = (median(run[name] for run in runs) for name in ("seconds", "busy", "peak", "base"))
    size = file.stat().st_size / 1e6
    memory = f"{peak:,.0f} MB | {peak - base:,.0f} MB"
    print(f"| {rows:,} | {size:,.0f} MB | {way} | {seconds:.1f} | {busy:.1f} | {memory} |", flush=True)


def measure(way: str, file: Path) -> dict[str, float]:
    """Seconds and peak memory of one way, in this process."""
    import pandas as pd

    from penstock.context import Run
    from penstock.spec.data import Data
    from penstock.tasks.ingest import ingest, take

    base = peak_memory()
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        started, busy = time.perf_counter(), time.process_time()
        if way == "read_csv":
            pd.read_csv(file)
        else:
            run = Run(
                id="a", pipeline="p", home=home, folder=home / "a", base=file.parent, tracking_uri="", engine="plain"
            )
            data = Data(source=file.name, target="target")
            ingest(run, data, "classification", take(run, data, "UTC"), None, 0)
        seconds, busy = time.perf_counter() - started, time.process_time() - busy
        return {"seconds": seconds, "busy": busy, "peak": peak_memory(), "base": base}


def peak_memory() -> float:
    """Of this process so far, in MB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1e6)


def write(file: Path, rows: int) -> Path:
    """40 columns of numbers, 5 of whole numbers, 4 of texts, and a target."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(0)
    words = np.array([f"word {number}" for number in range(200)])
    for start in range(0, rows, PART):
        size = min(PART, rows - start)
        part = pd.DataFrame(rng.normal(size=(size, 40)).round(6), columns=[f"x{n}" for n in range(40)])
        for number in range(5):
            part[f"n{number}"] = rng.integers(0, 10**6, size)
        for number in range(4):
            part[f"t{number}"] = rng.choice(words, size)
        part["target"] = rng.choice(["yes", "no"], size)
        assert part.shape[1] == COLUMNS
        part.to_csv(file, index=False, header=start == 0, mode="a")
    return file


if __name__ == "__main__":
    main()
