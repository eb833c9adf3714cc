"""Secrets that are planted where they belong, and then looked for everywhere else."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pandas as pd
import pytest
from sqlalchemy import create_engine

from penstock.servers.auth import auth_file
from penstock.servers.database import database_uri, make_databases
from penstock.settings import Credentials
from tests.conftest import SHARED_HOME, Cli
from tests.postgres import INITDB, Postgres
from tests.small import classification

PLANTED = "Gr4nite-Anem0ne"


@pytest.mark.slow
def test_a_planted_secret_is_found_nowhere(
    tmp_path: Path, served_home: Path, prefect_api: str, cli: Cli, monkeypatch: pytest.MonkeyPatch, postgres: Postgres
) -> None:
    make_databases(postgres.uri)
    with_password = postgres.uri.replace("postgres@", f"postgres:{PLANTED}@")
    pipeline = classification(
        tmp_path / "project", name="planted", data={"source": "env:SALES", "reading": {"query": "select * from sales"}}
    )
    engine = create_engine(database_uri(postgres.uri, "mlflow"))
    pd.read_csv(tmp_path / "project" / "data.csv").to_sql("sales", engine, index=False)
    engine.dispose()
    sales = database_uri(with_password, "mlflow")
    monkeypatch.setenv("SALES", sales)
    monkeypatch.setenv("PENSTOCK_DATABASE", with_password)
    monkeypatch.setenv("PENSTOCK_WEBHOOKS", f"team=http://127.0.0.1:9/hook/{PLANTED}")
    opens = os.environ["PREFECT_API_AUTH_STRING"]
    monkeypatch.setenv("PENSTOCK_AUTH", opens)

    for name in Credentials.from_text(opens).for_clients():  # which a run sets, and this test unsets
        monkeypatch.setenv(name, "")
        monkeypatch.delenv(name)

    from prefect.blocks.system import Secret
    from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

    with temporary_settings({PREFECT_API_URL: prefect_api, PREFECT_API_AUTH_STRING: opens}):
        Secret(value=sales).save("sales-url")
    said = []
    for change, expected in (
        ((), 0),
        (("--set", "data.source=secret:sales-url"), 0),
        (("--set", "data.source=secret:another"), 2),
    ):
        status, out, err = cli("run", pipeline, "--set", "notify=team", *change)
        assert status == expected, err
        said.append(out + err)
    query = ("--reading", "query=select * from sales")
    for command in (
        ("score", "planted@champion", "env:SALES", "env:SALES", "--table", "scores", *query),
        ("monitor", "planted", "env:SALES", *query),
    ):
        status, out, err = cli(*command)
        assert status == 0, err
        said.append(out + err)
    # No one listens there: the driver's own message is about the address.
    monkeypatch.setenv("SALES", f"postgresql+psycopg2://sales:{PLANTED}@127.0.0.1:9/sales?password={PLANTED}")
    status, out, err = cli("run", pipeline, "--set", "notify=team")
    assert (status, err[:6]) == (6, "PEN135")
    monkeypatch.setenv("SALES", f"postgresql+psycopg2://sales:{PLANTED}@127.0.0.1:port/sales")
    status, bad, worse = cli("run", pipeline)
    assert status == 2
    said += [out, err, bad, worse]

    dump = [str(Path(str(INITDB)).resolve().with_name("pg_dump")), f"--dbname={postgres.uri.replace('/?', '/mlflow?')}"]
    said.append(subprocess.check_output(dump, text=True))
    places = [*served_home.rglob("*"), *(tmp_path / "project").rglob("*"), *SHARED_HOME.rglob("*")]
    files = [path for path in places if path.is_file() and path != auth_file(SHARED_HOME)]
    said += [path.read_bytes().decode(errors="replace") for path in files]
    assert any("planted-" in words for words in said)
    assert len(said) > 50
    for secret in (PLANTED, opens.partition(":")[2]):
        assert [words[max(0, words.index(secret) - 200) :][:400] for words in said if secret in words] == []
    assert os.environ["PENSTOCK_AUTH"] == opens == auth_file(SHARED_HOME).read_text()
