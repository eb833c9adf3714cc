"""The rents example: same bytes from the same seed, and a run that looks closer."""

from __future__ import annotations

import importlib.util
import json
import shutil
import subprocess
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pandas as pd
import pytest

from penstock.settings import Settings
from tests.frozen import runs as frozen

FOLDER = Path(__file__).parents[2] / "examples" / "rents"


@pytest.fixture(scope="module")
def generator() -> ModuleType:
    spec = importlib.util.spec_from_file_location("rents_generate", FOLDER / "generate.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def document(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Any:
    """One run of the example for all tests here."""
    folder = tmp_path_factory.mktemp("rents")
    shutil.copy(migrated_database, folder / "mlflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(folder))
        Settings.from_environment().apply()
        yield frozen.run("rents")


def test_the_generator_writes_the_committed_bytes(generator: ModuleType) -> None:
    made = generator.generate().to_csv(index=False, lineterminator="\n").encode()
    assert made == (FOLDER / "rents.csv").read_bytes()
    assert len(made) < 200_000


@pytest.mark.slow
def test_ensembles_compete_and_the_winner_loads_in_a_fresh_process(document: dict[str, Any]) -> None:
    names = {candidate["name"]: candidate for candidate in document["candidates"]}
    made = {name for name in names if name.endswith("-ensemble")}
    assert made == {"voting-ensemble", "stacking-ensemble", "greedy-ensemble"}
    finished = [candidate for candidate in document["candidates"] if candidate["rank"]]
    assert finished[0]["label"] == document["winner"]["label"]
    assert document["winner"]["name"] in made  # here ensembles help
    members = document["winner"]["members"]
    assert len(members) > 1
    assert sum(member["weight"] for member in members) == pytest.approx(1, abs=1e-5)
    for candidate in finished[1:]:
        assert candidate["against"]["difference"] >= 0
        assert candidate["against"]["alike"] == (candidate["label"] in document["selection"]["alike"])
    assert not names["dummy"]["against"]["alike"]
    corrected = document["selection"]["corrected"]["value"]
    assert corrected <= document["selection"]["naive"] + 1e-9
    code = (
        "import sys, json, pandas as pd\n"
        "from penstock.model import load_bundle\n"
        "model = load_bundle(sys.argv[1])\n"
        "print(json.dumps(model.predict(pd.read_csv(sys.argv[2]).head(20)).tolist()))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code, document["artifacts"]["model"], str(FOLDER / "rents.csv")],
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    rents = pd.read_csv(FOLDER / "rents.csv")["monthly_rent"].head(20)
    assert json.loads(ran.stdout) == pytest.approx(rents.tolist(), rel=0.8)


@pytest.mark.slow
def test_the_numbers_are_the_frozen_ones(document: dict[str, Any]) -> None:
    frozen.compare("rents", document)


@pytest.mark.slow
def test_the_old_town_is_worse_and_said_to_be(document: dict[str, Any]) -> None:
    slices = document["explanation"]["slices"]
    assert ("district", "old town") in [(one["column"], one["slice"]) for one in slices if one["worse"]]
    assert ("district", "outskirts") not in [(one["column"], one["slice"]) for one in slices if one["worse"]]
    page = Path(document["artifacts"]["report"]).read_text(encoding="utf-8")
    assert "Worse than for all rows, by more than chance: district old town" in page
    assert 'id="figure-slices"' in page


@pytest.mark.slow
def test_what_the_model_goes_by(document: dict[str, Any]) -> None:
    importance = document["explanation"]["importance"]
    assert importance[0]["column"] == "area_m2"
    assert {one["column"] for one in importance[:4]} >= {"area_m2", "district", "km_to_station"}
    assert importance[-1]["low"] < 1  # what rents were not made of
    curves = {curve["column"]: curve for curve in document["explanation"]["dependence"]}
    area = curves["area_m2"]["curves"][0]["mean"]
    assert area[-1] > 2 * area[0]


@pytest.mark.slow
def test_more_rows_help(document: dict[str, Any]) -> None:
    points = document["curves"]["learning_curve"]["points"]
    assert [point["rows"] for point in points] == sorted(point["rows"] for point in points)
    assert points[-1]["valid"] > points[0]["valid"]
    assert all(point["train"] >= point["valid"] for point in points)
