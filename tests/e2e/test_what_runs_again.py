"""Edits of the code, in a copy of the tree in which a pipeline is done: what changed runs again, and nothing else."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
import yaml

from penstock.actions.records import Record

pytestmark = pytest.mark.slow

ROOT = Path(__file__).parents[2]
FOLDERS = ("flows", "tasks", "components", "expectations", "problems", "penstock")
CALL = """
import json, sys
from penstock import api
from penstock.flows.training import flow_of
from penstock.settings import Settings

what, pipeline, problem = sys.argv[1:]
if what == "plan":
    answer = [[stage["stage"], stage["state"], stage["reason"]] for stage in api.plan(pipeline)]
else:
    Settings.from_environment().apply()
    answer = flow_of(problem).fn(pipeline, engine="plain").as_json()
print(json.dumps(answer, default=str))
"""
TEAM = {
    "__init__.py": "",
    "methods.py": """
from penstock.components.catalog import Entry

ENTRIES = (
    Entry(name="team-vote", kind="classifier", problems=("classification",), library="team.vote:Vote", summary="Ours."),
)
TRUSTED = ("team.vote.Vote",)
""",
    "vote.py": """
from sklearn.linear_model import LogisticRegression

from .strength import PENALTY


class Vote(LogisticRegression):
    def fit(self, X, y, sample_weight=None):
        self.C = PENALTY
        return super().fit(X, y, sample_weight)
""",
    "strength.py": "PENALTY = 1.0\n",
}
NEW_METHOD = """
ENTRIES = (
    *ENTRIES,
    Entry(
        name="new-tree", kind="classifier", problems=("classification",),
        library="penstock.components.trees.new:New", summary="It is new.",
    ),
)
TRUSTED = (*TRUSTED, "penstock.components.trees.new.New")
"""
NEW_CLASS = "from sklearn.tree import DecisionTreeClassifier\n\n\nclass New(DecisionTreeClassifier):\n    pass\n"
NEW_KIND = (ROOT / "problems" / "density" / "__init__.py").read_text().replace('name="density"', 'name="counting"')
DOWNSTREAM = {
    "prune", "select", "train", "compare", "keep reference", "evaluate", "explain model", "explain",
    "describe features", "certify model", "register", "report",
}  # fmt: skip


class Copy:
    """The tree and a team's package, with the churn example on few rows."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        for name in FOLDERS:
            shutil.copytree(ROOT / name, folder / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copytree(ROOT / "examples" / "churn", folder / "churn")
        self.pipeline = folder / "churn" / "pipeline.yaml"
        document = yaml.safe_load(self.pipeline.read_text())
        document["split"]["folds"] = 2
        document["models"] = ["team-vote", "gaussian-naive-bayes", "logistic-regression"]
        document["search"] |= {"fits": 8}
        document["limits"] = {"workers": 2}
        self.pipeline.write_text(yaml.safe_dump(document))
        rows = folder / "churn" / "churn.csv"
        rows.write_text("".join(rows.read_text().splitlines(keepends=True)[:701]))
        (folder / "team").mkdir()
        for name, text in TEAM.items():
            (folder / "team" / name).write_text(text)
        info = folder / "team-1.0.dist-info"
        info.mkdir()
        (info / "METADATA").write_text("Metadata-Version: 2.1\nName: team\nVersion: 1.0\n")
        (info / "entry_points.txt").write_text("[penstock.components]\nteam = team.methods:ENTRIES\n")

    def ask(self, what: str) -> Any:
        environment = {**os.environ, "PYTHONPATH": str(self.folder), "PENSTOCK_HOME": str(self.folder / "home")}
        command = [sys.executable, "-c", CALL, what, str(self.pipeline), "classification"]
        done = subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout.splitlines()[-1])

    def would_run(self) -> dict[str, str]:
        return {stage: reason for stage, state, reason in self.ask("plan") if state != "cached"}

    def records(self) -> list[Record]:
        latest = self.folder / "home" / "store" / "actions" / "latest"
        return [Record.model_validate_json(file.read_bytes()) for file in latest.rglob("*.json")]

    @contextmanager
    def edited(self, name: str, edit: Callable[[str], str]) -> Iterator[None]:
        file = self.folder / name
        before = file.read_text() if file.exists() else None
        after = edit(before or "")
        assert after != before
        file.parent.mkdir(exist_ok=True)
        file.write_text(after)
        try:
            yield
        finally:
            file.write_text(before) if before is not None else file.unlink()


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Copy:
    made = Copy(tmp_path_factory.mktemp("copy"))
    (made.folder / "home").mkdir()
    shutil.copy(migrated_database, made.folder / "home" / "mlflow.db")
    made.ask("run")
    assert made.would_run() == {"report": "always runs"}
    return made


