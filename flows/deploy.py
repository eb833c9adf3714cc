"""Put a pipeline on a Prefect server, with its schedule; a worker of the pool runs it."""

from __future__ import annotations

from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

from prefect import Flow
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.actions import WorkPoolCreate
from prefect.client.schemas.objects import ConcurrencyLimitConfig, ConcurrencyLimitStrategy
from prefect.deployments.runner import RunnerDeployment
from prefect.events.actions import RunDeployment
from prefect.events.schemas.automations import AutomationCore, EventTrigger, Posture
from prefect.events.schemas.events import ResourceSpecification
from prefect.exceptions import ObjectAlreadyExists, ObjectNotFound
from prefect.schedules import Cron, Interval, Schedule
from prefect.settings import temporary_settings
from prefect.types.entrypoint import EntrypointType

from penstock.errors import UsageError
from penstock.flows.drift_event import EVENT, resource_of
from penstock.flows.launch import at
from penstock.flows.retrain import retrain
from penstock.flows.training import flow_of
from penstock.spec.checks.schedule import no_time
from penstock.spec.pipeline import Spec
from penstock.spec.register import Schedule as Asked

WHERE_ONE_RUNS = {"wait": ConcurrencyLimitStrategy.ENQUEUE, "skip": ConcurrencyLimitStrategy.CANCEL_NEW}


def deploy(spec: Spec, pipeline: Path, overrides: list[str], *, home: Path, pool: str, api_url: str) -> dict[str, Any]:
    """The deployment's name, address and schedule. The same pipeline again replaces what was there.

    Where the file says when to retrain, the deployment is of that flow, and an automation starts it on drift.
    """
    again = spec.retrain.on if spec.retrain else []
    flow: Flow[..., Any] = retrain if spec.retrain else flow_of(spec.problem)
    parameters: dict[str, Any] = {"pipeline": str(pipeline.absolute()), "overrides": overrides}
    if spec.retrain:
        parameters["cause"] = "labels" if "labels" in again and "schedule" not in again else "schedule"
    overlap = spec.schedule.overlap if spec.schedule else "wait"
    with temporary_settings(at(api_url)), get_client(sync_client=True) as client:
        _require_process_pool(client, pool)
        deployment = RunnerDeployment.from_flow(
            flow,
            name=spec.name,
            schedules=[_schedule(spec.schedule)] if spec.schedule else [],
            parameters=parameters,
            description=spec.asked,
            tags=["penstock", spec.problem],
            work_pool_name=pool,
            concurrency_limit=ConcurrencyLimitConfig(limit=1, collision_strategy=WHERE_ONE_RUNS[overlap]),
            job_variables={"env": {"PENSTOCK_HOME": str(home)}},
            entrypoint_type=EntrypointType.MODULE_PATH,
        )
        identity = UUID(str(deployment.apply()))
        _retrain_on_drift(client, spec.name, {**parameters, "cause": "drift"}, identity if "drift" in again else None)
    page = f"{api_url.rstrip('/').removesuffix('/api')}/deployments/deployment/{identity}"
    told = spec.schedule.model_dump(exclude_none=True) if spec.schedule else None
    return {
        "deployment": f"{flow.name}/{spec.name}",
        "id": str(identity),
        "pool": pool,
        "schedule": told,
        "retrain": list(again),
        "page": page,
    }


def _retrain_on_drift(
    client: SyncPrefectClient, name: str, parameters: dict[str, Any], deployment: UUID | None
) -> None:
    """An automation that runs the deployment when drift of the model is told; none where there is no deployment."""
    called = f"penstock: retrain {name} on drift"
    for old in client.read_automations_by_name(called):
        client.delete_automation(old.id)
    if deployment is None:
        return
    client.create_automation(
        AutomationCore(
            name=called,
            description=f"Trains a challenger for '{name}' when `penstock monitor` finds drift.",
            trigger=EventTrigger(
                expect={EVENT},
                match=ResourceSpecification({"prefect.resource.id": resource_of(name)}),
                posture=Posture.Reactive,
                threshold=1,
                within=timedelta(0),
            ),
            actions=[
                RunDeployment(source="selected", deployment_id=deployment, parameters=parameters, job_variables=None)
            ],
        )
    )


def _schedule(asked: Asked) -> Schedule:
    if asked.cron:
        try:
            return Cron(asked.cron, timezone=asked.timezone)
        except ValueError:
            raise no_time(asked.cron, "schedule.cron") from None
    assert asked.interval is not None
    return Interval(asked.interval, timezone=asked.timezone)


def _require_process_pool(client: SyncPrefectClient, name: str) -> None:
    """Make the pool where it is missing; one of another type would not find the pipeline file."""
    try:
        found = client.read_work_pool(name)
    except ObjectNotFound:
        try:
            found = client.create_work_pool(WorkPoolCreate(name=name, type="process"))
        except ObjectAlreadyExists:  # another process was quicker
            found = client.read_work_pool(name)
    if found.type != "process":
        raise UsageError(
            "PEN050",
            f"the work pool '{name}' is of type '{found.type}', whose workers do not see this machine's files",
            where="--pool",
            remedy="name a pool of type process, or one that does not exist yet: it is made",
        )
