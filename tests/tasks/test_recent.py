"""Recent rows with what was said of them beside."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pyarrow as pa
import pytest

from penstock.errors import DataError
from penstock.sources.writing import Destination
from penstock.tasks.recent import read_recent
from tests.tasks.test_ingest import a_run

KEYS = ["=A1", "-17x", "plain", "+39 02 1234"]


@pytest.mark.parametrize("name", ["scores.csv", "scores.csv.gz", "scores.jsonl"])
def test_scores_are_put_beside_rows_whose_keys_a_spreadsheet_would_run(tmp_path: Path, name: str) -> None:
    pd.DataFrame({"id": KEYS, "x": [1, 2, 3, 4]}).to_parquet(tmp_path / "new.parquet")
    said = pa.table({"id": KEYS[::-1], "prediction": ["=d", "@c", "-b", "a"]})
    Destination(f"{tmp_path}/{name}").write([said])
    run = a_run(tmp_path)
    found = read_recent(run, str(tmp_path / "new.parquet"), str(tmp_path / name), None, "id", [], [], ("prediction",))
    assert run.store.frame(found)["prediction"].tolist() == ["a", "-b", "@c", "=d"]


def test_a_model_of_which_no_predictions_are_watched(tmp_path: Path) -> None:
    pd.DataFrame({"x": [1, 2]}).to_parquet(tmp_path / "new.parquet")
    file = str(tmp_path / "new.parquet")
    with pytest.raises(DataError, match="PEN603") as caught:
        read_recent(a_run(tmp_path), file, file, None, None, [], [], ())
    assert caught.value.where == "--predictions"
    assert "leave --predictions out" in caught.value.remedy
