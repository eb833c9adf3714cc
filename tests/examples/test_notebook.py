from __future__ import annotations

import shutil
from pathlib import Path

import nbformat
import pytest
from nbclient import NotebookClient

CHURN = Path(__file__).parent.parent.parent / "examples" / "churn"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_the_notebook_runs_from_top_to_bottom(tmp_path: Path, served_home: Path) -> None:
    """With few rows; the kernel is a process of its own, which takes the home and the API from the environment."""
    for name in ("pipeline.yaml", "tour.ipynb"):
        shutil.copy(CHURN / name, tmp_path)
    rows = (CHURN / "churn.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "churn.csv").write_text("".join(rows[:1201]), encoding="utf-8")
    notebook = nbformat.read(tmp_path / "tour.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output["data"]["text/plain"] for cell in notebook.cells for output in cell.get("outputs", [])
             if "data" in output]  # fmt: skip
    assert "low" in shown[1]
    assert shown[-1] == "True"
