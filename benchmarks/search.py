"""Model selection: ours against GridSearchCV(n_jobs=2), with the same rows, folds, preparation and candidates.

    python benchmarks/search.py                            # on the churn example
    python benchmarks/search.py --data ../shared/data      # fits on adult, texts on sms, target encoding on ames
    python benchmarks/search.py --job fits --repeats 3

"Fits" has slow models after a quick preparation; the other jobs have quick models after a slow preparation. Ours is the
time from the first preparation to the chosen winner (its interval and correction included) of `penstock run` with two
workers, which are started while data is read; the peer is the time of `fit` alone in a fresh process. Both must find
the same winner. "No early end" is ours with `search.prune: false`, so that both do the same number of fits.
"Target" is also tried with rows drawn until there are ten times as many: on few rows a fit is so short that what is
told of it weighs as much.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from dataclasses import dataclass, replace
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
FITS = [
    {"logistic-regression": {"C": [0.01, 0.1, 1.0, 10.0]}},
    {"hist-gradient-boosting": {"learning_rate": [0.05, 0.1], "max_leaf_nodes": [15, 31]}},
    {"random-forest": {"min_samples_leaf": [1, 5], "max_features": ["sqrt", 0.5]}},
]
QUICK_RATES = [0.001, 0.003, 0.01, 0.03, 0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0]
QUICK_MODELS = [{"logistic-regression": {"C": QUICK_RATES}}]


@dataclass
class Job:
    """What is searched, on which data."""

    data: dict[str, Any]
    models: list[Any]
    preparation: dict[str, Any]
    problem: str = "classification"
    times: int = 1
    """How many rows are drawn for each row of the data, where more are wanted."""


def jobs(folder: Path | None) -> dict[str, Job]:
    adult, texts = CHURN, CHURN
    levels = Job(CHURN, QUICK_MODELS, {"encode": "target"})
    if folder:
        adult = {"source": str((folder / "adult.csv.gz").resolve()), "target": "income", "columns": {"part": "ignore"}}
        texts = {"source": str((folder / "sms.tsv").resolve()), "target": "label", "positive": "spam"}
        ames = {"source": str((folder / "ames.csv.gz").resolve()), "target": "Sale_Price"}
        levels = Job(ames, [{"ridge": {"alpha": QUICK_RATES}}], {"encode": "target"}, "regression")
    return {
        "fits": Job(adult, FITS, {}),
        "text": Job(texts, QUICK_MODELS, {"text_components": 100}),
        "k-nearest": Job(CHURN, QUICK_MODELS, {"impute": "k-nearest"}),
        "target": levels,
        "target x10": replace(levels, times=10),
        "many rows": Job(adult, QUICK_MODELS, {"encode": "target"}),
    }


def ours(job: Job, folder: Path, *, prune: bool) -> tuple[float, dict[str, Any]]:
    """Seconds of the selection, and the run's document."""
    folder.mkdir()
    data = job.data if job.times == 1 else {**job.data, "source": _more_rows(job, folder)}
    candidates = 1 + sum(_combinations(model) for model in job.models)
    document = {
        "name": "bench",
        "problem": job.problem,
        "data": data,
        "validation": {"on_failure": "warn"},
        "preparation": job.preparation,
        "models": job.models,
        "search": {"strategy": "grid", "fits": candidates * 5, "prune": prune, "batch": candidates},
        "limits": {"workers": 2},
    }
    (folder / "pipeline.yaml").write_text(yaml.safe_dump(document), encoding="utf-8")
    command = [str(Path(sys.executable).with_name("penstock")), "run", str(folder / "pipeline.yaml"), "--json"]
    answer = subprocess.run(command, env=_environment(folder), stdout=subprocess.PIPE, check=True)
    found = json.loads(answer.stdout)
    journal = Path(found["artifacts"]["journal"]).read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in journal]
    began = next(event["at"] for event in events if event["event"] == "begin" and event["stage"].startswith("prepare"))
    ended = next(event["at"] for event in events if event["event"] == "stage" and event["stage"] == "select")
    return ended - began, found


def peer(folder: Path, document: dict[str, Any]) -> tuple[float, int, float]:
    """Seconds of GridSearchCV, the number of its winner and that one's score, from a process of its own."""
    candidates = [
        {name: candidate[name] for name in ("label", "name", "parameters")} for candidate in document["candidates"]
    ]
    (folder / "candidates.json").write_text(json.dumps(candidates), encoding="utf-8")
    command = [sys.executable, __file__, "--peer", str(folder)]
    answer = subprocess.run(command, env=_environment(folder), stdout=subprocess.PIPE, check=True)
    found = json.loads(answer.stdout.splitlines()[-1])
    return found["seconds"], found["winner"], found["score"]


