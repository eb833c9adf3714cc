"""PostgreSQL behind both servers: one address, and the databases `prefect` and `mlflow` on it."""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from penstock.errors import EnvironmentFault, UsageError, shorten

SETTING = "PENSTOCK_DATABASE"
DRIVERS = {"prefect": "asyncpg", "mlflow": "psycopg2"}


def require_postgresql(address: str) -> str:
    """The address as given, which is never shown: it may hold a password."""
    if urlsplit(address).scheme not in ("postgresql", "postgres"):
        raise UsageError(
            "PEN052",
            "this is no address of a PostgreSQL server",
            where=SETTING,
            remedy=f"write it like {SETTING}=postgresql://user:password@host:5432, or unset it: SQLite needs nothing",
        )
    return address


def database_uri(address: str, name: str) -> str:
    """Where `prefect` or `mlflow` keeps its tables: the same server, with the driver that this library wants."""
    parts = urlsplit(address)
    query = parse_qsl(parts.query)
    if DRIVERS[name] == "asyncpg":  # calls it otherwise than every other driver
        query = [("ssl" if key == "sslmode" else key, value) for key, value in query]
    scheme = f"postgresql+{DRIVERS[name]}"
    made = urlunsplit((scheme, parts.netloc, f"/{name}", urlencode(query, safe="/"), ""))
    return made if parts.netloc else made.replace(":/", ":///", 1)  # a Unix socket has no host


def make_databases(address: str) -> None:
    """Both databases, where they are missing."""
    for name in DRIVERS:
        try:
            _make(address, name)
        except ImportError as error:
            raise EnvironmentFault(
                "PEN914",
                f"a driver for PostgreSQL is not installed: {error.name}",
                where=SETTING,
                remedy="pip install 'penstock[postgres]'",
            ) from None


def look(address: str, name: str) -> str | None:
    """What keeps the database from being opened, if anything does."""
    from sqlalchemy import create_engine, make_url
    from sqlalchemy.exc import SQLAlchemyError
    from sqlalchemy.pool import NullPool

    url = make_url(database_uri(address, "mlflow")).set(database=name)
    try:
        create_engine(url, poolclass=NullPool).connect().close()
    except ImportError as error:
        return f"{error}; pip install 'penstock[postgres]'"
    except SQLAlchemyError as error:
        return _reason(error, url.password)
    return None


def _make(address: str, name: str) -> None:
    import asyncpg  # type: ignore[import-untyped]  # noqa: F401  missing drivers are told before a server is started
    from sqlalchemy import create_engine, make_url, text
    from sqlalchemy.exc import OperationalError, SQLAlchemyError
    from sqlalchemy.pool import NullPool

    own = make_url(database_uri(address, "mlflow")).set(database=name)
    try:
        try:
            create_engine(own, poolclass=NullPool).connect().close()
            return
        except OperationalError as error:
            if "does not exist" not in str(error):
                raise
        first = own.set(database=urlsplit(address).path.strip("/") or "postgres")
        with create_engine(first, poolclass=NullPool, isolation_level="AUTOCOMMIT").connect() as connection:
            # Of many that begin at once, one makes it.
            connection.execute(text("select pg_advisory_lock(hashtext(:name))"), {"name": name})
            if not connection.execute(text("select 1 from pg_database where datname = :name"), {"name": name}).first():
                connection.execute(text(f'create database "{name}"'))
    except SQLAlchemyError as error:
        raise EnvironmentFault(
            "PEN915",
            f"the database '{name}' cannot be opened: {_reason(error, own.password)}",
            where=SETTING,
            remedy=f"see that PostgreSQL runs, that {SETTING} is right, and that this user may create databases; or "
            "have `prefect` and `mlflow` created for it",
        ) from None


def _reason(error: Exception, password: str | None) -> str:
    words = str(getattr(error, "orig", None) or error).strip().splitlines()
    told = " ".join(word.strip() for word in words if word.strip())
    return shorten(told.replace(password, "***") if password else told, 300)
