"""A flow run that a schedule started has a name of Prefect's choice; under ours it is found should it be killed."""

from __future__ import annotations

from contextlib import suppress

import httpx
from prefect.client.orchestration import get_client
from prefect.context import FlowRunContext


def take_own_name(run_id: str) -> None:
    """Call the flow run that goes on here by the id of the run; outside Prefect there is none."""
    context = FlowRunContext.get()
    if context is None or context.flow_run is None or context.flow_run.name == run_id:
        return
    with suppress(httpx.HTTPError), get_client(sync_client=True) as client:  # a name is no reason to fail
        client.update_flow_run(context.flow_run.id, name=run_id)