def run_peer(folder: Path) -> None:
    import time

    from sklearn.model_selection import GridSearchCV

    from penstock.components import catalog
    from penstock.components.evaluation.metrics import default_metric
    from penstock.components.preprocessing.preparation import build_pipeline
    from penstock.evidence.folds import Folds
    from penstock.flows.lifecycle import open_run
    from penstock.flows.prepare_data import prepare_data
    from penstock.spec.checked import load_checked_spec

    pipeline = str(folder / "pipeline.yaml")
    spec = load_checked_spec(pipeline)
    with open_run(spec, pipeline, None, "plan") as run:  # everything is in the store: nothing runs
        ground = prepare_data(run, spec, None)
    store, seed = run.store, spec.split.seed
    folds = Folds.load(store, ground.data_split.folds)
    models = [
        catalog.build(candidate["name"], candidate["parameters"], seed=seed, problem=spec.problem)
        for candidate in json.loads((folder / "candidates.json").read_text(encoding="utf-8"))
    ]
    whole = build_pipeline(store.facts(ground.plan), models[0], seed=seed)
    scoring = default_metric(folds.n_classes)
    search = GridSearchCV(whole, {"model": models}, scoring=scoring, cv=folds.splits, n_jobs=2, refit=False)
    frame = store.frame(ground.data_split.train)
    started = time.perf_counter()
    search.fit(frame, folds.y)
    seconds = time.perf_counter() - started
    print(json.dumps({"seconds": seconds, "winner": int(search.best_index_), "score": float(search.best_score_)}))


def _more_rows(job: Job, folder: Path) -> str:
    import pandas as pd

    table = pd.read_csv(job.data["source"]).sample(frac=job.times, replace=True, random_state=0)
    table.drop(columns=job.data.get("key", []), errors="ignore").to_csv(folder / "data.csv", index=False)
    return str(folder / "data.csv")


def _combinations(model: dict[str, dict[str, Any]]) -> int:
    (parameters,) = model.values()
    count = 1
    for values in parameters.values():
        count *= len(values) if isinstance(values, list) else 1
    return count


def _environment(folder: Path) -> dict[str, str]:
    return {**os.environ, "PENSTOCK_HOME": str(folder / "home"), "PENSTOCK_ALLOW_PATHS": "/"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--data", type=Path, help="folder with adult.csv.gz, ames.csv.gz and sms.tsv; else the churn example is used"
    )
    parser.add_argument("--job", action="append", help=f"only this job: {', '.join(jobs(None))}; repeatable")
    parser.add_argument("--repeats", type=int, default=1, help="of each measurement; the median counts")
    parser.add_argument("--peer", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.peer:
        run_peer(options.peer)
        return

    print(f"{'job':<11}{'candidates':>11}{'way':>18}{'fits':>6}{'seconds':>9}{'ratio':>7}  winner")
    for name, job in jobs(options.data).items():
        if options.job and name not in options.job:
            continue
        measured: dict[str, list[float]] = {"GridSearchCV": [], "no early end": [], "ours": []}
        for _ in range(options.repeats):
            with tempfile.TemporaryDirectory() as temporary:
                every, first = ours(job, Path(temporary) / "every", prune=False)
                seconds, winner, score = peer(Path(temporary) / "every", first)
                early, second = ours(job, Path(temporary) / "early", prune=True)
            best = first["candidates"][winner]
            assert best["label"] == first["winner"]["label"] == second["winner"]["label"], "another winner was found"
            assert abs(best["score"] - score) < 1e-6, "the same winner has another score"
            for way, value in zip(measured, (seconds, every, early), strict=True):
                measured[way].append(value)
        peer_seconds = statistics.median(measured["GridSearchCV"])
        fits = {"GridSearchCV": first["selection"]["fits"], "no early end": first["selection"]["fits"]}
        for way, values in measured.items():
            value = statistics.median(values)
            done = fits.get(way, second["selection"]["fits"])
            print(
                f"{name:<11}{len(first['candidates']):>11}{way:>18}{done:>6}{value:>9.1f}{value / peer_seconds:>7.2f}"
                f"  {first['winner']['label']}",
                flush=True,
            )


if __name__ == "__main__":
    main()
