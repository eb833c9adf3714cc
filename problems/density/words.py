"""What the report says of a density."""

from __future__ import annotations

from collections.abc import Mapping

from penstock.document.formats import count
from penstock.document.run import RunDocument
from penstock.problems.density.captions import CAPTIONS, PLACES
from penstock.problems.density.sections import Density
from penstock.problems.words import Advice, Words


class DensityWords(Words):
    """How many rows are rare."""

    captions = CAPTIONS
    places = PLACES

    def finding(self, document: RunDocument, origin: str) -> str:
        density = document.section(Density)
        if density is None:
            return ""
        flagged = f"{count(density.flagged)} of {count(density.rows)} test rows"
        return f"The density of a row{origin or ' from the data'}: {flagged} are rare."

    def steps(self, document: RunDocument, figures: Mapping[str, str]) -> list[Advice]:
        if document.section(Density) is None:
            return []
        return [Advice("Look at the rarest rows: mistakes, or the ones worth knowing?", "density")]
