"""The pipeline file, read and checked once a process, however many functions need it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from penstock.spec.pipeline import Spec


class _Checked(NamedTuple):
    pipeline: str
    overrides: tuple[str, ...]
    spec: Spec


_handed_over: ContextVar[_Checked | None] = ContextVar("handed over", default=None)


def load_checked_spec(path: str, overrides: Sequence[str] | None = None) -> Spec:
    from penstock.spec.checks import check_spec  # they know scikit-learn, and not every command has a file
    from penstock.spec.reading import load_spec

    spec = load_spec(path, list(overrides or ()))
    check_spec(spec, path)
    return spec


def checked_spec(path: str, overrides: Sequence[str] | None = None) -> Spec:
    """The spec that the caller has checked already, else the file's: a deployment begins with its flow."""
    handed = _handed_over.get()
    if handed and (handed.pipeline, handed.overrides) == (path, tuple(overrides or ())):
        return handed.spec
    return load_checked_spec(path, overrides)


@contextmanager
def handed_over(spec: Spec, path: str, overrides: Sequence[str] | None = None) -> Iterator[None]:
    """Whoever asks for this file while the body runs gets this spec, whatever becomes of the file meanwhile."""
    token = _handed_over.set(_Checked(path, tuple(overrides or ()), spec))
    try:
        yield
    finally:
        _handed_over.reset(token)
