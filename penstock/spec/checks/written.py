"""The written rules that a pipeline file names."""

from __future__ import annotations

from pathlib import Path

from penstock.sources.files import file_named
from penstock.spec.pipeline import Spec


def check_written(spec: Spec, path: str) -> None:
    if not spec.validation.written:
        return
    from penstock.expectations.written import read_suite  # only here Great Expectations is loaded

    read_suite(file_named(spec.validation.written, Path(path).resolve().parent))
