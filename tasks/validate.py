"""Validate: the data against built-in checks, the written suite and the champion's suite."""

from __future__ import annotations

from typing import Any

from penstock.components.contract import Finding, of_first_table, source_of, table_of
from penstock.context import Run
from penstock.document.data import DataCheck
from penstock.errors import DataError
from penstock.expectations.builtin import check
from penstock.expectations.suite import run_suite
from penstock.expectations.written import read_suite
from penstock.problems.data import Rows
from penstock.sources.files import file_named
from penstock.spec.validation import Validation
from penstock.stage import stage
from penstock.store import Ref, Store

Rules = list[dict[str, Any]]


@stage(libraries=("great-expectations",))
def validate(run: Run, rows: Rows, validation: Validation, written: Rules, champion: Rules) -> Ref[list[DataCheck]]:
    """All findings; stops the run where a check of weight failed and the pipeline file says so."""
    findings = _of_table(run.store, rows, written, of_first_table(champion))
    for name, table in rows.tables.items():
        findings += _of_table(run.store, table, [], [rule for rule in champion if table_of(rule) == name], name)
    broken = [finding for finding in findings if not finding["passed"] and finding["severity"] == "error"]
    if broken and validation.on_failure == "stop":
        run.note({"event": "findings", "findings": findings})
        raise DataError(
            "PEN201",
            f"{len(broken)} check(s) failed: " + "; ".join(_sentence(finding) for finding in broken[:3]),
            where=f"data checks of pipeline '{run.pipeline}'",
            remedy=broken[0]["remedy"] + "; or set validation.on_failure to warn",
        )
    return run.store.put_facts([DataCheck.model_validate(finding) for finding in findings])


def _of_table(store: Store, rows: Rows, written: Rules, champion: Rules, name: str = "") -> list[Finding]:
    received, frame = store.frame(rows.received), store.frame(rows.frame)
    findings = check(received, rows.read_schema(store))
    if name:
        findings = [finding | {"message": f"table '{name}': {finding['message']}"} for finding in findings]
    findings += run_suite(received, written, source="written")
    # Data that the champion has not seen may rightly have moved on: that is for people to know, not a reason to stop.
    for whose, table in (("written", received), ("learnt", frame)):
        rules = [rule for rule in champion if source_of(rule) == whose]
        findings += [finding | {"severity": "warning"} for finding in run_suite(table, rules, source="champion")]
    return findings


def written_rules(run: Run, validation: Validation) -> Rules:
    """The rules of the written suite, if the pipeline file names one."""
    if not validation.written:
        return []
    return read_suite(file_named(validation.written, run.base), run.folders_of("validation.written"))


def _sentence(finding: dict[str, Any]) -> str:
    seen = f" (for example {', '.join(map(str, finding['examples'][:5]))})" if finding["examples"] else ""
    return f"{finding['message']} [{finding['rule']}, {finding['count']} rows]{seen}"
