"""What the first stages made, as later stages take it."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.problems.data import Parts, Rows, Suite
from penstock.store import Ref
from penstock.tasks.analyse import Analysed
from penstock.tasks.diagnose import Diagnosed


class Groundwork(BaseModel):
    rows: Rows
    checks: Ref
    parts: Parts
    analysed: Analysed
    certificate: Ref | None
    suite: Suite
    plan: Ref
    diagnosed: list[Diagnosed] = []
