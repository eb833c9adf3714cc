"""The gallery: a small pipeline file for each family of methods, run in one home, so that equal data is read once."""

from __future__ import annotations

import runpy
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from penstock.components.catalog import entries
from penstock.settings import Settings
from tests.frozen import runs as frozen

ROOT = Path(__file__).parents[2]
GALLERY = ROOT / "examples" / "gallery"
PICTURES: dict[str, str] = runpy.run_path(str(GALLERY / "draw.py"))["PICTURES"]
QUICK = "trees"
# What else the report of a family promises.
SHOWN = {
    "bayes": ["Mean and standard deviation of prepared columns", "figure-diagnosis_naive-bayes-border"],
    "discriminant-analysis": ["Means of the classes"],
    "ensembles": ["figure-diagnosis_ensemble-bound"],
    "kernels": ["least eigenvalue", "Training rows that pull most"],
    "learning-theory": ["figure-diagnosis_vc-bound", "figure-diagnosis_perceptron-bound", "figure-coefficients"],
    "linear-classification": ["figure-probability_curve", "figure-diagnosis_losses"],
    "linear-regression": ["figure-coefficient_path", "figure-diagnosis_least-squares"],
    "local-models": ["The nearest training rows of some test rows", "figure-diagnosis_dimension"],
    "optimisation": ["figure-diagnosis_learning-rates", "figure-diagnosis_stopping-rules"],
    "perceptron": ["figure-diagnosis_linear-separability", "figure-diagnosis_perceptron-bound"],
    "svm": ["Training rows and the margin", "figure-diagnosis_kkt-audit"],
    "trees": ["Rules, those of most rows first", "figure-diagnosis_out-of-bag"],
}


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("gallery")
    shutil.copy(migrated_database, folder / "mlflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(folder))
        Settings.from_environment().apply()
        yield folder


def test_every_family_has_a_file_a_picture_and_its_place_on_the_page() -> None:
    page = (ROOT / "docs" / "gallery.md").read_text(encoding="utf-8")
    assert {file.stem for file in GALLERY.glob("*.yaml")} == set(PICTURES)
    assert len(PICTURES) == 15
    for stem in PICTURES:
        drawn = (ROOT / "docs" / "images" / "gallery" / f"{stem}.svg").read_text(encoding="utf-8")
        assert drawn.startswith("<svg xmlns=")
        assert 'class="hint"' not in drawn
        assert f"(images/gallery/{stem}.svg)" in page
        assert f"examples/gallery/{stem}.yaml" in page
    learnt = [one.name for one in entries().values() if one.kind in ("classifier", "regressor", "predictor")]
    assert [name for name in learnt if f"`{name}`" not in page] == ["mlp"]  # networks have no place here


@pytest.mark.parametrize(
    "file",
    [
        pytest.param(GALLERY / f"{stem}.yaml", id=stem, marks=[] if stem == QUICK else [pytest.mark.slow])
        for stem in PICTURES
    ],
)
def test_every_family_runs_and_shows_what_it_promises(file: Path, home: Path) -> None:
    document: dict[str, Any] = frozen.run(f"gallery-{file.stem}")
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert [one for one in document["candidates"] if one["status"] not in ("finished", "pruned")] == []
    for words in [f'id="figure-{PICTURES[file.stem]}"', *SHOWN.get(file.stem, [])]:
        assert words in page
    assert "mathdefault" not in page  # formulas are not drawn in the text of a picture
    asked = {stage["stage"] for stage in document["stages"] if stage["stage"].startswith("diagnose")}
    assert asked == {f"diagnose {one['name']}" for one in document["diagnoses"]}
    assert [one["name"] for one in document["diagnoses"] if not one["findings"]] == []
    frozen.compare(f"gallery-{file.stem}", document)
