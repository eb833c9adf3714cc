"""What becomes of rows that break the data contract: the policy of each rule, and the rows that it falls on.

A rule that no training row broke, and a written rule without `mostly`, speak of every row: a value that breaks one is
dealt with by itself. The others speak of a share of the rows: values that break them are usual, until the share is
exceeded by the batch as a whole.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, get_args

import numpy as np
import pandas as pd
from numpy.typing import NDArray
from pydantic import BaseModel, ConfigDict

from penstock.components.contract import (
    FINITE,
    NOT_NULL,
    Finding,
    Rule,
    Verdict,
    applicable,
    finding,
    keeps,
    source_of,
    speaks_of_received,
    verdicts,
    words_of,
)
from penstock.components.formulas import Formulas
from penstock.components.schema import numbers
from penstock.errors import MAX_EXAMPLES, DataError, UsageError, did_you_mean, examples, shorten

Policy = Literal["reject", "quarantine", "impute", "abstain"]
POLICIES: tuple[Policy, ...] = get_args(Policy)
UNIQUE = "expect_column_values_to_be_unique"
SINGULAR = {"are": "is", "lie": "lies", "occur": "occurs", "do": "does", "match": "matches"}


class Policies(BaseModel):
    """`columns`: of rules on single columns, which go before `on_breach`. `formulas`: of texts in CSV files."""

    model_config = ConfigDict(frozen=True)

    on_breach: Policy = "reject"
    columns: dict[str, Policy] = {}
    formulas: Formulas = "escape"

    def of(self, rule: Rule) -> Policy:
        return self.columns.get(rule["kwargs"].get("column"), self.on_breach)

    @property
    def in_force(self) -> set[Policy]:
        return {self.on_breach, *self.columns.values()}

    def where_rows_stay(self) -> Policies:
        """Where no row can be put aside or left without an answer, as in a call from Python."""
        kept = {name: _or_reject(policy) for name, policy in self.columns.items()}
        return self.model_copy(update={"on_breach": _or_reject(self.on_breach), "columns": kept})

    def overridden(self, texts: Sequence[str], columns: Collection[str]) -> Policies:
        """By texts like `quarantine`, which stands for all columns, or `age=impute`."""
        changed = self
        named: dict[str, Policy] = {}
        for text in texts:
            column, equals, policy = text.rpartition("=")
            if policy not in POLICIES:
                remedy = did_you_mean(policy, POLICIES)
                raise UsageError("PEN510", f"'{policy}' is no policy", where=f"--on-breach {text}", remedy=remedy)
            if equals:
                named[column] = policy
            else:
                changed = self.model_copy(update={"on_breach": policy, "columns": {}})
        changed = changed.model_copy(update={"columns": {**changed.columns, **named}})
        changed.require_columns(columns, "--on-breach")
        return changed

    def require_columns(self, known: Collection[str], where: str) -> None:
        for name in self.columns:
            if name not in known:
                raise UsageError(
                    "PEN511",
                    f"'{name}' is no feature of the model, so no row can break a rule on it",
                    where=where,
                    remedy=did_you_mean(name, sorted(known)),
                )


def _or_reject(policy: Policy) -> Policy:
    return policy if policy == "impute" else "reject"


def policies_of(contract: Mapping[str, Any]) -> Policies:
    """What the pipeline file declared for the model."""
    return Policies(**contract.get("policies", {}))


@dataclass
class Tally:
    """How many values broke a rule, over as many rows as were looked at."""

    count: int = 0
    considered: int = 0
    examples: list[str] = field(default_factory=list)
    reason: str = ""
    of_rows: bool = True

    def add(self, other: Tally) -> None:
        self.count += other.count
        self.considered += other.considered
        self.examples = [*self.examples, *other.examples][:MAX_EXAMPLES]
        self.reason = self.reason or other.reason
        self.of_rows &= other.of_rows

    def finding(self, rule: Rule) -> Finding:
        verdict = Verdict(
            keeps(rule, self.count, self.considered), self.count, self.considered, self.examples, self.reason
        )
        return finding(rule, verdict, source_of(rule))


@dataclass(frozen=True)
class Treated:
    """Rows after their treatment. `reasons`: by position, of rows that broke a rule which fell on them."""

    features: pd.DataFrame
    quarantined: NDArray[np.bool_]
    abstained: NDArray[np.bool_]
    imputed: NDArray[np.bool_]
    reasons: dict[int, str]
    tallies: list[Tally]


def of_single_rows(rule: Rule) -> bool:
    meta = rule.get("meta", {})
    if meta.get("severity") == "warning" or meta.get("rows_at_least", 0) > 1:
        return False
    return source_of(rule) != "written" or float(rule["kwargs"].get("mostly", 1.0)) == 1.0


def falls_on_rows(rules: Sequence[Rule], policies: Policies) -> frozenset[int]:
    """Numbers of the rules by which single rows are treated, whatever the rest of the batch is like."""
    return frozenset(at for at, rule in enumerate(rules) if policies.of(rule) != "reject" and of_single_rows(rule))


def treat(
    conformed: pd.DataFrame,
    received: pd.DataFrame,
    rules: Sequence[Rule],
    policies: Policies,
    falls: frozenset[int],
    repeated: Mapping[int, NDArray[np.uint64]] | None = None,
    start: int = 0,
) -> Treated:
    """Judge rows, and treat those that break a rule in `falls`. Rows of no other call have a say in it.

    `repeated`: for rules that values occur once, the hashes of those that occur more often in the whole batch. `start`:
    the place of the first row in the batch.
    """
    rows = len(conformed)
    features = conformed.copy(deep=False)
    masks = {policy: np.zeros(rows, dtype=bool) for policy in POLICIES}
    reasons: dict[int, str] = {}
    tallies = []
    for at, (rule, verdict) in enumerate(zip(rules, verdicts(rules, conformed, received), strict=True)):
        if repeated and at in repeated and verdict.rows is not None:
            verdict = _judged_by_batch(received[rule["kwargs"]["column"]], repeated[at])
        shown = [shorten(str(value), 60) for value in verdict.examples]
        if rule["type"] == FINITE and verdict.rows is not None:
            shown = [f"{value} in row {start + at + 1}" for value, at in zip(shown, verdict.rows, strict=False)]
        count = verdict.count if verdict.rows is not None or not verdict.passed else 0
        tallies.append(Tally(count, verdict.considered, shown, verdict.reason, verdict.rows is not None))
        if at not in falls or verdict.rows is None or not len(verdict.rows):
            continue
        policy, column = policies.of(rule), rule["kwargs"]["column"]
        masks[policy][verdict.rows] = True
        said = received if speaks_of_received(rule) else conformed
        for row, told in zip(verdict.rows.tolist(), _told(rule, said[column].iloc[verdict.rows]), strict=True):
            reasons[row] = f"{reasons[row]}; {told}" if row in reasons else told
        if policy == "impute":
            features[column] = features[column].mask(_mask(verdict.rows, rows))
    gone = masks["quarantine"]
    return Treated(features, gone, masks["abstain"] & ~gone, masks["impute"] & ~gone, reasons, tallies)


def sort_out(
    rules: Sequence[Rule],
    tallies: Sequence[Tally],
    policies: Policies,
    falls: frozenset[int],
    rows: int,
    *,
    ended: bool,
) -> tuple[list[Finding], frozenset[int]]:
    """Of a batch of `rows` rows: the findings that reject it, and broken rules on shares whose rows are to be treated.

    Before all rows are counted in the tallies (`ended`), these are the ones that no further row can mend.
    """
    rejecting, wider = [], set()
    for at, (rule, tally) in enumerate(zip(rules, tallies, strict=True)):
        considered = tally.considered if ended or not tally.of_rows else rows
        if _warns(rule) or not applicable([rule], rows) or keeps(rule, tally.count, considered):
            continue
        if policies.of(rule) == "reject" or not tally.of_rows:
            rejecting.append(tally.finding(rule))
        elif at not in falls:
            wider.add(at)
    return rejecting, frozenset(wider)


def warnings_in(rules: Sequence[Rule], tallies: Sequence[Tally], rows: int) -> list[Finding]:
    """Broken rules that are only to be told of, and infinite values that were too few to reject the rows."""
    told = []
    for rule, tally in zip(rules, tallies, strict=True):
        found = tally.finding(rule)
        if rule["type"] == FINITE and tally.count:
            message = f"{found['message']}; they are taken for missing: {', '.join(tally.examples)}"
            told.append(found | {"message": shorten(message)})
        elif _warns(rule) and applicable([rule], rows) and not found["passed"]:
            told.append(found)
    return told


class ContractError(DataError):
    """Rows are refused; `findings` holds every rule that refuses them."""

    findings: Sequence[Finding] = ()


def refused(findings: Sequence[Finding]) -> ContractError:
    """The error for people, about the first of the findings."""
    first = findings[0]
    such_as = f", such as {examples(first['examples'])}" if first["examples"] else ""
    more = f" ({len(findings) - 1} more rule(s) broken)" if len(findings) > 1 else ""
    error = ContractError(
        "PEN505",
        f"the rows break the model's data contract: {first['message']}{such_as}{more}",
        where=f"column '{first['column']}', rule {first['rule']}",
        remedy=first["remedy"],
    )
    error.findings = findings
    return error


def value_hashes(values: pd.Series[Any]) -> NDArray[np.uint64]:
    """Of the values that are not missing; equal numbers have one hash, whatever type they came in."""
    known = values.dropna()
    if pd.api.types.is_numeric_dtype(known.dtype):
        known = numbers(known)
    return np.asarray(pd.util.hash_pandas_object(known, index=False), dtype=np.uint64)


def _judged_by_batch(values: pd.Series[Any], repeated: NDArray[np.uint64]) -> Verdict:
    present = np.flatnonzero(values.notna())
    bad = present[np.isin(value_hashes(values), repeated)]
    return Verdict(not len(bad), len(bad), len(present), values.iloc[bad[:MAX_EXAMPLES]].tolist(), rows=bad)


def _warns(rule: Rule) -> bool:
    return bool(rule.get("meta", {}).get("severity") == "warning")


def _told(rule: Rule, values: pd.Series[Any]) -> list[str]:
    """Why each of the values breaks the rule."""
    column = rule["kwargs"]["column"]
    if rule["type"] == NOT_NULL:
        return [f"{column} is missing"] * len(values)
    verb, _, rest = words_of(rule)[1].partition(" ")
    why = shorten(f"{SINGULAR.get(verb, verb)} {rest}", 120)
    return [f"{column}: {shorten(str(value), 60)} {why}" for value in values.tolist()]


def _mask(rows: NDArray[np.intp], length: int) -> NDArray[np.bool_]:
    mask = np.zeros(length, dtype=bool)
    mask[rows] = True
    return mask
