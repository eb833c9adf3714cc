"""Solvers and theory: each diagnostic from the command line and from a pipeline file, with its figure."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml

from penstock.errors import UsageError
from penstock.flows.supervised import supervised
from penstock.spec.checked import load_checked_spec
from tests.conftest import Cli

# With what is small here; the target is given in a pipeline file, and by --set on the command line.
ASKED: dict[str, dict[str, Any]] = {
    "bias-variance": {"models": ["logistic-regression", "decision-tree"], "rounds": 4},
    "dimension": {"rows": 50},
    "ensemble-bound": {"voters": 11},
    "hoeffding": {"epsilon": 0.2},
    "kkt-audit": {"C": 0.5},
    "linear-separability": {},
    "out-of-bag": {"trees": 10},
    "perceptron-bound": {},
    "regularisation-path": {"method": "lasso"},
    "shattering": {"points": 4},
    "solvers": {"epochs": 5},
    "stopping-rules": {"most": 200},
    "vc-bound": {"degrees": [1, 2]},
}
WITHOUT_TARGET = ("ensemble-bound", "hoeffding")


@pytest.fixture
def table(tmp_path: Path) -> Path:
    """Two classes that a line parts."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(80, 3)).round(3)
    frame = pd.DataFrame(X, columns=["a", "b", "c"])
    frame = frame.loc[(frame["a"] - frame["b"]).abs() > 0.2]
    path = tmp_path / "table.csv"
    frame.assign(kept=np.where(frame["a"] > frame["b"], "yes", "no")).to_csv(path, index=False)
    return path


def given_by_set(name: str) -> Iterator[str]:
    given = ASKED[name] | ({} if name in WITHOUT_TARGET else {"target": "kept"})
    for parameter, value in given.items():
        yield from ("--set", f"{parameter}={json.dumps(value) if not isinstance(value, str) else value}")


@pytest.mark.slow
@pytest.mark.parametrize("name", ASKED)
def test_from_the_command_line(name: str, table: Path, tmp_path: Path, cli: Cli) -> None:
    picture = tmp_path / "picture.svg"
    status, out, err = cli("diagnose", name, table, *given_by_set(name), "--figure", picture, "--json")
    assert (status, err) == (0, "")
    document = json.loads(out)
    assert document["findings"]
    assert document["table"]
    assert picture.read_text(encoding="utf-8").startswith("<svg")


@pytest.mark.parametrize(
    ("asked", "code", "place", "remedy"),
    [
        ("hoefding", "PEN220", "diagnose.0", "did you mean 'hoeffding'?"),
        ({"hoeffding": {"epsilom": 1}}, "PEN221", "diagnose.0: epsilom", "did you mean 'epsilon'?"),
        ({"hoeffding": {"epsilon": -1}}, "PEN222", "diagnose.0: epsilon", "how far off is too far"),
        ("feature-lift", "PEN234", "diagnose.0: columns", "- feature-lift: {columns: COLUMNS}"),
    ],
)
def test_what_a_pipeline_file_asks_wrongly_is_refused_before_it_runs(
    asked: Any, code: str, place: str, remedy: str, tmp_path: Path
) -> None:
    pipeline = {"name": "theory", "problem": "classification", "data": {"source": "x.csv", "target": "kept"}}
    file = tmp_path / "pipeline.yaml"
    file.write_text(yaml.safe_dump({**pipeline, "version": 1, "diagnose": [asked]}), encoding="utf-8")
    with pytest.raises(UsageError) as refused:
        load_checked_spec(str(file), None)
    assert (refused.value.code, refused.value.exit_status) == (code, 2)
    assert str(refused.value.where).endswith(place)
    assert remedy in str(refused.value.remedy)


@pytest.mark.slow
def test_from_a_pipeline_file(table: Path, home: Path) -> None:
    file = table.with_name("pipeline.yaml")
    pipeline = {
        "version": 1,
        "name": "theory",
        "problem": "classification",
        "data": {"source": table.name, "target": "kept"},
        "split": {"folds": 2},
        "models": [{"logistic-regression": {"C": 1.0}}],
        "search": {"strategy": "random", "fits": 4},
        "diagnose": [{name: given} if given else name for name, given in ASKED.items()],
    }
    file.write_text(yaml.safe_dump(pipeline), encoding="utf-8")
    document = supervised.fn(str(file), ["limits.workers=1"], engine="plain").as_json()
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert {one["name"] for one in document["diagnoses"]} == set(ASKED)
    assert [name for name in ASKED if f'id="figure-diagnosis_{name}"' not in page] == []
    for one in document["diagnoses"]:
        assert one["findings"]
    # A table opens with what names its rows, though stored facts have their keys sorted.
    heads = {one["name"]: one["columns"] for one in document["diagnoses"]}
    assert heads["solvers"][0] == "solver"
    assert heads["vc-bound"][0] == "degree"
    shown = page[page.index("<h3>solvers</h3>") :]
    assert re.search(r'<th scope="col"[^>]*>([^<]+)</th>', shown).group(1) == "solver"  # type: ignore[union-attr]
