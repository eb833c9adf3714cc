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
from ipaddress import ip_address

import psutil

from penstock.database import make_databases
from penstock.errors import EnvironmentFault, UsageError
from penstock.pages import ONLY_PAGES
from penstock.service import Service
from penstock.settings import AUTH, TELEMETRY_OFF, WRITE_IN_BATCHES, Credentials, Settings

LOOPBACK = "127.0.0.1"
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  recognised here, never a default

Tell = Callable[[str], None]


class Platform:
    """The two servers and the worker."""

    def __init__(
        self, settings: Settings, prefect_port: int, mlflow_port: int, pool: str, host: str, *, insecure: bool = False
    ) -> None:
        settings = settings.on_own_servers()
        self.settings, self.pool, self.host = settings, pool, host
        self.credentials = None if is_loopback(host) else admitted(settings.credentials, host, insecure=insecure)
        shown = socket.gethostname() if host in EVERYWHERE else host
        here = LOOPBACK if host in EVERYWHERE else host
        self.api, self.mlflow = f"http://{shown}:{prefect_port}/api", f"http://{shown}:{mlflow_port}"
        ours = {**WRITE_IN_BATCHES, **os.environ, **TELEMETRY_OFF, "PENSTOCK_HOME": str(settings.home)}
        ours |= {"PREFECT_HOME": str(settings.prefect), "PREFECT_API_URL": f"http://{here}:{prefect_port}/api"}
        python = sys.executable
        prefect = [python, "-m", "prefect"]
        self.prefect_server = Service(
            "Prefect's server",
            [*prefect, "server", "start", "--host", host, "--port", str(prefect_port)],
            {**ours, **self._prefect_environment()},
            settings.logs / "prefect-server.log",
            here,
            prefect_port,
            "/api/health",
        )
        app = ["--app-name", "basic-auth"] if self.credentials else []
        self.mlflow_server = Service(
            "MLflow's server",
            [python, "-m", "mlflow", "server", "--host", host, "--port", str(mlflow_port), "--workers", "1", *app],
            {**ours, **self._mlflow_environment()},
            settings.logs / "mlflow-server.log",
            here,
            mlflow_port,
            "/health",
        )
        let_in = self.credentials.for_clients() if self.credentials else {}
        self.worker = Service(
            "the worker",
            [*prefect, "worker", "start", "--pool", pool, "--type", "process", "--name", f"penstock-{os.getpid()}"],
            {**ours, **let_in, "MLFLOW_TRACKING_URI": f"http://{here}:{mlflow_port}"},
            settings.logs / "worker.log",
        )
        self.services = [self.prefect_server, self.mlflow_server, self.worker]

    def start(self, tell: Tell) -> None:
        for service in self.services:
            if service.port:
                require_free(self.host, service.port, service.name)
        if self.settings.database:
            make_databases(self.settings.database)
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

    def _prefect_environment(self) -> dict[str, str]:
        environment = {"PREFECT_SERVER_DATABASE_CONNECTION_URL": self.settings.prefect_database}
        if not is_loopback(self.host):
            environment["PREFECT_SERVER_UI_API_URL"] = self.api  # as a browser elsewhere sees it
        if self.credentials:
            environment["PREFECT_SERVER_API_AUTH_STRING"] = self.credentials.pair
        return environment

    def _mlflow_environment(self) -> dict[str, str]:
        """Passwords are for the environment and not for the list of processes."""
        artifacts = (self.settings.home / "artifacts").as_uri()
        # Other machines reach the files of runs through the server only.
        place = "MLFLOW_DEFAULT_ARTIFACT_ROOT" if is_loopback(self.host) else "MLFLOW_ARTIFACTS_DESTINATION"
        environment = {**ONLY_PAGES, "MLFLOW_BACKEND_STORE_URI": self.settings.tracking_uri, place: artifacts}
        if self.credentials:
            environment["MLFLOW_FLASK_SERVER_SECRET_KEY"] = secrets.token_hex(32)
        return environment


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


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
