"""Are the numbers true? Intervals, corrected scores and verdicts on simulated data whose truth is known.

    python benchmarks/honesty.py                       # everything, about 20 minutes on two cores
    python benchmarks/honesty.py --part coverage --repeats 4000
    python benchmarks/honesty.py --part gate

Everything is drawn again and again from a known law, so that it can be counted how often an interval holds the truth,
how far a corrected score is from the truth on average, and how often the gate promotes a model that is no better. The
truth is taken from a large fresh sample, or from a formula where there is one. Beside ours stands what is usually done
instead, on the same draws. Draws are spread over the cores; each has a seed of its own, so that their number changes no
outcome. Results are printed on the output, how far it is on the error stream.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
from scipy import stats
from scipy.special import expit

from penstock.components.evaluation.gate import decide
from penstock.components.evaluation.intervals import (
    Interval,
    bootstrap_interval,
    paired_interval,
    percentiles,
    resampled,
)
from penstock.components.evaluation.metrics import METRICS, Metric
from penstock.components.evaluation.scorers import scorer_of
from penstock.components.evaluation.selection import correct_for_selection

Array = np.ndarray[Any, Any]
Draw = tuple[Array, list[Array], Array | None]
"""Outcomes, the predictions of one or more models, and the groups of the rows."""

CLASSIFICATION = ("roc_auc", "accuracy", "neg_brier_score", "neg_log_loss")
REGRESSION = ("r2", "neg_root_mean_squared_error", "neg_mean_absolute_error")
GROUP_SIZE = 5
LARGE = 1_000_000


SAID_EVERY = 10.0
PROCESSES = os.cpu_count() or 1


def many(draw: Callable[[int], Any], repeats: int, what: str) -> Array:
    """The outcomes of seeds 0, 1, 2..., one row each."""
    found: list[Any] = []
    began = said = time.monotonic()
    with ProcessPoolExecutor(PROCESSES, mp_context=get_context("fork")) as pool:
        for outcome in pool.map(draw, range(repeats), chunksize=max(1, repeats // 100)):
            found.append(outcome)
            if time.monotonic() - said > SAID_EVERY:
                said = time.monotonic()
                print(
                    f"  ... {what}: {len(found)} of {repeats} draws in {said - began:.0f} s",
                    file=sys.stderr,
                    flush=True,
                )
    return np.array(found, dtype=float)


# The laws that data are drawn from


def classes(rng: np.random.Generator, rows: int, *, grouped: bool, gains: tuple[float, ...] = (0.0,)) -> Draw:
    """A third of the rows are positive. Each model sees the signal through noise of its own, and errs in its own way.

    `gains`: how much more of the signal each model sees. Groups share a part of the signal and of the noise.
    """
    groups, share = _groups(rows, grouped)
    signal = _shared(rng, rows, groups, share)
    y = (rng.random(rows) < expit(1.8 * signal - 0.9)).astype(int)
    predictions = []
    for gain in gains:
        seen = (1.0 + gain) * signal + 0.6 * _shared(rng, rows, groups, share)
        p = expit(1.5 * seen - 0.7)
        predictions.append(np.column_stack([1 - p, p]))
    return y, predictions, groups


def amounts(rng: np.random.Generator, rows: int, *, grouped: bool, gains: tuple[float, ...] = (0.0,)) -> Draw:
    """Errors with longer tails than a Gaussian's, larger where the amount is larger."""
    groups, share = _groups(rows, grouped)
    signal = _shared(rng, rows, groups, share)
    noise = _shared(rng, rows, groups, share) * np.sqrt(5 / rng.chisquare(5, size=rows))
    y = 3.0 + 2.0 * signal + (1.0 + 0.3 * np.abs(signal)) * noise
    return y, [2.8 + (1.8 + gain) * signal + 0.5 * rng.normal(size=rows) for gain in gains], groups


