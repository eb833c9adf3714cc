"""Reductions and densities: no truth to compare with, but rows that a fit has not seen judge them all the same."""

from __future__ import annotations

from typing import Any

from penstock.context import Run
from penstock.flows.preparations import Preparations
from penstock.flows.search import search_held_out
from penstock.spec.pipeline import Spec
from penstock.tasks.evaluate import evaluate_held_out
from penstock.tasks.explain import Explained
from penstock.tasks.features import describe_features
from penstock.tasks.groundwork import Groundwork
from penstock.tasks.held_out import choose_held_out, study_held_out
from penstock.tasks.pictures import draw_pictures
from penstock.tasks.register import register_held_out, rival
from penstock.tasks.report import report
from penstock.tasks.train import train_held_out
from penstock.tasks.truth import judge_by_known


def held_out(run: Run, spec: Spec, ground: Groundwork) -> dict[str, Any]:
    """From validated rows to the run's document."""
    rows, parts, truth, seed = ground.rows, ground.parts, ground.rows.truth, spec.split.seed
    preparations = Preparations(run, spec, ground)
    fits = search_held_out(run, spec, preparations)
    selection = choose_held_out(run, fits, spec.problem, parts.folds, seed)
    model = train_held_out(run, rows, parts, ground.plan, ground.suite, selection.winner, spec.name, seed)
    scores = evaluate_held_out(run, model, parts, seed)
    found: dict[str, Explained] = {spec.problem: study_held_out(run, model, parts, seed)}
    described = describe_features(run, preparations.all_folds(), model, ground.plan, parts)
    verdict = register_held_out(
        run, model, selection, ground.suite, rows, parts, spec.register_, rival(run, model), seed
    )
    if spec.evaluation.pictures:
        found["pictures"] = draw_pictures(run, model, parts, list(spec.evaluation.pictures), seed)
    if truth and spec.data.target:
        found["known"] = judge_by_known(run, model, parts, truth, spec.data.target, seed)
    return report(
        run,
        spec,
        ground,
        fits,
        selection,
        model,
        scores,
        verdict,
        {},
        described=described,
        certificate=ground.certificate,
        explained=found,
    )
