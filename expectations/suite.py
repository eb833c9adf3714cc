"""Running rules with Great Expectations: one batch, one validation of hundreds of rules, findings in words."""

from __future__ import annotations

import contextlib
import functools
import logging
import os
import threading
import warnings
from collections.abc import Iterator, Sequence
from typing import Any

import pandas as pd

from penstock.components.contract import BOUNDS, Finding, Rule, Verdict, applicable, compares_dates, finding
from penstock.components.schema import dates
from penstock.errors import MAX_EXAMPLES

POSITION = "penstock_position"
RULES_AT_ONCE = 500  # the time of one validation grows with the square of their number
_ONE_AT_A_TIME = threading.Lock()  # the library has one context per process
EXPECTED_WARNINGS: tuple[tuple[str, type[Warning]], ...] = (
    # its import uses modules that Python has put aside
    (r"module 'sre_(constants|parse)' is deprecated", DeprecationWarning),
    # a written regex may have groups
    (r"This pattern is interpreted as a regular expression", UserWarning),
)


def run_suite(frame: pd.DataFrame, rules: Sequence[Rule], *, source: str) -> list[Finding]:
    """One finding per rule, in the order of the rules."""
    rules = applicable(rules, len(frame))
    if not rules:
        return []
    gx, context = great_expectations()
    frame, asked = _with_dates(frame, rules)
    expectations = [build(rule | {"meta": {POSITION: position}}) for position, rule in enumerate(asked)]
    with _ONE_AT_A_TIME, _without_expected_warnings():
        asset = context.data_sources.add_or_update_pandas("penstock").add_dataframe_asset("rows")
        batch = asset.add_batch_definition_whole_dataframe("all").get_batch({"dataframe": frame})
        outcomes = [
            batch.validate(
                gx.ExpectationSuite(name="penstock", expectations=expectations[first : first + RULES_AT_ONCE]),
                result_format={"result_format": "BASIC", "partial_unexpected_count": MAX_EXAMPLES},
            )
            for first in range(0, len(expectations), RULES_AT_ONCE)
        ]
    # Great Expectations answers in an order of its own.
    results = {result.expectation_config.meta[POSITION]: result for one in outcomes for result in one.results}
    return [finding(rule, _verdict(results[position], frame), source) for position, rule in enumerate(rules)]


def great_expectations() -> tuple[Any, Any]:
    """The library and a context that writes nothing, both quiet: a run gives loggers back as it found them."""
    _silence(logging.getLogger("great_expectations"))
    return _loaded()


@functools.cache
def _loaded() -> tuple[Any, Any]:
    """Importing takes seconds, so it is done at first use."""
    os.environ["GX_ANALYTICS_ENABLED"] = "false"
    with _without_expected_warnings():
        import great_expectations as gx
        from great_expectations.data_context.types.base import (
            DataContextConfig,
            InMemoryStoreBackendDefaults,
            ProgressBarsConfig,
        )
    config = DataContextConfig(store_backend_defaults=InMemoryStoreBackendDefaults(init_temp_docs_sites=False))
    context = gx.get_context(mode="ephemeral", project_config=config)
    context.variables.progress_bars = ProgressBarsConfig(globally=False)
    return gx, context


def _silence(logger: logging.Logger) -> None:
    """Loggers below it have levels of their own, so it is here that their words must end."""
    if not logger.handlers:
        logger.addHandler(logging.NullHandler())
    logger.propagate = False


def build(rule: Rule) -> Any:
    """The expectation object of a rule; raises what Great Expectations raises when the rule makes no sense."""
    great_expectations()
    from great_expectations.expectations.expectation_configuration import ExpectationConfiguration

    return ExpectationConfiguration(type=rule["type"], kwargs=rule["kwargs"], meta=rule.get("meta")).to_domain_obj()


@contextlib.contextmanager
def _without_expected_warnings() -> Iterator[None]:
    with warnings.catch_warnings():
        for message, category in EXPECTED_WARNINGS:
            warnings.filterwarnings("ignore", message, category)
        yield


def _with_dates(frame: pd.DataFrame, rules: Sequence[Rule]) -> tuple[pd.DataFrame, list[Rule]]:
    """Rules on dates ask about a column of dates beside the one they name, which may be of text."""
    asked = []
    for rule in rules:
        kwargs = rule["kwargs"]
        if compares_dates(rule) and kwargs["column"] in frame.columns:
            name = f"{kwargs['column']} (dates)"
            frame = frame.assign(**{name: dates(frame[kwargs["column"]])})
            bounds = {key: pd.Timestamp(kwargs[key]) for key in BOUNDS if kwargs.get(key) is not None}
            rule = rule | {"kwargs": kwargs | bounds | {"column": name}}
        asked.append(rule)
    return frame, asked


def _verdict(result: Any, frame: pd.DataFrame) -> Verdict:
    facts, rows = result.result, len(frame)
    column = result.expectation_config.kwargs.get("column")
    if column is not None and column not in frame.columns:
        return Verdict(False, rows, rows, reason="the data have no such column")
    if "unexpected_count" in facts:
        considered = facts["element_count"] - facts.get("missing_count", 0)
        bad = facts["partial_unexpected_list"] if "missing_count" in facts else []
        return Verdict(bool(result.success), facts["unexpected_count"], considered, bad)
    reason = _exception(result.exception_info)
    if reason:
        return Verdict(False, rows, rows, reason=f"the rule cannot be checked: {reason}")
    seen = [facts["observed_value"]] if facts.get("observed_value") is not None and not result.success else []
    return Verdict(bool(result.success), 0 if result.success else rows, rows, seen)


def _exception(info: dict[str, Any]) -> str:
    """Great Expectations gives one exception, or one per metric that could not be worked out."""
    if "raised_exception" in info:
        return str(info["exception_message"]) if info["raised_exception"] else ""
    return str(next(iter(info.values()))["exception_message"])
