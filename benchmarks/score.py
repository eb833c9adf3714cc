"""Batch scoring against the bare scikit-learn pipeline: rows per second and peak memory, each in a process of its own.

    python benchmarks/score.py [--rows 200000 1000000] [--chunk 65536] [--repeats 3] [--models logistic-regression ...]

Both use the same fitted pipeline, read and write the same files in parts of the same size, and give the same labels and
probabilities (asserted). `penstock` also finds out how the file is written, types every column by all its values,
evaluates every rule of the data contract, keeps finished parts for a second start, and delivers all scores or none.
The bare way is what one writes by hand: read_csv with a chunksize or Arrow's batches, predict_proba, to_csv or Arrow's
writer. A ratio above 1 is in favour of penstock.
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
from typing import Any

FORMATS = ("csv", "parquet")
MODELS = ("logistic-regression", "hist-gradient-boosting")
TRAINING_ROWS = 5_000
PART = 100_000
LEVELS = [f"{letter} margin" for letter in "abcdefghijklmnopqrst"]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--rows", type=int, nargs="+", default=[200_000, 1_000_000])
    parser.add_argument("--chunk", type=int, default=1 << 16)
    parser.add_argument("--repeats", type=int, default=3)
    parser.add_argument("--models", nargs="+", default=list(MODELS))
    parser.add_argument("--formats", nargs="+", default=list(FORMATS), choices=FORMATS)
    parser.add_argument("--ways", nargs="+", default=["bare", "penstock"], choices=["bare", "penstock"])
    parser.add_argument("--one", nargs=5, metavar="PART", help=argparse.SUPPRESS)
    arguments = parser.parse_args()
    if arguments.one:
        way, model, source, destination, chunk = arguments.one
        print(json.dumps(measure(way, Path(model), Path(source), Path(destination), int(chunk))))
        return
    print("| model | format | rows | way | seconds | ratio | of processor | ratio | rows/s | peak memory | imports |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        files = {name: train(name, Path(folder)) for name in arguments.models}
        for rows in arguments.rows:
            for kind in arguments.formats:
                source = write(Path(folder, f"rows.{kind}"), rows)
                for name, file in files.items():
                    compare(name, file, source, rows, arguments)
                source.unlink()


def compare(name: str, file: Path, source: Path, rows: int, arguments: argparse.Namespace) -> None:
    measured: dict[str, list[dict[str, float]]] = {way: [] for way in arguments.ways}
    outputs = {way: source.with_name(f"{way}{source.suffix}") for way in arguments.ways}
    for _ in range(arguments.repeats):
        for way, found in measured.items():  # in turn, so that a slow hour of the machine falls on both
            found.append(run(way, file, source, outputs[way], arguments.chunk))
    if len(outputs) == 2:
        require_same(*outputs.values())
    for output in outputs.values():
        output.unlink()
    middle = {
        way: {key: median(one[key] for one in found) for key in ("seconds", "busy", "peak", "base")}
        for way, found in measured.items()
    }
    for way, one in middle.items():
        faster = [f"{middle['bare'][key] / one[key]:.2f}" if "bare" in middle else "" for key in ("seconds", "busy")]
        cells = [name, source.suffix[1:], f"{rows:,}", way, f"{one['seconds']:.1f}", faster[0], f"{one['busy']:.2f}"]
        cells += [faster[1], f"{rows / one['seconds']:,.0f}", f"{one['peak']:,.0f} MB", f"{one['base']:,.0f} MB"]
        print(f"| {' | '.join(cells)} |", flush=True)


def run(way: str, *parts: object) -> dict[str, float]:
    command = [sys.executable, __file__, "--one", way, *map(str, parts)]
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(done.stderr)
    measured: dict[str, float] = json.loads(done.stdout)
    return measured


def measure(way: str, model: Path, source: Path, destination: Path, chunk: int) -> dict[str, float]:
    """Seconds and peak memory of one way, in this process."""
    import pandas  # noqa: F401
    import sklearn.pipeline  # noqa: F401

    from penstock.model import load_bundle
    from penstock.scoring.batch import Job, Order, deliver, score_rows

    base = peak_memory()
    started, busy = time.perf_counter(), time.process_time()
    if way == "bare":
        bundle = load_bundle(model)
        bare = bare_csv if source.suffix == ".csv" else bare_parquet
        bare(bundle.pipeline, [str(label) for label in bundle.schema.classes or []], source, destination, chunk)
    else:
        with tempfile.TemporaryDirectory(dir=destination.parent) as home:
            order = Order(model="m@1", source=str(source), destination=str(destination), chunk_rows=chunk)
            job = Job(order=order, name="m", version="1", digest="", file=model, folder=Path(home, "work"))
            deliver(job, score_rows(job))
    seconds, busy = time.perf_counter() - started, time.process_time() - busy
    return {"seconds": seconds, "busy": busy, "peak": peak_memory(), "base": base}


def bare_csv(pipeline: Any, classes: list[str], source: Path, destination: Path, chunk: int) -> None:
    import pandas as pd

    for number, rows in enumerate(pd.read_csv(source, chunksize=chunk)):
        scores = answers(pipeline, classes, rows)
        scores.to_csv(destination, index=False, mode="a" if number else "w", header=not number)


def bare_parquet(pipeline: Any, classes: list[str], source: Path, destination: Path, chunk: int) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    writer = None
    for batch in pq.ParquetFile(source).iter_batches(chunk):
        scores = pa.Table.from_pandas(answers(pipeline, classes, batch.to_pandas()), preserve_index=False)
        writer = writer or pq.ParquetWriter(destination, scores.schema)
        writer.write_table(scores)
    assert writer is not None
    writer.close()


def answers(pipeline: Any, classes: list[str], rows: Any) -> Any:
    import numpy as np
    import pandas as pd

    probabilities = pipeline.predict_proba(rows.drop(columns="id"))
    scores = pd.DataFrame(probabilities, columns=[f"probability_{label}" for label in classes])
    scores.insert(0, "prediction", np.array(classes)[probabilities.argmax(axis=1)])
    scores.insert(0, "id", rows["id"].to_numpy())
    return scores


def require_same(one: Path, other: Path) -> None:
    import numpy as np
    import pandas as pd

    read = pd.read_csv if one.suffix == ".csv" else pd.read_parquet
    a, b = read(one), read(other)
    assert list(a.columns) == list(b.columns)
    for name in a.columns:
        same = a[name].equals(b[name]) if a[name].dtype != "float64" else np.allclose(a[name], b[name], atol=1e-12)
        assert same, f"column {name} differs"


def train(name: str, folder: Path) -> Path:
    """A model as a run makes it: the usual preparation, the learnt suite as its contract."""
    import numpy as np

    from penstock.components.contract import compile_suite
    from penstock.components.ensembles.chosen import Chosen, build_chosen
    from penstock.components.preprocessing.plan import make_plan
    from penstock.components.preprocessing.preparation import build_pipeline
    from penstock.components.schema import conform, encode_target, infer_schema
    from penstock.expectations.learnt import learn
    from penstock.model import save_bundle
    from penstock.store import Store

    frame = people(TRAINING_ROWS, seed=1)
    chance = 1 / (1 + np.exp(-(frame["x0"] - frame["x1"].fillna(0) + (frame["plan"] == LEVELS[3]))))
    frame["left"] = np.where(np.random.default_rng(2).random(len(frame)) < chance, "yes", "no")
    schema = infer_schema(
        frame, problem="classification", target_type="classes", target="left", positive="yes", key="id"
    )
    rows = conform(frame, schema, strict=True)
    features = rows[[column.name for column in schema.features]]
    facts = {
        column: {"missing": features[column].isna().mean(), "distinct": features[column].nunique()}
        for column in features
    }
    plan = make_plan(schema, facts, impute=("median", {}), scale=("standard", {}), rare=0.01, text_components=10)
    model = build_chosen(Chosen(name=name), seed=0, problem="classification")
    pipeline = build_pipeline(plan, model, seed=0).fit(features, encode_target(frame["left"], schema))
    store = Store(folder / "store")
    contract = compile_suite(learn(frame, schema), schema)
    return store.path(save_bundle(store, pipeline=pipeline, schema=schema, contract=contract, card={}))


def people(rows: int, seed: int, start: int = 0) -> Any:
    """A key, 12 columns of numbers, one of them with gaps, and 4 of levels."""
    import numpy as np
    import pandas as pd

    rng = np.random.default_rng(seed)
    frame = pd.DataFrame(rng.normal(size=(rows, 12)).round(6), columns=[f"x{number}" for number in range(12)])
    frame["x1"] = frame["x1"].where(rng.random(rows) > 0.05)
    for name in ("plan", "region", "branch", "colour"):
        frame[name] = rng.choice(LEVELS, rows)
    frame.insert(0, "id", np.char.add("r", np.arange(start, start + rows).astype(str)))
    return frame


def write(file: Path, rows: int) -> Path:
    import pyarrow as pa
    import pyarrow.csv as arrow_csv
    import pyarrow.parquet as pq

    writer: Any = None
    for start in range(0, rows, PART):
        part = pa.Table.from_pandas(people(min(PART, rows - start), start + 3, start), preserve_index=False)
        if writer is None:
            kind = arrow_csv.CSVWriter if file.suffix == ".csv" else pq.ParquetWriter
            writer = kind(file, part.schema)
        writer.write_table(part)
    writer.close()
    return file


def peak_memory() -> float:
    """Of this process so far, in MB."""
    import resource

    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / (1024 if sys.platform != "darwin" else 1e6)


if __name__ == "__main__":
    main()
