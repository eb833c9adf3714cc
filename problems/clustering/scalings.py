"""The winner once more under other scalings: does its answer hang on them?"""

from __future__ import annotations

from typing import Any

import numpy as np

from penstock.components import catalog
from penstock.components.clustering import scalings
from penstock.components.clustering.describe import project_2d
from penstock.components.clustering.scalings import SCALINGS, rescaled, scaled_by
from penstock.components.dissimilarity.levels import comparing_columns
from penstock.components.plots.output import to_svg
from penstock.components.plots.structure import scaled_panels
from penstock.components.preprocessing.plan import Plan
from penstock.components.preprocessing.preparation import build_preparation, feature_names, fit_steps
from penstock.problems.clustering.sections import Scalings
from penstock.problems.data import DataSplit
from penstock.problems.selection import Winner
from penstock.problems.training import Explained
from penstock.stage import progress, stage
from penstock.store import Ref, Store

MAX_ROWS = 5000


@stage(worker=True, libraries=("matplotlib",))
def compare_scalings(store: Store, plan: Ref[Plan], data_split: DataSplit, winner: Ref[Winner], seed: int) -> Explained:
    """How far the answers under different scalings agree, and their picture."""
    recipe, chosen = store.facts(plan), store.facts(winner)
    frame = store.frame(data_split.train)
    rows = np.arange(len(frame))
    if len(rows) > MAX_ROWS:
        rows = np.sort(np.random.default_rng(seed).choice(rows, MAX_ROWS, replace=False))
    own = " and ".join(scaled_by(recipe)) or "none"
    variants = {own: recipe}
    if scaled_by(recipe) and chosen.parameters.get("dissimilarity") != "precomputed":
        variants |= {name: rescaled(recipe, name) for name in SCALINGS if name != own}
    answers: dict[str, Any] = {}
    panels: dict[str, Any] = {}
    failed: dict[str, str] = {}
    for name, variant in variants.items():
        model = catalog.build(chosen.name, chosen.parameters, seed=seed, problem="clustering")
        try:
            preparation = build_preparation(variant, seed=seed)
            matrix = np.asarray(fit_steps(preparation, frame.iloc[rows], None))
            model = comparing_columns(model, feature_names(preparation))
            answers[name] = np.asarray(model.fit(matrix).predict(matrix))
            panels[name] = project_2d(matrix, seed)[0], answers[name]
        except ValueError as error:  # the method cannot do with the numbers as they are then
            failed[name] = str(error)
        progress(scaled=len(answers))
    found = Scalings.model_validate({**scalings.compare_scalings(answers, own), "failed": failed})
    figures = {}
    if len(panels) > 1:
        figures["scaled_panels"] = to_svg(scaled_panels(panels, found.with_chosen, own))
    return Explained.of(store, found, figures)
