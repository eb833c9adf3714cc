"""What a web page of somebody else can do to the servers that we start: nothing. Its owner's pages work."""

from __future__ import annotations

import http.client
import http.server
import shutil
import signal
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Browser, Page, Response, expect, sync_playwright
from prefect.client.orchestration import get_client
from prefect.settings import PREFECT_API_AUTH_STRING, PREFECT_API_URL, temporary_settings

from penstock.servers.auth import auth_file
from penstock.tracking import Tracking
from tests.asking import ask, found
from tests.e2e.test_report_page import CHROMIUM, QUIET, keep
from tests.e2e.test_schedule import up
from tests.e2e.test_ui import ui

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine; install the package `chromium`"),
]

STRANGER = "evil.example"
ATTACK = """async ({server, prefect}) => {
    const told = {};
    const attempt = async (name, what) => {
        try { told[name] = await what(); } catch (error) { told[name] = `no: ${error.name}`; }
    };
    const read = async (path, options) => {
        const answer = await fetch(server + path, options);
        if (answer.type === "opaque") return "no: opaque";
        return answer.ok ? `READ ${await answer.text()}` : `no: ${answer.status}`;
    };
    const post = (path, body, type, mode) => read(path, {
        method: "POST", mode, headers: {"content-type": type}, body: JSON.stringify(body),
    });
    const listen = (path, protocols) => new Promise((resolve) => {
        const socket = new WebSocket(server.replace("http", "ws") + path, protocols);
        socket.onopen = () => {
            socket.send(JSON.stringify({type: "auth", token: "guess"}));
            const resource = {"prefect.resource.id": "evil"};
            socket.send(JSON.stringify({event: "evil", resource, id: "00000000-0000-4000-8000-000000000000"}));
            resolve("OPENED");
        };
        socket.onclose = socket.onerror = () => resolve("no: closed");
    });
    const picture = (path) => new Promise((resolve) => {
        const script = document.createElement("script");
        script.onload = () => resolve("LOADED");
        script.onerror = () => resolve("no: error");
        script.src = server + path;
        document.head.append(script);
    });
    const json = "application/json", plain = "text/plain";
    const makes = prefect ? "/api/flows/" : "/api/2.0/mlflow/experiments/create";
    const lists = prefect ? "/api/flows/filter" : "/api/2.0/mlflow/experiments/search?max_results=9";
    await attempt("get", () => read(prefect ? "/api/admin/version" : lists));
    await attempt("get of a page", () => read("/"));
    await attempt("get of health", () => read(prefect ? "/api/health" : "/health"));
    await attempt("post of json", () => post(makes, {name: "evil"}, json));
    await attempt("post of text", () => post(makes, {name: "evil"}, plain));
    await attempt("simple post", () => post(makes, {name: "evil"}, plain, "no-cors"));
    await attempt("simple get", () => read(lists, {mode: "no-cors"}));
    await attempt("script", () => picture(prefect ? "/ui-settings" : "/version"));
    for (const path of ["/api/events/in", "/api/events/out", "/api/logs/out"]) {
        await attempt(`socket ${path}`, () => listen(path, ["prefect"]));
        await attempt(`bare socket ${path}`, () => listen(path));
    }
    if (!prefect) await attempt("assistant", () => read("/ajax-api/3.0/mlflow/assistant/config"));
    return told;
}"""


@dataclass(frozen=True)
class Servers:
    """What one command has started."""

    home: Path
    prefect: str
    mlflow: str

    @property
    def auth(self) -> tuple[str, str]:
        user, _, password = auth_file(self.home).read_text().partition(":")
        return user, password

    def made(self) -> dict[str, Any]:
        """What there is in both, by name."""
        kinds = ("flows", "deployments", "flow_runs")
        inside = {kind: [one["name"] for one in found(f"{self.prefect}/api", kind, self.auth)] for kind in kinds}
        events = ask(f"{self.prefect}/api/events/filter", {"filter": {"event": {"name": ["evil"]}}}, self.auth)
        return {**inside, "events": events["total"], "experiments": sorted(Tracking(self.mlflow).experiments())}


def filled(home: Path, migrated_database: Path) -> Path:
    home.mkdir()
    shutil.copy(migrated_database, home / "mlflow.db")
    tracking = Tracking(f"sqlite:///{home / 'mlflow.db'}", home / "artifacts")
    tracking.end_run(tracking.start_run("churn", "churn-1", {"penstock.run": "churn-1"}), "FINISHED")
    return home


