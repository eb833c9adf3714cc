from __future__ import annotations

from uuid import UUID

import pytest
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext
from prefect.settings import PREFECT_API_URL, temporary_settings

from penstock.executors.flow_runs import close_dead_prefect_runs, take_own_name


@flow
def scheduled() -> UUID:
    """Found and closed by the name of the run, as if its process had been killed."""
    context = FlowRunContext.get()
    assert context is not None
    assert context.flow_run is not None
    assert close_dead_prefect_runs(["own-20260101-000000-aaa"]) == 0
    take_own_name("own-20260101-000000-aaa")
    assert close_dead_prefect_runs(["own-20260101-000000-aaa"]) == 1
    return context.flow_run.id


@pytest.mark.slow
def test_a_run_that_a_schedule_started_is_closed_by_its_own_name(prefect_api: str) -> None:
    with temporary_settings({PREFECT_API_URL: prefect_api}), get_client(sync_client=True) as client:
        found = client.read_flow_run(scheduled())
    assert found.name == "own-20260101-000000-aaa"
    take_own_name("outside of any flow run")
