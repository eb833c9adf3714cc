"""`penstock up`: Prefect's server, MLflow's server and a worker on this machine, looked after until Ctrl-C.

What dies is started again; what dies again and again ends all of it, with the end of its log. Other machines are let in
only when asked for, and then by name and password, or in so many words without.
"""

from __future__ import annotations

import os
import secrets
import signal
import socket
import sys
import time
from collections.abc import Callable

import psutil

from penstock.errors import EnvironmentFault, UsageError
from penstock.servers.auth import auth_file, home_auth, new_home_auth
from penstock.servers.database import make_databases
from penstock.servers.guard import EVERYWHERE, LOOPBACK, is_loopback, netloc
from penstock.servers.local import Board
from penstock.servers.pages import MLFLOW, ONLY_PAGES
from penstock.servers.service import Service
from penstock.settings import AUTH, TELEMETRY_OFF, WRITE_IN_BATCHES, Credentials, Settings

PREFECT = ("-m", "penstock.servers.prefect_server", "--home")

Tell = Callable[[str], None]


class Platform:
    """The two servers and the worker."""

    def __init__(
        self, settings: Settings, prefect_port: int, mlflow_port: int, pool: str, host: str, *, insecure: bool = False
    ) -> None:
        settings = settings.on_own_servers()
        self.settings, self.pool, self.host = settings, pool, host
        self.credentials = None if is_loopback(host) else admitted(settings.credentials, host, insecure=insecure)
        self.password = auth_file(settings.home) if is_loopback(host) and settings.credentials is None else None
        shown = socket.gethostname() if host in EVERYWHERE else host
        here = LOOPBACK if host in EVERYWHERE else host
        self.api = f"http://{netloc(shown, prefect_port)}/api"
        self.mlflow = f"http://{netloc(shown, mlflow_port)}"
        ours = {**WRITE_IN_BATCHES, **os.environ, **TELEMETRY_OFF, "PENSTOCK_HOME": str(settings.home)}
        ours |= {"PREFECT_HOME": str(settings.prefect), "PREFECT_API_URL": f"http://{netloc(here, prefect_port)}/api"}
        for name in ("PREFECT_API_KEY", "PREFECT_API_AUTH_STRING", "PREFECT_SERVER_API_AUTH_STRING"):
            ours.pop(name, None)  # of other servers
        python, home = sys.executable, str(settings.home)
        self.prefect_server = Service(
            "Prefect's server",
            [
                python,
                "-m",
                "penstock.servers.prefect_server",
                "--home",
                home,
                "--host",
                host,
                "--port",
                str(prefect_port),
            ],
            {**ours, "PREFECT_SERVER_DATABASE_CONNECTION_URL": settings.prefect_database},
            settings.logs / "prefect-server.log",
            here,
            prefect_port,
            "/api/health",
        )
        asking = ["--basic-auth"] if self.credentials else []
        self.mlflow_server = Service(
            "MLflow's server",
            [python, *MLFLOW, home, "--host", host, "--port", str(mlflow_port), *asking],
            {**ours, **self._mlflow_environment()},
            settings.logs / "mlflow-server.log",
            here,
            mlflow_port,
            "/health",
        )
        given = self.credentials.for_clients() if self.credentials else {}
        worker = [python, "-m", "prefect", "worker", "start", "--pool", pool, "--type", "process"]
        self.worker = Service(
            "the worker",
            [*worker, "--name", f"penstock-{os.getpid()}"],
            {**ours, **given, "MLFLOW_TRACKING_URI": f"http://{netloc(here, mlflow_port)}"},
            settings.logs / "worker.log",
        )
        self.services = [self.prefect_server, self.mlflow_server, self.worker]

    def start(self, tell: Tell) -> None:
        for service in self.services:
            if service.port:
                require_free(self.host, service.port, service.name)
        if self.settings.database:
            make_databases(self.settings.database)
        self._set_credentials()
        if self.credentials:
            from penstock.tracking.accounts import set_password

            config = set_password(self.settings.home, self.credentials.user, self.credentials.password)
            self.mlflow_server.environment["MLFLOW_AUTH_CONFIG_PATH"] = str(config)
        for service in (self.prefect_server, self.mlflow_server):
            tell(f"starting {service.name}")
            service.start()
        for service in (self.prefect_server, self.mlflow_server):
            service.wait()
        tell("starting the worker")
        self.worker.start()

    def look_after(self, tell: Tell) -> None:
        """Start again what has died, until interrupted."""
        while True:
            for service in self.services:
                if not service.is_alive():
                    service.died()
                    tell(f"{service.name} has ended; starting it again")
                    service.start()
                    service.wait()
            time.sleep(1)

    def end(self) -> None:
        """The worker first, which still has things to tell the servers."""
        for service in reversed(self.services):
            service.end()

    def _set_credentials(self) -> None:
        """What opens Prefect's server: the setting, else the home's own password, else nothing where that was said."""
        credentials = self.settings.credentials
        auth = home_auth(self.settings.home) if self.password else credentials.pair if credentials else None
        if auth:
            self.prefect_server.environment["PREFECT_SERVER_API_AUTH_STRING"] = auth
            self.worker.environment["PREFECT_API_AUTH_STRING"] = auth

    def _mlflow_environment(self) -> dict[str, str]:
        """Passwords are for the environment and not for the list of processes."""
        artifacts = (self.settings.home / "artifacts").as_uri()
        # Other machines reach the files of runs through the server only.
        place = "MLFLOW_DEFAULT_ARTIFACT_ROOT" if is_loopback(self.host) else "MLFLOW_ARTIFACTS_DESTINATION"
        environment = {**ONLY_PAGES, "MLFLOW_BACKEND_STORE_URI": self.settings.tracking_uri, place: artifacts}
        if self.credentials:
            environment["MLFLOW_FLASK_SERVER_SECRET_KEY"] = secrets.token_hex(32)
        return environment


