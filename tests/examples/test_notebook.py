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
    """With few rows and folds; the kernel is a process of its own and takes home and API from the environment."""
    shutil.copy(CHURN / "tour.ipynb", tmp_path)
    pipeline = (CHURN / "pipeline.yaml").read_text(encoding="utf-8").replace("folds: 5", "folds: 2")
    (tmp_path / "pipeline.yaml").write_text(pipeline, encoding="utf-8")
    rows = (CHURN / "churn.csv").read_text(encoding="utf-8").splitlines(keepends=True)
    (tmp_path / "churn.csv").write_text("".join(rows[:601]), encoding="utf-8")
    notebook = nbformat.read(tmp_path / "tour.ipynb", as_version=4)
    assert all(not cell.get("outputs") for cell in notebook.cells)
    NotebookClient(notebook, timeout=300, resources={"metadata": {"path": str(tmp_path)}}).execute()
    shown = [output["data"]["text/plain"] for cell in notebook.cells for output in cell.get("outputs", [])
             if "data" in output]  # fmt: skip
    assert "low" in shown[1]
    assert shown[-1] == "True"
