"""What choosing among clusterings found."""

from __future__ import annotations

from pydantic import BaseModel

from penstock.components.clustering.choice import separation
from penstock.components.search.candidates import Candidate
from penstock.problems.clustering.scores import ClusterScores
from penstock.problems.selection import Compared, SelectionEvidence


class ClusterFit(BaseModel):
    """A candidate with the clusters of some rows, the same rows for all; one group needs no fit and has no scores."""

    candidate: Candidate
    clusters_found: int
    scores: ClusterScores | None = None
    sample: list[int] = []

    @property
    def separation(self) -> float | None:
        return None if self.scores is None else separation(self.scores.model_dump())

    def compared(self) -> Compared:
        scores = self.scores
        return Compared(
            candidate=self.candidate,
            score=self.separation,
            stability=scores.stability if scores else None,
            neg_bic=scores.neg_bic if scores else None,
        )


class ClusterSelection(SelectionEvidence):
    """`chosen`: the place of the winner among the `fits`."""

    fits: list[ClusterFit]
    chosen: int

    @property
    def winning_fit(self) -> ClusterFit:
        return self.fits[self.chosen]
