"""What each kind of error costs, as a matrix."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from penstock.components.evaluation.functions import cost_matrix
from penstock.components.schema.casting import text_of
from penstock.components.schema.columns import Label
from penstock.errors import UsageError, did_you_mean, examples

KINDS = ("false_positive", "false_negative")
WHERE = "decision.costs"

Costs = Mapping[str, float | Mapping[str, float]]


def costs_by_class(costs: Costs, classes: Sequence[Label]) -> list[list[float]]:
    """True classes in rows, answers in columns. Errors that are not named cost 1, right predictions nothing."""
    words = [text_of(label) for label in classes]
    matrix: list[list[float]] = cost_matrix((), len(words)).tolist()
    for true, answer, cost in _named(costs, words):
        row, column = (_code(word, words, f"{WHERE}.{true}") for word in (true, answer))
        if row == column:
            raise no_error(true)
        matrix[row][column] = float(cost)
    return matrix


def _named(costs: Costs, words: list[str]) -> list[tuple[str, str, float]]:
    """Each cost with what is true and what was answered."""
    found = []
    for key, cost in costs.items():
        if isinstance(cost, Mapping):
            found += [(key, answer, one) for answer, one in cost.items()]
        elif key in KINDS and len(words) == 2:
            found.append((words[KINDS.index(key)], words[1 - KINDS.index(key)], cost))
        else:
            raise one_sided(key, cost, words)
    return found


def no_error(label: str, where: str = WHERE) -> UsageError:
    return UsageError(
        "PEN030",
        f"'{label}' answered as '{label}' is right, and costs nothing",
        where=f"{where}.{label}",
        remedy="leave it out: only errors have a cost",
    )


def one_sided(key: str, cost: float, words: Sequence[str], where: str = WHERE) -> UsageError:
    what = f"the cost of '{key}' is a number, but an error has two sides: what is true and what was answered"
    if key in KINDS:
        what = f"a {key.replace('_', ' ')} is an error between two classes, and the target has {len(words)}"
    return UsageError(
        "PEN030",
        what,
        where=f"{where}.{key}",
        remedy=f"write `{words[0]}: {{{words[1]}: {cost:g}}}` where {words[0]} answered as {words[1]} costs {cost:g}",
    )


def _code(word: str, words: list[str], where: str) -> int:
    if word not in words:
        quoted = "; YAML reads a bare yes, no, on or off as true or false: put it into quotes"
        raise UsageError(
            "PEN030",
            f"'{word}' is not a class of the target; the classes are {examples(words)}",
            where=where,
            remedy=did_you_mean(word, words) + (quoted if word in ("True", "False") else ""),
        )
    return words.index(word)
