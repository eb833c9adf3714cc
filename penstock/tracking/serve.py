"""MLflow's server behind our guard: `mlflow server` itself cannot be told to refuse pages of other local ports.

What MLflow is to serve stands in its own variables, as addresses of databases may hold passwords.
"""

from __future__ import annotations

import argparse
import os
import secrets
from collections.abc import Sequence
from pathlib import Path

import uvicorn

from penstock.servers.guard import App, Guard, origins, own_hosts
from penstock.settings import Settings

ASSISTANT = "/ajax-api/3.0/mlflow/assistant"  # it runs programs on this machine


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(prog="python -m penstock.tracking.serve", description=__doc__)
    parser.add_argument("--home", type=Path, required=True)
    parser.add_argument("--host", required=True)
    parser.add_argument("--port", type=int, required=True)
    parser.add_argument("--basic-auth", action="store_true", help="ask for the users of MLFLOW_AUTH_CONFIG_PATH")
    asked = parser.parse_args(arguments)
    hosts, public = own_hosts(asked.host, asked.port), Settings.from_environment().public_hosts
    os.environ["MLFLOW_SERVER_ALLOWED_HOSTS"] = ",".join([*hosts, *public])
    os.environ["MLFLOW_SERVER_CORS_ALLOWED_ORIGINS"] = ",".join(origins(hosts, public))
    os.environ["MLFLOW_SERVER_DISABLE_SECURITY_MIDDLEWARE"] = "false"
    app = Guard(_application(basic_auth=asked.basic_auth), hosts, public, closed=(ASSISTANT,))
    uvicorn.run(app, host=asked.host, port=asked.port, log_level="warning", timeout_graceful_shutdown=3)


def _application(*, basic_auth: bool) -> App:
    """What `mlflow server` serves, set up as it does that."""
    from mlflow.environment_variables import _MLFLOW_IN_JOB_EXECUTOR, _MLFLOW_SERVER_BOOT_ID, _MLFLOW_SGI_NAME
    from mlflow.server import constants
    from mlflow.server.handlers import initialize_backend_stores
    from mlflow.utils.server_cli_utils import resolve_default_artifact_root

    database = os.environ["MLFLOW_BACKEND_STORE_URI"]
    root = resolve_default_artifact_root(True, os.environ.get("MLFLOW_DEFAULT_ARTIFACT_ROOT"), database)
    os.environ |= {
        constants.BACKEND_STORE_URI_ENV_VAR: database,
        constants.REGISTRY_STORE_URI_ENV_VAR: database,
        constants.ARTIFACT_ROOT_ENV_VAR: root,
        constants.ARTIFACTS_DESTINATION_ENV_VAR: os.environ.get("MLFLOW_ARTIFACTS_DESTINATION", "./mlartifacts"),
        constants.SERVE_ARTIFACTS_ENV_VAR: "true",
        _MLFLOW_SGI_NAME.name: "uvicorn",
        _MLFLOW_SERVER_BOOT_ID.name: secrets.token_hex(16),
        _MLFLOW_IN_JOB_EXECUTOR.name: "false",
    }
    initialize_backend_stores(database, database, root)
    if basic_auth:
        from mlflow.server.auth import create_app

        protected: App = create_app()
        return protected
    from mlflow.server.fastapi_app import app

    open_to_all: App = app
    return open_to_all


if __name__ == "__main__":
    main()
