"""The box that holds most rows."""

from __future__ import annotations

from penstock.problems.selection import Compared, Selected, SelectInput, SelectionEvidence, Winner


def select(given: SelectInput) -> Selected:
    compared = [Compared(candidate=one.candidate, score=one.folds[0].score) for one in given.fits]
    compared.sort(key=lambda one: -(one.score or 0))
    best = compared[0].candidate
    winner = Winner(name=best.name, parameters=best.parameters, component=given.settings.components[best.name])
    return Selected(winner, SelectionEvidence(number=best.number, metric="held", compared=compared))
