"""What a kind of question says of a finished run, in the report."""

from __future__ import annotations

import importlib
from collections.abc import Mapping, Sequence
from functools import cache
from typing import ClassVar, NamedTuple

from penstock.document.formats import Measured
from penstock.document.run import RunDocument
from penstock.problems.registry import all_problems

Tracked = float | Mapping[str, float | None] | None


class Advice(NamedTuple):
    """What to do or to beware of; `section`: where the report shows why."""

    text: str
    section: str = ""
    command: str = ""


class Words:
    """Nothing; a kind of question derives from it where it has something to say."""

    captions: ClassVar[Mapping[str, str]] = {}
    """How to read each figure of its own, by name and in the order in which they stand."""
    places: ClassVar[Mapping[str, str]] = {}
    """The section of the report in which a figure stands, where that is not `plots`."""

    def finding(self, document: RunDocument, origin: str) -> str:
        """What was found or predicted, in a sentence. `origin`: `, from 5 columns of a.csv`, or nothing."""
        return ""

    def steps(self, document: RunDocument, figures: Mapping[str, str]) -> list[Advice]:
        """What to do next, beyond what the gate's verdict asks for."""
        return []

    def cautions(self, document: RunDocument) -> list[Advice]:
        """What to beware of."""
        return []

    def decisions(self, document: RunDocument) -> list[str]:
        """How the model decides what it predicts."""
        return []

    def promises(self, document: RunDocument) -> Sequence[object]:
        """The lines of the table of promised probabilities."""
        return []

    def brief(self, document: RunDocument) -> list[str]:
        """Lines for the terminal, beside the scores."""
        return []

    def tracked(self, document: RunDocument) -> Mapping[str, Tracked]:
        """What goes to MLflow beside the scores; a value may have an interval."""
        return {}

    def compared(self, document: RunDocument, score: str) -> str:
        """What the gate compared. `score`: the label of the main score."""
        return score


def with_interval(facts: Measured) -> Mapping[str, float | None]:
    return {"value": facts.value, "low": facts.low, "high": facts.high}


@cache
def words_of(problem: str) -> Words:
    """Those of this kind of question; none of one that is not known here any more."""
    known = all_problems().get(problem)
    if known is None or known.words is None:
        return Words()
    module, _, name = known.words.partition(":")
    found: type[Words] = getattr(importlib.import_module(module), name)
    return found()
