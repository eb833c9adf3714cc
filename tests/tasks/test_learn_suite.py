"""What becomes of rows that break the rules is declared in the pipeline file, and travels with them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from penstock.components.policies import Policies, policies_of
from penstock.components.schema import infer_schema
from penstock.context import Run
from penstock.errors import UsageError
from penstock.problems.data import Sides, Suite
from penstock.spec.reading import load_spec
from penstock.tasks.learn_suite import learn_suite
from tests.penstock.scoring.conftest import people
from tests.small import classification


def learnt(folder: Path, policies: dict[str, Any] | None) -> tuple[Run, Suite]:
    run = Run(id="a", pipeline="p", home=folder, folder=folder / "a", base=folder, tracking_uri="", engine="plain")
    rows = people(80)
    schema = infer_schema(rows, problem="clustering", key="id")
    kept = run.store.put_frame(rows)
    schemas = {"": run.store.put_facts(schema)}
    return run, learn_suite(run, Sides(train=kept, test=kept), schemas, "learnt", [], policies)


def test_declared_policies_go_with_the_contract(tmp_path: Path) -> None:
    spec = load_spec(classification(tmp_path, scoring={"on_breach": "quarantine", "columns": {"age": "impute"}}))
    run, suite = learnt(tmp_path, spec.scoring.policies)
    declared = policies_of(run.store.facts(suite.contract))
    assert declared == Policies(on_breach="quarantine", columns={"age": "impute"})


def test_without_a_word_rows_are_rejected_and_the_contract_is_as_before(tmp_path: Path) -> None:
    spec = load_spec(classification(tmp_path))
    run, suite = learnt(tmp_path, spec.scoring.policies)
    contract = run.store.facts(suite.contract)
    assert "policies" not in contract
    assert policies_of(contract) == Policies(on_breach="reject")


def test_a_column_that_is_no_feature_is_named(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="'agee' is no feature") as raised:
        learnt(tmp_path, {"columns": {"agee": "impute"}})
    assert (raised.value.code, raised.value.where, raised.value.remedy) == (
        "PEN511",
        "scoring.columns",
        "did you mean 'age'?",
    )


def test_a_policy_that_is_none_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="scoring"):
        load_spec(classification(tmp_path, scoring={"on_breach": "drop"}))
