"""What is refused of a pipeline file before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.errors import UsageError
from penstock.flows.checks import load_checked_spec

BEGINNING = "name: a\nproblem: classification\ndata: {source: a.csv, target: y}\n"


@pytest.mark.parametrize("model", ["kernel-machine", "kernel-neighbours"])
def test_a_matrix_of_kernels_cannot_be_cut_into_folds(model: str, tmp_path: Path) -> None:
    path = tmp_path / "pipeline.yaml"
    path.write_text(f"{BEGINNING}models: [{{{model}: {{kernel: [rbf, precomputed]}}}}]\n")
    with pytest.raises(UsageError, match="cannot be cut into rows") as caught:
        load_checked_spec(str(path))
    assert caught.value.code == "PEN325"
    assert "name the kernel" in caught.value.remedy
