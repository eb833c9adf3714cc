"""The examples that no other test runs give the frozen numbers."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.settings import Settings
from tests.frozen import runs


@pytest.mark.slow
@pytest.mark.parametrize("name", ["churn", "segments", "fewer-columns", "rare-rows"])
def test_the_numbers_are_the_frozen_ones(name: str, home: Path) -> None:
    Settings.from_environment().apply()
    runs.compare(name, runs.run(name))
