"""Closing the Prefect runs of processes that were killed: no one else ever will."""

from __future__ import annotations

from collections.abc import Sequence
from uuid import UUID

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
from prefect.states import Crashed

MESSAGE = "process was killed; closed by a later run"
PAGE = 200
NOT_OVER = [kind for kind in StateType if kind not in TERMINAL_STATES]


def close_dead_prefect_runs(names: Sequence[str]) -> int:
    """Set the named flow runs, whose processes the caller knows to be dead, and their task runs to Crashed.

    Runs that are already over stay as they are. Returns how many flow runs were closed.
    """
    if not names:
        return 0
    still_open = FlowRunFilter(
        name=FlowRunFilterName(any_=list(names)),
        state=FlowRunFilterState(type=FlowRunFilterStateType(any_=NOT_OVER)),
    )
    flow_runs: list[FlowRun] = []
    with get_client(sync_client=True) as client:
        while page := client.read_flow_runs(flow_run_filter=still_open, limit=PAGE, offset=len(flow_runs)):
            flow_runs += page
        for flow_run in flow_runs:
            # Its tasks first: a flow run left open is found again should this process be killed as well.
            for task_run in _open_task_runs(client, flow_run.id):
                client.set_task_run_state(task_run.id, Crashed(message=MESSAGE), force=True)
            client.set_flow_run_state(flow_run.id, Crashed(message=MESSAGE), force=True)
    return len(flow_runs)


def _open_task_runs(client: SyncPrefectClient, flow_run: UUID) -> list[TaskRun]:
    task_runs: list[TaskRun] = []
    while page := client.read_task_runs(
        flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[flow_run])),
        task_run_filter=TaskRunFilter(state=TaskRunFilterState(type=TaskRunFilterStateType(any_=NOT_OVER))),
        limit=PAGE,
        offset=len(task_runs),
    ):
        task_runs += page
    return task_runs
