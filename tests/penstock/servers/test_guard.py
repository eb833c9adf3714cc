from __future__ import annotations

import asyncio
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from penstock.servers.guard import Guard, Message, Receive, Scope, Send, is_loopback, netloc, origins, own_hosts

HERE = "127.0.0.1:4200"
CROSS = {"sec-fetch-site": "cross-site"}
LINK = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}


async def welcome(_: Scope, __: Receive, send: Send) -> None:
    await send({"type": "let in"})


def answer(headers: list[tuple[str, str]], path: str = "/", kind: str = "http", method: str = "GET") -> str:
    """How a request fares: `let in`, a status, or `closed` for a socket."""
    guard = Guard(welcome, own_hosts("127.0.0.1", 4200), ["ml.example.com"], closed=("/assistant",))
    raw = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "websocket.connect"}

    scope: dict[str, Any] = {"type": kind, "method": method, "path": path, "headers": raw}
    asyncio.run(guard(scope, receive, send))
    first = sent[0]
    return "closed" if first["type"] == "websocket.close" else str(first.get("status", first["type"]))


@pytest.mark.parametrize("host", [HERE, "localhost:4200", "LOCALHOST:4200", "[::1]:4200", "ml.example.com"])
def test_programs_and_own_pages_are_let_in(host: str) -> None:
    assert answer([("host", host)]) == "let in"
    assert answer([("host", host), ("origin", f"http://{host}"), ("sec-fetch-site", "same-origin")]) == "let in"
    assert answer([("host", host)], kind="websocket") == "let in"
    assert answer([("host", host), ("origin", f"http://{host}")], kind="websocket") == "let in"
    assert answer([("host", host), ("sec-fetch-site", "none"), *LINK.items()]) == "let in"


def test_what_a_proxy_before_the_server_is_called() -> None:
    assert answer([("host", HERE), ("origin", "https://ml.example.com")]) == "let in"
    assert answer([("host", HERE), ("origin", "https://127.0.0.1:4200")]) == "403"


@pytest.mark.parametrize(
    "hosts",
    [[], [""], ["127.0.0.1"], ["127.0.0.1:4201"], ["evil.example:4200"], [f"{HERE}.evil.example"], [HERE, HERE]],
    ids=str,
)
def test_a_server_answers_to_its_own_names_alone(hosts: list[str]) -> None:
    headers = [("host", host) for host in hosts]
    assert answer(headers) == "403"
    assert answer(headers, kind="websocket") == "closed"


@pytest.mark.parametrize(
    "origin", ["null", "", "http://127.0.0.1:5000", "http://localhost", "https://127.0.0.1:4200", "http://evil.example"]
)
@pytest.mark.parametrize("method", ["GET", "POST", "OPTIONS", "HEAD"])
def test_pages_of_other_origins_are_refused_whatever_they_want(origin: str, method: str) -> None:
    assert answer([("host", HERE), ("origin", origin)], method=method) == "403"
    assert answer([("host", HERE), ("origin", f"http://{HERE}"), ("origin", origin)], method=method) == "403"
    assert answer([("host", HERE), ("origin", origin)], kind="websocket") == "closed"


@pytest.mark.parametrize("site", ["cross-site", "same-site", "anything"])
def test_other_sites_may_lead_to_pages_and_to_nothing_else(site: str) -> None:
    told = [("host", HERE), ("sec-fetch-site", site)]
    assert answer([*told, *LINK.items()]) == "let in"
    assert answer([*told, *LINK.items()], path="/runs/flow-run/1") == "let in"
    assert answer([*told, *LINK.items()], method="POST") == "403"
    assert answer(told) == "403"
    assert answer([*told, *LINK.items()], path="/api/flows/1") == "403"
    assert answer([*told, *LINK.items()], path="/ajax-api/2.0/mlflow/runs/get") == "403"
    assert answer([*told, ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")]) == "403"
    assert answer([*told, ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "image")]) == "403"


def test_what_is_closed_is_closed_to_everybody() -> None:
    assert answer([("host", HERE)], path="/assistant/config") == "403"


@given(st.text(st.characters(max_codepoint=255, exclude_characters="\r\n"), max_size=40), st.booleans())
def test_no_text_in_a_header_brings_it_down_or_gets_through(text: str, as_host: bool) -> None:
    headers = [("host", text)] if as_host else [("host", HERE), ("origin", text)]
    allowed = own_hosts("127.0.0.1", 4200)
    known = {*allowed, "ml.example.com"} if as_host else {*origins(allowed, ["ml.example.com"])}
    assert (answer(headers) == "let in") == (text.lower() in known)


def test_the_names_of_a_server() -> None:
    assert own_hosts("127.0.0.1", 5000) == ["127.0.0.1:5000", "localhost:5000", "[::1]:5000"]
    assert "127.0.0.1" in own_hosts("127.0.0.1", 80)
    assert "10.1.2.3:5000" in own_hosts("10.1.2.3", 5000)
    everywhere = own_hosts("0.0.0.0", 5000)
    assert all(name.endswith(":5000") for name in everywhere)
    assert not any("0.0.0.0" not in name and "*" in name for name in everywhere)
    assert (netloc("::1", 80), netloc("host", 80)) == ("[::1]:80", "host:80")
    assert [is_loopback(host) for host in ("127.0.0.9", "localhost", "::1", "0.0.0.0", "evil.example")] == [
        True,
        True,
        True,
        False,
        False,
    ]
