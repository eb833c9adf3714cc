"""Our own estimators against the nearest class of a library, in the same run, and how their time grows.

    python -m benchmarks.estimators                    # all families
    python -m benchmarks.estimators --family trees --repeats 5

A family is a module beside this one with a tuple `PAIRS`. A ratio of 2 means twice the library's time: more is marked.
Growth is the power of rows and of columns that the time of a fit grows with, from the first size to four times it.
"""

from __future__ import annotations

import argparse
from importlib import import_module
from pathlib import Path

from threadpoolctl import threadpool_limits

from benchmarks.estimators.pairs import Measured, Pair, growth, measure

NOT_FAMILIES = {"__init__", "__main__", "pairs", "tables"}
MOST = 2.0


def families() -> list[str]:
    return sorted(path.stem for path in Path(__file__).parent.glob("*.py") if path.stem not in NOT_FAMILIES)


def pairs_of(family: str) -> tuple[Pair, ...]:
    found: tuple[Pair, ...] = import_module(f"benchmarks.estimators.{family}").PAIRS
    return found


def show(pair: Pair, sizes: list[Measured]) -> None:
    base, longer, wider = sizes
    for size in sizes:
        ratio = "" if size.peer is None else f"{size.ratio:>7.2f}{size.answer_ratio:>8.2f}"
        peer = f"{size.peer.fit:>9.4f}" if size.peer else f"{'none':>9}"
        mark = "  more than twice" if size.ratio > MOST else ""
        print(f"{pair.name:<38}{size.rows:>7}{size.columns:>6}{size.ours.fit:>9.4f}{peer}{ratio}{mark}", flush=True)
    powers = {"ours": [growth(base.ours.fit, one.ours.fit) for one in (longer, wider)]}
    if base.peer and longer.peer and wider.peer:
        powers["peer"] = [growth(base.peer.fit, one.peer.fit) for one in (longer, wider)]
    told = "; ".join(f"{who} n^{by_rows:.2f} p^{by_columns:.2f}" for who, (by_rows, by_columns) in powers.items())
    print(f"{'':<38}growth: {told}", flush=True)


def main() -> None:
    found = families()
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--family", action="append", choices=found, help="only this family; repeatable")
    parser.add_argument("--repeats", type=int, default=3, help="of each measurement; the median counts")
    options = parser.parse_args()
    print(f"{'estimator':<38}{'n':>7}{'p':>6}{'ours s':>9}{'peer s':>9}{'ratio':>7}{'answer':>8}")
    # Before the limit, which holds for libraries that are loaded already.
    pairs = [pair for name in options.family or found for pair in pairs_of(name)]
    with threadpool_limits(1):
        for pair in pairs:
            show(pair, list(measure(pair, options.repeats)))


if __name__ == "__main__":
    main()
