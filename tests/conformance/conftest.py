"""The kinds of question that the suite runs over, each with a home in which its example has run once."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.conformance.examples import EXAMPLES
from tests.conformance.projects import Done
from tests.conformance.shortfalls import SHORTFALLS
from tests.kinds.installing import installed as installing


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        called = getattr(item, "callspec", None)
        kind = called.params.get("kind") if called and Path(__file__).parent in item.path.parents else None
        for short in SHORTFALLS.get(str(kind), ()):
            if item.name.partition("[")[0] in short.tests:
                item.add_marker(pytest.mark.xfail(strict=True, reason=short.reason))


@pytest.fixture(scope="session", params=EXAMPLES)
def kind(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with installing():
        yield


@pytest.fixture(scope="session")
def finished(kind: str, tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Done:
    with installing():
        return Done(tmp_path_factory.mktemp(kind), kind, EXAMPLES[kind], migrated_database)


@pytest.fixture
def done(finished: Done, installed: None) -> Iterator[Done]:
    with finished.at_home():
        yield finished
