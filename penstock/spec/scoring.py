"""What becomes of new rows that break the rules which travel with the model, and how their scores are written."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field

from penstock.components.formulas import Formulas
from penstock.components.policies import Policy
from penstock.spec.base import SpecModel


class Scoring(SpecModel):
    on_breach: Annotated[
        Policy,
        Field(
            description="What happens to rows that break the data contract: reject (all rows are refused), quarantine "
            "(the row goes to a file of its own, with the reason), impute (the value is taken for missing) or abstain "
            "(the row gets no answer)."
        ),
    ] = "reject"
    columns: dict[str, Policy] = Field(
        default_factory=dict, description="The same for rules on single columns: `{age: impute}`."
    )

    formulas: Annotated[
        Formulas,
        Field(
            description="Texts in CSV files that a spreadsheet would run as formulas: escape (an apostrophe is put "
            "before them) or keep (as they are, for programs that read them)."
        ),
    ] = "escape"

    @property
    def policies(self) -> dict[str, Any] | None:
        """As they go with the model; None where nothing is declared."""
        return None if self == Scoring() else self.model_dump(mode="json")
