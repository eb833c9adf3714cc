"""Which flow trains what."""

from __future__ import annotations

from prefect import Flow

from penstock.document.run import RunDocument
from penstock.flows.supervised import supervised
from penstock.flows.unsupervised import unsupervised
from penstock.problems import find


def flow_of(problem: str) -> Flow[..., RunDocument]:
    return supervised if find(problem).answers_known else unsupervised
