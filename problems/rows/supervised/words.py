"""What the report says of predictions for rows."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping

from penstock.document.run import RunDocument
from penstock.problems.rows.decision_sections import Coverage, Decision
from penstock.problems.rows.supervised.captions import CAPTIONS, PLACES
from penstock.problems.rows.supervised.decision_words import Promise, coverage_words, decision_words, promises
from penstock.problems.rows.supervised.tracked import of_decision, of_explanation
from penstock.problems.words import Advice, Tracked, Words

TUNED = "decision: {threshold: tune}"


class PredictionWords(Words):
    """What is predicted, and how it is decided."""

    captions = CAPTIONS
    places = PLACES

    @abstractmethod
    def predicted(self, document: RunDocument, target: str) -> str:
        """What is predicted of the column to predict, whose name is in quotes."""

    @abstractmethod
    def covering(self, size: str) -> tuple[str, str]:
        """What holds the truth in a share of rows, and how large it is on average."""

    def finding(self, document: RunDocument, origin: str) -> str:
        name = document.data.target.name
        return f"Predicts {self.predicted(document, f'“{name}”')}{origin}." if name else ""

    def steps(self, document: RunDocument, figures: Mapping[str, str]) -> list[Advice]:
        decision = document.section(Decision)
        if "threshold_curve" not in figures or (decision and decision.threshold):
            return []
        said = "If the two errors do not weigh the same, have a threshold chosen on training rows:"
        return [Advice(said, command=TUNED)]

    def decisions(self, document: RunDocument) -> list[str]:
        decision, covered = document.section(Decision), document.section(Coverage)
        if decision is None:
            return []
        said = decision_words(decision, document.data.target)
        if decision.coverage and covered:
            said.append(coverage_words(decision.coverage, covered, self.covering))
        return said

    def tracked(self, document: RunDocument) -> Mapping[str, Tracked]:
        return {**of_decision(document), **of_explanation(document)}

    def promises(self, document: RunDocument) -> list[Promise]:
        return promises(document)
