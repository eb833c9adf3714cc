"""Every figure has a place on the page."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from penstock import reporting
from penstock.problems import names
from penstock.problems.words import words_of
from penstock.reporting.render import PLACES

SHOWN = {
    place
    for file in Path(reporting.__path__[0]).rglob("*.j2")
    for place in re.findall(r"figures\.(\w+)", file.read_text(encoding="utf-8"))
}


@pytest.mark.parametrize("problem", names())
def test_a_figure_stands_in_a_section_that_shows_it(problem: str) -> None:
    assert {place for place in {**PLACES, **words_of(problem).places}.values() if place not in SHOWN} == set()
