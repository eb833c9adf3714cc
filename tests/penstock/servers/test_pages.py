from __future__ import annotations

import socket
from pathlib import Path

import pytest

from penstock.errors import EnvironmentFault, UsageError
from penstock.servers.pages import FIRST_PORT, MlflowServer, _free_port, _runs_page
from penstock.settings import Settings
from penstock.tracking import Tracking
from tests.conftest import Cli


def test_a_port_that_is_taken_is_passed_over_unless_it_was_asked_for() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(EnvironmentFault) as caught:
            _free_port(port)
    assert caught.value.code == "PEN911"
    assert str(port) in caught.value.what
    assert "leave --port out" in caught.value.remedy
    assert _free_port(port) == port
    assert FIRST_PORT <= _free_port(None) < FIRST_PORT + 100


def test_the_page_of_runs_is_that_of_the_newest_run_or_of_the_named_pipeline(home: Path) -> None:
    tracking = Tracking(f"sqlite:///{home / 'mlflow.db'}", home / "artifacts")
    assert _runs_page(tracking, None) == "#/experiments"
    for name in ("churn", "sales"):
        tracking.end_run(tracking.start_run(name, f"{name}-1", {"penstock.run": f"{name}-1"}), "FINISHED")
    ids = tracking.experiments()
    assert _runs_page(tracking, None).startswith(f"#/experiments/{ids['sales']}/runs")
    assert _runs_page(tracking, "churn").startswith(f"#/experiments/{ids['churn']}/runs")
    with pytest.raises(UsageError) as caught:
        _runs_page(tracking, "chrun")
    assert caught.value.code == "PEN040"
    assert "did you mean 'churn'" in caught.value.remedy


def test_runs_of_a_pipeline_that_never_ran(home: Path, cli: Cli) -> None:
    status, _, err = cli("runs", "chrun")
    assert (status, err) == (0, "no runs yet; start with: penstock run examples/churn/pipeline.yaml\n")
    tracking = Tracking(f"sqlite:///{home / 'mlflow.db'}", home / "artifacts")
    tracking.end_run(tracking.start_run("churn", "churn-1", {"penstock.run": "churn-1"}), "FINISHED")
    for more in ((), ("--json",)):
        status, out, err = cli("runs", "chrun", *more)
        assert status == 2
        assert "PEN040" in err + out
        assert "did you mean 'churn'?" in err + out
    status, out, _ = cli("runs", "churn")
    assert (status, "churn-1" in out) == (0, True)


def test_a_server_that_cannot_start_is_told_with_the_end_of_its_log(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "mlflow.py").write_text("raise RuntimeError('the cable is cut')")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    server = MlflowServer(Settings.from_environment())
    server.begin(None)
    with pytest.raises(EnvironmentFault) as caught:
        server.wait(own=True)
    server.end()
    assert caught.value.code == "PEN910"
    assert "the cable is cut" in caught.value.what
    assert "penstock doctor" in caught.value.remedy
