"""What is refused of a pipeline file before anything runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.errors import UsageError
from penstock.spec.checked import load_checked_spec
from penstock.spec.checks.pairs import asks_for_kernel

BEGINNING = "name: a\nproblem: classification\ndata: {source: a.csv, target: y}\n"


GIVEN = "{kernel: precomputed}"
FAULTS = {
    "coordinates too": ("models: [{svm: {kernel: [rbf, precomputed]}}]", "out of the list"),
    "scaled": (f"models: [{{kernel-machine: {GIVEN}}}]", "scale: none"),
    "clipped": (
        f"models: [{{svm: {GIVEN}}}]\npreparation: {{scale: none, clip: clip-tukey}}",
        "leave preparation.clip out",
    ),
    "selected": (
        f"models: [{{kernel-neighbours: {GIVEN}}}]\npreparation: {{scale: none}}\nfeatures: {{select: correlation}}",
        "leave features.select out",
    ),
    "invented": (
        f"models: [{{kernel-perceptron: {GIVEN}}}]\npreparation: {{scale: none, balance: smote}}",
        "leave preparation.balance out",
    ),
}


def written(folder: Path, rest: str) -> str:
    (folder / "pipeline.yaml").write_text(f"{BEGINNING}{rest}\n")
    return str(folder / "pipeline.yaml")


@pytest.mark.parametrize("fault", FAULTS)
def test_columns_that_hold_a_kernel_stay_as_they_are(fault: str, tmp_path: Path) -> None:
    rest, remedy = FAULTS[fault]
    with pytest.raises(UsageError, match="columns hold a kernel") as caught:
        load_checked_spec(written(tmp_path, rest))
    assert caught.value.code == "PEN325"
    assert caught.value.where.endswith("models.0: kernel")
    assert remedy in caught.value.remedy


@pytest.mark.parametrize("balance", ["random-over-sampling", "class-weights"])
def test_classes_may_be_balanced_by_rows_that_exist(balance: str, tmp_path: Path) -> None:
    path = written(tmp_path, f"models: [{{svm: {GIVEN}}}]\npreparation: {{scale: none, balance: {balance}}}")
    assert asks_for_kernel(load_checked_spec(path))


def test_a_kernel_that_is_no_columns_is_named(tmp_path: Path) -> None:
    path = tmp_path / "pipeline.yaml"
    path.write_text(
        "name: a\nproblem: clustering\ndata: {source: a.csv}\npreparation: {scale: none}\n"
        "models: [{kernel-k-means: {kernel: precomputed}}]\n"
    )
    with pytest.raises(UsageError, match="cannot be cut into rows") as caught:
        load_checked_spec(str(path))
    assert caught.value.code == "PEN325"
    assert "name the kernel" in caught.value.remedy
