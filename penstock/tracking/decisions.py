"""Which version became the champion when, by whom, why and on what evidence: kept with the versions themselves."""

from __future__ import annotations

import getpass
import json
import socket
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from penstock.errors import UsageError
from penstock.tracking.registry import PENDING, STATE_TAG, Registry, Version

TAG = "penstock.decision."
WITHDRAWN_TAG = "penstock.withdrawn"
VERDICT_TAG = "penstock.verdict"
GATE = "gate"
Kind = Literal["gate", "promote", "rollback", "ask", "hold"]
LEAVE_THE_CHAMPION = ("ask", "hold")


class Decision(BaseModel):
    """What was decided on a version: it became the champion, waits for a person, or was held back by one.

    `before` is the champion that it took the place of, or would have. `evidence` is the gate's verdict on it.
    """

    model_config = ConfigDict(frozen=True)

    kind: Kind
    version: str
    before: str | None
    who: str
    why: str
    when: datetime
    evidence: dict[str, Any]


def decisions(registry: Registry, name: str) -> list[Decision]:
    """Every decision on a model, the oldest first."""
    found = [
        Decision.model_validate_json(value)
        for version in registry.versions(name)
        for key, value in version.tags.items()
        if key.startswith(TAG)
    ]
    return sorted(found, key=lambda decision: decision.when)


def promote_by_gate(
    registry: Registry, name: str, version: str, *, run: str, why: str, evidence: Mapping[str, Any]
) -> None:
    """The gate's own decision. A kill leaves the version pending, and the same run says the same again.

    A run that finds the champion once more decides nothing: who let it in, when and why stays as it was.
    """
    champion = registry.champion(name)
    if champion and champion.version == version and TAG + GATE in champion.tags:
        registry.settle(name, version)
        return
    before = champion.version if champion and champion.version != version else evidence.get("champion")
    decision = Decision(
        kind="gate", version=version, before=before, who=f"run {run}", why=why, when=_now(), evidence=dict(evidence)
    )
    registry.tag_version(name, version, {TAG + GATE: decision.model_dump_json()})
    registry.set_champion(name, version)


def ask(registry: Registry, name: str, version: str, *, run: str, why: str, evidence: Mapping[str, Any]) -> None:
    """The gate would let the version in; a person is to say so. It waits as the challenger."""
    champion = registry.champion(name)
    decision = Decision(
        kind="ask",
        version=version,
        before=champion.version if champion else None,
        who=f"run {run}",
        why=why,
        when=_now(),
        evidence=dict(evidence),
    )
    registry.tag_version(name, version, {f"{TAG}ask": decision.model_dump_json()})
    registry.set_challenger(name, version)
    registry.settle(name, version)


def hold(registry: Registry, name: str, which: str, *, why: str) -> Decision:
    """Say no to a version that waits; runs that find the same model again hold it too."""
    version, champion = registry.version(name, which), registry.champion(name)
    if champion and champion.version == version.version:
        raise UsageError(
            "PEN408",
            f"version {version.version} of '{name}' is the champion",
            where=f"models:/{name}/{version.version}",
            remedy=f"take it out of service with `penstock rollback {name} --why ...`",
        )
    registry.tag_version(name, version.version, {WITHDRAWN_TAG: f"{_who()}: {why}"})
    decision = _keep(registry, "hold", version, champion, why)
    registry.forget_challenger(name, version.version)
    return decision


def promote(registry: Registry, name: str, which: str, *, why: str) -> Decision:
    """Make a version the champion by hand; one that was rolled back may return so."""
    version, champion = registry.version(name, which), registry.champion(name)
    if version.tags.get(STATE_TAG) == PENDING:
        raise UsageError(
            "PEN405",
            f"version {version.version} of '{name}' has no verdict yet",
            where=f"models:/{name}/{version.version}",
            remedy="wait for its run; one that was killed gets its verdict when the same command runs again",
        )
    if champion and champion.version == version.version:
        raise UsageError(
            "PEN406",
            f"version {version.version} of '{name}' is the champion already",
            where=f"models:/{name}/{version.version}",
            remedy=f"`penstock decisions {name}` tells since when, and why",
        )
    registry.untag_version(name, version.version, WITHDRAWN_TAG)
    decision = _move(registry, "promote", version, champion, why)
    registry.forget_challenger(name, version.version)
    return decision


def rollback(registry: Registry, name: str, *, why: str) -> Decision:
    """Bring back the champion before this one, and keep runs that find the same model again from promoting it."""
    champion = registry.version(name, "champion")
    earlier = [version for version in _line_of_champions(decisions(registry, name)) if version != champion.version]
    kept = {version.version: version for version in registry.versions(name)}
    back = next((kept[version] for version in reversed(earlier) if version in kept), None)
    if back is None:
        raise UsageError(
            "PEN407",
            f"'{name}' had no champion before version {champion.version} that is still registered",
            where=f"models:/{name}",
            remedy=f"name the version that you want: penstock promote {name}@VERSION --why ...",
        )
    registry.tag_version(name, champion.version, {WITHDRAWN_TAG: f"{_who()}: {why}"})
    return _move(registry, "rollback", back, champion, why)


def _line_of_champions(made: list[Decision]) -> list[str]:
    """The champions one after the other; a rollback takes away what came after the one that it went back to."""
    line: list[str] = []
    for decision in made:
        if decision.kind in LEAVE_THE_CHAMPION:
            continue
        if decision.before is not None and not line:
            line.append(decision.before)
        if decision.kind == "rollback" and decision.version in line:
            line = line[: line.index(decision.version)]
        line.append(decision.version)
    return line


def _move(registry: Registry, kind: Kind, version: Version, champion: Version | None, why: str) -> Decision:
    decision = _keep(registry, kind, version, champion, why)
    registry.set_champion(version.name, version.version)
    return decision


def _keep(registry: Registry, kind: Kind, version: Version, champion: Version | None, why: str) -> Decision:
    decision = Decision(
        kind=kind,
        version=version.version,
        before=champion.version if champion else None,
        who=_who(),
        why=why,
        when=_now(),
        evidence=json.loads(version.tags.get(VERDICT_TAG, "{}")),
    )
    registry.tag_version(
        version.name, version.version, {f"{TAG}{decision.when:%Y%m%dT%H%M%S%f}": decision.model_dump_json()}
    )
    return decision


def _who() -> str:
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container may know no name for its user
        user = "somebody"
    return f"{user} at {socket.gethostname()}"


def _now() -> datetime:
    return datetime.now(UTC)
