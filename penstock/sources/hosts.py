"""Hosts of this machine's own networks: data are fetched from them only where its owner has allowed it.

A pipeline file is passed from hand to hand, and runs where more can be reached than from its author's desk: services of
this machine, of its network, of its cloud.
"""

from __future__ import annotations

import os
import socket
from ipaddress import IPv6Address, IPv6Network, ip_address, ip_network
from typing import Any
from urllib.parse import urlsplit

from penstock.errors import UsageError

ALLOW_HOSTS = "PENSTOCK_ALLOW_HOSTS"
# Old ways to write an address of IPv4, and the addresses that one side translates to the other by itself.
_EMBEDDED = (IPv6Network("::/96"), IPv6Network("::ffff:0:0:0/96"), IPv6Network("64:ff9b:1::/48"))
_TRANSLATED = IPv6Network("64:ff9b::/96")


def is_public(address: str) -> bool:
    """Whether an address is one of the internet at large, also where it is written within another."""
    found = ip_address(address)
    if isinstance(found, IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour
        if found in _TRANSLATED:
            inner = ip_address(int(found) & 0xFFFFFFFF)  # type: ignore[assignment]
        if inner is not None:
            return is_public(str(inner))
        if found.is_site_local or any(found in network for network in _EMBEDDED):
            return False
    return found.is_global and not found.is_multicast


def is_allowed(host: str, port: int | None) -> bool:
    """Whether the setting names this host, as a name, an address or a network, with this port or with none."""
    return any(_names(entry, host.lower(), port) for entry in os.environ.get(ALLOW_HOSTS, "").replace(",", " ").split())


def require_allowed(host: str, port: int | None, where: str) -> None:
    """For drivers that resolve names themselves: what they connect to cannot be judged, so the name must be allowed."""
    if not is_allowed(host, port):
        raise refused(host or "this machine", port, where)


def require_reachable(host: str, port: int | None, where: str) -> None:
    """Refuse a host that is written as an address which is not public; a name is judged when it is connected to."""
    try:
        public = is_public(host)
    except ValueError:  # a name
        return
    if not public and not is_allowed(host, port):
        raise refused(host, port, where)


def refused(host: str, port: int | None, where: str) -> UsageError:
    shown = f"[{host}]" if ":" in host else host
    named = f"{shown}:{port}" if port else shown
    return UsageError(
        "PEN147",
        f"{named} is a host of this machine's own networks, or one that cannot be judged",
        where=where,
        remedy=f"if data may be read from there, the owner of this machine allows it: export {ALLOW_HOSTS}={named}",
    )


class Guard:
    """Judges every connection of one fetch, those after redirections too, by the address that is connected to."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.refused: UsageError | None = None
        self._named: set[tuple[str, int]] = set()

    async def client(self, **options: Any) -> Any:
        """As fsspec asks for it: a session of aiohttp."""
        import aiohttp

        guard = self

        class Resolver(aiohttp.ThreadedResolver):
            async def resolve(self, host: str, port: int = 0, family: Any = socket.AF_UNSPEC) -> Any:
                found = await super().resolve(host, port, family)
                if is_allowed(host, port):
                    guard._named |= {(one["host"], port) for one in found}
                return found

        connector = aiohttp.TCPConnector(resolver=Resolver(), use_dns_cache=False, socket_factory=self._socket)
        return aiohttp.ClientSession(connector=connector, **options)

    def _socket(self, info: Any) -> socket.socket:
        family, kind, protocol, _, place = info
        host, port = str(place[0]), int(place[1])
        if not (is_public(host) or (host, port) in self._named or is_allowed(host, port)):
            self.refused = refused(host, port, self.url)
            raise PermissionError(f"{host} is not allowed")
        return socket.socket(family, kind, protocol)


def _names(entry: str, host: str, port: int | None) -> bool:
    if "/" in entry:
        try:
            return ip_address(host) in ip_network(entry, strict=False)
        except ValueError:
            return False
    try:
        parts = urlsplit(f"//{entry}" if entry.count(":") < 2 or entry.startswith("[") else f"//[{entry}]")
        return parts.hostname == host and parts.port in (None, port)
    except ValueError:
        return False
