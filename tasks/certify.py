"""Certify: what was looked for that would make the scores too good to be true, and what was found.

It judges; it changes no model. The test rows' targets are never looked at.
"""

from __future__ import annotations

from typing import Literal

from penstock.context import Run
from penstock.errors import DataError
from penstock.store import Ref
from penstock.tasks.split import Parts
from penstock.tasks.stage import stage
from penstock.tasks.work import in_worker


@stage(job="certify")
def certify_rows(run: Run, parts: Parts, schema: Ref, insight: Ref, within: str | None, seed: int) -> Ref:
    """All checks that need no model: they run before the search, so that no search is wasted on what they find."""
    arguments = {"schema": schema, "insight": insight, "within": within, "seed": seed}
    return Ref(**in_worker(run, "certify", learning=parts.learning, test=parts.test, folds=parts.folds, **arguments))


@stage(job="permute_labels")
def certify_model(run: Run, certificate: Ref, plan: Ref, parts: Parts, winner: Ref, schema: Ref, seed: int) -> Ref:
    """The certificate of the rows, and what the winner scores when the labels are shuffled."""
    arguments = {"certificate": certificate, "plan": plan, "winner": winner, "schema": schema, "seed": seed}
    return Ref(**in_worker(run, "permute_labels", learning=parts.learning, folds=parts.folds, **arguments))


def heed(run: Run, certificate: Ref, leakage: Literal["warn", "stop", "off"]) -> None:
    """Stop the run where the pipeline file says so and the certificate names what voids the score."""
    if leakage != "stop" or certificate.kind == "pending":
        return
    found = [check for check in run.store.facts(certificate)["checks"] if check["severity"] == "error"]
    if found:
        first = found[0]
        more = f"; and {', '.join(check['code'] for check in found[1:])}" if len(found) > 1 else ""
        raise DataError(
            "PEN219",
            f"the leakage certificate has {len(found)} finding(s) that void the score. {first['code']}: "
            f"{first['message']}{more}",
            where=f"columns {', '.join(first['columns'])}" if first["columns"] else "the split",
            remedy=f"{first['remedy']}; or set validation.leakage to warn",
        )
