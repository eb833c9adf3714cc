"""Prepare: plan how columns become numbers, and do it for each fold from that fold's training rows alone."""

from __future__ import annotations

from typing import Any

from penstock.component import fingerprint
from penstock.components.preprocessing.plan import BOOLEAN_IMPUTER, make_plan
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.jobs import Prepared
from penstock.spec.parts import Alternatives, Choice
from penstock.spec.preparation import Features, Preparation
from penstock.store import Ref
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


def _variant(variant: str, **_: Any) -> str:
    return variant and f"({variant})"


def _fold(fold: int | None, **arguments: Any) -> str:
    return f"{_variant(**arguments)} {'all rows' if fold is None else f'fold {fold + 1}'}".strip()


@stage(label=_variant)
def plan(
    run: Run,
    facts: Ref,
    schema: Ref,
    preparation: Preparation,
    features: Features,
    components: dict[str, Any],
    variant: str = "",
) -> Ref:
    """Decided from types, cardinality and missing shares of the learning rows; never from the target.

    `variant` tells preparations apart where several are tried.
    """
    settings = plan_settings(preparation, features)
    made = make_plan(Schema(**run.store.facts(schema)), run.store.facts(facts)["columns"], **settings)
    return run.store.put_facts({**made, "components": components})


@stage(job="prepare", label=_fold)
def prepare(run: Run, plan: Ref, parts: Parts, fold: int | None, seed: int, variant: str = "") -> Prepared:
    arguments = {"plan": plan, "learning": parts.learning, "folds": parts.folds, "fold": fold, "seed": seed}
    return Prepared(**in_worker(run, "prepare", **arguments))


def plan_settings(preparation: Preparation, features: Features) -> dict[str, Any]:
    """The pipeline file's choices, one for each treatment, as the plan takes them."""
    return {
        "clip": _maybe(preparation.clip),
        "impute": _named(preparation.impute),
        "impute_levels": _maybe(preparation.impute_levels),
        "expand": _maybe(preparation.expand),
        "encode": _named(preparation.encode),
        "unseen": preparation.unseen,
        "scale": _named(preparation.scale),
        "rare": preparation.rare,
        "text_components": preparation.text_components,
        "texts": preparation.texts,
        "columns": {
            name: {treatment: _named(choice) for treatment, choice in column if choice}
            for name, column in preparation.columns.items()
        },
        "select": _maybe(features.select),
        "extract": _maybe(features.extract),
        "balance": _maybe(preparation.balance),
        "augment": preparation.augment.model_dump() if preparation.augment else None,
    }


def preparation_components(preparation: Preparation, features: Features, problem: str) -> dict[str, Any]:
    """What the chosen components are, for the plan's key."""
    parts = [preparation, features, *preparation.columns.values()]
    chosen = {choice.name for part in parts for _, choice in part if isinstance(choice, Choice)}
    return {name: fingerprint(name, problem) for name in sorted({*chosen, BOOLEAN_IMPUTER})}


def _named(choice: Alternatives) -> tuple[str, dict[str, Any]]:
    assert isinstance(choice, Choice), "alternatives are settled before a plan is made"
    return choice.name, dict(choice.parameters)


def _maybe(choice: Alternatives | None) -> tuple[str, dict[str, Any]] | None:
    return _named(choice) if choice else None
