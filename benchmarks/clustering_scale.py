"""How do time and memory of clusterings grow with the rows, and what is refused before it is begun?

    python benchmarks/clustering_scale.py                      # up to a million rows by 20 columns
    python benchmarks/clustering_scale.py --rows 10000 --rows 100000 --method birch
    python benchmarks/clustering_scale.py --flow --method mini-batch-k-means --method auto    # a whole `penstock run`

Each method fits in a process of its own, by the job that fits candidates in a run: it reads the prepared rows from the
store, fits, scores the clusters and resamples them. Rows lie in eight groups. Memory is the peak of the process, whole
and beyond what it had before the job began, beside that of the rows alone. Growth is the power of the rows that the
seconds grow with, from the first size on.

With `--flow`, a Parquet file of so many rows goes through `penstock run` as a pipeline file says it, in a home of its
own: reading, checks, search, evidence, report and all. Memory is that of the whole family of processes, shared pages
counted once.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path

import numpy as np
import pandas as pd
import psutil
import yaml
from threadpoolctl import threadpool_limits

from penstock.components.clustering.cost import estimate, require_affordable
from penstock.components.search.candidates import Candidate
from penstock.errors import ClusteringError
from penstock.evidence.folds import Folds
from penstock.problems.clustering.fit import fit
from penstock.problems.fits import FitInput, FitSettings, Prepared
from penstock.store import Store

COLUMNS, GROUPS, LIMIT = 20, 8, 4e9
ROWS = (10_000, 100_000, 1_000_000)
PAUSE = 0.3
SCALABLE = {
    "k-means": {"clusters": GROUPS},
    "mini-batch-k-means": {"clusters": GROUPS},
    "k-means-linkage": {"clusters": GROUPS},
    "bisecting-k-means": {"clusters": GROUPS},
    "gaussian-mixture": {"clusters": GROUPS, "covariance_type": "diag"},
    "birch": {"clusters": GROUPS, "most_groups": 500},
}
QUADRATIC = ("agglomerative", "k-medoids", "kernel-k-means", "dbscan")


def drawn(rows: int) -> tuple[np.ndarray, np.ndarray]:
    rng = np.random.default_rng(0)
    centres = rng.normal(0, 4, (GROUPS, COLUMNS))
    groups = rng.integers(GROUPS, size=rows)
    return centres[groups] + rng.standard_normal((rows, COLUMNS)), groups


def one(folder: str, method: str, prepared: Prepared) -> None:
    """Fit in this process, and print what it took."""
    store, candidate = Store(folder), Candidate(name=method, parameters=SCALABLE[method], number=0)
    before, began = peak(), time.process_time()
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore")
        settings = FitSettings(candidate=candidate, fold=0, seed=0)
        facts = fit(FitInput("clustering", settings, Folds(), prepared.load(store))).facts
    found = facts.model_dump() if facts else {}
    print(
        json.dumps({"seconds": time.process_time() - began, "bytes": peak() - before, "peak": peak(), "found": found})
    )


def peak() -> int:
    """Of this process alone: on Linux, what getrusage says of a child begins with the peak of its parent."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) * 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def measured(folder: str, method: str, prepared: Prepared) -> tuple[float, float, float, int]:
    command = [sys.executable, __file__, "--one", folder, method, prepared.model_dump_json()]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    told = json.loads(done.stdout.splitlines()[-1])
    return told["seconds"], told["bytes"] / 1e6, told["peak"] / 1e6, told["found"]["clusters_found"]


