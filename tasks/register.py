"""Register: the model enters the registry, and the gate decides whether it becomes the champion."""

from __future__ import annotations

import json
from typing import Any

from penstock.actions import plain
from penstock.components import catalog
from penstock.components.evaluation.slices import require_sliceable
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.jobs import Selection
from penstock.spec.register import Register
from penstock.store import Ref, digest_of
from penstock.tasks.evaluate import Evaluation
from penstock.tasks.ingest import Rows
from penstock.tasks.learn_suite import Suite
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.train import Trained
from penstock.tasks.work import in_worker
from penstock.tracking import Tracking

MODEL_TAG = "penstock.model"
RIVAL_TAG = "penstock.rival"
DATA_TAG = "penstock.data"
ACTION_TAG = "penstock.action"
SUITE_FILE = "suite.json"
IDS_FILE = "training_ids.parquet"
VERDICTS = {"promote": "promoted", "hold": "held", "inconclusive": "inconclusive"}


def _lost(run: Run, verdict: Ref) -> str | None:
    version = run.store.facts(verdict)["version"]
    found = tracking_of(run).registry.find(run.pipeline, version)
    return None if found else f"version {version} is no longer in the registry"


@stage(job="compare_models", lost=_lost)
def register(
    run: Run,
    trained: Trained,
    evaluation: Evaluation,
    selection: Selection,
    suite: Suite,
    rows: Rows,
    parts: Parts,
    register: Register,
    rival: str | None,
    seed: int,
) -> Ref:
    """A version in the registry and a verdict. The alias moves last: a kill leaves the old champion or the new one."""
    store, registry = run.store, tracking_of(run).registry
    action = digest_of(plain([trained, rival, register]))
    tags = {MODEL_TAG: trained.model.digest, RIVAL_TAG: rival or "", DATA_TAG: rows.frame.digest, ACTION_TAG: action}
    version = registry.version_by_tag(run.pipeline, ACTION_TAG, action) or _log(
        run, trained, suite, rows, selection, tags
    )
    _remove_leftovers(run, action)
    verdict = _judge(run, trained, selection, parts, register, rival, seed)
    facts = {**verdict, "version": version.version, "champion": rival}
    brief = {name: facts[name] for name in ("verdict", "reason", "difference", "rows", "version", "champion")}
    registry.tag_version(run.pipeline, version.version, {"penstock.verdict": json.dumps(brief)})
    if verdict["verdict"] in ("promoted", "first"):
        registry.set_champion(run.pipeline, version.version)
    else:
        registry.settle(run.pipeline, version.version)
    return store.put_facts(facts)


def _remove_leftovers(run: Run, action: str) -> None:
    """Versions that killed runs left without a verdict, and that no same command has completed since."""
    tracking = tracking_of(run)
    for version in tracking.registry.pending_versions(run.pipeline):
        if version.tags.get(ACTION_TAG) != action and not tracking.is_running(version.run_id):
            tracking.registry.delete_version(run.pipeline, version.version)


def rival(run: Run, trained: Trained) -> str | None:
    """The version that this model must beat. A model that is the champion already has the rival that it beat."""
    champion = _champion(run)
    if champion is None:
        return None
    if champion.tags.get(MODEL_TAG) == trained.model.digest:
        return champion.tags.get(RIVAL_TAG) or None
    return str(champion.version)


def require_slices(run: Run, register: Register, rows: Rows) -> None:
    """Refuse slices that the gate could not make, before anything is learnt."""
    wanted = register.promote.slices
    if wanted and rows.schema_.kind != "pending":
        schema = Schema(**run.store.facts(rows.schema_))
        require_sliceable(wanted.columns, schema, where="register.promote.slices.columns")


def champion_rules(run: Run, rows: Rows) -> list[dict[str, Any]]:
    """The suite that came with the champion; none where it was learnt from this very data."""
    champion = _champion(run)
    if champion is None or champion.tags.get(DATA_TAG) == rows.frame.digest:
        return []
    return list(json.loads(tracking_of(run).fetch(champion.run_id, SUITE_FILE, run.home / "downloads").read_bytes()))


def tracking_of(run: Run) -> Tracking:
    return Tracking(run.tracking_uri, run.artifact_root)


def _champion(run: Run) -> Any:
    if run.engine == "plan" and run.artifact_root and not (run.home / "mlflow.db").exists():
        return None
    return tracking_of(run).registry.champion(run.pipeline)


def _log(run: Run, trained: Trained, suite: Suite, rows: Rows, selection: Selection, tags: dict[str, str]) -> Any:
    store, tracking = run.store, tracking_of(run)
    tracking.log_text(run.mlflow_run, json.dumps(store.facts(suite.rules), indent=1), SUITE_FILE)
    tracking.log_file(run.mlflow_run, store.path(trained.ids), name=IDS_FILE)
    winner = store.facts(selection.winner)
    extras = {catalog.find(one["name"]).extra for one in winner.get("members") or [winner]} - {None}
    return tracking.registry.log_model(
        run.mlflow_run,
        store.path(trained.model),
        name=run.pipeline,
        schema=Schema(**store.facts(rows.schema_)),
        libraries=[*sorted(map(str, extras)), "safetensors"] if extras else [],
        tags=tags,
    )


def _judge(
    run: Run, trained: Trained, selection: Selection, parts: Parts, register: Register, rival: str | None, seed: int
) -> dict[str, Any]:
    tracking, champion, champion_ids = tracking_of(run), None, None
    if rival is not None:
        downloads = run.home / "downloads"
        version = tracking.registry.version(run.pipeline, rival)
        champion = tracking.registry.download(run.pipeline, rival, downloads)
        champion_ids = tracking.fetch(version.run_id, IDS_FILE, downloads)
    found: dict[str, Any] = in_worker(
        run,
        "compare_models",
        challenger=trained.model,
        champion=champion,
        champion_ids=champion_ids,
        rows=parts.test,
        metric_name=run.store.facts(selection.evidence).get("metric"),
        terms=register.promote,
        seed=seed,
    )
    word = VERDICTS[found["verdict"]]
    return {**found, "verdict": "first" if rival is None and word == "promoted" else word}
