"""One address of a PostgreSQL server becomes the databases of both servers, and its password is never told."""

from __future__ import annotations

import threading

import pytest

from penstock.errors import EnvironmentFault, UsageError
from penstock.home.doctor import check_databases
from penstock.servers.database import database_uri, make_databases, require_postgresql
from penstock.settings import Settings
from tests.postgres import Postgres

PASSWORD = "hunter2-hunter2"


@pytest.mark.parametrize(
    ("address", "prefect", "mlflow"),
    [
        (
            "postgresql://team:pw@db:5433",
            "postgresql+asyncpg://team:pw@db:5433/prefect",
            "postgresql+psycopg2://team:pw@db:5433/mlflow",
        ),
        (
            "postgres://team@db/postgres?sslmode=require",
            "postgresql+asyncpg://team@db/prefect?ssl=require",
            "postgresql+psycopg2://team@db/mlflow?sslmode=require",
        ),
        (
            "postgresql:///?host=/run/postgresql",
            "postgresql+asyncpg:///prefect?host=/run/postgresql",
            "postgresql+psycopg2:///mlflow?host=/run/postgresql",
        ),
        (
            "postgresql://postgres:@/postgres?host=/tmp/pg-1",
            "postgresql+asyncpg://postgres:@/prefect?host=/tmp/pg-1",
            "postgresql+psycopg2://postgres:@/mlflow?host=/tmp/pg-1",
        ),
    ],
)
def test_one_address_names_both_databases(address: str, prefect: str, mlflow: str) -> None:
    assert database_uri(address, "prefect") == prefect
    assert database_uri(address, "mlflow") == mlflow


def test_what_is_no_postgresql_is_refused_without_being_shown() -> None:
    with pytest.raises(UsageError) as caught:
        require_postgresql(f"mysql://team:{PASSWORD}@db")
    assert caught.value.code == "PEN052"
    assert "postgresql://user:password@host" in caught.value.remedy
    assert PASSWORD not in str(caught.value)


def test_the_setting_takes_the_place_of_the_files_in_the_home(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("MLFLOW_TRACKING_URI", "PREFECT_API_URL"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("PENSTOCK_DATABASE", f"postgresql://team:{PASSWORD}@db")
    settings = Settings.from_environment()
    assert settings.tracking_uri == f"postgresql+psycopg2://team:{PASSWORD}@db/mlflow"
    assert settings.prefect_database == f"postgresql+asyncpg://team:{PASSWORD}@db/prefect"
    assert settings.artifact_root == settings.home / "artifacts"
    assert PASSWORD not in repr(settings)
    monkeypatch.setenv("MLFLOW_TRACKING_URI", "http://mlflow:5000")
    assert Settings.from_environment().tracking_uri == "http://mlflow:5000"
    assert "mlflow:5000" not in Settings.from_environment().on_own_servers().tracking_uri


def test_a_server_that_is_not_there_is_told_without_the_password() -> None:
    with pytest.raises(EnvironmentFault) as caught:
        make_databases(f"postgresql://team:{PASSWORD}@127.0.0.1:1")
    assert caught.value.code == "PEN915"
    assert "Connection refused" in caught.value.what
    assert PASSWORD not in str(caught.value)


def test_both_databases_are_made_once(postgres: Postgres) -> None:
    from sqlalchemy import create_engine, text

    make_databases(postgres.uri)
    make_databases(postgres.uri)
    engine = create_engine(database_uri(postgres.uri, "mlflow"))
    with engine.connect() as connection:
        names = {row[0] for row in connection.execute(text("select datname from pg_database"))}
    engine.dispose()
    assert {"prefect", "mlflow"} <= names


def test_the_doctor_looks_at_both(postgres: Postgres, monkeypatch: pytest.MonkeyPatch) -> None:
    make_databases(postgres.uri)
    monkeypatch.setenv("PENSTOCK_DATABASE", postgres.uri)
    found = list(check_databases(Settings.from_environment()))
    assert [(check.name, check.state) for check in found] == [("prefect database", "ok"), ("mlflow database", "ok")]
    monkeypatch.setenv("PENSTOCK_DATABASE", f"postgresql://team:{PASSWORD}@127.0.0.1:1")
    found = list(check_databases(Settings.from_environment()))
    assert {check.state for check in found} == {"fail"}
    assert PASSWORD not in str(found)


@pytest.mark.slow
def test_a_restart_of_the_database_loses_no_metric(postgres: Postgres) -> None:
    make_databases(postgres.uri)
    from penstock.tracking import Tracking

    tracking = Tracking(database_uri(postgres.uri, "mlflow"))
    run = tracking.start_run("restarted", "restarted-1", {"penstock.run": "restarted-1"})
    tracking.log(run, metrics={"before": 1.0})
    postgres.stop()
    back = threading.Timer(2.0, postgres.start)
    back.start()
    tracking.log(run, metrics={"during": 2.0})
    back.join()
    tracking.end_run(run, "FINISHED")
    (found,) = tracking.runs("restarted")
    assert (found["status"], found["metrics"]) == ("FINISHED", {"before": 1.0, "during": 2.0})
