"""Thousands of altered model files end with an error for people, or with a prediction."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("fuzzing.py")
FILES, SEED = 5000, 26
ROOT = Path(__file__).parents[3]


@pytest.mark.slow
def test_no_altered_file_crashes_hangs_or_fills_memory(tmp_path: Path) -> None:
    file = tmp_path / "model.skops"
    done = subprocess.run(
        [sys.executable, "-P", str(PROGRAM), "0", str(FILES), str(SEED), str(file)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, f"at file {file.with_suffix('.number').read_text()}: {done.stderr[-2000:]}"
    told = json.loads(done.stdout.splitlines()[-1])
    ends = told["ends"]
    assert sum(ends.values()) == FILES
    assert ends["predicted"] > FILES / 10
    assert min(ends[code] for code in ("PEN501", "PEN502", "PEN504", "PEN518", "PEN520", "loaded, PEN521")) > 0
    assert told["slowest"] < 10
    assert told["grown"] < 1 << 28
