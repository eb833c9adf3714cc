"""Does "structure" mean structure? How often rows without groups are said to have none, and planted groups are seen.

    python benchmarks/structure.py                 # 100 seeds of every law: some twenty minutes
    python benchmarks/structure.py --seeds 20

Rows without groups: a uniform box, one Gaussian, a blob with heavy tails (multivariate t), independent skewed columns.
At least 95 % of each must be called "no structure". Planted groups lie at some distance, in standard deviations of a
group. The peer (`--peer`) is the usual rule: the gap statistic of K-means and the standard error of its references.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable

import numpy as np
from joblib import Parallel, delayed
from sklearn.cluster import KMeans
from sklearn.datasets import make_circles, make_moons
from threadpoolctl import threadpool_limits

from penstock.components.structure.assess import assess_structure

Floats = np.ndarray
Law = Callable[[np.random.Generator], Floats]

ROWS = 300


def student(rng: np.random.Generator, width: int, degrees: float) -> Floats:
    return rng.standard_normal((ROWS, width)) / np.sqrt(rng.chisquare(degrees, size=(ROWS, 1)) / degrees)


def tied(rng: np.random.Generator, width: int) -> Floats:
    """A Gaussian with a covariance by lot."""
    return rng.standard_normal((ROWS, width)) @ rng.standard_normal((width, width))


WITHOUT: dict[str, Law] = {
    "uniform, 2 columns": lambda rng: rng.uniform(size=(ROWS, 2)),
    "uniform, 5 columns": lambda rng: rng.uniform(size=(ROWS, 5)),
    "Gaussian, 2 columns": lambda rng: tied(rng, 2),
    "Gaussian, 10 columns": lambda rng: tied(rng, 10),
    "t with 3 degrees, 2 columns": lambda rng: student(rng, 2, 3),
    "t with 3 degrees, 5 columns": lambda rng: student(rng, 5, 3),
    "exponential, 3 columns": lambda rng: rng.exponential(size=(ROWS, 3)),
    "lognormal, 3 columns": lambda rng: rng.lognormal(size=(ROWS, 3)),
    "chi-squared, 6 columns": lambda rng: rng.chisquare(2, size=(ROWS, 6)),
}


def groups(
    rng: np.random.Generator, number: int, width: int, apart: float, shares: list[float] | None = None
) -> Floats:
    """Gaussian groups whose centres are the corners of a simplex (or in a row, if there are too few columns)."""
    centres = np.zeros((number, width))
    for group in range(1, number):
        centres[group, (group - 1) % width] = apart * (1 + (group - 1) // width)
    return centres[rng.choice(number, size=ROWS, p=shares)] + rng.standard_normal((ROWS, width))


WITH: dict[str, Law] = {
    "2 groups at 3, 2 columns": lambda rng: groups(rng, 2, 2, 3.0),
    "2 groups at 4, 2 columns": lambda rng: groups(rng, 2, 2, 4.0),
    "2 groups at 5, 2 columns": lambda rng: groups(rng, 2, 2, 5.0),
    "3 groups at 4, 5 columns": lambda rng: groups(rng, 3, 5, 4.0),
    "3 groups at 5, 5 columns": lambda rng: groups(rng, 3, 5, 5.0),
    "4 groups at 6, 10 columns": lambda rng: groups(rng, 4, 10, 6.0),
    "2 groups at 6, 10 and 90 %": lambda rng: groups(rng, 2, 2, 6.0, [0.1, 0.9]),
    "two moons": lambda rng: make_moons(ROWS, noise=0.08, random_state=int(rng.integers(2**31)))[0],
    "two rings": lambda rng: make_circles(ROWS, noise=0.05, factor=0.5, random_state=int(rng.integers(2**31)))[0],
}


def ours(rows: Floats, seed: int) -> bool:
    return assess_structure(rows, seed=seed).structured


def gap(rows: Floats, seed: int, draws: int = 10, most: int = 6) -> bool:
    """The first K whose gap is not below the next one's by its standard error: is it above one?"""
    rng = np.random.default_rng(seed)
    low, high = rows.min(axis=0), rows.max(axis=0)
    inside = _inertias(rows, most, seed)
    drawn = np.stack([_inertias(rng.uniform(low, high, size=rows.shape), most, seed) for _ in range(draws)])
    gaps = drawn.mean(axis=0) - inside
    errors = drawn.std(axis=0) * np.sqrt(1 + 1 / draws)
    return not gaps[0] >= gaps[1] - errors[1]


def _inertias(rows: Floats, most: int, seed: int) -> Floats:
    return np.log([KMeans(k, n_init=1, random_state=seed).fit(rows).inertia_ for k in range(1, most + 1)])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, default=100)
    parser.add_argument("--part", choices=["without", "with"], help="only rows without groups, or only those with")
    parser.add_argument("--peer", action="store_true", help="the gap statistic too")
    parser.add_argument("--jobs", type=int, default=-1, help="processes; by default one for each core")
    asked = parser.parse_args()
    began = time.perf_counter()
    for part, laws, right in (("without", WITHOUT, "no structure"), ("with", WITH, "structure")):
        if asked.part in (None, part):
            print(f"\n{ROWS} rows {part} groups: share of {asked.seeds} draws called '{right}', in percent", flush=True)
            for number, (name, law) in enumerate(laws.items()):
                drawn = [law(np.random.default_rng([seed, number])) for seed in range(asked.seeds)]
                line = f"  {name:32} {_share(ours, drawn, part, asked.jobs):5.0f}"
                print(line + (f"   gap {_share(gap, drawn, part, asked.jobs):5.0f}" if asked.peer else ""), flush=True)
    print(f"\n{time.perf_counter() - began:.0f} seconds")


def _share(judge: Callable[[Floats, int], bool], drawn: list[Floats], part: str, jobs: int) -> float:
    found = Parallel(jobs)(delayed(_judged)(judge, rows, seed) for seed, rows in enumerate(drawn))
    return 100 * float(np.mean([structured == (part == "with") for structured in found]))


def _judged(judge: Callable[[Floats, int], bool], rows: Floats, seed: int) -> bool:
    with threadpool_limits(1):
        return judge(rows, seed)


if __name__ == "__main__":
    main()
