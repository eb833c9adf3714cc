"""Prepare: plan how columns become numbers, and do it for each fold from that fold's training rows alone."""

from __future__ import annotations

from typing import Any

import numpy as np
from pydantic import Field

from penstock.actions.component import Fingerprints, fingerprints
from penstock.components.analysis.prepared import study_correlations
from penstock.components.preprocessing.plan import BOOLEAN_IMPUTER, Plan, make_plan
from penstock.components.preprocessing.preparation import build_preparation, feature_names, fit_steps, with_copies
from penstock.components.preprocessing.unseen import unseen_levels
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.document.course import Offered, StudiedPreparation
from penstock.evidence.folds import Folds
from penstock.problems.data import DataSplit, TableFacts
from penstock.problems.fits import Balance, Prepared
from penstock.spec.base import Alternatives, Choice
from penstock.spec.preparation import Features, Preparation
from penstock.stage import stage
from penstock.store import Ref, Store

# The steps of supervised learning that a preparation takes.
TREATED, STUDIED, SELECTED = 3, 4, 5


class PreparedPlan(Plan):
    """A plan, and what the components are that it names."""

    components: Fingerprints = Field(default_factory=dict)


def _variant(variant: str, **_: Any) -> str:
    return variant and f"({variant})"


def _fold(fold: int | None, **arguments: Any) -> str:
    return f"{_variant(**arguments)} {'all rows' if fold is None else f'fold {fold + 1}'}".strip()


@stage(label=_variant)
def plan(
    run: Run,
    facts: Ref[TableFacts],
    schema: Ref[Schema],
    preparation: Preparation,
    features: Features,
    components: Fingerprints,
    variant: str = "",
) -> Ref[PreparedPlan]:
    """Decided from types, cardinality and missing shares of the training rows; never from the target.

    `variant` tells preparations apart where several are tried.
    """
    settings = plan_settings(preparation, features)
    made = make_plan(run.store.facts(schema), run.store.facts(facts)["columns"], **settings)
    return run.store.put_facts(PreparedPlan.model_validate({**made, "components": components}))


@stage(worker=True, label=_fold)
def prepare(
    store: Store, plan: Ref[PreparedPlan], data_split: DataSplit, fold: int | None, seed: int, variant: str = ""
) -> Prepared:
    """Fit the preparation on one fold's training rows alone, and prepare both sides of the fold.

    Between the treatment of the columns and the selection of features, the correlations are studied.
    """
    frame = store.frame(data_split.train)
    cut = Folds.load(store, data_split.folds)
    recipe = store.facts(plan)
    preparation = build_preparation(recipe, seed=seed)
    everything = np.arange(len(frame))
    train = everything if fold is None else cut.train(fold)
    validation, unseen = None, {}
    if fold is not None:
        validation = frame.iloc[cut.valid(fold)]
        unseen = unseen_levels(recipe, frame.iloc[train], validation, f"fold {fold + 1}")
    train_frame, origin = with_copies(recipe, frame.iloc[train])
    y = None if cut.target is None else cut.target[train][origin]
    steps = [TREATED]
    treated = preparation[:1].fit_transform(train_frame, y)
    steps.append(STUDIED)
    offered = feature_names(preparation[:1])
    study = study_correlations(_dense(treated), offered, y, cut.n_classes)
    steps.append(SELECTED)
    matrix = fit_steps(preparation, treated, y, begun=1)
    studied = StudiedPreparation.model_validate({**study, "steps": steps, "unseen": unseen})
    if "select" in preparation.named_steps:
        selected = Offered(offered=offered, kept=feature_names(preparation[:2]))
        studied = studied.model_copy(update={"selected": selected})
    return Prepared(
        train=store.put_matrix(_dense(matrix)),
        valid=None if validation is None else store.put_matrix(_dense(preparation.transform(validation))),
        names=store.put_facts(feature_names(preparation)),
        study=store.put_facts(studied),
        copies=store.put_matrix(origin) if isinstance(origin, np.ndarray) else None,
        balance=_balance(recipe),
    )


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


def preparation_components(preparation: Preparation, features: Features, problem: str, store: Store) -> Fingerprints:
    """What the chosen components are, for the plan's key."""
    data_split = [preparation, features, *preparation.columns.values()]
    chosen = {choice.name for part in data_split for _, choice in part if isinstance(choice, Choice)}
    return fingerprints({*chosen, BOOLEAN_IMPUTER}, problem, store)


def _named(choice: Alternatives) -> tuple[str, dict[str, Any]]:
    assert isinstance(choice, Choice), "alternatives are settled before a plan is made"
    return choice.name, dict(choice.parameters)


def _maybe(choice: Alternatives | None) -> tuple[str, dict[str, Any]] | None:
    return _named(choice) if choice else None


def _balance(recipe: PreparedPlan) -> Balance | None:
    chosen = recipe.balance
    return Balance(**chosen.model_dump(), component=recipe.components.get(chosen.name)) if chosen else None


def _dense(matrix: Any) -> np.ndarray[Any, Any]:
    return np.ascontiguousarray(matrix, dtype=float)
