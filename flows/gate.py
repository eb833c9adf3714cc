"""The gate: the new model compared with the champion, and what becomes of it in the registry."""

from __future__ import annotations

from penstock.context import Run
from penstock.document.verdict import Verdict
from penstock.problems.comparison import CompareRequest
from penstock.problems.selection import Selection
from penstock.problems.training import Trained
from penstock.spec.pipeline import Spec
from penstock.store import Ref
from penstock.tasks.compare import compare
from penstock.tasks.prepared_data import PreparedData
from penstock.tasks.reference import keep_reference
from penstock.tasks.register import champion_files, champion_to_beat, register


def promote_or_hold(
    run: Run, spec: Spec, ground: PreparedData, trained: Trained, selection: Selection, **found: Ref
) -> Ref[Verdict]:
    """`found`: what stages of this kind of problem alone have found, which its comparison may look at."""
    data_split, rows, seed = ground.data_split, ground.rows, spec.split.seed
    against = champion_to_beat(run, trained)
    champion, champion_ids = champion_files(run, against)
    request = CompareRequest(
        trained=trained,
        data_split=data_split,
        champion=champion,
        champion_ids=champion_ids,
        evidence=selection.evidence,
        found=found,
        terms=spec.register_.promote,
        seed=seed,
    )
    comparison = compare(run, spec.problem, request)
    reference = keep_reference(run, data_split, rows.schema_, selection.evidence, seed)
    return register(run, trained, comparison, selection, ground.suite, rows, reference, spec.register_, against)
