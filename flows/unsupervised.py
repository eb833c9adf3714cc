"""Problems whose answers nobody knows: from a file of rows to a registered model."""

from __future__ import annotations

from prefect import flow

from penstock.context import Engine
from penstock.document.run import RunDocument
from penstock.flows.announce import announced
from penstock.flows.extras import Extras
from penstock.flows.gate import promote_or_hold
from penstock.flows.lifecycle import open_run
from penstock.flows.preparations import Preparations
from penstock.flows.prepare_data import prepare_data
from penstock.flows.search import fit_suggested, search_models, select_winner
from penstock.problems import find
from penstock.problems.training import EvaluateRequest, TrainRequest
from penstock.spec.checked import checked_spec
from penstock.spec.checks.pairs import asks_for_distances
from penstock.tasks.check import require_distances, require_quantities
from penstock.tasks.evaluate import evaluate
from penstock.tasks.features import describe_features
from penstock.tasks.ingest import Content
from penstock.tasks.report import report
from penstock.tasks.train import train


@flow(name="unsupervised")
def unsupervised(
    pipeline: str,
    overrides: list[str] | None = None,
    sample: int | None = None,
    run_id: str | None = None,
    engine: Engine = "prefect",
    given: Content | None = None,
    cause: str | None = None,
) -> RunDocument:
    """Run a pipeline file without a column to predict; returns the run's document."""
    spec = checked_spec(pipeline, overrides)
    problem, seed = find(spec.problem), spec.split.seed
    with open_run(spec, pipeline, run_id, engine, cause, overrides or []) as run:
        ground = prepare_data(run, spec, sample, given)
        rows, data_split, plan = ground.rows, ground.data_split, ground.plan
        require_quantities(run, plan, [choice.name for choice in spec.models] or list(problem.candidates))
        preparations, extras = Preparations(run, spec, ground), Extras(run, spec, problem)
        prepared = preparations.first
        if prepared and asks_for_distances(spec):
            require_distances(run, plan, ground.analysed.facts, prepared)
        matrix = {"prepared": prepared} if prepared else {}
        extras.begin("before the search", **matrix, seed=seed)
        fits = [] if spec.automatic else search_models(run, spec, data_split, preparations)
        before = extras.facts()
        if spec.automatic:
            before["method"] = problem.function("suggest")(run, **matrix, seed=seed, **before)
            fits = fit_suggested(run, spec, data_split, preparations, before["method"])
        selection = select_winner(run, spec, fits, data_split, None, **before)
        chosen = {"data_split": data_split, "plan": plan, "winner": selection.winner, "evidence": selection.evidence}
        extras.begin("after the selection", **matrix, **chosen, seed=seed)
        wanted = TrainRequest(
            rows=rows,
            data_split=data_split,
            plan=plan,
            suite=ground.suite,
            winner=selection.winner,
            name=spec.name,
            seed=seed,
        )
        model = train(run, spec.problem, wanted)
        unseen = EvaluateRequest(trained=model, data_split=data_split, evidence=selection.evidence, seed=seed)
        evaluate(run, spec.problem, unseen)
        known = {"truth": rows.truth, "name": str(spec.data.target)} if rows.truth else {}
        drawn = {"names": list(spec.evaluation.pictures)}
        extras.begin("after the training", trained=model, **chosen, **known, **drawn, seed=seed)
        folds = preparations.all_folds() if problem.cross_validated else []
        describe_features(run, folds, model, plan, data_split)
        promote_or_hold(run, spec, ground, model, selection, **before)
        extras.wait()
        return announced(run, report(run, spec, run.results))
