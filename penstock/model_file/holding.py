"""What a model file holds beside what skops itself trusts."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from penstock.model_file.container import Members, damaged
from penstock.plugins import releases


def types_in(file: Path) -> set[str]:
    from skops.io import get_untrusted_types  # the flow's process does without it otherwise

    with Members(file):  # it must be laid out as a model file is
        pass
    try:
        return set(get_untrusted_types(file=file))
    # What a damaged file makes the reader stumble over cannot be foretold more narrowly.
    except Exception as error:
        raise damaged(file, error) from error


def own_modules(types: Iterable[str]) -> tuple[str, ...]:
    """The modules of those types that are ours, or of a plug-in."""
    own = {"penstock", *releases()}
    return tuple(sorted({name.rpartition(".")[0] for name in types if name.partition(".")[0] in own}))
