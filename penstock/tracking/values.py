"""Parameters, metrics and tags in the form and number that MLflow takes."""

from __future__ import annotations

import json
import math
import re
import time
from collections.abc import Iterator, Mapping
from typing import Any

from penstock.errors import shorten
from penstock.tracking.connection import mlflow

# Limits of MLflow: for each call, and for each text.
MAX_PARAMS = MAX_TAGS = 100
MAX_METRICS = 800
LONGEST_KEY = 250
LONGEST_PARAM = 6000
LONGEST_TAG = 8000


def batches(params: Mapping[str, Any], metrics: list[Any], tags: Mapping[str, Any]) -> Iterator[dict[str, list[Any]]]:
    """As few calls as MLflow allows; tags go last, so that a tag says that the rest is there."""
    given = [mlflow.entities.Param(_key(name), _param(value)) for name, value in params.items()]
    marks = [mlflow.entities.RunTag(name, value) for name, value in readable(tags).items()]
    for_tags = math.ceil(len(marks) / MAX_TAGS)
    calls = max(math.ceil(len(given) / MAX_PARAMS), math.ceil(len(metrics) / MAX_METRICS), for_tags)
    for call in range(calls):
        late = call - (calls - for_tags)
        yield {
            "params": given[call * MAX_PARAMS : (call + 1) * MAX_PARAMS],
            "metrics": metrics[call * MAX_METRICS : (call + 1) * MAX_METRICS],
            "tags": marks[late * MAX_TAGS : (late + 1) * MAX_TAGS] if late >= 0 else [],
        }


def measured(metrics: Mapping[str, Any], at: int, step: int = 0) -> list[Any]:
    """A number is one metric, an interval is three: name, name_low, name_high; None is left out."""
    flat: dict[str, Any] = {}
    for name, value in metrics.items():
        if isinstance(value, Mapping):
            flat |= {name: value["value"], f"{name}_low": value["low"], f"{name}_high": value["high"]}
        else:
            flat[name] = value
    return [
        mlflow.entities.Metric(_key(name), float(value), at, step) for name, value in flat.items() if value is not None
    ]


def readable(tags: Mapping[str, Any]) -> dict[str, str]:
    """Tags as texts; None is left out."""
    return {name: shorten(str(value), LONGEST_TAG) for name, value in tags.items() if value is not None}


def now() -> int:
    """Milliseconds, as MLflow counts."""
    return time.time_ns() // 1_000_000


def _key(name: str) -> str:
    """A name that MLflow takes: class labels and column names may hold anything."""
    return re.sub(r"[^\w\-. ]", "_", name)[:LONGEST_KEY]


def _param(value: object) -> str:
    return shorten(value if isinstance(value, str) else json.dumps(value, default=str), LONGEST_PARAM)
