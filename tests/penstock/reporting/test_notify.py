"""Who is told of a failure, and where: at addresses of the settings, and never further."""

from __future__ import annotations

from pathlib import Path

import pytest

from penstock.errors import UsageError
from penstock.reporting.notify import notify, require_known
from penstock.settings import Settings
from tests.conftest import Cli
from tests.listener import Listener
from tests.small import classification


@pytest.mark.slow
def test_a_failed_run_is_told(tmp_path: Path, served_home: Path, cli: Cli, listener: Listener) -> None:
    pipeline = classification(tmp_path / "project", name="unlucky", notify="team")
    (tmp_path / "project" / "data.csv").unlink()
    status, _, err = cli("run", pipeline)
    assert (status, err[:6]) == (2, "PEN101")
    ((path, told),) = listener.heard
    assert path == "/hook"
    assert told["event"] == "run-failed"
    assert told["pipeline"] == "unlucky"
    assert told["run"].startswith("unlucky-")
    assert "PEN101" in told["text"]


def test_a_redirection_is_not_followed_and_stops_nothing(listener: Listener) -> None:
    listener.status = 307
    notify(Settings.from_environment(), ["team"], "run-failed", "words", {})
    assert [path for path, _ in listener.heard] == ["/hook"]


def test_one_who_cannot_be_told_does_not_keep_it_from_the_others(
    listener: Listener, caplog: pytest.LogCaptureFixture
) -> None:
    notify(Settings.from_environment(), ["ops", "team"], "run-failed", "words", {"run": "x"})
    assert listener.heard == [("/hook", {"text": "words", "event": "run-failed", "run": "x"})]
    assert caplog.messages == ["'ops' could not be told: ConnectError"]


def test_only_names_of_the_settings_are_known(listener: Listener, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="did you mean 'team'") as caught:
        require_known(Settings.from_environment(), ["teem"])
    assert caught.value.code == "PEN057"
    assert listener.address not in str(caught.value)
    monkeypatch.delenv("PENSTOCK_WEBHOOKS")
    with pytest.raises(UsageError, match="set PENSTOCK_WEBHOOKS="):
        require_known(Settings.from_environment(), ["http://evil.example"])


def test_what_is_no_address_is_refused_without_being_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_WEBHOOKS", "team=ftp://key@example.com")
    with pytest.raises(UsageError) as caught:
        Settings.from_environment()
    assert caught.value.code == "PEN058"
    assert "key@" not in str(caught.value)
