"""prefect.yaml deploys every flow, with all that a team needs to run it unattended."""

from __future__ import annotations

import importlib
import os
import pkgutil
from pathlib import Path
from typing import Any

import pytest
import yaml
from prefect import Flow
from prefect.client.schemas.objects import ConcurrencyLimitStrategy

import penstock.flows
from tests.asking import found
from tests.conftest import Cli
from tests.small import classification

ROOT = Path(__file__).parent.parent.parent
DEPLOYMENTS: list[dict[str, Any]] = yaml.safe_load((ROOT / "prefect.yaml").read_text())["deployments"]


def flow_at(entrypoint: str) -> Flow[..., Any]:
    module, _, name = entrypoint.rpartition(".")
    found = getattr(importlib.import_module(module), name)
    assert isinstance(found, Flow)
    return found


def test_every_flow_is_deployed() -> None:
    modules = [
        importlib.import_module(f"penstock.flows.{found.name}")
        for found in pkgutil.iter_modules(penstock.flows.__path__)
    ]
    flows = {value.name for module in modules for value in vars(module).values() if isinstance(value, Flow)}
    assert {flow_at(one["entrypoint"]).name for one in DEPLOYMENTS} == flows


def test_each_deployment_says_when_where_and_how_many() -> None:
    for one in DEPLOYMENTS:
        flow_at(one["entrypoint"]).validate_parameters(one["parameters"])
        assert "penstock" in one["tags"]
        assert one["work_pool"]["name"]
        limit = one["concurrency_limit"]
        assert limit["limit"] == 1
        ConcurrencyLimitStrategy(limit["collision_strategy"])
        for schedule in one["schedules"]:
            assert ("cron" in schedule) != ("interval" in schedule)
            assert schedule["timezone"]


def test_names_are_used_once() -> None:
    names = [(flow_at(one["entrypoint"]).name, one["name"]) for one in DEPLOYMENTS]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("cron", ["99 3 * * *", "0 3 * * 9", "a b c d e"])
def test_a_cron_that_never_comes_is_said_before_anything_is_deployed(
    tmp_path: Path, served_home: Path, cli: Cli, cron: str
) -> None:
    pipeline = classification(tmp_path / "project", name="never", schedule={"cron": cron})
    status, out, err = cli("deploy", pipeline)
    assert (status, out, err[:6]) == (2, "", "PEN059")
    assert "schedule.cron" in err
    assert "0 3 * * * is every night at 3" in err
    assert found(os.environ["PREFECT_API_URL"], "deployments", deployments={"name": {"any_": ["never"]}}) == []
