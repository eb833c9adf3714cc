"""Which flow trains what."""

from __future__ import annotations

from typing import Any

from prefect import Flow

from penstock.flows.supervised import supervised
from penstock.flows.unsupervised import unsupervised


def flow_of(problem: str) -> Flow[..., dict[str, Any]]:
    return supervised if problem in ("classification", "regression") else unsupervised
