"""A search of a kind of question, as the flows begin it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from penstock.components import search
from penstock.components.search import Search
from penstock.problems import find


def make_search(choices: Sequence[tuple[str, Mapping[str, Any]]], *, problem: str, **options: Any) -> Search:
    asked = find(problem)
    methods = choices or [(name, {}) for name in asked.candidates]
    return search.make_search(methods, problem=problem, kinds=asked.model_kinds, baseline=asked.baseline, **options)
