"""The code that travels with a model, and what is said where other code is installed."""

from __future__ import annotations

import importlib
import logging
import platform
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression
from sklearn.pipeline import make_pipeline

from penstock import plugins
from penstock.actions import codedigest
from penstock.actions.component import code_in, fingerprint, of_plugins
from penstock.components.catalog import entries
from penstock.components.preprocessing.texts import TextEncoder
from penstock.components.schema import Column, Schema
from penstock.components.trust import trusted_types
from penstock.errors import ModelError
from penstock.model import PLUGINS, load_bundle, save_bundle
from penstock.problems import find
from penstock.store import Store
from penstock.tracking.packaging import copy_code

FRAME = pd.DataFrame({"note": [f"it came {'back ' * (i % 4)}on day {i}" for i in range(40)]})
SCHEMA = Schema(
    columns=[Column(name="note", role="text", reason="given"), Column(name="left", role="target", reason="given")],
    problem="classification",
    target="left",
    classes=["no", "yes"],
)
TEAM = {
    "__init__.py": "",
    "methods.py": """
from penstock.components.catalog import Entry

ENTRIES = (
    Entry(name="team-vote", kind="classifier", problems=("classification",), library="team.vote:Vote", summary="Ours."),
)
TRUSTED = ("team.vote.Vote",)
""",
    "vote.py": """
from sklearn.compose import make_column_transformer
from sklearn.linear_model import LogisticRegression

from .strength import PENALTY


class Vote(LogisticRegression):
    def predict_proba(self, X):
        return super().predict_proba(X) ** PENALTY
""",
    "strength.py": "PENALTY = 1.0\n",
}
SCORE = """
import sys

code, model, rows, out = sys.argv[1:]
sys.meta_path[:] = [finder for finder in sys.meta_path if "__editable__" not in getattr(finder, "__module__", "")]
sys.path.insert(0, code)
import pandas as pd
import penstock
from penstock.model import load_bundle

assert penstock.__file__.startswith(code), penstock.__file__
load_bundle(model).score_frame(pd.read_parquet(rows)).to_parquet(out)
"""


def forget() -> None:
    for known in (
        entries, plugins.releases, codedigest._digests, codedigest._file_of, codedigest._folders, codedigest._kept,
    ):  # fmt: skip
        known.cache_clear()