def admitted(credentials: Credentials | None, host: str, *, insecure: bool) -> Credentials | None:
    """Who may come in from other machines: whoever knows the password, or, if that was said, anyone."""
    if credentials is None and not insecure:
        raise UsageError(
            "PEN053",
            f"at {host} other machines could read and start everything, and no password is set",
            where="--host",
            remedy=f"set {AUTH}=user:password (12 characters or more) in the environment of servers and clients, leave "
            "--host out, or say --insecure where the network itself keeps strangers away",
        )
    return credentials


def change_password(settings: Settings) -> None:
    """Another password for the servers of this home, none of which may hold the old one."""
    board = Board(settings)
    for record in (board.up(), board.record()):
        if record and record.is_alive():
            raise UsageError(
                "PEN066",
                f"a Prefect server of this home still asks for the old password (process {record.pid})",
                where="--new-password",
                remedy="end `penstock up`, `penstock ui` and runs of this home first",
            )
    new_home_auth(settings.home)


def run(platform: Platform, tell: Tell, ready: Callable[[], None]) -> None:
    """Until Ctrl-C, or an order to end."""
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.default_int_handler)
    try:
        platform.start(tell)
        ready()
        platform.look_after(tell)
    except KeyboardInterrupt:
        tell("stopping")
    finally:
        platform.end()


def require_free(host: str, port: int, name: str) -> None:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError:
            raise EnvironmentFault(
                "PEN911",
                f"port {port}, for {name}, is taken{_taker(port)}",
                where=host,
                remedy="end that program, or give other ports: --prefect-port, --mlflow-port",
            ) from None


def _taker(port: int) -> str:
    try:
        for connection in psutil.net_connections("tcp"):
            if connection.laddr and connection.laddr[1] == port and connection.status == "LISTEN" and connection.pid:
                return f" by {psutil.Process(connection.pid).name()} (process {connection.pid})"
    except psutil.Error:
        pass  # not ours to know
    return ""
