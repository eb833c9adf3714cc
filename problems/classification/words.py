"""What the report says of a classification."""

from __future__ import annotations

from penstock.document.formats import percent
from penstock.document.run import RunDocument
from penstock.problems.rows.supervised.words import PredictionWords
from penstock.problems.words import Advice

LOPSIDED = 0.8


class ClassificationWords(PredictionWords):
    """Which classes there are, and whether one of them holds nearly all rows."""

    def predicted(self, document: RunDocument, target: str) -> str:
        classes, positive = document.data.target.classes or [], document.data.target.positive
        if positive is None:
            return f"which of {len(classes)} classes {target} is"
        return f"whether {target} is “{positive}”"

    def covering(self, size: str) -> tuple[str, str]:
        return "sets of classes", f"a set holds {size} classes on average"

    def cautions(self, document: RunDocument) -> list[Advice]:
        facts = document.data.target.facts
        if facts is None or not facts.classes:
            return []
        rows, largest = max((rows, name) for name, rows in facts.classes.items())
        share = rows / sum(facts.classes.values())
        if share <= LOPSIDED:
            return []
        return [Advice(f"{percent(share)} of the rows are “{largest}”: accuracy alone would look good.", "scores")]