def whole_run(folder: Path, method: str, rows: int) -> str:
    """A line of the table: what `penstock run` takes for a pipeline file with this method, or `auto`."""
    X, groups = drawn(rows)
    table = pd.DataFrame(X, columns=[f"x{number + 1}" for number in range(COLUMNS)])
    table.assign(planted=groups.astype(str)).to_parquet(folder / "rows.parquet")
    del X, table
    models = "auto" if method == "auto" else [{method: {**SCALABLE[method], "clusters": [4, GROUPS, 12]}}]
    spec = {
        "name": "scale",
        "problem": "clustering",
        "data": {"source": "rows.parquet", "target": "planted"},
        "models": models,
        "search": {"strategy": "grid"},
    }
    (folder / "pipeline.yaml").write_text(yaml.safe_dump(spec))
    command = [Path(sys.executable).with_name("penstock"), "run", "pipeline.yaml"]
    environment = {**os.environ, "PENSTOCK_HOME": str(folder / "home")}
    began = time.monotonic()
    with (folder / "log").open("w") as log:
        started = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
        most, processor = watched(started)
    if started.returncode:
        raise SystemExit((folder / "log").read_text())
    seconds = time.monotonic() - began
    document = json.loads(next((folder / "home").glob("runs/*/run.json")).read_text())
    winner, truth = document["winner"], document["truth"]
    found = f"{winner['name']}, {truth['clusters']} | {truth['adjusted_rand']:.3f}"
    return f"| {method} | {rows:,} | {most / 1e6:,.0f} | {processor:,.0f} | {seconds:,.0f} | {found} |"


def watched(started: subprocess.Popen[bytes]) -> tuple[int, float]:
    """The greatest memory of a process with all below it, and the processor seconds of them all."""
    top, most, spent = psutil.Process(started.pid), 0, {}
    while started.poll() is None:
        memory = 0
        for one in [top, *top.children(recursive=True)]:
            try:
                took = one.cpu_times()
                spent[one.pid] = took.user + took.system
                found = one.memory_full_info()
                memory += getattr(found, "pss", found.uss)
            except psutil.Error:  # it has ended since
                continue
        most = max(most, memory)
        time.sleep(PAUSE)
    return most, sum(spent.values())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, action="append")
    parser.add_argument("--method", choices=[*SCALABLE, "auto"], action="append")
    parser.add_argument("--flow", action="store_true", help="whole runs, of a million rows unless told otherwise")
    parser.add_argument("--one", nargs=3, help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.one:
        folder, method, prepared = asked.one
        one(folder, method, Prepared.model_validate_json(prepared))
        return
    if asked.flow:
        print("| models | rows | peak of all processes, MB | processor seconds | seconds | found | adjusted Rand |")
        print("|---|---|---|---|---|---|---|", flush=True)
        for method in asked.method or ["mini-batch-k-means", "auto"]:
            for rows in asked.rows or ROWS[-1:]:
                with tempfile.TemporaryDirectory() as folder:
                    print(whole_run(Path(folder), method, rows), flush=True)
        return
    sizes = sorted(asked.rows or ROWS)
    methods = [method for method in asked.method or SCALABLE if method != "auto"]
    print(f"{COLUMNS} columns, {GROUPS} groups\n")
    print("| method | rows | the rows, MB | peak beyond, MB | peak, MB | processor seconds | clusters | growth |")
    print("|---|---|---|---|---|---|---|---|", flush=True)
    for method in methods:
        first = None
        for rows in sizes:
            with tempfile.TemporaryDirectory() as folder:
                store = Store(Path(folder))
                prepared = Prepared(train=store.put_matrix(drawn(rows)[0]), names=store.put_facts([]))
                seconds, beyond, whole, clusters = measured(folder, method, prepared)
            first = first or seconds
            power = f"{np.log(seconds / first) / np.log(rows / sizes[0]):.2f}" if rows > sizes[0] else ""
            memory = f"{8 * rows * COLUMNS / 1e6:,.0f} | {beyond:,.0f} | {whole:,.0f}"
            print(f"| {method} | {rows:,} | {memory} | {seconds:.1f} | {clusters} | {power} |", flush=True)
    refusals(sizes[-1])


def refusals(rows: int) -> None:
    print(f"\nAt {rows:,} rows, with a limit of {LIMIT / 1e9:.0f} GB:\n")
    for method in QUADRATIC:
        cost = estimate(method, rows, COLUMNS)
        assert cost is not None
        try:
            require_affordable(method, rows, COLUMNS, limit=LIMIT)
            print(f"- {method}: {cost.bytes / 1e9:,.1f} GB, allowed")
        except ClusteringError as refused:
            print(f"- {refused.what}. {refused.remedy}.")


if __name__ == "__main__":
    main()
