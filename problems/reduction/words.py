"""What the report says of a reduction."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.document.formats import count
from penstock.document.run import RunDocument
from penstock.problems.reduction.captions import CAPTIONS, PLACES
from penstock.problems.reduction.sections import Reduction
from penstock.problems.words import Advice, Words


class ReductionWords(Words):
    """How many new columns there are."""

    captions = CAPTIONS
    places = PLACES

    def finding(self, document: RunDocument, origin: str) -> str:
        reduced = document.section(Reduction)
        if reduced is None:
            return ""
        return f"{count(reduced.to)} new column{'s' if reduced.to != 1 else ''}{origin or ' from the data'}."

    def steps(self, document: RunDocument, figures: Mapping[str, str]) -> list[Advice]:
        if document.section(Reduction) is None:
            return []
        return [Advice("See what the new columns are made of, and give them names.", "reduction")]
