"""The folders at the root are one package, under the names of its modules and of the files that git knows."""

from __future__ import annotations

import importlib
import multiprocessing
import os
import pickle
import re
import shutil
import subprocess
import sys
import traceback
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

import pytest

import penstock
from penstock.components import catalog
from penstock.components.trees.rule_words import Written, read_rule
from penstock.errors import PenstockError
from penstock.expectations.written import read_suite
from penstock.flows.training import flow_of
from penstock.problems import find
from penstock.tasks.course import course

ROOT = Path(__file__).parent.parent.parent
LINKED = ("flows", "tasks", "problems", "components", "expectations")
RAISING: dict[str, Callable[[], object]] = {
    "components/catalog.py": lambda: catalog.find("nothing"),
    "components/trees/rule_words.py": lambda: read_rule("nothing"),
    "expectations/written.py": lambda: read_suite(Path("nothing.yaml")),
    "problems/registry.py": lambda: find("nothing"),
    "tasks/course.py": lambda: course([], []),
    "flows/training.py": lambda: flow_of("nothing"),
}


@pytest.mark.parametrize("file", RAISING)
def test_a_traceback_names_the_file_at_the_root(file: str) -> None:
    with pytest.raises((PenstockError, ValueError)) as caught:
        RAISING[file]()
    named = [Path(frame.filename) for frame in traceback.extract_tb(caught.value.__traceback__)]
    assert ROOT / file in named
    assert not any(path.is_relative_to(ROOT / "penstock" / name) for path in named for name in LINKED)


def test_there_is_one_module_of_each_name() -> None:
    for name in LINKED:
        package = importlib.import_module(f"penstock.{name}")
        assert [*package.__path__] == [str(ROOT / name)]
        assert getattr(penstock, name) is package
    loaded = [module for name, module in sys.modules.items() if name.startswith("penstock.")]
    files = [os.path.realpath(module.__file__) for module in loaded if module.__file__]
    assert len(files) == len(set(files))
    assert not set(LINKED) & set(sys.modules)


def test_what_another_process_makes_is_of_the_same_class() -> None:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        rule = pool.submit(read_rule, "if a > 1 then yes").result()
    assert type(rule) is Written
    assert pickle.loads(pickle.dumps(rule)) == rule


def ran(folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "GIT_CONFIG_GLOBAL": os.devnull, "PYTHONPATH": str(folder)}
    return subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)


def test_a_clone_without_links_says_how_to_get_them(tmp_path: Path) -> None:
    (tmp_path / "penstock").mkdir()
    shutil.copy(ROOT / "penstock" / "__init__.py", tmp_path / "penstock")
    for name in LINKED:
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").write_text("")
        (tmp_path / "penstock" / name).symlink_to(f"../{name}")
    imports = (sys.executable, "-c", "import penstock.tasks")
    commit = "-c user.name=a -c user.email=a@example.org commit -qm a"
    for words in ("init -q", "add .", commit, "config core.symlinks false"):
        assert ran(tmp_path, "git", *words.split()).returncode == 0
    for name in LINKED:
        (tmp_path / "penstock" / name).unlink()
    ran(tmp_path, "git", "checkout", "--", "penstock")
    assert (tmp_path / "penstock" / "tasks").read_text() == "../tasks"
    told = ran(tmp_path, *imports)
    assert told.returncode == 1
    sentence = told.stderr.strip().splitlines()[-1]
    assert sentence.startswith("ImportError: the symbolic links in penstock/ came out as text files")
    for command in re.findall("`([^`]+)`", sentence):
        assert ran(tmp_path, *command.split()).returncode == 0
    assert ran(tmp_path, *imports).returncode == 0


def test_on_windows_the_first_import_names_wsl(tmp_path: Path) -> None:
    told = ran(ROOT, sys.executable, "-c", "import os; os.name = 'nt'; import penstock")
    assert told.returncode == 1
    assert told.stderr.strip().splitlines()[-1].startswith("ImportError: Penstock runs on Linux and macOS; on Windows")
    assert "WSL" in told.stderr
