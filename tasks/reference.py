"""Keep with a model what later rows are compared with."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.components.drift.reference import known_values, reference_rows
from penstock.components.schema import Schema
from penstock.problems.data import DataSplit
from penstock.problems.selection import SelectionEvidence
from penstock.stage import stage
from penstock.store import Ref, Store


class Reference(BaseModel):
    """A sample of rows, and the facts that a sample does not tell."""

    rows: Ref
    facts: Ref


@stage(worker=True)
def keep_reference(
    store: Store, data_split: DataSplit, schema_: Ref[Schema], evidence: Ref[SelectionEvidence], seed: int
) -> Reference:
    """From all rows that train, and the test rows beside them."""
    schema = store.facts(schema_)
    learnt = store.frame(data_split.train)
    rows = reference_rows(learnt, store.frame(data_split.test), schema, seed)
    facts = {
        "known": known_values(learnt, schema),
        "metric": store.facts(evidence).metric,
        "train_rows": len(learnt),
        "seed": seed,
    }
    return Reference(rows=store.put_frame(rows), facts=store.put_facts(facts))
