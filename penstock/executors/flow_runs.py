"""Flow runs on Prefect's server: named by our ids, and closed where their process was killed."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import suppress
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterId,
    FlowRunFilterName,
    FlowRunFilterState,
    FlowRunFilterStateType,
    TaskRunFilter,
    TaskRunFilterState,
    TaskRunFilterStateType,
)
from prefect.client.schemas.objects import TERMINAL_STATES, FlowRun, StateType, TaskRun
from prefect.context import FlowRunContext
from prefect.states import Crashed

MESSAGE = "process was killed; closed by a later run"
PAGE = 200
NOT_OVER = [kind for kind in StateType if kind not in TERMINAL_STATES]
LONGEST_RECORDING = 10.0
POLL = 0.2


def id_of_flow_run() -> str | None:
    """Of the flow run that goes on here; outside Prefect there is none."""
    context = FlowRunContext.get()
    return str(context.flow_run.id) if context and context.flow_run else None


def take_own_name(run_id: str) -> None:
    """Call the flow run that goes on here by the id of the run, so that it is found should it be killed.

    One that a schedule started has a name of Prefect's choice. Outside Prefect there is none.
    """
    context = FlowRunContext.get()
    if context is None or context.flow_run is None or context.flow_run.name == run_id:
        return
    with suppress(httpx.HTTPError), get_client(sync_client=True) as client:  # a name is no reason to fail
        client.update_flow_run(context.flow_run.id, name=run_id)


def close_dead_prefect_runs(names: Sequence[str]) -> int:
    """Set the named flow runs, whose processes the caller knows to be dead, and their task runs to Crashed.

    Runs that are already over stay as they are, but for task runs that came to light after their flow run was closed.
    Returns how many runs were closed, of flows and of tasks.
    """
    if not names:
        return 0
    named = FlowRunFilter(name=FlowRunFilterName(any_=list(names)))
    not_over = FlowRunFilterState(type=FlowRunFilterStateType(any_=NOT_OVER))
    with get_client(sync_client=True) as client:
        # Tasks first: a flow run left open is found again should this process be killed as well.
        task_runs = _open_task_runs(client, named)
        for task_run in task_runs:
            client.set_task_run_state(task_run.id, Crashed(message=MESSAGE), force=True)
        flow_runs = _flow_runs(client, named.model_copy(update={"state": not_over}))
        for flow_run in flow_runs:
            client.set_flow_run_state(flow_run.id, Crashed(message=MESSAGE), force=True)
    return len(task_runs) + len(flow_runs)


def wait_until_recorded(flow_run: UUID) -> None:
    """Until the server has written down a task run of this flow run, and so all that earlier ones told it before.

    What tasks tell goes through a queue of the server, seconds long where it is busy: a task run of a process that
    was killed may come to light after its flow run has been closed.
    """
    of_it = FlowRunFilter(id=FlowRunFilterId(any_=[flow_run]))
    deadline = time.monotonic() + LONGEST_RECORDING
    with get_client(sync_client=True) as client:
        while not client.read_task_runs(flow_run_filter=of_it, limit=1) and time.monotonic() < deadline:
            time.sleep(POLL)


def _flow_runs(client: SyncPrefectClient, wanted: FlowRunFilter) -> list[FlowRun]:
    found: list[FlowRun] = []
    while page := client.read_flow_runs(flow_run_filter=wanted, limit=PAGE, offset=len(found)):
        found += page
    return found


def _open_task_runs(client: SyncPrefectClient, of: FlowRunFilter) -> list[TaskRun]:
    found: list[TaskRun] = []
    not_over = TaskRunFilter(state=TaskRunFilterState(type=TaskRunFilterStateType(any_=NOT_OVER)))
    while page := client.read_task_runs(flow_run_filter=of, task_run_filter=not_over, limit=PAGE, offset=len(found)):
        found += page
    return found
