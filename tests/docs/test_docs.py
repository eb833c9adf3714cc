"""The documentation builds without a broken link, and every command and every line of Python in it is tried."""

from __future__ import annotations

import re
import shlex
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from unittest.mock import create_autospec

import pandas as pd
import pytest
import yaml

from penstock import api
from penstock.model import PenstockModel
from penstock.spec.checked import load_checked_spec
from penstock.spec.reading import load_spec
from tests.conftest import Cli
from tests.documents import churn, typed

ROOT = Path(__file__).parent.parent.parent
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```", re.DOTALL | re.MULTILINE)

# Each is tried where it is at home: by the schedule's test, by the continuous check, or by tests of their own commands.
ELSEWHERE = (
    "make ",
    "prefect ",
    "pip ",
    "dask ",
    "python benchmarks/",
    "penstock ui",
    "penstock up",
    "penstock deploy",
    "penstock doctor",
    "penstock --install-completion",
    "penstock --show-completion",
    "cd ",
    "export ",
)


def blocks(page: Path, language: str) -> Iterator[str]:
    for found, text in FENCE.findall(page.read_text(encoding="utf-8")):
        if found == language:
            yield text


def commands(page: Path) -> list[str]:
    lines = [line for text in blocks(page, "console") for line in text.splitlines()]
    return [line.removeprefix("$ ").partition("  #")[0].strip() for line in lines if line.startswith("$ ")]


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The examples, with few rows, as the folder that the commands are typed in."""
    shutil.copytree(ROOT / "examples", tmp_path / "examples")
    for name in ("churn", "segments", "claims", "rents"):
        table = tmp_path / "examples" / name / f"{name}.csv"
        table.write_text("".join(table.read_text(encoding="utf-8").splitlines(keepends=True)[:601]), encoding="utf-8")
    shutil.copy(tmp_path / "examples" / "churn" / "churn.csv", tmp_path / "new_rows.csv")
    with sqlite3.connect(tmp_path / "sales.db") as database:
        pd.read_csv(tmp_path / "new_rows.csv").to_sql("customers", database, index=False)
    monkeypatch.setenv("SALES_URL", f"sqlite:///{tmp_path / 'sales.db'}")
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_every_command_works(project: Path, served_home: Path, cli: Cli) -> None:
    """All pages, one after the other in the order of the menu, with one home, as a reader would."""
    done: set[str] = set()
    for page in _in_menu_order():
        for command in commands(page):
            if command in done or command.startswith(ELSEWHERE):
                continue
            done.add(command)
            program, *arguments = shlex.split(command)
            assert program == "penstock", f"{page.name}: {command}"
            status, _, err = cli(*_quickly(arguments))
            assert status == 0, f"{page.name}: {command}\n{err}"
    assert len(done) > 10


def _in_menu_order() -> list[Path]:
    menu = re.findall(r":\s+(\S+\.md)", (ROOT / "mkdocs.yml").read_text(encoding="utf-8"))
    pages = [ROOT / "docs" / name for name in menu if not name.startswith("reference/")]
    return [*pages, ROOT / "README.md"]


def _quickly(arguments: list[str]) -> list[str]:
    """A page shows what a reader would type; the test needs only the smallest search."""
    if arguments[0] in ("run", "retrain") and "segments" not in arguments[1]:
        model = "ridge" if "rent" in arguments[1] else "logistic-regression"
        quick = ("search.fits=6", "search.strategy=random", f"models=[{model}]", "split.folds=2")
        return [*arguments, *(word for change in quick for word in ("--set", change))]
    return arguments


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_whole_pipeline_files_on_a_page_are_valid(page: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", "10.0.0.5:8786")  # as docs/how-to/dask.md says
    for text in blocks(page, "yaml"):
        document = yaml.safe_load(text)
        if isinstance(document, dict) and {"name", "problem", "data"} <= set(document):
            (tmp_path / "pipeline.yaml").write_text(text, encoding="utf-8")
            load_spec(tmp_path / "pipeline.yaml")


@pytest.fixture
def stand_ins(project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with the reader's own files, where a run only reads its pipeline file and a model knows its methods."""
    example = project / "examples" / "churn"
    pd.read_csv(example / "churn.csv").to_parquet(project / "sales.parquet")
    for name in ("pipeline.yaml", "tutorial.yaml"):
        text = (example / "pipeline.yaml").read_text(encoding="utf-8")
        usual = text.replace("  - mlp\n", "")  # what `penstock init` writes names three models
        (project / name).write_text(usual.replace("churn.csv", "examples/churn/churn.csv"), encoding="utf-8")

    def run(pipeline: str, *, overrides: Sequence[str] = (), **_: object) -> api.RunResult:
        load_checked_spec(pipeline, list(overrides))
        return api.RunResult(typed(churn()))

    monkeypatch.setattr(api, "run", create_autospec(api.run, side_effect=run))
    model = create_autospec(PenstockModel, instance=True)
    monkeypatch.setattr(api, "load", create_autospec(api.load, return_value=model))
    return project


@pytest.mark.parametrize(
    ("page", "text"),
    [pytest.param(page, text, id=page.name) for page in PAGES for text in blocks(page, "python")],
)
def test_python_on_a_page_works(page: Path, text: str, stand_ins: Path) -> None:
    names = {"frame": pd.read_csv("new_rows.csv")}
    exec(compile(text, str(page), "exec"), names)


@pytest.mark.slow
def test_the_site_builds_and_loads_nothing_from_outside(tmp_path: Path) -> None:
    from mkdocs.commands.build import build
    from mkdocs.config import load_config

    build(load_config(str(ROOT / "mkdocs.yml"), site_dir=str(tmp_path / "site")))
    pages = list((tmp_path / "site").rglob("*.html"))
    assert len(pages) > 10
    loads = re.compile(r"<(?:script|link|img)[^>]+(?:src|href)=\"(https?:)?//", re.IGNORECASE)
    assert [page for page in pages if loads.search(page.read_text(encoding="utf-8"))] == []
    reference = (tmp_path / "site" / "reference" / "pipeline-file" / "index.html").read_text(encoding="utf-8")
    assert "prune" in reference
