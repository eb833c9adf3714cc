"""What the file alone shows is said at once: no data, no server, none of the libraries that take seconds to load."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from collections.abc import Callable
from importlib.machinery import ModuleSpec
from pathlib import Path

import pytest
import yaml

from penstock import api
from penstock.errors import UsageError
from penstock.flows.supervised import supervised
from penstock.spec import checks
from penstock.spec.checked import checked_spec, handed_over, load_checked_spec
from tests.conftest import Cli
from tests.small import classification

ROOT = Path(__file__).parents[4]
HEAVY = ("prefect", "mlflow", "great_expectations", "torch", "optuna", "matplotlib", "fastapi", "sqlalchemy")
COMMAND = """
import sys
from penstock.cli import main
try:
    main()
finally:
    print(*sorted({name.partition(".")[0] for name in sys.modules}))
"""


@pytest.mark.parametrize("command", ["run", "plan", "retrain", "deploy"])
def test_too_few_fits_are_said_without_data_server_or_heavy_libraries(command: str, tmp_path: Path) -> None:
    text = (ROOT / "examples/churn/pipeline.yaml").read_text()
    (tmp_path / "pipeline.yaml").write_text(text)  # without its data
    ended = subprocess.run(
        [sys.executable, "-c", COMMAND, command, "pipeline.yaml", "--set", "search.fits=20"],
        cwd=tmp_path,
        env={**os.environ, "PENSTOCK_HOME": str(tmp_path / "home")},
        capture_output=True,
        text=True,
    )
    assert ended.returncode == 2
    assert ended.stderr == (
        "PEN013: trying every model once takes 5 candidates with the baseline, but the budget is 4\n"
        "  where: pipeline.yaml: search.fits\n"
        "  try:   raise search.fits to at least 25, 5 candidates on 5 folds, or name fewer models\n"
    )
    loaded = ended.stdout.split()
    assert "penstock" in loaded
    assert not set(HEAVY) & set(loaded)
    assert not (tmp_path / "home").exists()
    load_checked_spec(str(ROOT / "examples/churn/pipeline.yaml"), ["search.fits=25"])  # so many do


def test_a_deployment_checks_the_file_before_it_begins(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path / "home"))
    pipeline = classification(tmp_path, search={"fits": 5}, data={"source": "nowhere.csv"})
    with pytest.raises(UsageError, match="PEN013"):
        supervised.fn(str(pipeline))
    assert not (tmp_path / "home").exists()


@pytest.mark.parametrize(
    ("package", "changes", "code", "remedy"),
    [
        ("shap", {"evaluation": {"shap": True}}, "PEN046", "penstock[explain]"),
        ("torch", {"models": ["mlp"]}, "PEN012", "penstock[torch]"),
        ("prefect_dask", {"engine": "dask"}, "PEN092", "penstock[dask]"),
    ],
)
def test_a_package_that_is_missing_is_said(
    package: str, changes: dict[str, object], code: str, remedy: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = str(classification(tmp_path, **changes, data={"source": "nowhere.csv"}))
    found = importlib.util.find_spec

    def find_spec(name: str, *rest: str) -> ModuleSpec | None:
        return None if name == package else found(name, *rest)

    for module in ("importlib.util", "penstock.components.explanation.shapley", "penstock.spec.engine"):
        monkeypatch.setattr(f"{module}.find_spec", find_spec)
    with pytest.raises(UsageError) as caught:
        load_checked_spec(pipeline)
    assert caught.value.code == code
    assert remedy in caught.value.remedy


RULES = {
    "no list": ("type: a\n", "PEN015"),
    "unknown type": ("- {type: expect_column_to_exst, kwargs: {column: a}}\n", "PEN014"),
}


@pytest.mark.parametrize("name", RULES)
def test_written_rules_are_read_first(name: str, tmp_path: Path) -> None:
    text, code = RULES[name]
    pipeline = classification(tmp_path, validation={"written": "rules.yaml"}, data={"source": "nowhere.csv"})
    (tmp_path / "rules.yaml").write_text(text)
    with pytest.raises(UsageError) as caught:
        load_checked_spec(str(pipeline))
    assert caught.value.code == code


@pytest.mark.parametrize("begin", [api.run, api.plan, api.retrain])
def test_who_is_told_is_known_here(
    begin: Callable[[Path], object], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_HOME", str(tmp_path / "home"))
    with pytest.raises(UsageError, match="PEN057"):
        begin(classification(tmp_path, notify=["team"], data={"source": "nowhere.csv"}))
    assert not (tmp_path / "home").exists()


def test_what_was_handed_over_is_not_read_again(tmp_path: Path) -> None:
    pipeline = classification(tmp_path)
    spec = load_checked_spec(str(pipeline), ["split.seed=3"])
    pipeline.write_text("gone")
    with handed_over(spec, str(pipeline), ["split.seed=3"]):
        assert checked_spec(str(pipeline), ["split.seed=3"]) is spec
        with pytest.raises(UsageError):
            checked_spec(str(pipeline))  # other words than those that were checked
    with pytest.raises(UsageError):
        checked_spec(str(pipeline), ["split.seed=3"])


def count_checks(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    checked: list[str] = []
    plain = checks.check_spec
    monkeypatch.setattr(checks, "check_spec", lambda spec, path: (checked.append(path), plain(spec, path)))
    return checked


def test_a_plan_checks_its_file_once(tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pipeline = str(classification(tmp_path))
    checked = count_checks(monkeypatch)
    assert api.plan(pipeline)
    assert checked == [pipeline]


@pytest.mark.slow
def test_a_run_checks_its_file_once(
    tmp_path: Path, served_home: Path, cli: Cli, monkeypatch: pytest.MonkeyPatch
) -> None:
    pipeline = classification(tmp_path, rows=60, models=["dummy"])
    checked = count_checks(monkeypatch)
    status, _, err = cli("run", pipeline)
    assert status == 0, err
    assert checked == [str(pipeline)]


EXAMPLES = sorted(file for file in ROOT.glob("examples/*/*.yaml") if "problem" in yaml.safe_load(file.read_text()))


@pytest.mark.parametrize("file", EXAMPLES, ids=lambda file: f"{file.parent.name}/{file.name}")
def test_the_examples_hold(file: Path) -> None:
    load_checked_spec(str(file))
