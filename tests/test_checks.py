"""The workflow and the hooks run the project's own checks, on the Pythons that it is for."""

from __future__ import annotations

import os
import re
import tomllib
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PYTHONS = [f"3.{minor}" for minor in range(40) if SpecifierSet(PROJECT["requires-python"]).contains(f"3.{minor}")]

# The lock is written on the first of them; of these pip takes the newest that the others allow.
NOT_LOCKED = {"3.13": {"whenever"}}


def recipe(target: str) -> list[str]:
    found = re.search(rf"^{target}:.*\n((?:\t.*\n)+)", MAKEFILE, re.MULTILINE)
    assert found, f"the Makefile has no recipe for {target}"
    return [line.strip().replace("$(BIN)", ".venv/bin") for line in found[1].splitlines()]


@pytest.fixture(scope="module")
def workflow() -> dict[Any, Any]:
    files = list((ROOT / ".github" / "workflows").iterdir())
    assert [file.name for file in files] == ["checks.yml"], "another workflow needs tests of its own"
    loaded: dict[Any, Any] = yaml.safe_load(files[0].read_text(encoding="utf-8"))
    return loaded


def test_the_workflow_runs_the_full_check_on_every_python(workflow: dict[Any, Any]) -> None:
    (job,) = workflow["jobs"].values()
    assert job["strategy"]["matrix"] == {"python": PYTHONS}
    assert [step["run"] for step in job["steps"] if "run" in step] == [".ci/run"]
    assert os.access(ROOT / ".ci" / "run", os.X_OK)
    last = (ROOT / ".ci" / "run").read_text(encoding="utf-8").splitlines()[-1]
    assert last == "make lint types test"
    assert all(recipe(target) for target in last.split()[1:])
    # The environment's PYTHON must reach the Makefile, and be the matrix's.
    assert "PYTHON ?= " in MAKEFILE
    assert job["steps"][-1]["env"]["PYTHON"] == "python${{ matrix.python }}"
    assert "${{ matrix.python }}" in job["container"]["image"]


def test_the_workflow_may_only_read_and_comes_to_an_end(workflow: dict[Any, Any]) -> None:
    assert workflow["permissions"] == {"contents": "read"}
    assert "pull_request_target" not in workflow[True], "it would run strangers' code with our rights"  # YAML's on
    for job in workflow["jobs"].values():
        assert "permissions" not in job
        assert 0 < job["timeout-minutes"] <= 180
        for step in job["steps"]:
            assert re.fullmatch(r"actions/[a-z-]+@v\d+", step.get("uses", "actions/none@v1"))
            # Text of a title or a branch would be run by the shell.
            assert "${{" not in step.get("run", "")
        assert job["steps"][0]["with"]["persist-credentials"] is False


def test_the_hooks_are_the_lint_recipe() -> None:
    loaded = yaml.safe_load((ROOT / ".pre-commit-config.yaml").read_text(encoding="utf-8"))
    (local,) = loaded["repos"]
    assert local["repo"] == "local"
    assert [hook["entry"] for hook in local["hooks"]] == recipe("lint")
    for hook in local["hooks"]:
        assert (hook["language"], hook["pass_filenames"], hook["always_run"]) == ("system", False, True)


@pytest.mark.parametrize("python", PYTHONS)
def test_the_locked_packages_say_that_they_are_for_every_python(python: str) -> None:
    """By what the installed ones declare of themselves; whether they work is for the workflow to see."""
    lines = (ROOT / "requirements.lock").read_text(encoding="utf-8").splitlines()
    locked = dict(line.split("==") for line in lines if line and not line.startswith("#"))
    names = {canonicalize_name(name) for name in locked}
    environment = {"python_version": python, "python_full_version": f"{python}.9", "extra": ""}
    absent = set()
    for name in locked:
        package = metadata.metadata(name)
        wanted = package.get("Requires-Python")
        assert wanted is None or SpecifierSet(wanted).contains(f"{python}.9"), f"{name} is for Python {wanted}"
        for text in package.get_all("Requires-Dist") or []:
            needed = Requirement(text)
            if needed.marker is None or needed.marker.evaluate(environment):
                absent |= {canonicalize_name(needed.name)} - names
    assert absent == NOT_LOCKED.get(python, set())
