"""Further tables, and the column that names the unit: what the pipeline file alone shows to be wrong."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from penstock.errors import UsageError
from penstock.spec.checks.tables import check_tables, check_unit
from penstock.spec.data import FurtherTable
from penstock.spec.pipeline import Spec
from penstock.spec.reading import load_spec
from tests.kinds.installing import installed as installing

USERS = {"users": "users.csv"}


@pytest.fixture(autouse=True)
def installed() -> Iterator[None]:
    with installing():
        yield


def spec(problem: str = "baskets", **data: Any) -> Spec:
    return Spec.model_validate({"name": "a", "problem": problem, "data": {"source": "bought.csv", **data}})


def test_a_table_is_named_in_a_word_or_described() -> None:
    short, long = spec(tables=USERS), spec(tables={"users": {"source": "users.csv", "columns": {"age": "numeric"}}})
    assert short.data.tables["users"] == FurtherTable(source="users.csv")
    assert long.data.sources == {"data.source": "bought.csv", "data.tables.users.source": "users.csv"}
    assert long.data.table("users").columns == {"age": "numeric"}


def test_what_the_kind_takes_is_sound() -> None:
    sound = spec(tables=USERS, group="user")
    check_tables(sound, "a.yaml")
    check_unit(sound, "a.yaml")


@pytest.mark.parametrize(
    ("found", "code", "where", "remedy"),
    [
        (spec("density", tables=USERS), "PEN094", "data.tables.users", "leave data.tables out"),
        (("usres",), "PEN094", "data.tables.usres", "users"),
        ((), "PEN095", "data.tables", "users.csv"),
    ],
)
def test_tables_that_do_not_fit(found: Any, code: str, where: str, remedy: str) -> None:
    asked = found if isinstance(found, Spec) else spec(tables={name: "a.csv" for name in found}, group="user")
    with pytest.raises(UsageError) as caught:
        check_tables(asked, "a.yaml")
    assert (caught.value.code, caught.value.exit_status, caught.value.where) == (code, 2, f"a.yaml: {where}")
    assert remedy in caught.value.remedy


def test_a_unit_that_is_not_a_row_is_named() -> None:
    with pytest.raises(UsageError) as caught:
        check_unit(spec(tables=USERS), "a.yaml")
    assert (caught.value.code, caught.value.where) == ("PEN096", "a.yaml: data.group")
    assert "data: {group: user}" in caught.value.remedy


@pytest.mark.parametrize("source", ["/etc/passwd", "../beyond.csv", "zip://a.csv::/abs.zip", "file:///etc/passwd"])
def test_a_further_table_lies_within_the_project_too(source: str, tmp_path: Path) -> None:
    file = tmp_path / "project" / "a.yaml"
    file.parent.mkdir()
    file.write_text(f"name: a\nproblem: baskets\ndata: {{source: a.csv, group: user, tables: {{users: '{source}'}}}}\n")
    with pytest.raises(UsageError) as caught:
        load_spec(file)
    assert caught.value.where.endswith("data.tables.users.source")
