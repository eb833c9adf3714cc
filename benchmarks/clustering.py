"""How well does `models: auto` find groups that are known, told neither the groups nor their number?

    python benchmarks/clustering.py --data ../shared/data/clustering
    python benchmarks/clustering.py                    # simulated batteries
    python benchmarks/clustering.py --set atom --set s1 --jobs 1

The adjusted Rand index of each set, beside methods that are given the true number of groups. HDBSCAN cannot be: of
several settings it gets the one that comes nearest to that number. Rows whose true label is 0 are noise: methods see
them, the index does not. Where a set has more than 5,000 rows, methods that grow with the square of the rows learn from
5,000 and assign the others by their rule; so do all but k-means and the chooser on more than 20,000.

The chooser has one threshold: the share of rows in pieces that no valley parts. Here it is also tuned on each battery,
as the middle of all values that are best there, and evaluated on the other.
"""

from __future__ import annotations

import argparse
import time
import warnings
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from joblib import Parallel, delayed
from sklearn.datasets import make_blobs, make_circles, make_moons
from sklearn.exceptions import ConvergenceWarning
from sklearn.metrics import adjusted_rand_score
from threadpoolctl import threadpool_limits

from penstock.components import catalog
from penstock.components.structure.assess import assess_structure
from penstock.components.structure.chooser import MAX_PIECES, weigh

Floats = np.ndarray

SEED = 0
MAX_ROWS = 5000
SETTINGS = (5, 10, 20, 40, 80)
THRESHOLDS = np.round(np.arange(0.05, 1.0, 0.05), 2)
FIXED = ("k-means", "Gaussian mixture", "Ward", "HDBSCAN", "spectral")


class Set(NamedTuple):
    battery: str
    name: str
    rows: Floats
    truth: Floats


class Found(NamedTuple):
    """`mixture` and `dense` are what the chooser would get by either kind of answer; `pieces` is what decides."""

    battery: str
    name: str
    rows: int
    groups: int
    result: str
    chooser: float
    mixture: float
    dense: float
    pieces: float
    seconds: float
    fixed: dict[str, float]

    def at(self, threshold: float) -> float:
        return self.dense if self.pieces > threshold else self.mixture


def stored(folder: Path) -> list[Set]:
    """Every `battery/name.data.gz` with its `name.labels0.gz`."""
    found = []
    for path in sorted(folder.glob("*/*.data.gz")):
        name = path.name.removesuffix(".data.gz")
        truth = np.loadtxt(path.with_name(f"{name}.labels0.gz")).astype(int)
        found.append(Set(path.parent.name, name, np.loadtxt(path, ndmin=2), truth))
    return found


def simulated() -> list[Set]:
    """Groups of odd shapes, and compact groups in some number, distance and size."""
    rng = np.random.default_rng(SEED)
    arms = np.sqrt(rng.uniform(0.05, 1.0, 600)) * 3 * np.pi
    arm = np.repeat([0, 1], 300)
    turned = arms + np.pi * arm
    spirals = np.column_stack([arms * np.cos(turned), arms * np.sin(turned)]) + rng.normal(0, 0.15, (600, 2))
    bars = np.vstack([rng.uniform([0, 0], [10, 1], (300, 2)), rng.uniform([0, 2], [10, 3], (300, 2))])
    shells = rng.standard_normal((600, 3))
    shells *= np.repeat([1.0, 5.0], 300)[:, None] / np.linalg.norm(shells, axis=1, keepdims=True)
    odd = {
        "moons": make_moons(600, noise=0.07, random_state=SEED),
        "circles": make_circles(600, noise=0.04, factor=0.5, random_state=SEED),
        "spirals": (spirals, arm),
        "bars": (bars, arm),
        "shells": (shells + rng.normal(0, 0.2, shells.shape), arm),
    }
    compact = {
        "4 in 2 columns": make_blobs(600, 2, centers=4, cluster_std=0.8, random_state=3),
        "12 in 2 columns": make_blobs(1800, 2, centers=12, cluster_std=0.6, random_state=5),
        "40 in 2 columns": make_blobs(4000, 2, centers=40, cluster_std=0.25, random_state=2),
        "6 in 10 columns": make_blobs(900, 10, centers=6, cluster_std=3.0, random_state=SEED),
        "3 of other sizes": make_blobs([800, 150, 50], 3, cluster_std=[2.0, 1.0, 0.5], random_state=1),
    }
    batteries = {"shapes": odd, "blobs": compact}
    return [Set(battery, name, X, y + 1) for battery, sets in batteries.items() for name, (X, y) in sets.items()]


