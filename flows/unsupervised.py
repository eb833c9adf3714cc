"""Clustering: from a file of rows to a registered model that assigns new ones, by the same stages."""

from __future__ import annotations

from typing import Any

from prefect import flow

from penstock.context import Engine
from penstock.flows.checks import load_checked_spec
from penstock.flows.groundwork import groundwork
from penstock.flows.lifecycle import open_run
from penstock.flows.search import search_clusterings
from penstock.tasks.evaluate import evaluate_clusters
from penstock.tasks.features import describe_features
from penstock.tasks.ingest import Content
from penstock.tasks.prepare import prepare
from penstock.tasks.register import register, rival
from penstock.tasks.report import report
from penstock.tasks.select_model import choose_clusters
from penstock.tasks.train import train


@flow(name="unsupervised")
def unsupervised(
    pipeline: str,
    overrides: list[str] | None = None,
    sample: int | None = None,
    run_id: str | None = None,
    engine: Engine = "prefect",
    given: Content | None = None,
) -> dict[str, Any]:
    """Run a pipeline file of a clustering; returns the run's document."""
    spec = load_checked_spec(pipeline, overrides)
    seed = spec.split.seed
    with open_run(spec, pipeline, run_id, engine) as run:
        ground = groundwork(run, spec, sample, given)
        parts = ground.parts
        prepared = prepare(run, ground.plan, parts, None, seed)
        fits = search_clusterings(run, spec, prepared)
        selection = choose_clusters(run, fits)
        model = train(run, ground.rows, parts, ground.plan, ground.suite, selection.winner, spec.name, seed)
        scores = evaluate_clusters(run, model, parts, selection.evidence, seed)
        described = describe_features(run, [], model, ground.plan, parts)
        verdict = register(
            run, model, scores, selection, ground.suite, ground.rows, parts, spec.register_, rival(run, model), seed
        )
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
        )
