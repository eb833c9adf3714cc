from __future__ import annotations

from pathlib import Path

import pytest

from penstock import codedigest
from penstock.codedigest import code_digests


def digests(module: str) -> dict[str, str]:
    """As a new process would find them."""
    codedigest._read.cache_clear()
    codedigest._closure.cache_clear()
    return code_digests((module,))


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(codedigest, "PACKAGE", tmp_path)
    (tmp_path / "stage.py").write_text("from penstock.part import helper\nfrom penstock import other\n")
    (tmp_path / "part.py").write_text("import os\n\n\ndef helper():\n    return 1\n")
    (tmp_path / "unrelated.py").write_text("x = 1\n")
    return tmp_path


def test_the_closure_follows_imports_and_leaves_out_the_rest(package: Path) -> None:
    assert set(digests("penstock.stage")) == {"penstock.stage", "penstock.part"}


def test_a_changed_helper_is_seen_and_a_changed_comment_is_not(package: Path) -> None:
    before = digests("penstock.stage")
    (package / "part.py").write_text("import os\n\n\n# why\ndef helper():\n    return 1\n")
    assert digests("penstock.stage") == before
    (package / "part.py").write_text("import os\n\n\ndef helper():\n    return 2\n")
    after = digests("penstock.stage")
    assert after["penstock.part"] != before["penstock.part"]
    assert after["penstock.stage"] == before["penstock.stage"]


def test_a_new_method_in_the_catalogue_changes_no_stage() -> None:
    """Families are found at run time, so no stage's code depends on them."""
    for module in ("penstock.tasks.select_model", "penstock.jobs.fit_candidate", "penstock.jobs.train_model"):
        assert not [name for name in code_digests((module,)) if name.endswith(".catalog") and name.count(".") > 2]
