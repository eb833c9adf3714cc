"""The runs whose numbers are frozen, and what of them is compared.

A test that runs one of the examples anyway gets its document from `run`, and calls `compare` at its end.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
from mlflow import MlflowClient
from sklearn import datasets

from penstock.flows.training import flow_of
from penstock.model import load_bundle
from penstock.spec.reading import load_spec
from tests.frozen import arithmetic
from tests.frozen.numbers import differences, digest, flatten, text

ROOT = Path(__file__).parents[2]
EXAMPLES = ROOT / "examples"
FROZEN = Path(__file__).parent / "documents"
AGAIN = "python -m tests.frozen.freeze"
SHOWN = 40
ROWS = 200
LIBRARIES = ("numpy", "scipy", "scikit-learn", "pandas", "optuna")


@dataclass(frozen=True)
class Example:
    file: str
    overrides: tuple[str, ...] = ()
    sample: int | None = None


GALLERY = sorted((EXAMPLES / "gallery").glob("*.yaml"))
RUNS = {
    **{f"gallery-{file.stem}": Example(f"gallery/{file.name}") for file in GALLERY},
    "churn": Example(
        "churn/pipeline.yaml",
        ("models=[logistic-regression, {hist-gradient-boosting: {max_iter: 20}}]", "search.fits=9", "split.folds=3"),
        sample=900,
    ),
    "claims": Example("claims/pipeline.yaml"),
    "rentals": Example("rentals/pipeline.yaml", ("models=[{ridge: {alpha: [0.1, 10.0]}}]",)),
    "rents": Example("rents/pipeline.yaml"),
    "visits": Example(
        "visits/pipeline.yaml", ("models=[{logistic-regression: {C: [0.1, 1.0]}}]", "search.fits=9")
    ),
    "segments": Example("segments/pipeline.yaml", sample=300),
    "own-distances": Example("segments/own-distances.yaml", sample=300),
    "fewer-columns": Example("segments/fewer-columns.yaml", sample=300),
    "rare-rows": Example("segments/rare-rows.yaml", sample=300),
}  # fmt: skip


def run(name: str, workers: int = 1) -> Any:
    """The document of a new run, in the home that the environment names."""
    example = RUNS[name]
    file = EXAMPLES / example.file
    flow = flow_of(load_spec(file).problem)
    return flow.fn(
        str(file), [f"limits.workers={workers}", *example.overrides], sample=example.sample, engine="plain"
    ).as_json()


def numbers_of(name: str, document: dict[str, Any]) -> dict[str, str]:
    """The document's, what MLflow was told, and what the model predicts."""
    tracked = MlflowClient(document["run"]["mlflow_uri"]).get_run(document["run"]["mlflow_run"]).data.metrics
    predicted = load_bundle(document["artifacts"]["model"]).score_frame(_rows(EXAMPLES / RUNS[name].file))
    columns = {str(column): digest([text(value) for value in predicted[column].tolist()]) for column in predicted}
    return flatten({**document, "mlflow": tracked}) | {f"predicted.{name}": value for name, value in columns.items()}


def compare(name: str, document: dict[str, Any]) -> None:
    """Fail where a number is another one than the frozen one, to the last bit."""
    frozen_on, libraries, frozen = read(name)
    if frozen_on != arithmetic.name():
        pytest.skip(f"the numbers are frozen for {frozen_on}, and here is {arithmetic.name()}: see {AGAIN} --help")
    found = differences(frozen, numbers_of(name, document))
    if found:
        more = [f"and {len(found) - SHOWN} more"] if len(found) > SHOWN else []
        changed = [] if libraries == _libraries() else [f"frozen with {libraries}, here are {_libraries()}"]
        told = "\n".join([*found[:SHOWN], *more, *changed])
        pytest.fail(f"{len(found)} numbers of '{name}' are not the frozen ones:\n{told}\nSee {AGAIN} --help", False)


def read(name: str) -> tuple[str, str, dict[str, str]]:
    """Which arithmetic and which libraries made the numbers, and the numbers."""
    first, second, *lines = (FROZEN / f"{name}.tsv").read_text(encoding="utf-8").splitlines()
    numbers = dict(line.split("\t", 1) for line in lines)
    return first.removeprefix("# "), second.removeprefix("# "), numbers


def write(name: str, numbers: dict[str, str]) -> None:
    lines = [f"# {arithmetic.name()}", f"# {_libraries()}", *(f"{path}\t{value}" for path, value in numbers.items())]
    (FROZEN / f"{name}.tsv").write_text("\n".join(lines) + "\n", encoding="utf-8")


def _libraries() -> str:
    return ", ".join(f"{name} {version(name)}" for name in LIBRARIES)


def _rows(file: Path) -> pd.DataFrame:
    """The first rows of an example's data, read past our own reading."""
    source = load_spec(file).data.source
    if source.startswith("sklearn:"):
        return getattr(datasets, f"load_{source.removeprefix('sklearn:')}")(as_frame=True).frame.head(ROWS)
    return pd.read_csv(file.parent / source).head(ROWS)
