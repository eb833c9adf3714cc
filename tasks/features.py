"""Describe the features: how often each was chosen, what new ones are made of."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd
from pydantic import BaseModel
from sklearn.decomposition import PCA

from penstock.components.bases.fits import polynomial_fits
from penstock.components.dimensionality_reduction.described import loadings, spectrum
from penstock.components.feature_selection.frequency import chosen_often
from penstock.components.preprocessing.plan import Plan, Step
from penstock.components.preprocessing.preparation import feature_names
from penstock.document.course import StudiedPreparation
from penstock.document.facts import Facts
from penstock.document.features import (
    ChosenStep,
    Extracted,
    Features,
    Loading,
    PolynomialFits,
    SelectedFeatures,
    Spectrum,
)
from penstock.evidence.folds import Folds
from penstock.model import load_bundle
from penstock.problems.data import DataSplit
from penstock.problems.fits import Prepared
from penstock.problems.training import Trained
from penstock.stage import stage
from penstock.store import Figures, Ref, Store

TOO_STIFF, TOO_WILD = 1, 3  # a straight line, and three times the degree that was asked for
HIGHEST = 15


class Described(BaseModel):
    """Facts for the document, and pictures."""

    facts: Ref[Features]
    figures: Ref[Figures]


@stage(worker=True, libraries=("matplotlib",))
def describe_features(
    store: Store, prepared: list[Prepared], trained: Trained, plan: Ref[Plan], data_split: DataSplit
) -> Described:
    """From the folds of the winner's preparation, and from the model that ships."""
    from penstock.components.plots.features import feature_figures  # it draws, so it takes a while to load
    from penstock.components.plots.output import to_svg

    recipe = store.facts(plan)
    studies = [store.facts(one.study) for one in prepared if one.study is not None]
    found = Features(unseen=_unseen(studies))
    column = _one_polynomial(recipe)
    if not (recipe.select or recipe.extract or column):
        return Described(facts=store.put_facts(found), figures=store.put_facts({}))
    parts_found: dict[str, Facts] = {}
    bundle = load_bundle(store.path(trained.model))
    pipeline, frame = bundle.pipeline, store.frame(data_split.train)
    if "select" in pipeline.named_steps:
        offered, kept = feature_names(pipeline[:1]), feature_names(pipeline[:2])
        selected = [study.selected.model_dump() for study in studies if study.selected]
        often = chosen_often(selected, {"offered": offered, "kept": kept})
        parts_found["selection"] = SelectedFeatures(by=_chosen(recipe.select), **often)
    if "extract" in pipeline.named_steps:
        parts_found["extraction"] = _extraction(pipeline, frame, _chosen(recipe.extract))
    if column:
        parts_found["polynomial"] = _polynomial(Folds.load(store, data_split.folds), frame[column], recipe)
    found = found.model_copy(update=parts_found)
    figures = feature_figures(found.model_dump(mode="json"), bundle.schema.target)
    drawn = {name: to_svg(figure) for name, figure in figures.items()}
    return Described(facts=store.put_facts(found), figures=store.put_facts(drawn))


def _chosen(step: Step | None) -> ChosenStep:
    assert step is not None
    return ChosenStep(name=step.name, parameters=step.parameters)


def _unseen(studies: Sequence[StudiedPreparation]) -> dict[str, int]:
    """Evaluating rows of all folds with a level that their fold's training rows lack, by column."""
    found: dict[str, int] = {}
    for study in studies:
        for name, rows in study.unseen.items():
            found[name] = found.get(name, 0) + rows
    return found


def _extraction(pipeline: Any, frame: pd.DataFrame, by: ChosenStep) -> Extracted:
    place = list(pipeline.named_steps).index("extract")
    before, extractor = pipeline[:place], pipeline.named_steps["extract"]
    names, made = feature_names(before), feature_names(pipeline[: place + 1])
    made_of = [Loading.model_validate(one) for one in loadings(extractor, names, made)]
    found = Extracted.model_validate({"by": by, "from": len(names), "to": len(made), "loadings": made_of})
    if isinstance(extractor, PCA):
        asked = extractor.n_components
        share = asked if isinstance(asked, float) and extractor.tolerance is None else None
        matrix = np.asarray(before.transform(frame), dtype=float)
        shown = Spectrum.model_validate(spectrum(matrix, int(extractor.n_components_), share))
        found = found.model_copy(update={"spectrum": shown})
    return found


def _one_polynomial(recipe: Plan) -> str | None:
    """The name of the one column that a quantity is predicted from, if a polynomial of it is taken."""
    if recipe.target_type != "quantity" or len(recipe.groups) != 1 or len(recipe.groups[0].columns) != 1:
        return None
    expand = recipe.groups[0].expand
    return recipe.groups[0].columns[0] if expand and expand.name == "polynomial" else None


def _polynomial(folds: Folds, values: pd.Series[Any], recipe: Plan) -> PolynomialFits:
    expand = recipe.groups[0].expand
    degree = int(expand.parameters.get("degree", 2)) if expand else 2
    x = values.fillna(values.median()).to_numpy(dtype=float)
    degrees = sorted({TOO_STIFF, degree, min(TOO_WILD * degree, max(HIGHEST, degree))})
    return PolynomialFits(column=str(values.name), chosen=degree, **polynomial_fits(x, folds.y, folds.splits, degrees))