def score(one: Set, labels: Floats) -> float:
    known = one.truth > 0
    return float(adjusted_rand_score(one.truth[known], labels[known]))


def fitted(one: Set, method: str, given: dict[str, Any], most: int = MAX_ROWS) -> Floats:
    model = catalog.build(method, given, seed=SEED, problem="clustering")
    drawn = np.random.default_rng(SEED).permutation(len(one.rows))[:most]
    return np.asarray(model.fit(one.rows[drawn]).predict(one.rows))


def by_fixed(one: Set, method: str) -> float:
    groups = len(np.unique(one.truth[one.truth > 0]))
    if method == "HDBSCAN":
        tried = [fitted(one, "hdbscan", {"min_cluster_size": size, "min_samples": 5}) for size in SETTINGS]
        return score(one, min(tried, key=lambda labels: abs(labels.max() + 1 - groups)))
    if method == "Ward":
        return score(one, fitted(one, "agglomerative", {"clusters": groups, "linkage": "ward"}))
    name = {"k-means": "k-means", "Gaussian mixture": "gaussian-mixture", "spectral": "spectral"}[method]
    return score(one, fitted(one, name, {"clusters": groups}, MAX_ROWS if name == "spectral" else 20_000))


def judged(one: Set) -> Found:
    with threadpool_limits(1), warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        began = time.process_time()
        verdict = assess_structure(one.rows, seed=SEED)
        result, mixture, dense, pieces = "no structure", 0.0, 0.0, 0.0
        seconds = time.process_time() - began
        if verdict.structured:
            began = time.process_time()
            weighed = weigh(one.rows, seed=SEED)
            compact, shapes, choice = weighed.choice(np.inf), weighed.choice(-np.inf), weighed.choice()
            seconds += time.process_time() - began
            result, pieces = f"{choice.method}, {choice.clusters}", weighed.seen["pieces"]
            mixture, dense = (
                score(one, fitted(one, asked.method, asked.parameters, len(one.rows))) for asked in (compact, shapes)
            )
        groups = len(np.unique(one.truth[one.truth > 0]))
        fixed = {method: by_fixed(one, method) for method in FIXED}
        chooser = dense if pieces > MAX_PIECES else mixture
        return Found(
            one.battery, one.name, len(one.rows), groups, result, chooser, mixture, dense, pieces, seconds, fixed
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, help="a folder with a folder for each battery")
    parser.add_argument("--set", action="append", help="only this set; can be given several times")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; by default one for each core")
    asked = parser.parse_args()
    sets = [one for one in (stored(asked.data) if asked.data else simulated()) if one.name in (asked.set or [one.name])]
    print("| battery | set | rows | groups | answer | pieces | chooser | " + " | ".join(FIXED) + " | seconds |")
    print("|" + "---|" * (len(FIXED) + 8), flush=True)
    found = []
    for one in Parallel(asked.jobs, return_as="generator")(delayed(judged)(one) for one in sets):
        found.append(one)
        about = f"| {one.battery} | {one.name} | {one.rows:,} | {one.groups} | {one.result} | {one.pieces:.2f} | "
        values = " | ".join(f"{value:.2f}" for value in (one.chooser, *one.fixed.values()))
        print(f"{about}{values} | {one.seconds:.1f} |", flush=True)
    means(found)


def means(found: list[Found]) -> None:
    print("\n| battery | chooser | tuned on another battery | " + " | ".join(FIXED) + " |")
    print("|" + "---|" * (len(FIXED) + 3))
    batteries = list(dict.fromkeys(one.battery for one in found))
    for battery in batteries:
        own = [one for one in found if one.battery == battery]
        threshold = tuned([one for one in found if one.battery != battery]) if len(batteries) > 1 else None
        fair = "" if threshold is None else f"{np.mean([one.at(threshold) for one in own]):.3f} (at {threshold:.2f})"
        fixed = " | ".join(f"{np.mean([one.fixed[method] for one in own]):.3f}" for method in FIXED)
        print(f"| {battery} | {np.mean([one.chooser for one in own]):.3f} | {fair} | {fixed} |")


def tuned(found: list[Found]) -> float:
    """The middle of the thresholds that are best on these sets."""
    values = np.array([np.mean([one.at(threshold) for one in found]) for threshold in THRESHOLDS])
    return float(np.median(THRESHOLDS[values >= values.max() - 1e-9]))


if __name__ == "__main__":
    main()
