"""Classification and regression: from a file of rows to a registered model."""

from __future__ import annotations

from prefect import flow

from penstock.context import Engine
from penstock.document.run import RunDocument
from penstock.flows.announce import announced
from penstock.flows.extras import Extras
from penstock.flows.gate import promote_or_hold
from penstock.flows.lifecycle import open_run
from penstock.flows.nested import nested_search
from penstock.flows.preparations import Preparations
from penstock.flows.prepare_data import prepare_data
from penstock.flows.search import search_models, select_winner
from penstock.problems import find
from penstock.problems.rows.supervised.shuffled_labels import certify_model
from penstock.problems.training import EvaluateRequest, TrainRequest
from penstock.spec.checked import checked_spec
from penstock.spec.checks.pairs import asks_for_kernel
from penstock.spec.pipeline import Spec
from penstock.tasks.certify import enforce_leakage
from penstock.tasks.check import require_kernel
from penstock.tasks.course import check_stage_order
from penstock.tasks.decide import decide_if_asked, objective, require_decidable, with_costs
from penstock.tasks.evaluate import evaluate
from penstock.tasks.explain import check_evaluation
from penstock.tasks.features import describe_features
from penstock.tasks.ingest import Content
from penstock.tasks.report import report
from penstock.tasks.train import train


@flow(name="supervised")
def supervised(
    pipeline: str,
    overrides: list[str] | None = None,
    sample: int | None = None,
    run_id: str | None = None,
    engine: Engine = "prefect",
    given: Content | None = None,
    cause: str | None = None,
) -> RunDocument:
    """Run a pipeline file of a classification or a regression; returns the run's document."""
    spec = checked_spec(pipeline, overrides)
    seed = spec.split.seed
    with open_run(spec, pipeline, run_id, engine, cause, overrides or []) as run:
        ground = prepare_data(run, spec, sample, given)
        rows, data_split, asked = ground.rows, ground.data_split, spec.evaluation
        metric = objective(run, spec.search.metric, spec.decision, rows)
        aimed = _aimed_at(spec, metric)
        also = with_costs(run, asked.metrics, spec.decision, rows)
        require_decidable(run, spec.decision, rows, data_split)
        check_evaluation(run, rows, data_split, asked)
        if asks_for_kernel(spec):
            require_kernel(run, ground.plan, ground.analysed.facts, data_split.train)

        nested_search(run, aimed, ground)
        preparations = Preparations(run, spec, ground)
        fits = search_models(run, aimed, data_split, preparations)
        selection = select_winner(run, spec, fits, data_split, metric)
        ground, prepared = preparations.of_winner(selection)
        decided = decide_if_asked(run, selection, data_split, rows, spec.decision, metric, seed)
        wanted = TrainRequest(
            rows=rows,
            data_split=data_split,
            plan=ground.plan,
            suite=ground.suite,
            winner=selection.winner,
            name=spec.name,
            seed=seed,
            rule=decided.rule if decided else None,
            objective=metric,
        )
        model = train(run, spec.problem, wanted)
        metrics = [*([metric] if metric else []), *also]
        unseen = EvaluateRequest(
            trained=model, data_split=data_split, evidence=selection.evidence, metrics=metrics, seed=seed
        )
        evaluate(run, spec.problem, unseen)
        extras = Extras(run, spec, find(spec.problem))
        extras.begin(
            "after the training",
            trained=model,
            rows=rows,
            data_split=data_split,
            plan=ground.plan,
            winner=selection.winner,
            evidence=selection.evidence,
            metric_name=metric,
            slices=asked.slices,
            fairness_of=asked.fairness,
            shap=asked.shap,
            seed=seed,
        )
        describe_features(run, [one() for one in prepared], model, ground.plan, data_split)
        if ground.certificate:
            certificate = certify_model(
                run, ground.certificate, ground.plan, data_split, selection.winner, rows.schema_, seed
            )
            enforce_leakage(run, certificate, spec.validation.leakage)
        if prepared:
            check_stage_order(run, prepared[0]())
        promote_or_hold(run, spec, ground, model, selection)
        extras.wait()
        return announced(run, report(run, spec, run.results))


def _aimed_at(spec: Spec, metric: str | None) -> Spec:
    """The search follows the metric that decides, with the costs in it."""
    return spec.model_copy(update={"search": spec.search.model_copy(update={"metric": metric})})
