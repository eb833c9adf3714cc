"""Certify: what was looked for that would make the scores too good to be true, and what was found.

It evaluates; it changes no model. The test rows' targets are never looked at.
"""

from __future__ import annotations

from typing import Literal

from penstock.components.leakage.base import Sides
from penstock.components.leakage.registry import certify
from penstock.components.schema import Schema
from penstock.context import Run
from penstock.document.leakage import Certificate
from penstock.errors import DataError
from penstock.evidence.folds import Folds
from penstock.problems.data import DataSplit
from penstock.stage import check, stage
from penstock.store import Ref, Store
from penstock.tasks.analyse import Insight


@stage(worker=True)
def certify_rows(
    store: Store, data_split: DataSplit, schema: Ref[Schema], insight: Ref[Insight], within: str | None, seed: int
) -> Ref[Certificate]:
    """All checks that need no model: they run before the search, so that no search is wasted on what they find.

    The insight tells how well each column alone predicts: of the training rows, as all that looks at the target.
    """
    cut = Folds.load(store, data_split.folds)
    sections = {section["name"]: section for section in store.facts(insight)["sections"]}
    sides = Sides(
        store.frame(data_split.train),
        store.frame(data_split.test),
        store.facts(schema),
        seed,
        folds=list(cut.splits),
        ordered=cut.ordered,
        within=within,
        alone=sections["signal"]["baselines"],
    )
    return store.put_facts(Certificate.model_validate(certify(sides)))


@check
def enforce_leakage(run: Run, certificate: Ref[Certificate], leakage: Literal["warn", "stop", "off"]) -> None:
    """Stop the run where the pipeline file says so and the certificate names what voids the score."""
    if leakage != "stop":
        return
    found = [check for check in run.store.facts(certificate).checks if check.severity == "error"]
    if found:
        first = found[0]
        more = f"; and {', '.join(check.code for check in found[1:])}" if len(found) > 1 else ""
        raise DataError(
            "PEN219",
            f"the leakage certificate has {len(found)} finding(s) that void the score. {first.code}: "
            f"{first.message}{more}",
            where=f"columns {', '.join(first.columns)}" if first.columns else "the split",
            remedy=f"{first.remedy}; or set validation.leakage to warn",
        )