def adds(text: str) -> Callable[[str], str]:
    return lambda before: before + text


def replaces(old: str, new: str) -> Callable[[str], str]:
    return lambda before: before.replace(old, new)


def test_a_new_method_with_a_class_and_a_trusted_type_runs_nothing(copy: Copy) -> None:
    with (
        copy.edited("components/trees/new.py", adds(NEW_CLASS)),
        copy.edited("components/trees/catalog.py", adds(NEW_METHOD)),
    ):
        assert copy.would_run() == {"report": "always runs"}


@pytest.mark.parametrize(
    ("name", "edit"),
    [
        ("components/clustering/k_means.py", adds("\nEXTRA = 1\n")),
        ("penstock/errors.py", replaces("did you mean", "perhaps you meant")),
        ("components/teaching/diagnostics/new_question.py", adds("DIAGNOSTIC = None\n")),
        ("problems/counting/__init__.py", adds(NEW_KIND)),
    ],
)
def test_an_edit_elsewhere_runs_nothing(copy: Copy, name: str, edit: Callable[[str], str]) -> None:
    with copy.edited(name, edit):
        assert copy.would_run() == {"report": "always runs"}


def of_candidate(stages: dict[str, str]) -> set[str]:
    return {stage.split()[1] for stage in stages if stage.startswith("fit ")}


@pytest.mark.parametrize(
    ("name", "method", "edit"),
    [
        ("components/bayes/gaussian.py", "gaussian-naive-bayes", adds("\nEXTRA = 1\n")),
        ("team/strength.py", "team-vote", replaces("1.0", "2.0")),
    ],
)
def test_an_edit_of_a_chosen_method_fits_that_one_again(
    copy: Copy, name: str, method: str, edit: Callable[[str], str]
) -> None:
    with copy.edited(name, edit):
        stages = copy.would_run()
    assert of_candidate(stages) == {method}
    assert {stage for stage in stages if not stage.startswith("fit ")} <= DOWNSTREAM
    assert {"select", "train", "evaluate", "register"} <= set(stages)


def test_an_edit_of_a_shared_helper_runs_what_imports_it(copy: Copy) -> None:
    module = "penstock.components.evaluation.metrics"
    holding = {record.stage for record in copy.records() if module in record.parts["code"]}
    assert {"fit", "evaluate"} <= holding
    assert not {"ingest", "validate", "prepare"} & holding
    with copy.edited("components/evaluation/metrics.py", adds("\nEXTRA = 1\n")):
        stages = copy.would_run()
    because = {stage for stage, reason in stages.items() if reason == f"code of {module} changed"}
    waiting = {stage for stage, reason in stages.items() if reason.startswith("waits for")}
    assert because
    assert set(stages) == because | waiting | {"report"}
    assert {stage.replace(" ", "_").split("_#")[0] for stage in because if not stage.startswith("fit ")} <= holding


def test_a_plug_in_that_changed_gives_another_score(copy: Copy) -> None:
    home = copy.folder / "home"
    before = {path.name for path in (home / "runs").iterdir()}
    with copy.edited("team/strength.py", replaces("1.0", "0.0001")):
        copy.ask("run")
    (new,) = {path.name for path in (home / "runs").iterdir()} - before
    events = [json.loads(line) for line in (home / "runs" / new / "journal.jsonl").read_text().splitlines()]
    ran = {event["stage"] for event in events if event["event"] == "stage" and event["state"] == "ran"}
    assert of_candidate(dict.fromkeys(ran, "")) == {"team-vote"}
