from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from penstock.home import runs
from tests.documents import typed

RUN = "churn-20260102-030405-aaa111"


def offered(home: Path, words: str) -> list[str]:
    """What bash would offer at the end of the words."""
    asked = {"_PENSTOCK_COMPLETE": "complete_bash", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    code = "import sys; sys.argv = ['penstock']; from penstock.cli import main; main()"
    environment = {**os.environ, **asked, "PENSTOCK_HOME": str(home)}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, check=True)
    return done.stdout.split()


@pytest.mark.parametrize(
    ("words", "offers"),
    [
        ("penstock report chu", [RUN]),
        ("penstock runs --diff ", [RUN]),
        ("penstock ui c", ["churn"]),
        ("penstock score churn@", ["churn@champion"]),
        ("penstock do", ["doctor"]),
    ],
)
def test_the_shell_knows_runs_pipelines_and_models(words: str, offers: list[str], tmp_path: Path) -> None:
    runs.keep_document(tmp_path, RUN, typed({}))
    assert offered(tmp_path, words) == offers


def test_bash_takes_the_script_that_is_shown() -> None:
    """Asked from within bash, as the shell that the script is for is the one above."""
    shown = f"{Path(sys.executable).with_name('penstock')} --show-completion; true"
    script = subprocess.run(["bash", "-c", shown], capture_output=True, text=True, check=True).stdout
    taken = subprocess.run(["bash", "-c", f"{script}\ncomplete -p penstock"], capture_output=True, text=True)
    assert taken.stdout.split()[-1] == "penstock", taken.stderr
