"""The run itself: when, where, by which command, stage by stage."""

from __future__ import annotations

from pydantic import Field, JsonValue

from penstock.document.facts import Facts


class RunFacts(Facts):
    id: str
    started: str
    seconds: float
    git_commit: str | None
    mlflow_run: str
    mlflow_uri: str
    prefect_flow_run: str | None
    command: str
    spec_yaml: str
    versions: dict[str, str]
    reproducible: bool
    not_reproducible_because: str | None
    cached_from: str | None


class StageFacts(Facts):
    """A line of the run's journal on one stage. `worker`: the address of a cluster's worker that did it."""

    event: str
    stage: str
    state: str
    reason: str
    seconds: float
    key: str = ""
    from_: str | None = Field(default=None, alias="from")
    worker: str | None = None
    at: float


class Artifacts(Facts):
    """Paths of what the run left on this machine."""

    report: str
    document: str
    journal: str
    model: str


class Diagnosis(Facts):
    """What one diagnostic found; `facts` and the rows of its table are as various as the diagnostics."""

    name: str
    summary: str
    parameters: dict[str, JsonValue]
    findings: list[str]
    facts: dict[str, JsonValue]
    columns: list[str] = Field(default_factory=list)
    table: list[dict[str, JsonValue]]
    rows: int
