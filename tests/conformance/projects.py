"""A folder with an example's rows and pipeline file, and a home in which it runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pandas as pd
import pytest
import yaml

from penstock.actions.records import Record
from penstock.document.run import RunDocument
from penstock.flows.training import flow_of
from penstock.settings import Settings
from tests.conformance.examples import Example

ROWS = 320
LARGEST = 1000.0


class Project:
    def __init__(self, folder: Path, problem: str, example: Example, database: Path) -> None:
        self.folder, self.problem, self.example = folder, problem, example
        self.home = folder / "home"
        self.home.mkdir()
        shutil.copy(database, self.home / "mlflow.db")
        rule = {"column": example.moved, "max_value": LARGEST}
        rules = [{"type": "expect_column_values_to_be_between", "kwargs": rule}]
        (folder / "rules.yaml").write_text(yaml.safe_dump(rules))
        example.rows(ROWS, 0).to_csv(folder / "data.csv", index=False)
        for name, table in example.beside.items():
            table(ROWS, 0).to_csv(folder / f"{name}.csv", index=False)
        self.pipeline = self.write(self.name, example.good)

    @property
    def name(self) -> str:
        return f"a-{self.problem}"

    def write(self, name: str, models: list[Any]) -> Path:
        document = {
            "name": name,
            "problem": self.problem,
            "data": {"source": "data.csv", **self.example.data},
            "split": {"folds": 2},
            "models": models,
            "search": {"fits": 4},
            "validation": {"leakage": "off", "written": "rules.yaml"},
            "limits": {"workers": 1},
        }
        file = self.folder / f"{name}.yaml"
        file.write_text(yaml.safe_dump(document, sort_keys=False))
        return file

    @contextmanager
    def at_home(self) -> Iterator[None]:
        """The environment names this project's home."""
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("PENSTOCK_HOME", str(self.home))
            Settings.from_environment().apply()
            yield

    def run(self, pipeline: Path | None = None) -> RunDocument:
        document: RunDocument = flow_of(self.problem).fn(str(pipeline or self.pipeline), engine="plain")
        return document

    def recent(self, name: str, rows: int = 120, **changes: Any) -> Path:
        """Fresh rows of the same law, but for the changes."""
        file = self.folder / f"{name}.csv"
        self.example.rows(rows, 1).assign(**changes).to_csv(file, index=False)
        return file

    def shifted(self, by: float) -> dict[str, Any]:
        column = self.example.moved
        return {column: lambda frame: frame[column] + by}

    def records(self) -> list[Record]:
        """The action records of everything that ran in this home."""
        latest = self.home / "store" / "actions" / "latest"
        return [Record.model_validate_json(file.read_bytes()) for file in latest.rglob("*.json")]


class Done(Project):
    """A project whose pipeline has run once."""

    def __init__(self, folder: Path, problem: str, example: Example, database: Path) -> None:
        super().__init__(folder, problem, example, database)
        with self.at_home():
            self.document = self.run()


def states(document: RunDocument) -> set[str]:
    return {stage["state"] for stage in document.as_json()["stages"]}


def read(file: Path) -> pd.DataFrame:
    return pd.read_csv(file)