def _groups(rows: int, grouped: bool) -> tuple[Array | None, float]:
    return (np.repeat(np.arange(-(-rows // GROUP_SIZE)), GROUP_SIZE)[:rows], 0.5) if grouped else (None, 0.0)


def _shared(rng: np.random.Generator, rows: int, groups: Array | None, share: float) -> Array:
    """Unit Gaussians, of which groups have a part in common."""
    own = rng.normal(size=rows)
    if groups is None:
        return own
    common = rng.normal(size=groups.max() + 1)[groups]
    mixed: Array = np.sqrt(share) * common + np.sqrt(1 - share) * own
    return mixed


# Coverage


def draws(repeats: int, rows: int) -> int:
    """Many rows take longer, and there is less to be seen."""
    return repeats if rows <= 500 else max(1, repeats // 3)


def coverage(repeats: int) -> None:
    print("\ncoverage of 95 % intervals (must 92-98, goal 93-97)")
    print(f"{'metric':<30}{'rows':>6}{'groups':>8}{'draws':>7}{'ours':>8}{'percentile bootstrap of rows':>30}")
    for law, names in ((classes, CLASSIFICATION), (amounts, REGRESSION)):
        for grouped in (False, True):
            y, (prediction,), _ = law(np.random.default_rng(0), LARGE, grouped=grouped)
            truths = {name: METRICS[name].function(y, prediction) for name in names}
            for rows in (200, 1000):
                _coverage_of(law, truths, rows, grouped, draws(repeats, rows))


def _coverage_of(law: Callable[..., Draw], truths: dict[str, float], rows: int, grouped: bool, repeats: int) -> None:
    held = many(partial(_held, law, truths, rows, grouped), repeats, f"coverage, {law.__name__}, {rows} rows")
    for name, counts in zip(truths, held.mean(axis=0), strict=True):
        mine, peer = 100 * counts
        print(f"{name:<30}{rows:>6}{_groups_said(rows, grouped):>8}{repeats:>7}{mine:>8.1f}{peer:>30.1f}", flush=True)


def _held(law: Callable[..., Draw], truths: dict[str, float], rows: int, grouped: bool, seed: int) -> list[list[bool]]:
    """For each metric, whether our interval holds the truth, and the usual one."""
    y, (prediction,), groups = law(np.random.default_rng((1, seed)), rows, grouped=grouped)
    found = []
    for name, truth in truths.items():
        ours = bootstrap_interval(METRICS[name], y, prediction, groups=groups, seed=seed)
        usual = _percentiles(METRICS[name], y, prediction, seed)
        found.append([one.low <= truth <= one.high for one in (ours, usual)])
    return found


def _percentiles(metric: Metric, y: Array, prediction: Array, seed: int) -> Interval:
    """The usual interval: the middle 95 % of resampled rows, as if all were independent."""
    scorer = scorer_of(metric, y, prediction)
    return percentiles(0.0, np.concatenate([scorer(drawn) for drawn in resampled(len(y), None, seed, 500)]), 0.95)


def _groups_said(rows: int, grouped: bool) -> str:
    return str(rows // GROUP_SIZE) if grouped else "-"


def paired_coverage(repeats: int) -> None:
    print("\ncoverage of 95 % intervals of the difference between two models (must 92-98, goal 93-97)")
    print(f"{'metric':<30}{'rows':>6}{'groups':>8}{'draws':>7}{'truth':>9}{'ours':>8}{'as if of different rows':>25}")
    for law, names in ((classes, CLASSIFICATION), (amounts, REGRESSION)):
        for grouped in (False, True):
            y, pair, _ = law(np.random.default_rng(0), LARGE, grouped=grouped, gains=(0.15, 0.0))
            truths = {name: METRICS[name].function(y, pair[0]) - METRICS[name].function(y, pair[1]) for name in names}
            for rows in (200, 1000):
                _paired_coverage_of(law, truths, rows, grouped, draws(repeats, rows))


def _paired_coverage_of(
    law: Callable[..., Draw], truths: dict[str, float], rows: int, grouped: bool, repeats: int
) -> None:
    held = many(partial(_paired_held, law, truths, rows, grouped), repeats, f"paired, {law.__name__}, {rows} rows")
    for name, counts in zip(truths, held.mean(axis=0), strict=True):
        mine, peer = 100 * counts
        said = f"{name:<30}{rows:>6}{_groups_said(rows, grouped):>8}{repeats:>7}{truths[name]:>9.4f}"
        print(f"{said}{mine:>8.1f}{peer:>25.1f}", flush=True)


def _paired_held(
    law: Callable[..., Draw], truths: dict[str, float], rows: int, grouped: bool, seed: int
) -> list[list[bool]]:
    y, pair, groups = law(np.random.default_rng((2, seed)), rows, grouped=grouped, gains=(0.15, 0.0))
    found = []
    for name, truth in truths.items():
        ours = paired_interval(METRICS[name], y, *pair, groups=groups, seed=seed)
        apart = _unpaired_holds(METRICS[name], y, pair, groups, seed, truth)
        found.append([ours.low <= truth <= ours.high, apart])
    return found


def _unpaired_holds(metric: Metric, y: Array, pair: list[Array], groups: Array | None, seed: int, truth: float) -> bool:
    """The intervals of both scores, combined as if their rows were not the same."""
    first, second = (bootstrap_interval(metric, y, one, groups=groups, seed=seed, resamples=200) for one in pair)
    reach = np.hypot(first.high - first.low, second.high - second.low) / 2
    return bool(abs(first.value - second.value - truth) <= reach)


# The winner's score


def winners(repeats: int) -> None:
    print(f"\nbias of the winner's ROC AUC, {repeats} searches each (goal: corrected within 0.005)")
    print(f"{'candidates':<34}{'rows':>6}{'truth':>8}{'naive':>9}{'nested':>9}{'ours':>9}{'held':>7}")
    for name, strengths, common in (
        ("20 of pure noise", np.zeros(20), 0.0),
        ("100 of pure noise", np.zeros(100), 0.0),
        ("20 that are equal", np.full(20, 1.0), 0.0),
        ("20 that are equal and alike", np.full(20, 1.0), 0.8),
        ("20 from poor to good", np.linspace(0.2, 1.2, 20), 0.5),
    ):
        for rows in (200, 1000) if len(strengths) < 100 else (200,):
            found = many(partial(_picked, strengths, common, rows), repeats, f"winner, {name}, {rows} rows")
            truth, naive, nested, ours, held = np.mean(found, axis=0)
            print(
                f"{name:<34}{rows:>6}{truth:>8.4f}{naive - truth:>+9.4f}{nested - truth:>+9.4f}{ours - truth:>+9.4f}"
                f"{100 * held:>7.1f}",
                flush=True,
            )


def _picked(strengths: Array, common: float, rows: int, seed: int) -> tuple[float, ...]:
    """Of one search: the truth of what was picked, three ways to tell its score, and whether our interval holds it."""
    auc, rng = METRICS["roc_auc"], np.random.default_rng((3, seed))
    y = (rng.random(rows) < 0.4).astype(int)
    shared = rng.normal(size=rows)
    scores = [
        strength * y + np.sqrt(common) * shared + np.sqrt(1 - common) * rng.normal(size=rows) for strength in strengths
    ]
    predictions = [np.column_stack([1 - expit(score), expit(score)]) for score in scores]
    corrected = correct_for_selection(auc, y, predictions, seed=seed, resamples=200)
    picked = int(np.argmax([one.value for one in corrected.candidates]))
    truth = stats.norm.cdf(strengths[picked] / np.sqrt(2))
    interval = corrected.corrected
    held = interval.low <= truth <= interval.high
    return truth, corrected.naive, _nested(auc, y, predictions, rng), interval.value, held


def _nested(metric: Metric, y: Array, predictions: list[Array], rng: np.random.Generator) -> float:
    """Five outer folds: on each, the candidate that is best on the other four."""
    outside = (rng.permutation(len(y)) % 5 == np.arange(5)[:, None]).astype(float)
    scorers = [scorer_of(metric, y, prediction) for prediction in predictions]
    best = np.stack([scorer(1 - outside) for scorer in scorers]).argmax(axis=0)
    return float(np.mean([scorers[winner](fold[None, :])[0] for winner, fold in zip(best, outside, strict=True)]))


# The gate


def gate(repeats: int) -> None:
    print("\nthe gate, equal models, in percent (false promotions: at most 5)")
    print(
        f"{'metric':<30}{'rows':>6}{'groups':>8}{'draws':>7}{'promote':>9}{'hold':>7}{'unsure':>8}"
        f"{'higher score wins':>19}"
    )
    for law, names in ((classes, CLASSIFICATION), (amounts, REGRESSION)):
        for grouped in (False, True):
            for rows in (250, 1000):
                _equal_models(law, names, rows, grouped, draws(repeats, rows))

    print("\nthe gate, a better model: how often it is promoted, in percent (ROC AUC)")
    print(f"{'gain':<8}" + "".join(f"{rows:>8} rows" for rows in POWER_ROWS))
    auc = METRICS["roc_auc"]
    for gain in (0.05, 0.1, 0.2, 0.4):
        y, pair, _ = classes(np.random.default_rng(0), LARGE, grouped=False, gains=(gain, 0.0))
        truth = auc.function(y, pair[0]) - auc.function(y, pair[1])
        shares = []
        for rows in POWER_ROWS:
            promoted = many(partial(_promoted, gain, rows), draws(repeats, rows), f"power, gain {gain}, {rows} rows")
            shares.append(promoted.mean())
        print(f"{truth:<+8.3f}" + "".join(f"{100 * share:>13.1f}" for share in shares), flush=True)


def _equal_models(law: Callable[..., Draw], names: tuple[str, ...], rows: int, grouped: bool, repeats: int) -> None:
    found = many(partial(_verdicts, law, names, rows, grouped), repeats, f"gate, {law.__name__}, {rows} rows")
    for name, shares in zip(names, found.mean(axis=0), strict=True):
        promote, hold, unsure, higher = (f"{100 * share:.1f}" for share in shares)
        said = f"{name:<30}{rows:>6}{_groups_said(rows, grouped):>8}{repeats:>7}"
        print(f"{said}{promote:>9}{hold:>7}{unsure:>8}{higher:>19}", flush=True)


def _verdicts(
    law: Callable[..., Draw], names: tuple[str, ...], rows: int, grouped: bool, seed: int
) -> list[list[bool]]:
    """For each metric: promoted, held, unsure; and whether the challenger's score is the higher one."""
    units = rows // GROUP_SIZE if grouped else rows
    y, pair, groups = law(np.random.default_rng((4, seed)), rows, grouped=grouped, gains=(0.0, 0.0))
    told = []
    for name in names:
        found = paired_interval(METRICS[name], y, *pair, groups=groups, seed=seed)
        verdict = decide(found, 0.005, units).verdict
        told.append([*(verdict == kind for kind in ("promote", "hold", "inconclusive")), found.value > 0])
    return told


def _promoted(gain: float, rows: int, seed: int) -> bool:
    y, pair, _ = classes(np.random.default_rng((5, seed)), rows, grouped=False, gains=(gain, 0.0))
    found = paired_interval(METRICS["roc_auc"], y, *pair, seed=seed, resamples=500)
    return decide(found, 0.005, rows).verdict == "promote"


POWER_ROWS = (250, 500, 1000, 2000, 5000)


# Permuted labels


def permuted(repeats: int) -> None:
    """Labels that have nothing to do with the columns, and twenty columns picked of five hundred."""
    print(f"\npermuted labels: cross-validated ROC AUC where nothing can be learnt, {repeats} draws (truth 0.5)")
    found = many(_permuted, repeats, "permuted labels")
    ours, usual = found.mean(axis=0)
    print(f"{'picked inside of every fold, as ours':<40}{ours:.3f} +- {found[:, 0].std() / np.sqrt(repeats):.3f}")
    print(f"{'picked before the folds':<40}{usual:.3f}")


def _permuted(seed: int) -> list[float]:
    from sklearn.feature_selection import SelectKBest, f_classif
    from sklearn.linear_model import LogisticRegression
    from sklearn.model_selection import cross_val_score
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    rng = np.random.default_rng((6, seed))
    x, y = rng.normal(size=(100, 500)), rng.permutation(np.arange(100) % 2)
    model = LogisticRegression(C=1.0)
    inside = make_pipeline(StandardScaler(), SelectKBest(f_classif, k=20), model)
    before = SelectKBest(f_classif, k=20).fit_transform(StandardScaler().fit_transform(x), y)
    return [
        float(cross_val_score(one, data, y, cv=5, scoring="roc_auc").mean())
        for one, data in ((inside, x), (model, before))
    ]


# Whole runs


def runs(repeats: int) -> None:
    """Real searches through the whole pipeline; the truth is the shipped model on a large fresh sample."""
    import pandas as pd
    import yaml

    from penstock.flows.supervised import supervised
    from penstock.model import load_bundle

    print(
        f"\nwhole runs, 600 rows, 13 candidates, {repeats} runs each: mean error of the ROC AUC, intervals that held it"
    )
    print(f"{'labels':<12}{'truth':>8}{'naive':>9}{'corrected':>11}{'test':>9}{'held (corrected, test)':>25}")

    def table(rng: np.random.Generator, rows: int) -> pd.DataFrame:
        x = rng.normal(size=(rows, 8))
        logit = 1.2 * x[:, 0] - x[:, 1] + 0.8 * x[:, 2] * x[:, 3]
        frame = pd.DataFrame(x, columns=[f"x{column}" for column in range(8)])
        return frame.assign(y=np.where(rng.random(rows) < expit(logit), "yes", "no"))

    document = {
        "problem": "classification",
        "data": {"source": "data.csv", "target": "y", "positive": "yes"},
        "models": [
            {"logistic-regression": {"C": [0.01, 0.1, 1.0, 10.0]}},
            {"k-nearest-neighbours": {"n_neighbors": [5, 15, 45, 100]}},
            {"decision-tree": {"max_depth": [2, 3, 5, 8]}},
        ],
        "search": {"strategy": "grid", "fits": 100, "prune": False},
        "limits": {"workers": 2},
    }
    with tempfile.TemporaryDirectory() as temporary:
        os.environ["PENSTOCK_HOME"] = str(Path(temporary) / "home")
        for labels in ("true", "permuted"):
            found = []
            for seed in range(repeats):
                rng = np.random.default_rng((7, seed))
                frame, fresh = table(rng, 600), table(rng, 20_000)
                if labels == "permuted":
                    frame["y"], fresh["y"] = rng.permutation(frame["y"]), rng.permutation(fresh["y"])
                folder = Path(temporary) / f"{labels}-{seed}"
                folder.mkdir()
                frame.to_csv(folder / "data.csv", index=False)
                spec = {"name": f"{labels}-{seed}", **document}
                (folder / "pipeline.yaml").write_text(yaml.safe_dump(spec), encoding="utf-8")
                told = supervised.fn(str(folder / "pipeline.yaml"), engine="plain").as_json()
                model = load_bundle(told["artifacts"]["model"])
                answers = model.predict_proba(fresh, enforce=False).to_numpy()
                truth = METRICS["roc_auc"].function((fresh["y"] == "yes").to_numpy().astype(int), answers)
                corrected, test = told["selection"]["corrected"], told["metrics"]["roc_auc"]
                held = [one["low"] <= truth <= one["high"] for one in (corrected, test)]
                found.append([truth, told["selection"]["naive"], corrected["value"], test["value"], *held])
                print(f"  ... {labels} labels: {len(found)} of {repeats} runs", file=sys.stderr, flush=True)
            truth, naive, ours, test, *held = np.mean(found, axis=0)
            print(
                f"{labels:<12}{truth:>8.4f}{naive - truth:>+9.4f}{ours - truth:>+11.4f}{test - truth:>+9.4f}"
                f"{f'{held[0]:.0%}, {held[1]:.0%}':>25}",
                flush=True,
            )


# On two free cores about four minutes each, "winner" two and "permuted" less than one.
PARTS: dict[str, tuple[Callable[[int], None], int]] = {
    "coverage": (coverage, 1500),
    "paired": (paired_coverage, 900),
    "winner": (winners, 200),
    "gate": (gate, 900),
    "permuted": (permuted, 100),
    "runs": (runs, 6),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--part", action="append", choices=PARTS, help="only this part; repeatable")
    parser.add_argument("--repeats", type=int, help="draws of each cell, instead of the part's own number")
    options = parser.parse_args()
    for name, (part, repeats) in PARTS.items():
        if name in (options.part or PARTS):
            began = time.perf_counter()
            part(options.repeats or repeats)
            print(f"({name}: {time.perf_counter() - began:.0f} s)", flush=True)


if __name__ == "__main__":
    main()
