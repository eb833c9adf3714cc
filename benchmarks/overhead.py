"""What orchestration costs: `penstock run` against the same stages called as plain functions, in the same run.

    python benchmarks/overhead.py             # tiny data, and a job of a few minutes
    python benchmarks/overhead.py --tiny      # tiny data only

Every measurement is a fresh process on a home without stored results. "First" has no databases yet, "cold" has them but
no server, "warm" has a Prefect server up. What the long job costs beyond the fixed part is a share of its plain time.
"""

from __future__ import annotations

import argparse
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHURN = ROOT / "examples" / "churn"
TINY = """
name: tiny
problem: classification
data: {{source: "{data}", target: churned, positive: "yes", key: snapshot_id, group: customer_id,
       columns: {{satisfaction: nominal}}}}
split: {{folds: 3}}
models: [logistic-regression]
search: {{fits: 6}}
"""
LONG = """
name: long
problem: classification
data: {{source: "{data}", target: churned, positive: "yes", key: snapshot_id, group: customer_id,
       columns: {{satisfaction: nominal}}}}
models: [logistic-regression, random-forest, hist-gradient-boosting]
search: {{fits: {fits}}}
"""
PLAIN = """
import os, sys
from penstock.settings import Settings
Settings.from_environment().apply()
from penstock.flows.supervised import supervised
supervised.fn(sys.argv[1], engine="plain")
"""


class Bench:
    """A home and a pipeline file, and the ways to run it."""

    def __init__(self, folder: Path, pipeline: str) -> None:
        self.home = folder / "home"
        self.pipeline = folder / "pipeline.yaml"
        self.pipeline.write_text(pipeline, encoding="utf-8")

    def plain(self) -> float:
        return self._run([sys.executable, "-c", PLAIN, str(self.pipeline)])

    def first(self) -> float:
        shutil.rmtree(self.home, ignore_errors=True)
        return self.cold()

    def cold(self) -> float:
        self._wait_until_server_ended()
        return self._run([_penstock(), "run", str(self.pipeline)])

    def warm(self, api: str) -> float:
        return self._run([_penstock(), "run", str(self.pipeline)], PREFECT_API_URL=api)

    def _run(self, command: list[str], **environment: str) -> float:
        for name in ("store", "runs", "prefect/storage"):
            shutil.rmtree(self.home / name, ignore_errors=True)
        started = time.perf_counter()
        subprocess.run(
            command,
            env={**os.environ, "PENSTOCK_HOME": str(self.home), "PENSTOCK_ALLOW_PATHS": "/", **environment},
            check=True,
            stdout=subprocess.DEVNULL,
        )
        return time.perf_counter() - started

    def _wait_until_server_ended(self) -> None:
        deadline = time.monotonic() + 30
        while (self.home / "prefect" / "server.json").exists() and time.monotonic() < deadline:
            time.sleep(0.2)
        time.sleep(1)


def _penstock() -> str:
    return str(Path(sys.executable).with_name("penstock"))


def _median(measure: Callable[[], float], repeats: int) -> float:
    return statistics.median(measure() for _ in range(repeats))


def _measure(folder: Path, pipeline: str, api: str, repeats: int) -> dict[str, float]:
    bench = Bench(folder, pipeline)
    first = bench.first()
    return {
        "plain": _median(bench.plain, repeats),
        "first": first,
        "cold": _median(bench.cold, repeats),
        "warm": _median(lambda: bench.warm(api), repeats),
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tiny", action="store_true", help="leave out the job of a few minutes")
    parser.add_argument("--repeats", type=int, default=3, help="runs of each kind on tiny data; the median counts")
    parser.add_argument("--fits", type=int, default=150, help="size of the long job")
    options = parser.parse_args()

    from penstock.servers.auth import home_auth
    from penstock.servers.local import LocalServer
    from penstock.settings import Settings

    with tempfile.TemporaryDirectory() as temporary:
        folder = Path(temporary)
        rows = (CHURN / "churn.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        (folder / "tiny.csv").write_text("".join(rows[:301]), encoding="utf-8")
        settings = Settings(folder / "server", "", None, None)
        with LocalServer.begin(settings) as server:
            api = server.wait()
            os.environ["PREFECT_API_AUTH_STRING"] = home_auth(settings.home)
            jobs = {"tiny": (TINY.format(data=folder / "tiny.csv"), options.repeats)}
            if not options.tiny:
                jobs["long"] = (LONG.format(data=CHURN / "churn.csv", fits=options.fits), 1)
            results = {}
            for name, (pipeline, repeats) in jobs.items():
                (folder / name).mkdir()
                results[name] = _measure(folder / name, pipeline, api, repeats)

    print(f"{'job':<6}{'way':<8}{'seconds':>9}{'more than plain':>17}{'beyond fixed part':>19}")
    for name, seconds in results.items():
        for way, value in seconds.items():
            more = value - seconds["plain"]
            fixed = results["tiny"][way] - results["tiny"]["plain"]
            beyond = f"{(more - fixed) / seconds['plain']:>18.1%}" if name == "long" and way != "plain" else ""
            print(f"{name:<6}{way:<8}{value:>9.1f}{more:>17.1f}{beyond:>19}")


if __name__ == "__main__":
    main()
