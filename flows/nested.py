"""The search inside each outer fold, stage by stage the same as on all training rows."""

from __future__ import annotations

from penstock.context import Run
from penstock.flows.preparations import Preparations
from penstock.flows.search import search_models, select_winner
from penstock.problems.rows.supervised.nested import Outer, evaluate_outer
from penstock.problems.training import TrainRequest
from penstock.spec.pipeline import Spec
from penstock.tasks.nested import split_outer
from penstock.tasks.prepared_data import PreparedData
from penstock.tasks.train import train


def nested_search(run: Run, spec: Spec, ground: PreparedData) -> None:
    """What a search like this one is worth: nothing that chose a winner has seen the rows that evaluate it."""
    if spec.split.recipe != "nested-cross-validation":
        return
    metric, seed = spec.search.metric, spec.split.seed
    outer: list[Outer] = []
    for data_split in split_outer(run, ground.data_split, ground.rows.schema_, spec.split) or []:
        preparations = Preparations(run, spec, ground.model_copy(update={"data_split": data_split}))
        found = search_models(run, spec, data_split, preparations)
        selection = select_winner(run, spec, found, data_split, metric)
        inner, _ = preparations.of_winner(selection)
        wanted = TrainRequest(
            rows=ground.rows,
            data_split=data_split,
            plan=inner.plan,
            suite=ground.suite,
            winner=selection.winner,
            name=spec.name,
            seed=seed,
        )
        model = train(run, spec.problem, wanted)
        outer.append(Outer(winner=selection.winner, model=model.model, test=data_split.test))
    if outer:
        evaluate_outer(run, outer, metric, seed)
