"""Clustering, reduction and density: from a file of rows to a registered model, by the same stages."""

from __future__ import annotations

from typing import Any

from prefect import flow

from penstock.components.search import default_methods
from penstock.context import Engine
from penstock.flows.checks import asks_for_distances, load_checked_spec
from penstock.flows.groundwork import groundwork
from penstock.flows.held_out import held_out
from penstock.flows.lifecycle import open_run
from penstock.flows.search import fit_chosen, search_clusterings
from penstock.tasks.choose_method import choose_method
from penstock.tasks.describe_clusters import describe_clusters
from penstock.tasks.evaluate import evaluate_clusters
from penstock.tasks.features import describe_features
from penstock.tasks.ingest import Content
from penstock.tasks.pictures import draw_pictures
from penstock.tasks.prepare import prepare
from penstock.tasks.register import register_clusters, rival
from penstock.tasks.report import report
from penstock.tasks.scalings import compare_scalings
from penstock.tasks.select_model import choose_clusters, require_distances, require_quantities
from penstock.tasks.structure import find_structure
from penstock.tasks.study_clusters import study_clusters
from penstock.tasks.train import train_clusters
from penstock.tasks.truth import judge_truth


@flow(name="unsupervised")
def unsupervised(
    pipeline: str,
    overrides: list[str] | None = None,
    sample: int | None = None,
    run_id: str | None = None,
    engine: Engine = "prefect",
    given: Content | None = None,
    cause: str | None = None,
) -> dict[str, Any]:
    """Run a pipeline file without a column to predict; returns the run's document."""
    spec = load_checked_spec(pipeline, overrides)
    seed = spec.split.seed
    with open_run(spec, pipeline, run_id, engine, cause) as run:
        ground = groundwork(run, spec, sample, given)
        if spec.problem != "clustering":
            return held_out(run, spec, ground)
        rows, parts, truth = ground.rows, ground.parts, ground.rows.truth
        methods = [choice.name for choice in spec.models] or default_methods(spec.problem)
        require_quantities(run, ground.plan, methods)
        prepared = prepare(run, ground.plan, parts, None, seed)
        if asks_for_distances(spec):
            require_distances(run, ground.plan, ground.analysed.facts, prepared)
        finding = find_structure.submit(run, prepared, seed)
        fits = [] if spec.automatic else search_clusterings(run, spec, prepared)
        structure, chosen = finding(), None
        if spec.automatic:
            chosen = choose_method(run, prepared, structure.facts, seed)
            fits = fit_chosen(run, spec, prepared, chosen)
        selection = choose_clusters(run, fits, structure.facts, chosen)
        studying = study_clusters.submit(run, prepared, selection.evidence, seed)
        scalings = compare_scalings(run, ground.plan, parts, selection.winner, seed)
        model = train_clusters(run, rows, parts, ground.plan, ground.suite, selection.winner, spec.name, seed)
        scores = evaluate_clusters(run, model, parts, selection.evidence, seed)
        clusters = describe_clusters(run, model, parts, selection.evidence, seed)
        described = describe_features(run, [], model, ground.plan, parts)
        verdict = register_clusters(
            run, model, selection, structure.facts, ground.suite, rows, parts, spec.register_, rival(run, model), seed
        )
        found = {
            "structure": structure,
            "number": studying(),
            "scalings": scalings,
            "clusters": clusters.clusters,
            "rules": clusters.rules,
        }
        if spec.evaluation.pictures:
            found["pictures"] = draw_pictures(run, model, parts, list(spec.evaluation.pictures), seed)
        if truth and spec.data.target:
            found["truth"] = judge_truth(run, model, parts, truth, spec.data.target, seed)
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
