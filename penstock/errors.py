"""Errors for people: what is wrong, where, what to do; a stable code; an exit status for scripts."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePath

MAX_EXAMPLES = 5
MAX_CHARACTERS = 500
MIN_LETTERS = 4


class PenstockError(Exception):
    """Something a person can put right. Anything else that escapes is a bug (exit status 1)."""

    exit_status = 1

    def __init__(self, code: str, what: str, *, where: str = "", remedy: str) -> None:
        self.code = code
        self.what = shorten(what)
        self.where = shorten(where)
        self.remedy = remedy
        super().__init__(code, what, where, remedy)

    def __str__(self) -> str:
        place = f"\n  where: {self.where}" if self.where else ""
        return f"{self.code}: {self.what}{place}\n  try:   {self.remedy}"

    def parts(self) -> dict[str, str]:
        """What another process needs to raise the same error."""
        return {
            "kind": type(self).__name__,
            "code": self.code,
            "what": self.what,
            "where": self.where,
            "remedy": self.remedy,
        }

    @staticmethod
    def from_parts(parts: dict[str, str]) -> PenstockError:
        kind = next((kind for kind in _kinds(PenstockError) if kind.__name__ == parts["kind"]), PenstockError)
        return kind(parts["code"], parts["what"], where=parts["where"], remedy=parts["remedy"])

    def __reduce__(self) -> tuple[object, ...]:
        return (PenstockError.from_parts, (self.parts(),))


def _kinds(kind: type[PenstockError]) -> Iterator[type[PenstockError]]:
    for below in kind.__subclasses__():
        yield below
        yield from _kinds(below)


class UsageError(PenstockError):
    """The command line or the pipeline file is wrong (PEN0xx)."""

    exit_status = 2


class DataError(PenstockError):
    """The data cannot be used, or failed its checks (PEN1xx, PEN2xx)."""

    exit_status = 3


class ClusteringError(DataError, ValueError):
    """These rows cannot be clustered as asked (PEN33x). A ValueError too, as scikit-learn's conventions ask."""


class NoCandidateError(PenstockError):
    """No candidate survived the search (PEN3xx)."""

    exit_status = 4


class DivergedError(NoCandidateError, ValueError):
    """Training went astray (PEN316). A ValueError too, as scikit-learn's conventions ask."""


class NotPromotedError(PenstockError):
    """The gate did not promote, and the caller required it (PEN4xx)."""

    exit_status = 5


class ModelError(PenstockError):
    """A model file or registry entry cannot be used (PEN5xx)."""

    exit_status = 2


class DriftError(PenstockError):
    """Recent rows have drifted, and the caller required that they have not (PEN6xx)."""

    exit_status = 7


class EnvironmentFault(PenstockError):
    """The machine or a server failed: disk full, no permission, no answer (PEN9xx)."""

    exit_status = 6


def shorten(text: str, most: int = MAX_CHARACTERS) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def examples(values: Iterable[object], most: int = MAX_EXAMPLES) -> str:
    """`'a', 'b', 'c' and 4 more`."""
    shown = [shorten(repr(value), 60) for value in values]
    rest = len(shown) - most
    return ", ".join(shown[:most]) + (f" and {rest} more" if rest > 0 else "")


def did_you_mean(word: str, known: Sequence[str]) -> str:
    """A remedy for a name that does not exist: the nearest one, or those of which a part is near."""
    close = difflib.get_close_matches(word, known, n=1, cutoff=0.6)
    if close:
        return f"did you mean '{close[0]}'?"
    parts = {name: [part for part in re.split(r"[-_ .]", name) if len(part) >= MIN_LETTERS] for name in known}
    partly = [name for name, found in parts.items() if difflib.get_close_matches(word, found, n=1, cutoff=0.8)]
    if partly:
        return f"did you mean {' or '.join(map(repr, sorted(partly)[:MAX_EXAMPLES]))}?"
    return f"choose one of: {', '.join(sorted(known))}" if known else "there is nothing to choose from"


def did_you_mean_file(path: str, known: Sequence[str]) -> str:
    """The same for files of one folder; an ending that both have makes no two names alike."""
    stems = {PurePath(name).name.partition(".")[0]: name for name in known}
    close = difflib.get_close_matches(PurePath(path).name.partition(".")[0], list(stems), n=1, cutoff=0.6)
    return f"did you mean '{stems[close[0]]}'?" if close else f"choose one of: {', '.join(sorted(known))}"
