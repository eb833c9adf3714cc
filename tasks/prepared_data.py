"""What the first stages made, as later stages take it."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.document.data import DataCheck
from penstock.document.leakage import Certificate
from penstock.problems.data import DataSplit, Rows, Suite
from penstock.store import Ref
from penstock.tasks.analyse import Analysed
from penstock.tasks.diagnose import Diagnosed
from penstock.tasks.prepare import PreparedPlan


class PreparedData(BaseModel):
    rows: Rows
    checks: Ref[list[DataCheck]]
    data_split: DataSplit
    analysed: Analysed
    certificate: Ref[Certificate] | None
    suite: Suite
    plan: Ref[PreparedPlan]
    diagnosed: list[Diagnosed] = []
