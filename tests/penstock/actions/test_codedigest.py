from __future__ import annotations

import json
import os
from pathlib import Path

import pytest

from penstock.actions import codedigest
from penstock.actions.codedigest import KEPT, LEFT_OUT, code_digests, files_of
from penstock.store import Store


def forget() -> None:
    """Begin anew, as a new process would."""
    for known in (codedigest._digests, codedigest._file_of, codedigest._folders, codedigest._kept):
        known.cache_clear()


@pytest.fixture
def store(tmp_path: Path) -> Store:
    return Store(tmp_path / "store")


def digests(module: str, store: Store) -> dict[str, str]:
    forget()
    return code_digests((module,), store)


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "penstock"
    folder.mkdir()
    monkeypatch.setattr(codedigest, "PACKAGE", folder)
    (folder / "lamp_shop.py").write_text("from penstock.part import helper\nfrom penstock import other\n")
    (folder / "part.py").write_text("import os\n\n\ndef helper():\n    return 1\n")
    (folder / "unrelated.py").write_text("x = 1\n")
    return folder


@pytest.fixture(autouse=True)
def forgotten() -> object:
    yield
    forget()


def test_the_closure_follows_imports_and_leaves_out_the_rest(package: Path, store: Store) -> None:
    assert set(digests("penstock.lamp_shop", store)) == {"penstock.lamp_shop", "penstock.part"}


def test_a_changed_helper_is_seen_and_a_changed_comment_is_not(package: Path, store: Store) -> None:
    before = digests("penstock.lamp_shop", store)
    (package / "part.py").write_text("import os\n\n\n# why\ndef helper():\n    return 1\n")
    assert digests("penstock.lamp_shop", store) == before
    (package / "part.py").write_text("import os\n\n\ndef helper():\n    return 2\n")
    after = digests("penstock.lamp_shop", store)
    assert after["penstock.part"] != before["penstock.part"]
    assert after["penstock.lamp_shop"] == before["penstock.lamp_shop"]


def test_packages_relative_imports_and_those_for_the_types_alone(package: Path, store: Store) -> None:
    (package / "room").mkdir()
    (package / "room" / "__init__.py").write_text("from ..part import helper\n")
    (package / "room" / "table.py").write_text(
        "from typing import TYPE_CHECKING\nfrom . import chair\n"
        "if TYPE_CHECKING:\n    from penstock.unrelated import x\nelse:\n    from penstock.lamp_shop import helper\n"
    )
    (package / "room" / "chair.py").write_text("def sit():\n    from .lamp import on\n")
    (package / "room" / "lamp.py").write_text("")
    inside = {f"penstock.room{name}" for name in ("", ".table", ".chair", ".lamp")}
    assert set(digests("penstock.room.table", store)) == {*inside, "penstock.part", "penstock.lamp_shop"}


def test_a_file_that_changes_within_its_time_stamp_is_read_again(package: Path, store: Store) -> None:
    file = package / "part.py"
    before = digests("penstock.part", store)
    times = (file.stat().st_atime_ns, file.stat().st_mtime_ns)
    file.write_text(file.read_text().replace("1", "2"))
    os.utime(file, ns=times)
    assert digests("penstock.part", store) != before


def test_what_was_read_is_kept_and_only_that_is_believed(
    package: Path, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digests("penstock.lamp_shop", store)
    read: list[bytes] = []
    monkeypatch.setattr(codedigest, "_read", lambda content, package: read.append(content))
    assert digests("penstock.lamp_shop", store) == before
    assert not read
    monkeypatch.undo()
    monkeypatch.setattr(codedigest, "PACKAGE", package)
    for damage in ("{", "[]", '{"a": 1}', json.dumps({"a": ["b"]})):
        (store.root / KEPT).write_text(damage)
        assert digests("penstock.lamp_shop", store) == before


def test_the_files_of_a_module_are_all_that_it_needs(store: Store) -> None:
    files = files_of(("penstock.components.schema.columns",))
    assert {"penstock", "penstock.components", "penstock.components.schema", "penstock.errors"} <= set(files)
    assert all(path.is_file() for path in files.values())
    assert "penstock.errors" not in code_digests(("penstock.components.schema.columns",), store)


def test_what_is_left_out_is_there_and_has_a_reason(store: Store) -> None:
    for name, reason in LEFT_OUT.items():
        assert files_of((name,))[name]
        assert reason


def test_a_new_method_in_the_catalogue_changes_no_stage(store: Store) -> None:
    """Families are found at run time, so no stage's code depends on them."""
    for module in ("penstock.tasks.fit", "penstock.tasks.train", "penstock.problems.rows.supervised.fit"):
        assert not [name for name in code_digests((module,), store) if name.endswith(".catalog")]
