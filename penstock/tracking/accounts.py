"""Who may use an MLflow server that other machines can reach."""

from __future__ import annotations

import warnings
from pathlib import Path

CONFIG = """[mlflow]
default_permission = MANAGE
database_uri = sqlite:///{database}
admin_username = {user}
authorization_function = mlflow.server.auth:authenticate_request_basic_auth
auth_cache_ttl_seconds = 60
"""  # a model is hundreds of small files: to hash the password for each would take most of the time


def set_password(home: Path, user: str, password: str) -> Path:
    """The configuration of MLflow's basic authentication, after this user got this password.

    MLflow reads a password once, when it makes the account: a new one in the settings would not count.
    """
    config = home / "mlflow-auth.ini"
    database = home / "mlflow-auth.db"
    home.mkdir(parents=True, exist_ok=True)
    config.write_text(CONFIG.format(database=database, user=user), encoding="utf-8")
    database.touch(mode=0o600)
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", message="starlette.middleware.wsgi is deprecated")
        warnings.filterwarnings("ignore", message="No path_separator found in configuration")
        from mlflow.server.auth.sqlalchemy_store import SqlAlchemyStore

        store = SqlAlchemyStore()
        store.init_db(f"sqlite:///{database}")
    if store.has_user(user):
        store.update_user(user, password=password, is_admin=True)
    else:
        store.create_user(user, password, is_admin=True)
    store.engine.dispose()
    return config
