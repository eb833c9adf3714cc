"""The layers hold, and a breach would be seen."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.ratchets import ceilings
from tests.ratchets.places import RATCHETS, House, dialect

ROOT = Path(__file__).parent.parent
LINKED = ("flows", "tasks", "problems", "components", "expectations")


def lint_imports(folder: Path) -> subprocess.CompletedProcess[str]:
    command = [str(Path(sys.executable).with_name("lint-imports")), "--no-cache"]
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_the_import_contracts_hold_and_a_breach_is_caught(tmp_path: Path) -> None:
    for name in (*LINKED, "penstock"):
        shutil.copytree(ROOT / name, tmp_path / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    kept = lint_imports(tmp_path)
    assert kept.returncode == 0, kept.stdout
    (tmp_path / "components" / "breach.py").write_text(
        "import prefect\n\nfrom penstock.components.teaching import losses\nfrom penstock.tasks import stage\n"
    )
    broken = lint_imports(tmp_path)
    assert broken.returncode != 0
    assert "penstock.components.breach -> prefect" in broken.stdout
    assert "penstock.components is not allowed to import penstock.tasks" in broken.stdout
    assert "penstock.components.breach -> penstock.components.teaching.losses" in broken.stdout


def test_the_folders_at_the_root_are_the_package() -> None:
    for name in LINKED:
        assert (ROOT / "penstock" / name).is_symlink()
        assert (ROOT / "penstock" / name).resolve() == ROOT / name


def test_the_lock_names_exact_versions_and_no_index() -> None:
    lines = [line for line in (ROOT / "requirements.lock").read_text().splitlines() if not line.startswith("#")]
    assert lines
    assert all("==" in line and "://" not in line and not line.startswith("-") for line in lines)


@pytest.fixture(scope="module")
def house() -> House:
    return House()


@pytest.mark.parametrize("name", RATCHETS)
def test_what_is_to_go_only_gets_less(name: str, house: House) -> None:
    places = list(RATCHETS[name](house))
    ceiling = ceilings.read()[name]
    told = f"{name}: {len(places)} places, the ceiling is {ceiling}"
    assert len(places) <= ceiling, f"{told}: `python -m tests.ratchets {name}` lists them"
    assert len(places) == ceiling, f"{told}: lower it with `python -m tests.ratchets --lower`, and it stays so"


def test_names_are_the_field_s_words(house: House) -> None:
    places = list(dialect(house))
    assert not places, "\n".join(
        ["the field has another word for what is called so (CHANGELOG lists some):", *map(str, places)]
    )