@pytest.fixture(scope="module")
def started(tmp_path_factory: pytest.TempPathFactory, migrated_database: Path) -> Iterator[dict[str, Servers]]:
    """Both ways to start servers, at once; the Prefect of `penstock ui` is the one that runs share."""
    folder = tmp_path_factory.mktemp("pages")
    with up(filled(folder / "up", migrated_database)) as platform:
        pages = ui(filled(folder / "ui", migrated_database), "--no-browser")
        try:
            assert pages.stdout is not None
            mlflow, prefect = (pages.stdout.readline().split()[1] for _ in range(2))
            platform.wait_for(lambda: "export PREFECT_API_URL" in platform.log.read_text(), 120)
            yield {
                "up": Servers(folder / "up", platform.api.removesuffix("/api"), platform.tracking),
                "ui": Servers(folder / "ui", prefect.rstrip("/"), mlflow.partition("/#")[0]),
            }
        finally:
            pages.send_signal(signal.SIGINT)
            pages.communicate(timeout=60)


class Blank(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("content-type", "text/html")
        self.end_headers()
        self.wfile.write(b"<title>evil</title>")

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    """Where the page of somebody else is served."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), Blank) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        rules = f"--host-resolver-rules=MAP {STRANGER} 127.0.0.1"
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=[*QUIET, rules])
        yield launched
        launched.close()


def page_of(browser: Browser, address: str) -> tuple[Page, list[Response]]:
    page, answers = browser.new_page(), list[Response]()
    page.goto(address)
    page.on("response", lambda answer: answers.append(answer))
    return page, answers


@pytest.mark.parametrize(
    ("command", "name"), [("up", "127.0.0.1"), ("up", STRANGER), ("ui", "localhost"), ("ui", STRANGER)]
)
def test_a_page_of_somebody_else_reads_and_makes_nothing(
    started: dict[str, Servers], browser: Browser, port: int, command: str, name: str
) -> None:
    servers = started[command]
    before = servers.made()
    page, answers = page_of(browser, f"http://{name}:{port}/")
    for server, prefect in ((servers.prefect, True), (servers.mlflow, False)):
        told = page.evaluate(ATTACK, {"server": server, "prefect": prefect})
        assert len(told) >= 14
        assert {way: end for way, end in told.items() if not end.startswith("no: ")} == {}
    page.close()
    assert {answer.status for answer in answers if urlsplit(answer.url).port != port} == {403}
    assert servers.made() == before


@pytest.mark.parametrize("command", ["up", "ui"])
def test_a_name_that_was_made_to_lead_here_is_refused(
    started: dict[str, Servers], browser: Browser, command: str
) -> None:
    """The browser then takes the server for a part of the page's own site."""
    servers = started[command]
    before = servers.made()
    for server, prefect in ((servers.prefect, True), (servers.mlflow, False)):
        there = f"http://{STRANGER}:{urlsplit(server).port}"
        page, answers = page_of(browser, f"{there}/")
        told = page.evaluate(ATTACK, {"server": there, "prefect": prefect})
        assert {way: end for way, end in told.items() if not end.startswith("no: ")} == {}
        assert {answer.status for answer in answers} == {403}
        page.close()
        for host in (STRANGER, f"10.{STRANGER}", "127.0.0.1", "127.0.0.1:1", ""):
            connection = http.client.HTTPConnection("127.0.0.1", urlsplit(server).port or 0, timeout=30)
            connection.request("GET", "/api/health" if prefect else "/health", headers={"Host": host})
            assert connection.getresponse().status in (400, 403), host
            connection.close()
    assert servers.made() == before


@pytest.mark.parametrize(("command", "name"), [("up", "127.0.0.1"), ("ui", "localhost")])
def test_the_pages_work_for_their_owner(
    started: dict[str, Servers], browser: Browser, command: str, name: str, tmp_path: Path
) -> None:
    servers = started[command]
    auth = ":".join(servers.auth)
    known = {PREFECT_API_URL: f"{servers.prefect}/api", PREFECT_API_AUTH_STRING: auth}
    with temporary_settings(known), get_client(sync_client=True) as client:
        flow = client.create_flow_from_name("mine")
        client._client.post("/flow_runs/", json={"flow_id": str(flow), "name": "brave-heron"}).raise_for_status()

    page = browser.new_context(viewport={"width": 1400, "height": 1000}).new_page()
    page.set_default_timeout(60_000)
    page.goto(f"{servers.prefect.replace('127.0.0.1', name)}/runs")
    page.get_by_placeholder("admin:pass").fill(auth)
    page.get_by_role("button", name="Login").click()
    expect(page.get_by_text("brave-heron").first).to_be_visible()
    keep(page, tmp_path, f"{command}-prefect")

    experiment = Tracking(servers.mlflow).experiments()["churn"]
    page.goto(f"{servers.mlflow}/#/experiments/{experiment}/runs?workflowType=machine_learning")
    expect(page.get_by_text("churn-1").first).to_be_visible()
    keep(page, tmp_path, f"{command}-mlflow")
    page.context.close()
