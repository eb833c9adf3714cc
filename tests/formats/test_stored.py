"""What earlier versions stored is still read, or refused in words."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path

import pandas as pd
import pytest

from penstock.actions.records import Actions, Record
from penstock.document.run import RunDocument
from penstock.errors import EnvironmentFault, ModelError
from penstock.home.runs import read_document
from penstock.model import FORMAT, load_bundle
from penstock.store import Store
from penstock.tasks.train import train
from tests.conftest import Cli
from tests.formats.make import KEPT

FORMATS = sorted(path for path in KEPT.iterdir() if path.is_dir() and path.name.isdigit())


@pytest.fixture(params=FORMATS, ids=lambda path: path.name)
def stored(request: pytest.FixtureRequest) -> Path:
    return Path(request.param)


@pytest.fixture
def earlier_home(stored: Path, home: Path) -> Path:
    with zipfile.ZipFile(stored / "home.zip") as archive:
        archive.extractall(home)
    return home


def test_there_is_a_fixture_of_the_formats_of_today() -> None:
    newest = FORMATS[-1]
    assert json.loads((newest / "run.json").read_bytes())["version"] == RunDocument.model_fields["version"].default
    assert load_bundle(newest / "model.skops").schema.problem == "classification"


def test_a_run_document_is_read_and_nothing_of_it_is_lost(stored: Path) -> None:
    content = (stored / "run.json").read_bytes()
    assert RunDocument.from_bytes(content).as_json() == json.loads(content)


def test_a_model_predicts_what_it_predicted(stored: Path) -> None:
    found = load_bundle(stored / "model.skops").score_frame(pd.read_csv(stored / "rows.csv"))
    expected = pd.read_csv(stored / "predicted.csv")
    assert list(found.columns) == list(expected.columns)
    assert found["prediction"].tolist() == expected["prediction"].tolist()
    for name in found.columns[1:]:
        assert found[name].to_numpy() == pytest.approx(expected[name].to_numpy(), abs=1e-12)


def test_an_action_record_holds_what_its_stage_makes(stored: Path) -> None:
    record = Record.model_validate_json((stored / "action.json").read_bytes())
    assert record.stage == train.name
    made = train.result.validate_python(record.made)
    assert made.model.kind == "estimator"


def test_a_home_is_sound(earlier_home: Path, cli: Cli) -> None:
    store = Store(earlier_home / "store")
    records = [
        Record.model_validate_json(file.read_bytes())
        for file in (earlier_home / "store" / "actions" / "latest").rglob("*.json")
    ]
    assert len(records) > 10
    for record in records:
        found, fault = Actions(store).look(record.key)
        assert found == record, fault
        assert Actions(store).fault(record.made) is None
    (run,) = [folder.name for folder in (earlier_home / "runs").iterdir() if (folder / "run.json").exists()]
    assert read_document(earlier_home, run).run.id == run


def test_a_document_of_another_version_is_refused_in_words(earlier_home: Path) -> None:
    (file,) = (earlier_home / "runs").glob("*/run.json")
    facts = json.loads(file.read_bytes())
    file.write_text(json.dumps({**facts, "version": 0}))
    with pytest.raises(EnvironmentFault) as caught:
        read_document(earlier_home, file.parent.name)
    assert (caught.value.code, caught.value.exit_status) == ("PEN918", 6)
    assert "run its pipeline file again" in caught.value.remedy


def test_a_model_of_another_format_is_refused_in_words(stored: Path, tmp_path: Path) -> None:
    older = tmp_path / "older.skops"
    with zipfile.ZipFile(stored / "model.skops") as model, zipfile.ZipFile(older, "w") as copy:
        for name in model.namelist():
            content = model.read(name)
            if name == "schema.json":
                content = content.replace(f'"{FORMAT}"'.encode(), b'"0"', 1)
            copy.writestr(name, content)
    with pytest.raises(ModelError) as caught:
        load_bundle(older)
    assert (caught.value.code, caught.value.exit_status) == ("PEN504", 2)
    assert "train it again" in caught.value.remedy
