"""Data are fetched from hosts of one's own networks only where the owner of the machine allows it."""

from __future__ import annotations

import gzip
import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

from penstock.errors import PenstockError, UsageError
from penstock.sources.hosts import is_allowed, is_public
from penstock.sources.options import Reading
from penstock.sources.reading import read_frame

pytest.importorskip("aiohttp")

TABLE = b"a\n1\n2\n"
LINE = b"x" * 2047 + b"\n"


class Handler(BaseHTTPRequestHandler):
    heard: list[str]
    replies: dict[str, tuple[int, dict[str, str], bytes]]

    def do_GET(self) -> None:
        self.heard.append(self.path)
        status, headers, body = self.replies.get(self.path, (404, {}, b""))
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        pass


class Server:
    def __init__(self) -> None:
        self.heard: list[str] = []
        self.replies: dict[str, tuple[int, dict[str, str], bytes]] = {"/t.csv": (200, {}, TABLE)}
        handler = type("Own", (Handler,), {"heard": self.heard, "replies": self.replies})
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.port = self.server.server_port
        Thread(target=self.server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()

    def close(self) -> None:
        self.server.shutdown()
        self.server.server_close()


@pytest.fixture
def server() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


@pytest.fixture
def other() -> Iterator[Server]:
    made = Server()
    yield made
    made.close()


def read(url: str, folder: Path) -> list[Any]:
    return read_frame(url, Reading(), folder)["a"].tolist()


@pytest.mark.parametrize("host", ["127.0.0.1", "LOCALHOST", "0.0.0.0"])
def test_a_host_of_this_machine_needs_the_setting(server: Server, tmp_path: Path, host: str) -> None:
    with pytest.raises(UsageError) as caught:
        read(f"http://{host}:{server.port}/t.csv", tmp_path)
    assert caught.value.code == "PEN147"
    assert "export PENSTOCK_ALLOW_HOSTS=" in caught.value.remedy
    assert server.heard == []


@pytest.mark.parametrize("host", ["2130706433", "0x7f.1", "0x7f000001", "127.1", "0177.0.0.1"])
def test_unusual_ways_to_write_it_are_none(server: Server, tmp_path: Path, host: str) -> None:
    with pytest.raises(PenstockError, match=r"PEN14[07]"):
        read(f"http://{host}:{server.port}/t.csv", tmp_path)
    assert server.heard == []


@pytest.mark.parametrize(
    "named", ["127.0.0.1", "127.0.0.1:{port}", "localhost", "127.0.0.0/8", "a.example, LOCALHOST:{port}"]
)
def test_the_setting_names_hosts_addresses_and_networks(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, named: str
) -> None:
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", named.format(port=server.port))
    assert read(f"http://localhost:{server.port}/t.csv", tmp_path) == [1, 2]
    assert server.heard == ["/t.csv"]


def test_redirections_are_judged_too(
    server: Server, other: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", f"127.0.0.1:{server.port}")
    server.replies["/t.csv"] = (302, {"Location": f"http://127.0.0.1:{other.port}/t.csv"}, b"")
    with pytest.raises(UsageError) as caught:
        read(f"http://127.0.0.1:{server.port}/t.csv", tmp_path)
    assert caught.value.code == "PEN147"
    assert f"PENSTOCK_ALLOW_HOSTS=127.0.0.1:{other.port}" in caught.value.remedy
    assert other.heard == []
    server.replies["/t.csv"] = (302, {"Location": "file:///etc/passwd"}, b"")
    with pytest.raises(PenstockError, match="PEN140"):
        read(f"http://127.0.0.1:{server.port}/t.csv", tmp_path)


def test_the_address_that_was_judged_is_connected_to(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A name that resolves to a public address at first and to this machine later."""
    real, asked = socket.getaddrinfo, []

    def rebinding(host: Any, *args: Any, **options: Any) -> Any:
        if host == "data.example.org":
            asked.append(host)
            host = "192.0.2.1" if len(asked) == 1 else "127.0.0.1"
        return real(host, *args, **options)

    monkeypatch.setattr(socket, "getaddrinfo", rebinding)
    for _ in range(2):
        with pytest.raises(UsageError, match="PEN147"):
            read(f"http://data.example.org:{server.port}/t.csv", tmp_path)
    assert len(asked) == 2
    assert server.heard == []


def test_a_page_is_one_file_and_its_links_are_not_followed(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", "127.0.0.1")
    address = f"http://127.0.0.1:{server.port}"
    server.replies["/t.csv"] = (
        200,
        {"Content-Type": "text/html"},
        f"a\n{address}/x.parquet\n{address}/y\n".encode(),
    )
    assert read(f"{address}/t.csv", tmp_path) == [f"{address}/x.parquet", f"{address}/y"]
    assert server.heard == ["/t.csv"]


def test_proxies_of_the_environment_are_not_asked(
    server: Server, other: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HTTP_PROXY", f"http://127.0.0.1:{other.port}")
    monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{other.port}")
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", f"127.0.0.1:{server.port}")
    assert read(f"http://127.0.0.1:{server.port}/t.csv", tmp_path) == [1, 2]
    assert other.heard == []


def test_a_compressed_answer_is_bounded(server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", "127.0.0.1")
    monkeypatch.setenv("PENSTOCK_MAX_UNPACKED_MB", "1")
    body = gzip.compress(b"a\n" + LINE * (1 << 10))
    headers = {"Content-Encoding": "gzip", "Content-Length": str(len(body))}
    server.replies["/t.csv"] = (200, headers, body)
    with pytest.raises(PenstockError, match=r"PEN148(.|\n)*1 MB(.|\n)*PENSTOCK_MAX_UNPACKED_MB"):
        read(f"http://127.0.0.1:{server.port}/t.csv", tmp_path)
    server.replies["/t.csv"] = (200, {"Content-Length": str(1 << 21 | 2)}, b"a\n" + LINE * (1 << 10))
    assert len(read(f"http://127.0.0.1:{server.port}/t.csv", tmp_path)) == 1 << 10


@pytest.mark.parametrize(
    "address",
    ["127.0.0.1", "10.0.0.1", "172.16.0.1", "192.168.1.1", "169.254.169.254", "100.64.0.1", "0.0.0.0", "224.0.0.1",
     "255.255.255.255", "::1", "::", "fe80::1", "fe80::1%1", "fc00::1", "ff02::1", "::ffff:127.0.0.1",
     "::ffff:169.254.169.254", "2002:7f00:1::", "2002:0a00:0001::1", "64:ff9b::7f00:1", "64:ff9b::a9fe:a9fe",
     "192.0.2.1", "240.0.0.1", "fec0::1", "::127.0.0.1", "::ffff:0:169.254.169.254", "64:ff9b:1::a9fe:a9fe"],
)  # fmt: skip
def test_addresses_that_are_not_public(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize("address", ["93.184.216.34", "2606:2800:220:1::1", "64:ff9b::5db8:d822", "::ffff:8.8.8.8"])
def test_addresses_that_are(address: str) -> None:
    assert is_public(address)


@pytest.mark.parametrize(
    ("setting", "host", "port", "allowed"),
    [
        ("a.example", "a.example", 80, True),
        ("a.example:81", "a.example", 80, False),
        ("a.example", "b.a.example", 80, False),
        ("10.0.0.0/8", "10.9.9.9", None, True),
        ("10.0.0.0/8", "a.example", None, False),
        ("[::1]:80", "::1", 80, True),
        ("::1", "::1", 81, True),
        ("fd00::/8", "fd12::1", 81, True),
        ("nonsense:x /", "nonsense", 80, False),
        ("", "", None, False),
    ],
)
def test_what_the_setting_allows(
    monkeypatch: pytest.MonkeyPatch, setting: str, host: str, port: int | None, allowed: bool
) -> None:
    monkeypatch.setenv("PENSTOCK_ALLOW_HOSTS", setting)
    assert is_allowed(host, port) == allowed
