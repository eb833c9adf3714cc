"""What kinds of other packages cannot do yet: tests that are expected to fail, and have to leave this list once they
do not.
"""

from __future__ import annotations

from typing import NamedTuple


class Shortfall(NamedTuple):
    reason: str
    tests: tuple[str, ...]


OF_A_RUN = (
    "test_run",
    "test_units_are_set_apart",
    "test_plan_before_anything_has_run",
    "test_plan_of_what_has_run",
    "test_rerun",
    "test_an_edit_elsewhere_runs_nothing_again",
    "test_score",
    "test_a_breach_of_the_contract_is_refused_or_put_aside",
    "test_drift",
    "test_report",
    "test_mlflow",
    "test_history_and_python",
    "test_python_api_with_prefect",
    "test_the_first_enters",
    "test_a_better_one_enters_where_units_are_set_apart",
    "test_others_are_held",
    "test_a_worse_one_is_known_to_be_worse",
    "test_killed_and_resumed",
    "test_dask",
)
"""All that needs a run that has come to its end."""

SHORTFALLS: dict[str, tuple[Shortfall, ...]] = {}
