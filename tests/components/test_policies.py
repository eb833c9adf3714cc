"""Which rows a breach falls on, and that parts of a batch are judged as the whole would be."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from penstock.components.contract import BETWEEN, EXISTS, IN_SET, NOT_NULL, breaches, check_contract
from penstock.components.policies import (
    UNIQUE,
    Policies,
    Tally,
    falls_on_rows,
    of_single_rows,
    sort_out,
    treat,
    value_hashes,
    warnings_in,
)
from penstock.errors import UsageError

REJECT = Policies()


def rule(kind: str, column: str, source: str = "learnt", **kwargs: Any) -> dict[str, Any]:
    meta = {name: kwargs.pop(name) for name in ("rows_at_least", "severity") if name in kwargs}
    return {"type": kind, "kwargs": {"column": column, **kwargs}, "meta": {"source": source, **meta}}


AGES = rule(BETWEEN, "age", min_value=0, max_value=120, mostly=0.95)
PLANS = rule(IN_SET, "plan", value_set=["a", "b"], mostly=0.8, rows_at_least=50)
KNOWN = rule(NOT_NULL, "age", mostly=0.97)
ONCE = rule(UNIQUE, "plan", source="written")
WARNING = rule(BETWEEN, "age", source="written", max_value=10, severity="warning")


def frame(*ages: float | None, plan: str = "a") -> pd.DataFrame:
    return pd.DataFrame({"age": np.array(ages, dtype=float), "plan": [plan] * len(ages)})


def test_what_is_said_of_a_column_goes_before_what_is_said_of_all() -> None:
    declared = Policies(on_breach="quarantine", columns={"age": "impute"})
    assert (declared.of(AGES), declared.of(PLANS)) == ("impute", "quarantine")
    assert declared.overridden(["plan=abstain"], ["age", "plan"]).of(PLANS) == "abstain"
    assert declared.overridden(["plan=abstain"], ["age", "plan"]).of(AGES) == "impute"
    assert declared.overridden(["reject"], ["age"]).of(AGES) == "reject", "one word stands for all columns"
    assert declared.where_rows_stay() == Policies(on_breach="reject", columns={"age": "impute"})


@pytest.mark.parametrize(
    ("text", "code", "remedy"),
    [
        ("quarantaine", "PEN510", "did you mean 'quarantine'?"),
        ("age=drop", "PEN510", "choose one of: abstain, impute, quarantine, reject"),
        ("aeg=impute", "PEN511", "did you mean 'age'?"),
    ],
)
def test_a_policy_that_is_none(text: str, code: str, remedy: str) -> None:
    with pytest.raises(UsageError) as raised:
        REJECT.overridden([text], ["age", "plan"])
    assert (raised.value.code, raised.value.remedy) == (code, remedy)


def test_single_rows_are_to_blame_where_no_training_row_broke_the_rule() -> None:
    assert of_single_rows(AGES)
    assert not of_single_rows(PLANS), "some such values are usual"
    assert of_single_rows(rule(BETWEEN, "age", source="written", max_value=1))
    assert not of_single_rows(rule(BETWEEN, "age", source="written", max_value=1, mostly=0.9))
    assert not of_single_rows(WARNING)
    assert falls_on_rows([AGES, PLANS, KNOWN], Policies(on_breach="abstain", columns={"plan": "impute"})) == {0, 2}
    assert falls_on_rows([AGES], REJECT) == frozenset()


@pytest.mark.parametrize("policy", ["quarantine", "abstain", "impute"])
def test_rows_are_treated_one_by_one(policy: Any) -> None:
    rows = frame(30, 999, None, 40)
    treated = treat(rows, rows, [AGES, KNOWN], Policies(on_breach=policy), frozenset({0, 1}))
    masks = {
        "quarantine": treated.quarantined,
        "abstain": treated.abstained,
        "impute": treated.imputed,
    }
    assert {name: mask.tolist() for name, mask in masks.items() if mask.any()} == {policy: [False, True, True, False]}
    assert treated.reasons == {1: "age: 999.0 lies outside of 0 to 120", 2: "age is missing"}
    assert treated.features["age"].isna().tolist() == [False, policy == "impute", True, False]
    assert rows["age"].notna().sum() == 3, "the rows that came stay as they are"


def test_a_row_that_is_put_aside_is_not_imputed_as_well() -> None:
    rows = frame(999, plan="z")
    policies = Policies(columns={"age": "impute", "plan": "quarantine"})
    treated = treat(rows, rows, [AGES, PLANS], policies, frozenset({0, 1}))
    assert (treated.quarantined.tolist(), treated.imputed.tolist()) == ([True], [False])
    assert treated.reasons == {0: "age: 999.0 lies outside of 0 to 120; plan: z is none of a, b"}


@pytest.mark.slow
def test_parts_are_judged_as_the_whole_and_early_verdicts_stay() -> None:
    rng = np.random.default_rng(0)
    rules = [AGES, PLANS, KNOWN, ONCE, WARNING, rule(EXISTS, "age"), rule(BETWEEN, "age", max_value="x")]
    seen = set()
    for _ in range(60):
        rows = pd.DataFrame(
            {
                "age": np.where(rng.random(120) < rng.choice([0, 0.04, 0.1]), 999, rng.uniform(0, 90, 120)),
                "plan": rng.choice(["a", "b", "z"], 120, p=rng.dirichlet([6, 6, 2])),
            }
        )
        rows.loc[rng.random(120) < rng.choice([0, 0.03, 0.1]), "age"] = np.nan
        hashes, counts = np.unique(value_hashes(rows["plan"]), return_counts=True)
        repeated = {3: hashes[counts > 1]}
        tallies = [Tally() for _ in rules]
        early: set[tuple[str, str]] = set()
        for start in range(0, 120, 25):
            part = rows.iloc[start : start + 25]
            treated = treat(part, part, rules, REJECT, frozenset(), repeated)
            for tally, more in zip(tallies, treated.tallies, strict=True):
                tally.add(more)
            sure, _ = sort_out(rules, tallies, REJECT, frozenset(), 120, ended=False)
            early |= {(one["rule"], one["column"]) for one in sure}
        found, wider = sort_out(rules, tallies, REJECT, frozenset(), 120, ended=True)
        whole = breaches(check_contract(rows, {"rules": rules}))
        keys = [(one["rule"], one["column"]) for one in found]
        told = [*found, *warnings_in(rules, tallies, 120)]
        assert sorted((one["rule"], one["column"], one["count"]) for one in told) == sorted(
            (one["rule"], one["column"], one["count"]) for one in whole
        )
        assert early <= set(keys), "what is said before the end holds at the end"
        assert wider == frozenset()
        seen |= set(keys)
    assert {kind for kind, _ in seen} >= {BETWEEN, IN_SET, NOT_NULL, UNIQUE}, "each was broken at least once"


def test_a_share_that_is_exceeded_falls_on_its_rows() -> None:
    policies = Policies(columns={"plan": "quarantine"})
    tally = Tally(count=11, considered=25)
    assert sort_out([PLANS], [tally], policies, frozenset(), 50, ended=False) == ([], frozenset({0}))
    assert sort_out([PLANS], [tally], policies, frozenset({0}), 50, ended=False) == ([], frozenset())
    assert sort_out([PLANS], [tally], policies, frozenset(), 49, ended=True) == ([], frozenset()), "too few to judge"
    assert sort_out([PLANS], [Tally(5, 25)], policies, frozenset(), 50, ended=False) == ([], frozenset())


def test_a_rule_on_the_whole_column_rejects_whatever_the_policy() -> None:
    tally = Tally(count=10, considered=10, of_rows=False)
    found, _ = sort_out([rule(EXISTS, "age")], [tally], Policies(on_breach="impute"), frozenset({0}), 10, ended=True)
    assert len(found) == 1


def test_equal_numbers_of_unlike_types_are_the_same_value() -> None:
    assert (value_hashes(pd.Series([1, 2])) == value_hashes(pd.Series([1.0, None, 2.0]))).all()
