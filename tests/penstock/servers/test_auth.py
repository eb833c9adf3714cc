from __future__ import annotations

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from penstock.servers.auth import auth_file, home_auth, new_home_auth


def test_it_is_made_once_for_its_owner_alone(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        made = home_auth(tmp_path)
    finally:
        os.umask(before)
    assert home_auth(tmp_path) == made == auth_file(tmp_path).read_text()
    assert stat.S_IMODE(auth_file(tmp_path).stat().st_mode) == 0o600
    assert len(made.partition(":")[2]) >= 40
    assert [path.name for path in auth_file(tmp_path).parent.iterdir()] == ["password"]


def test_many_at_once_get_the_same(tmp_path: Path) -> None:
    with ThreadPoolExecutor(8) as threads:
        assert len(set(threads.map(home_auth, [tmp_path] * 32))) == 1


def test_another_one_takes_its_place(tmp_path: Path) -> None:
    old = home_auth(tmp_path)
    new = new_home_auth(tmp_path)
    assert old != new == home_auth(tmp_path)


@pytest.mark.parametrize("text", ["", "penstock:", "penstock:short", "other:" + "a" * 43, "penstock:" + "é" * 43])
def test_what_is_no_password_of_ours_is_replaced(tmp_path: Path, text: str) -> None:
    file = auth_file(tmp_path)
    file.parent.mkdir()
    file.write_text(text)
    file.chmod(0o600)
    assert home_auth(tmp_path) == file.read_text() != text


def test_what_others_could_read_is_replaced(tmp_path: Path) -> None:
    old = home_auth(tmp_path)
    auth_file(tmp_path).chmod(0o644)
    assert home_auth(tmp_path) != old
    assert stat.S_IMODE(auth_file(tmp_path).stat().st_mode) == 0o600


def test_a_link_is_not_followed(tmp_path: Path) -> None:
    file, elsewhere = auth_file(tmp_path / "home"), tmp_path / "elsewhere"
    known = home_auth(tmp_path / "other")
    elsewhere.write_text(known)
    elsewhere.chmod(0o600)
    file.parent.mkdir(parents=True)
    file.symlink_to(elsewhere)
    assert home_auth(tmp_path / "home") != known
    assert not file.is_symlink()
    assert elsewhere.read_text() == known


def test_a_pipe_in_its_place_keeps_nobody_waiting(tmp_path: Path) -> None:
    auth_file(tmp_path).parent.mkdir()
    os.mkfifo(auth_file(tmp_path))
    assert home_auth(tmp_path) == auth_file(tmp_path).read_text()