@pytest.fixture
def team(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A team's package, installed for the time of the test."""
    folder = tmp_path / "site" / "team"
    folder.mkdir(parents=True)
    for name, text in TEAM.items():
        (folder / name).write_text(text)
    info = tmp_path / "site" / "team-1.0.dist-info"
    info.mkdir()
    requires = "Requires-Dist: penstock\nRequires-Dist: networkx\nRequires-Dist: nothing-there; extra == 'more'\n"
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: team\nVersion: 1.0\n{requires}")
    (info / "entry_points.txt").write_text("[penstock.components]\nteam = team.methods:ENTRIES\n")
    monkeypatch.syspath_prepend(tmp_path / "site")
    forget()
    yield folder
    for name in [name for name in sys.modules if name.partition(".")[0] == "team"]:
        del sys.modules[name]
    forget()


@pytest.fixture
def save(tmp_path: Path) -> Callable[..., Path]:
    store = Store(tmp_path / "store")

    def saved(model: Any, **card: Any) -> Path:
        pipeline = make_pipeline(make_column_transformer((TextEncoder(3, random_state=0), ["note"])), model)
        pipeline.fit(FRAME, np.resize([0, 1], 40))
        contract = {"version": 1, "rules": [], "not_compiled": []}
        return store.path(save_bundle(store, pipeline=pipeline, schema=SCHEMA, contract=contract, card=card))

    return saved


def scored_elsewhere(code: Path, model: Path, tmp_path: Path) -> pd.DataFrame:
    FRAME.to_parquet(tmp_path / "rows.parquet")
    out = tmp_path / "scores.parquet"
    arguments = [str(one) for one in (code, model, tmp_path / "rows.parquet", out)]
    done = subprocess.run([sys.executable, "-I", "-c", SCORE, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return pd.read_parquet(out)


def files_in(folder: Path) -> set[str]:
    return {str(file.relative_to(folder)) for file in folder.rglob("*") if file.is_file()}


def test_only_what_the_model_is_made_of_travels(save: Callable[..., Path], tmp_path: Path) -> None:
    model, code = save(LogisticRegression()), tmp_path / "code"
    assert copy_code(model, code, find("classification")).paths == [str(code / "penstock")]
    files = files_in(code)
    assert "penstock/components/preprocessing/texts.py" in files
    assert len(files) < 60
    rooms = ("flows", "tasks", "tracking", "reporting", "sources", "components/plots", "components/teaching")
    assert not [file for file in files if file.startswith(tuple(f"penstock/{room}/" for room in rooms))]
    pd.testing.assert_frame_equal(scored_elsewhere(code, model, tmp_path), load_bundle(model).score_frame(FRAME))


def test_the_list_that_travels_is_of_ours_and_names_what_this_model_holds(
    save: Callable[..., Path], tmp_path: Path
) -> None:
    copy_code(save(LogisticRegression()), tmp_path / "code", find("classification"))
    told: dict[str, Any] = {}
    exec((tmp_path / "code" / "penstock" / "components" / "trust.py").read_text(), told)
    listed = told["trusted_types"]()
    assert "penstock.components.preprocessing.texts.TextEncoder" in listed
    assert "penstock.components.bayes.gaussian.GaussianNaiveBayes" not in listed
    assert set(listed) < set(trusted_types())


def test_a_type_that_is_not_on_our_list_is_on_none(
    team: Path, save: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An installed Penstock goes by its own list, whatever travels with the model."""
    methods = importlib.import_module("team.methods")
    model = save(importlib.import_module("team.vote").Vote())
    monkeypatch.setattr(methods, "TRUSTED", ())
    copy_code(model, tmp_path / "code", find("classification"))
    assert "team.vote" not in (tmp_path / "code" / "penstock" / "components" / "trust.py").read_text()
    with pytest.raises(ModelError, match="PEN501"):
        load_bundle(model)


def test_the_code_of_a_team_travels_with_what_it_asks_for(
    team: Path, save: Callable[..., Path], tmp_path: Path
) -> None:
    model, code = save(importlib.import_module("team.vote").Vote()), tmp_path / "code"
    copied = copy_code(model, code, find("classification"))
    assert copied.paths == [str(code / "penstock"), str(code / "team")]
    assert copied.libraries == ["networkx"]
    assert {"team/__init__.py", "team/vote.py", "team/strength.py"} <= files_in(code)
    pd.testing.assert_frame_equal(scored_elsewhere(code, model, tmp_path), load_bundle(model).score_frame(FRAME))


def test_a_method_of_a_team_is_its_code(team: Path, tmp_path: Path) -> None:
    store = Store(tmp_path / "store")
    before = fingerprint("team-vote", "classification", store)
    assert before["release"] == "team 1.0"
    assert set(of_plugins(code_in({"members": [before]}))) == {"team", "team.vote", "team.strength"}
    (team / "strength.py").write_text("# stronger\nPENALTY = 1.0\n")
    forget()
    assert fingerprint("team-vote", "classification", store) == before
    (team / "strength.py").write_text("PENALTY = 2.0\n")
    forget()
    assert fingerprint("team-vote", "classification", store) != before


def test_other_code_than_it_was_trained_with_is_said(
    team: Path, save: Callable[..., Path], tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    code = of_plugins(code_in(fingerprint("team-vote", "classification", Store(tmp_path / "store"))))
    known = {"python": platform.python_version(), "code": code}
    model = save(importlib.import_module("team.vote").Vote(), **{PLUGINS: known})
    with caplog.at_level(logging.WARNING):
        load_bundle(model)
        assert not caplog.records
        (team / "strength.py").write_text("PENALTY = 2.0\n")
        forget()
        load_bundle(model)
    (said,) = caplog.messages
    assert "other code of 'team.strength' than what is installed" in said
    assert "train it again" in said
