"""Distances of a person's own, from a pipeline file: between the levels of a column, and between rows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from shutil import copy
from typing import Any

import numpy as np
import pandas as pd
import pytest
import yaml
from sklearn.metrics import adjusted_rand_score

import penstock
from penstock.errors import PenstockError
from penstock.flows.unsupervised import unsupervised
from penstock.settings import Settings
from penstock.spec.checked import load_checked_spec
from tests.frozen import runs as frozen

ROWS = 80
TABLE = {"web": {"app": 0.1, "shop": 1, "phone": 1}, "app": {"shop": 1, "phone": 1}, "shop": {"phone": 0.1}}
PAIRS = {"web": "screen", "app": "screen", "shop": "voice", "phone": "voice"}
GOWER = {"k-medoids": {"clusters": [2], "dissimilarity": "gower"}}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Iterator[Path]:
    folder = tmp_path_factory.mktemp("own")
    home = folder / "home"
    home.mkdir()
    copy(migrated_database, home / "mlflow.db")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("PENSTOCK_HOME", str(home))
        Settings.from_environment().apply()
        yield folder


def channels() -> pd.DataFrame:
    """Four channels; without the table they are all the same way apart."""
    rng = np.random.default_rng(0)
    return pd.DataFrame({"channel": rng.choice([*PAIRS], ROWS), "age": rng.normal(40, 2, ROWS).round(2)})


def written(folder: Path, table: Any = TABLE, **changes: Any) -> str:
    channels().to_csv(folder / "data.csv", index=False)
    encode = {"level-distances": {"table": table}}
    document = {
        "name": "own",
        "problem": "clustering",
        "data": {"source": "data.csv"},
        "preparation": {"columns": {"channel": {"encode": encode}}},
        "models": [GOWER],
        "search": {"strategy": "grid"},
        "limits": {"workers": 1},
        **changes,
    }
    (folder / "pipeline.yaml").write_text(yaml.safe_dump(document))
    return str(folder / "pipeline.yaml")


@pytest.mark.slow
def test_the_table_decides_and_travels_with_the_model(folder: Path) -> None:
    document = unsupervised.fn(written(folder), [], engine="plain").as_json()
    assert document["winner"]["parameters"]["dissimilarity"] == "gower"
    model = penstock.load("own@latest")
    found = model.predict(channels())
    assert adjusted_rand_score(channels()["channel"].map(PAIRS), found) == 1.0
    strange = channels()
    strange.loc[0, "channel"] = "letter"
    again = model.predict(strange)
    assert list(again[1:]) == list(found[1:])
    assert again[0] in (0, 1)


@pytest.mark.slow
def test_the_example_runs(folder: Path) -> None:
    document = frozen.run("own-distances")
    assert {candidate["status"] for candidate in document["candidates"]} == {"finished"}
    assert document["winner"]["parameters"]["dissimilarity"] == "gower"
    frozen.compare("own-distances", document)


BAD: dict[str, tuple[dict[str, Any], str, str, str]] = {
    "a bad table": ({"table": {"web": {"app": -1}}}, "PEN225", "never negative", "preparation.columns.channel"),
    "means": ({"models": ["k-means"]}, "PEN326", "dissimilarity: gower", "models.0"),
    "the usual models": ({"models": []}, "PEN326", "dissimilarity: gower", "models.0"),
    "rows that decide": ({"models": "auto"}, "PEN326", "dissimilarity: gower", "models.0"),
    "another dissimilarity": (
        {"models": [GOWER, {"agglomerative": {"dissimilarity": ["gower", "manhattan"]}}]},
        "PEN326",
        "equal-influence",
        "models.1",
    ),
    "columns picked": ({"features": {"extract": "pca"}}, "PEN326", "leave features.extract out", "features.extract"),
}


@pytest.mark.parametrize("fault", BAD)
def test_what_cannot_heed_the_table_is_said(fault: str, tmp_path: Path) -> None:
    changes, code, remedy, where = BAD[fault]
    with pytest.raises(PenstockError) as caught:
        load_checked_spec(written(tmp_path, **changes))
    assert caught.value.code == code
    assert caught.value.exit_status in (2, 3)
    assert remedy in str(caught.value.remedy)
    assert where in str(caught.value.where)


def test_what_a_dissimilarity_takes_can_be_given(tmp_path: Path) -> None:
    models = [{"k-medoids": {"dissimilarity": "minkowski", "settings": {"power": 4}}}]
    spec = load_checked_spec(written(tmp_path, models=models, preparation={}))
    assert spec.models[0].parameters["settings"] == {"power": 4}


def pairs() -> tuple[pd.DataFrame, np.ndarray[Any, Any]]:
    """Distances of things in three groups, as columns; they break the triangle inequality. And the groups."""
    rng = np.random.default_rng(1)
    groups = np.repeat([0, 1, 2], 20)
    places = np.array([[0.0, 0.0], [9.0, 0.0], [4.0, 9.0]])[groups] + rng.normal(size=(60, 2))
    apart = ((places[:, None] - places[None]) ** 2).sum(axis=2)
    keys = [f"thing {number}" for number in range(60)]
    return pd.DataFrame(apart, columns=keys).assign(name=keys), groups


def written_pairs(folder: Path, table: pd.DataFrame, **changes: Any) -> str:
    table.to_csv(folder / "pairs.csv", index=False)
    usual: dict[str, Any] = {
        "name": "pairs",
        "data": {"source": "pairs.csv", "key": "name"},
        "preparation": {"scale": "none"},
        "models": [
            {"k-medoids": {"clusters": [3], "dissimilarity": "precomputed"}},
            {"agglomerative": {"clusters": [3], "linkage": "average", "dissimilarity": "precomputed"}},
        ],
    }
    return written(folder, **usual | changes)


@pytest.mark.slow
@pytest.mark.covers("dissim-precomputed")
def test_a_matrix_of_all_pairs_is_given_as_columns(folder: Path) -> None:
    """Every resample takes rows alone, since each row knows the column of its own; new rows need none."""
    table, groups = pairs()
    document = unsupervised.fn(written_pairs(folder, table), [], engine="plain").as_json()
    assert [candidate["status"] for candidate in document["candidates"]] == ["finished"] * 2
    model = penstock.load("pairs@latest")
    assert adjusted_rand_score(groups, model.predict(table)) == 1.0
    new = (table.drop(columns="name").head(1) + 0.5).assign(name="stranger")
    assert model.predict(new).tolist() == model.predict(table.head(1)).tolist()


FIRST = [f"thing {number}" for number in range(10)]  # some of them are trained on
FAULTS: dict[str, tuple[Any, dict[str, Any], str, str]] = {
    "scaled": (lambda rows: rows, {"preparation": {}}, "PEN325", "scale: none"),
    "clipped": (
        lambda rows: rows,
        {"preparation": {"scale": "none", "clip": "clip-tukey"}},
        "PEN325",
        "leave preparation.clip out",
    ),
    "similarities": (lambda rows: rows, {"models": [{"spectral": {"affinity": "precomputed"}}]}, "PEN325", "columns"),
    "a column that is none": (lambda rows: rows.assign(town=["x", "y"] * 30), {}, "PEN223", "town: ignore"),
    "missing": (lambda rows: rows.assign(**rows[FIRST].where(rows[FIRST] > 0)), {}, "PEN224", "fill them in"),
    "negative": (lambda rows: rows.assign(**-rows[FIRST]), {}, "PEN225", "never negative"),
    "asymmetric": (lambda rows: rows.assign(**2 * rows[FIRST]), {}, "PEN334", "symmetric"),
    "not itself": (lambda rows: rows.drop(columns=FIRST), {}, "PEN226", "its own is 0"),
}


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS)
def test_columns_that_are_no_distances_are_said(fault: str, folder: Path) -> None:
    spoil, changes, code, remedy = FAULTS[fault]
    with pytest.raises(PenstockError) as caught:
        unsupervised.fn(written_pairs(folder, spoil(pairs()[0]), **changes), [], engine="plain")
    assert caught.value.code == code
    assert caught.value.exit_status in (2, 3)
    assert remedy in str(caught.value.remedy)
    assert caught.value.where
