"""Installing the packages of this folder for a while, in this process and its workers."""

from __future__ import annotations

import importlib
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from penstock import plugins
from penstock.actions import codedigest
from penstock.components.catalog import entries
from penstock.executors.dask.remote import machine_facts
from penstock.problems import all_problems
from penstock.problems.predictions import predictions_of

FOLDERS = [str(info.parent) for info in sorted(Path(__file__).parent.glob("*/*.dist-info"))]


@contextmanager
def installed() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "path", [*FOLDERS, *sys.path])
        patch.setenv("PYTHONPATH", os.pathsep.join([*FOLDERS, os.environ.get("PYTHONPATH", "")]))
        _look_again()
        yield
    _look_again()


def _look_again() -> None:
    importlib.invalidate_caches()
    of_code = (plugins.releases, codedigest._file_of, codedigest._folders, machine_facts)
    for known in (all_problems, predictions_of, entries, *of_code):
        known.cache_clear()
