from __future__ import annotations

from pathlib import Path

from penstock.actions.codedigest import code_digests
from penstock.store import Store
from penstock.tasks.diagnose import code_of, diagnose

TEACHING = "penstock.components.teaching"


def test_a_diagnostic_depends_on_its_own_code_and_on_no_other_one(tmp_path: Path) -> None:
    code = code_of("hoeffding", Store(tmp_path))
    diagnostics = [name for name in code if name.startswith(f"{TEACHING}.diagnostics.")]
    assert diagnostics == [f"{TEACHING}.diagnostics.hoeffding"]
    assert f"{TEACHING}.learning_theory.bounds" in code


def test_the_stage_itself_depends_on_nothing_that_teaches(tmp_path: Path) -> None:
    assert [name for name in code_digests(diagnose.modules({}), Store(tmp_path)) if name.startswith(TEACHING)] == []
