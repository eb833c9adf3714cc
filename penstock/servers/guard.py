"""What a server of ours asks of every request before it is looked at: that no foreign web page has sent it.

A browser tells which page asks (`Origin`, `Sec-Fetch-Site`) and by which name it found the server (`Host`), and pages
cannot alter that. Programs tell nothing of it, and pass: what holds for them is the password.
"""

from __future__ import annotations

import socket
from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any

import psutil

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
App = Callable[[Scope, Receive, Send], Awaitable[None]]

LOOPBACK = "127.0.0.1"
OWN_NAMES = (LOOPBACK, "localhost", "::1")
EVERYWHERE = ("0.0.0.0", "::")  # noqa: S104  recognised here, never a default
APIS = ("/api/", "/ajax-api/", "/graphql", "/gateway/")  # paths that are no pages
INTERNET = (socket.AF_INET, socket.AF_INET6)


class Guard:
    """An ASGI application behind the check of hosts, origins and paths.

    `hosts`: names, each with its port, under which the server is found; `public`: names of a proxy before it, by http
    or https; `closed`: beginnings of paths that nobody is given.
    """

    def __init__(
        self, app: App, hosts: Iterable[str], public: Iterable[str] = (), closed: tuple[str, ...] = ()
    ) -> None:
        self._app = app
        self._hosts = frozenset(map(str.lower, (*hosts, *public)))
        self._origins = frozenset(origins(hosts, public))
        self._closed = closed

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or (why := self._objection(scope)) is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.close", "code": 1008, "reason": why})  # before it is accepted: 403
        else:
            kind = (b"content-type", b"text/plain; charset=utf-8")
            await send({"type": "http.response.start", "status": 403, "headers": [kind]})
            await send({"type": "http.response.body", "body": f"refused: {why}\n".encode()})

    def _objection(self, scope: Scope) -> str | None:
        headers: dict[bytes, list[str]] = {}
        for name, value in scope["headers"]:
            headers.setdefault(name.lower(), []).append(value.decode("latin-1").lower())
        hosts = headers.get(b"host", [])
        if len(hosts) != 1 or hosts[0] not in self._hosts:
            return "this server has another name; see PENSTOCK_PUBLIC_HOSTS"
        if not self._origins.issuperset(headers.get(b"origin", [])):
            return "a page of another origin asks"
        foreign = not {"same-origin", "none"}.issuperset(headers.get(b"sec-fetch-site", []))
        if foreign and not _opens_a_page(scope, headers):
            return "a page of another origin asks"
        if scope["path"].startswith(self._closed):
            return "this is not served here"
        return None


def _opens_a_page(scope: Scope, headers: dict[bytes, list[str]]) -> bool:
    """Whether somebody follows a link to a page: what it shows stays out of reach of the page with the link."""
    return (
        scope["type"] == "http"
        and scope["method"] == "GET"
        and headers.get(b"sec-fetch-mode") == ["navigate"]
        and headers.get(b"sec-fetch-dest") == ["document"]
        and not scope["path"].startswith(APIS)
    )


def netloc(host: str, port: int) -> str:
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def is_loopback(host: str) -> bool:
    try:
        return ip_address(host).is_loopback
    except ValueError:
        return host == "localhost"


def own_hosts(host: str, port: int) -> list[str]:
    """What the `Host` of a request to a server that listens there may be."""
    names = [*OWN_NAMES, host]
    if host in EVERYWHERE:
        # An address that is written out belongs to no stranger's domain.
        found = [at.address for card in psutil.net_if_addrs().values() for at in card if at.family in INTERNET]
        names += [socket.gethostname(), *(address.partition("%")[0] for address in found)]
    located = list(dict.fromkeys(netloc(name, port) for name in names))
    return located + ([name.rpartition(":")[0] for name in located] if port == 80 else [])


def origins(hosts: Iterable[str], public: Iterable[str] = ()) -> list[str]:
    """The pages of a server that is found there."""
    names = [f"http://{host}" for host in hosts] + [f"{by}://{name}" for name in public for by in ("http", "https")]
    return [name.lower() for name in names]
