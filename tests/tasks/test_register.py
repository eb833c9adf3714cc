"""The gate through whole runs and a real registry."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

from penstock.api import RunResult, require_promotion
from penstock.document.run import RunDocument
from penstock.errors import NotPromotedError, UsageError
from penstock.flows.supervised import supervised
from penstock.problems.training import Trained
from penstock.settings import Settings
from penstock.store import Ref
from penstock.tasks.register import plugin_tags
from penstock.tracking import Tracking
from tests.small import classification

A_REF = Ref(kind="facts", digest="a" * 64)


def run(pipeline: Path, *overrides: str) -> dict[str, Any]:
    return supervised.fn(str(pipeline), list(overrides), engine="plain").as_json()


def tracking() -> Tracking:
    settings = Settings.from_environment()
    return Tracking(settings.tracking_uri, settings.artifact_root)


@pytest.mark.slow
def test_no_model_is_this_homes_own_where_others_write_its_records(
    tmp_path: Path, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_STORE", (tmp_path / "shared").as_uri())
    run(classification(tmp_path / "project", name="shared", search={"fits": 6}))
    assert not list((home / "downloads").glob("*.skops"))


@pytest.mark.slow
def test_limits_slices_and_a_champion_that_lost_its_column(tmp_path: Path, home: Path) -> None:
    pipeline = classification(tmp_path / "project", rows=300, name="gated", search={"fits": 6})
    too_small = "register.promote.limits.size_mb=0.0001"

    # A limit that no model can meet: nothing goes into service, and a script that requires it is told.
    held = run(pipeline, too_small)
    verdict = held["verdict"]
    assert (verdict["verdict"], verdict["champion"]) == ("held", None)
    assert "its file has" in verdict["reason"]
    assert tracking().registry.champion("gated") is None
    assert list((home / "downloads").glob("*.skops"))
    with pytest.raises(NotPromotedError) as caught:
        require_promotion(RunResult(RunDocument.model_validate(held)))
    assert (caught.value.code, caught.value.exit_status) == ("PEN401", 5)
    assert "the limit is 0.0001 MB" in caught.value.what
    told = tracking().runs("gated")[0]
    assert told["tags"]["penstock.gate_failed"] == "size"
    assert told["metrics"]["gate_size"] == pytest.approx(verdict["checks"][0]["value"])
    assert "does not go into service" in Path(held["artifacts"]["report"]).read_text()

    # Without it the same model is the first one.
    first = run(pipeline)
    assert first["verdict"]["verdict"] == "first"
    assert tracking().registry.champion("gated").version == first["verdict"]["version"]
    described = tracking().registry.client.get_model_version("gated", first["verdict"]["version"]).description
    assert described.startswith("**first**: there was no champion")
    assert first["run"]["id"] in described

    # A column that the champion needs is gone: the verdict is open, and the run ships all the same.
    source = tmp_path / "project" / "data.csv"
    frame = pd.read_csv(source)
    frame.drop(columns="a").to_csv(source, index=False)
    gone = run(pipeline, "validation.on_failure=warn", "split.seed=3")
    assert gone["verdict"]["verdict"] == "inconclusive"
    assert "the champion cannot predict these rows: the data have no column 'a'" in gone["verdict"]["reason"]
    assert tracking().registry.champion("gated").version == first["verdict"]["version"]

    # New rows, and slices of a column that the model must not use.
    frame.assign(id=[f"new{number}" for number in range(300)], side=["left", "right", "left"] * 100).to_csv(
        source, index=False
    )
    changes = ("data.columns.side=ignore", "split.seed=5", "split.test=0.5", "split.folds=2")
    again = run(pipeline, *changes, "register.promote.slices={columns: [side], margin: 0.5}")
    verdict = again["verdict"]
    assert verdict["rows"] == again["data"]["test_rows"]
    assert [check["name"] for check in verdict["checks"]] == ["side = left", "side = right"]
    told = tracking().runs("gated")[0]
    assert told["metrics"]["gate_difference"] == pytest.approx(verdict["difference"]["value"])
    assert told["metrics"]["gate_difference_low"] == pytest.approx(verdict["difference"]["low"])
    assert "gate_side _ left" in told["metrics"]
    assert told["tags"]["penstock.verdict_reason"] == verdict["reason"]
    kept = json.loads(tracking().registry.find("gated", verdict["version"]).tags["penstock.verdict"])
    assert kept["difference"] == verdict["difference"]
    assert 'id="gate"' in Path(again["artifacts"]["report"]).read_text()


@pytest.mark.parametrize(
    ("column", "code", "words"), [("plann", "PEN402", "did you mean 'plan'?"), ("id", "PEN403", "single rows")]
)
def test_slices_that_cannot_be_made_are_refused_before_anything_is_learnt(
    tmp_path: Path, home: Path, column: str, code: str, words: str
) -> None:
    pipeline = classification(tmp_path / "project", name="sliced")
    with pytest.raises(UsageError) as caught:
        run(pipeline, f"register.promote.slices={{columns: [{column}]}}")
    assert caught.value.code == code
    assert words in str(caught.value)
    assert "register.promote.slices.columns" in caught.value.where
    assert not any((home / "store").rglob("*.skops"))


def test_the_code_of_plug_ins_is_a_tag_of_the_version() -> None:
    def tags(**code: str) -> dict[str, str]:
        return plugin_tags(
            Trained(model=A_REF, ids=A_REF, code={name.replace("_", "."): it for name, it in code.items()})
        )

    assert tags(penstock_model="1") == {}
    one = tags(penstock_model="1", team_vote="1")
    assert set(one) == {"penstock.plugins"}
    assert tags(penstock_model="2", team_vote="1") == one
    assert tags(penstock_model="1", team_vote="2") != one
