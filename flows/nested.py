"""The search inside each outer fold, stage by stage the same as on all learning rows."""

from __future__ import annotations

from penstock.context import Run
from penstock.flows.preparations import Preparations
from penstock.flows.search import search_models, select_winner
from penstock.problems.rows.supervised.nested import Outer, evaluate_outer
from penstock.problems.training import TrainRequest
from penstock.spec.pipeline import Spec
from penstock.tasks.groundwork import Groundwork
from penstock.tasks.nested import split_outer
from penstock.tasks.train import train


def nested_search(run: Run, spec: Spec, ground: Groundwork) -> None:
    """What a search like this one is worth: nothing that chose a winner has seen the rows that judge it."""
    if spec.split.recipe != "nested-cross-validation":
        return
    metric, seed = spec.search.metric, spec.split.seed
    outer: list[Outer] = []
    for parts in split_outer(run, ground.parts, ground.rows.schema_, spec.split) or []:
        preparations = Preparations(run, spec, ground.model_copy(update={"parts": parts}))
        found = search_models(run, spec, parts, preparations)
        selection = select_winner(run, spec, found, parts, metric)
        inner, _ = preparations.of_winner(selection)
        wanted = TrainRequest(
            rows=ground.rows,
            parts=parts,
            plan=inner.plan,
            suite=ground.suite,
            winner=selection.winner,
            name=spec.name,
            seed=seed,
        )
        model = train(run, spec.problem, wanted)
        outer.append(Outer(winner=selection.winner, model=model.model, test=parts.test))
    if outer:
        evaluate_outer(run, outer, metric, seed)
