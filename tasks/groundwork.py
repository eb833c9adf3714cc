"""What the first stages made, as later stages take it."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.store import Ref
from penstock.tasks.analyse import Analysed
from penstock.tasks.diagnose import Diagnosed
from penstock.tasks.ingest import Rows
from penstock.tasks.learn_suite import Suite
from penstock.tasks.split import Parts


class Groundwork(BaseModel):
    rows: Rows
    checks: Ref
    parts: Parts
    analysed: Analysed
    certificate: Ref | None
    suite: Suite
    plan: Ref
    diagnosed: list[Diagnosed] = []
