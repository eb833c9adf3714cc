"""The selection of a model on one Dask worker, on two, and in two worker processes without Dask.

    python benchmarks/dask_speed.py                          # on the churn example
    python benchmarks/dask_speed.py --data ../shared/data    # on adult, a job of minutes
    python benchmarks/dask_speed.py --forests 4 --repeats 3

Each way is a `penstock run` of its own on an empty home; all must find the same winner with the same score. Seconds go
from the first preparation to the chosen winner. "In fits" adds up how long the fits took: on cores that are free it is
the same in all ways; where it rises, other programs wanted the cores too, and the seconds tell of them. "At once" is
how many fits went on at a time on average: how well workers were kept busy, which other programs change little.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).parent.parent
CHURN = {
    "source": str(ROOT / "examples" / "churn" / "churn.csv"),
    "target": "churned",
    "positive": "yes",
    "key": "snapshot_id",
    "group": "customer_id",
    "columns": {"satisfaction": "nominal"},
}
WAYS: dict[str, list[str]] = {
    "one Dask worker": ["--set", "engine.dask.workers=1"],
    "two Dask workers": ["--set", "engine.dask.workers=2"],
    "two processes": ["--set", "limits.workers=2"],
}


def pipeline(folder: Path, data: dict[str, Any], forests: int, trees: int) -> Path:
    leaves = [1, 2, 3, 5, 8, 13, 21, 34, 55, 89][:forests]
    document = {
        "name": "bench",
        "problem": "classification",
        "data": data,
        "validation": {"on_failure": "warn", "leakage": "off"},
        "models": [{"random-forest": {"n_estimators": trees, "min_samples_leaf": leaves}}],
        "search": {"strategy": "grid", "fits": 5 * (forests + 1), "batch": forests + 1, "prune": False},
    }
    path = folder / "pipeline.yaml"
    path.write_text(yaml.safe_dump(document), encoding="utf-8")
    return path


def measure(path: Path, way: list[str], home: Path) -> tuple[float, float, tuple[str, float]]:
    """Seconds of the selection, seconds that the fits themselves took, and the winner with its score."""
    command = [str(Path(sys.executable).with_name("penstock")), "run", str(path), "--json", *way]
    environment = {**os.environ, "PENSTOCK_HOME": str(home), "PENSTOCK_ALLOW_PATHS": "/"}
    found = json.loads(subprocess.run(command, env=environment, stdout=subprocess.PIPE, check=True).stdout)
    lines = Path(found["artifacts"]["journal"]).read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines]
    began = next(event["at"] for event in events if event["event"] == "begin" and event["stage"].startswith("prepare"))
    ended = next(event["at"] for event in events if event["event"] == "stage" and event["stage"] == "select")
    fits = [event for event in events if event["event"] == "candidate"]
    best = next(one for one in found["candidates"] if one["label"] == found["winner"]["label"])
    return ended - began, sum(event["seconds"] for event in fits), (best["label"], best["score"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="folder with adult.csv.gz; else the churn example is used")
    parser.add_argument("--forests", type=int, default=8, choices=range(1, 11), help="candidates, of five fits each")
    parser.add_argument("--trees", type=int, default=300, help="of each forest")
    parser.add_argument("--repeats", type=int, default=1, help="of each measurement; the median counts")
    options = parser.parse_args()
    data: dict[str, Any] = CHURN
    if options.data:
        source = str((options.data / "adult.csv.gz").resolve())
        data = {"source": source, "target": "income", "columns": {"part": "ignore"}}

    print(f"load when begun: {', '.join(f'{load:.1f}' for load in os.getloadavg())} on {os.cpu_count()} cores")
    measured: dict[str, list[tuple[float, float]]] = {way: [] for way in WAYS}
    winners = set()
    with tempfile.TemporaryDirectory() as temporary:
        path = pipeline(Path(temporary), data, options.forests, options.trees)
        for repeat in range(options.repeats):
            for way, arguments in WAYS.items():
                seconds, fits, winner = measure(path, arguments, Path(temporary) / f"{way} {repeat}")
                measured[way].append((seconds, fits))
                winners.add(winner)
    assert len(winners) == 1, f"the ways found different winners: {winners}"
    one = statistics.median(seconds for seconds, _ in measured["one Dask worker"])
    print(f"{'way':<18}{'seconds':>9}{'speed-up':>10}{'in fits':>9}{'at once':>9}")
    for way, values in measured.items():
        seconds, fits = (statistics.median(column) for column in zip(*values, strict=True))
        print(f"{way:<18}{seconds:>9.1f}{one / seconds:>10.2f}{fits:>9.1f}{fits / seconds:>9.2f}")
    print(f"load when ended: {', '.join(f'{load:.1f}' for load in os.getloadavg())}")


if __name__ == "__main__":
    main()
