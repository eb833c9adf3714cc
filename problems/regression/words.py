"""What the report says of a regression."""

from __future__ import annotations

from penstock.document.run import RunDocument
from penstock.problems.rows.supervised.words import PredictionWords


class RegressionWords(PredictionWords):
    """Whose value is predicted."""

    def predicted(self, document: RunDocument, target: str) -> str:
        return f"the value of {target}"

    def covering(self, size: str) -> tuple[str, str]:
        return "intervals", f"an interval is {size} wide"
