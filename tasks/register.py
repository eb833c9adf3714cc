"""Register: the model enters the registry, and the gate decides whether it becomes the champion."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from penstock.actions.component import of_plugins
from penstock.actions.records import plain
from penstock.components import catalog
from penstock.components.evaluation.slices import require_sliceable
from penstock.components.schema import ROW_ID, count_known
from penstock.context import Run
from penstock.document.verdict import Verdict as GateVerdict
from penstock.problems.comparison import Comparison
from penstock.problems.data import Rows, Suite
from penstock.problems.selection import Selection
from penstock.problems.training import Trained
from penstock.spec.register import Register
from penstock.stage import check, stage
from penstock.store import Ref, digest_of
from penstock.tasks.reference import Reference
from penstock.tracking import Tracking
from penstock.tracking.decisions import VERDICT_TAG, WITHDRAWN_TAG, ask, promote_by_gate
from penstock.tracking.registry import Version, keep_own

MODEL_TAG = "penstock.model"
CHAMPION_TAG = "penstock.champion"
DATA_TAG = "penstock.data"
ACTION_TAG = "penstock.action"
PLUGINS_TAG = "penstock.plugins"
SUITE_FILE = "suite.json"
IDS_FILE = "training_ids.parquet"
LABELS_TAG = "penstock.labels"
NO_CAPACITY = "(none: its columns alone)"
ASKED = "asked"
REFERENCE_FILE = "reference.parquet"
REFERENCE_FACTS = "reference.json"
PROMOTED = ("promoted", "first")
BRIEF = ("verdict", "reason", "difference", "rows", "version", "champion")
"""What the registry shows of a verdict."""
VERDICTS = {"promote": "promoted", "hold": "held", "inconclusive": "inconclusive"}


def _lost(run: Run, verdict: Ref[GateVerdict]) -> str | None:
    facts = run.store.facts(verdict)
    found = tracking_of(run).registry.find(run.pipeline, facts.version)
    if found is None:
        return f"version {facts.version} is no longer in the registry"
    if (WITHDRAWN_TAG in found.tags) != facts.withdrawn:
        return f"version {facts.version} was {'promoted' if facts.withdrawn else 'rolled back'} by hand since"
    champion = tracking_of(run).registry.champion(run.pipeline)
    if facts.verdict == ASKED and champion and champion.version == facts.version:
        return f"version {facts.version} was promoted by hand since"
    return None


@stage(lost=_lost)
def register(
    run: Run,
    trained: Trained,
    comparison: Comparison,
    selection: Selection,
    suite: Suite,
    rows: Rows,
    reference: Reference,
    register: Register,
    champion_to_beat: str | None,
) -> Ref[GateVerdict]:
    """A version in the registry and a verdict. The alias moves last: a kill leaves the old champion or the new one."""
    store, registry = run.store, tracking_of(run).registry
    action = digest_of(plain([trained, champion_to_beat, register]))
    tags = {
        MODEL_TAG: trained.model.digest,
        CHAMPION_TAG: champion_to_beat or "",
        DATA_TAG: rows.digest,
        ACTION_TAG: action,
    }
    tags[LABELS_TAG] = str(_labelled(run, rows))
    version = registry.version_by_tag(run.pipeline, ACTION_TAG, action) or _log(
        run, trained, suite, rows, reference, selection, tags
    )
    _remove_leftovers(run, action)
    verdict = _verdict(comparison, champion_to_beat, version)
    if (withdrawn := version.tags.get(WITHDRAWN_TAG)) and verdict.verdict in PROMOTED:
        back = f"penstock promote {run.pipeline}@{version.version}"
        why = f"{verdict.reason}; but a person took it back ({withdrawn}), and stays so until `{back}`"
        verdict = verdict.model_copy(update={"verdict": "held", "reason": why})
    verdict = verdict.model_copy(update=_left_to_people(run, register, verdict, version))
    brief = verdict.model_dump(mode="json", include={*BRIEF}) | ({"cause": run.cause} if run.cause else {})
    registry.tag_version(run.pipeline, version.version, {VERDICT_TAG: json.dumps(brief)})
    registry.describe_version(
        run.pipeline, version.version, f"**{verdict.verdict}**: {verdict.reason}\n\nMade by run {run.id}."
    )
    if verdict.verdict in PROMOTED:
        promote_by_gate(registry, run.pipeline, version.version, run=run.id, why=verdict.reason, evidence=brief)
    elif verdict.verdict == ASKED:
        ask(registry, run.pipeline, version.version, run=run.id, why=verdict.reason, evidence=brief)
    else:
        registry.settle(run.pipeline, version.version)
    return store.put_facts(verdict)


def _left_to_people(run: Run, register: Register, verdict: GateVerdict, version: Version) -> dict[str, str]:
    """What the gate would let in, but the pipeline file leaves to people; what is in service already stays so."""
    champion = tracking_of(run).registry.champion(run.pipeline)
    in_service = champion is not None and champion.version == version.version
    if register.decide == "promote" or verdict.verdict not in PROMOTED or in_service:
        return {}
    if register.decide == "ask":
        how = f"`penstock promote {run.pipeline}@challenger --why ...` or `penstock hold {run.pipeline}@challenger`"
        return {"verdict": ASKED, "reason": f"{verdict.reason}; a person decides: {how}"}
    how = f"`penstock promote {run.pipeline}@{version.version} --why ...`"
    return {"verdict": "held", "reason": f"{verdict.reason}; the pipeline file holds it until {how}"}


def _labelled(run: Run, rows: Rows) -> int:
    """Rows that came with an outcome; where nothing is predicted, all rows."""
    schema = rows.read_schema(run.store)
    return count_known(run.store.frame(rows.frame, columns=[ROW_ID, *schema.outcomes]), schema.target)


def _remove_leftovers(run: Run, action: str) -> None:
    """Versions that killed runs left without a verdict, and that no same command has completed since."""
    tracking = tracking_of(run)
    for version in tracking.registry.pending_versions(run.pipeline):
        if version.tags.get(ACTION_TAG) != action and not tracking.is_running(version.run_id):
            tracking.registry.delete_version(run.pipeline, version.version)


def champion_to_beat(run: Run, trained: Trained) -> str | None:
    """The version that this model must beat. A model that is the champion already has the rival that it beat."""
    champion = _champion(run)
    if champion is None:
        return None
    if champion.tags.get(MODEL_TAG) == trained.model.digest:
        return champion.tags.get(CHAMPION_TAG) or None
    return str(champion.version)


@check
def require_slices(run: Run, register: Register, rows: Rows) -> None:
    """Refuse slices that the gate could not make, before anything is learnt."""
    wanted = register.promote.slices
    if wanted:
        schema = rows.read_schema(run.store)
        require_sliceable(wanted.columns, schema, where="register.promote.slices.columns")


def champion_rules(run: Run, rows: Rows) -> list[dict[str, Any]]:
    """The suite that came with the champion; none where it comes from this very data."""
    champion = _champion(run)
    if champion is None or champion.tags.get(DATA_TAG) == rows.digest:
        return []
    return list(json.loads(tracking_of(run).fetch(champion.run_id, SUITE_FILE, run.home / "downloads").read_bytes()))


def tracking_of(run: Run) -> Tracking:
    return Tracking(run.tracking_uri, run.artifact_root)


def _champion(run: Run) -> Any:
    if run.engine == "plan" and run.artifact_root and not (run.home / "mlflow.db").exists():
        return None
    return tracking_of(run).registry.champion(run.pipeline)


def _log(
    run: Run,
    trained: Trained,
    suite: Suite,
    rows: Rows,
    reference: Reference,
    selection: Selection,
    tags: dict[str, str],
) -> Any:
    store, tracking = run.store, tracking_of(run)
    tracking.log_text(run.mlflow_run, json.dumps(store.facts(suite.rules), indent=1), SUITE_FILE)
    tracking.log_file(run.mlflow_run, store.path(trained.ids), name=IDS_FILE)
    tracking.log_file(run.mlflow_run, store.path(reference.rows), name=REFERENCE_FILE)
    tracking.log_file(run.mlflow_run, store.path(reference.facts), name=REFERENCE_FACTS)
    winner = store.facts(selection.winner)
    methods = [one.name for one in winner.members] or [winner.name]
    extras = {catalog.find(name).extra for name in methods} - {None}
    model = store.path(trained.model)
    if not run.shared_store:  # of a shared one nobody knows who made what its records name
        keep_own(model, run.home / "downloads")
    return tracking.registry.log_model(
        run.mlflow_run,
        model,
        name=run.pipeline,
        schema=rows.read_schema(run.store),
        libraries=[*sorted(map(str, extras)), "safetensors"] if extras else [],
        tags={**tags, **_card_tags(winner.name), **plugin_tags(trained)},
    )


def plugin_tags(trained: Trained) -> dict[str, str]:
    """Which code of other packages a version is made of."""
    plugins = of_plugins(trained.code)
    return {PLUGINS_TAG: digest_of(plugins)} if plugins else {}


def _card_tags(name: str) -> dict[str, str]:
    """What kind of model a version is, a tag for each field, since that is what MLflow can search by."""
    card = catalog.card_of(name)
    return {
        f"penstock.card.{field}": value if isinstance(value, str) else ", ".join(value) or NO_CAPACITY
        for field, value in card.items()
    }


def _verdict(comparison: Comparison, champion_to_beat: str | None, version: Version) -> GateVerdict:
    word = VERDICTS[comparison.verdict]
    found = comparison.model_dump(mode="json", exclude={"matched"})
    if comparison.matched:
        found["matched"] = {**comparison.matched.model_dump(mode="json"), "words": comparison.matched.words}
    found["verdict"] = "first" if champion_to_beat is None and word == "promoted" else word
    withdrawn = WITHDRAWN_TAG in version.tags
    return GateVerdict.model_validate(
        {**found, "version": version.version, "champion": champion_to_beat, "withdrawn": withdrawn}
    )


def champion_files(run: Run, champion_to_beat: str | None) -> tuple[Path, Path] | tuple[None, None]:
    """The champion's model, and the identities of the rows that it was fitted to."""
    if champion_to_beat is None:
        return None, None
    tracking, downloads = tracking_of(run), run.home / "downloads"
    version = tracking.registry.version(run.pipeline, champion_to_beat)
    model = tracking.registry.download(run.pipeline, champion_to_beat, downloads)
    return model, tracking.fetch(version.run_id, IDS_FILE, downloads)
