"""Prefect's API and pages behind our guard."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterable

from penstock.servers.guard import App, Guard, Message, Receive, Scope, Send, origins

# The page that is shown invites to the newer one, which calls Amplitude.
STAY_HERE = (b"content-security-policy", b"connect-src 'self'; frame-ancestors 'self'")


class PrefectApp:
    """Prefect's API, and its pages from the first time that a browser asks for one."""

    def __init__(self) -> None:
        from uvicorn.importer import import_from_string

        self._import = import_from_string
        self._api: App = self._import("prefect.server.api.server:create_app")()
        self._pages: App | None = None

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["path"].startswith("/api"):
            await self._api(scope, receive, send)
            return
        if self._pages is None:
            self._pages = await asyncio.to_thread(self._make_pages)
        await self._pages(scope, receive, _staying_here(send))

    def _make_pages(self) -> App:
        made: App = self._import("prefect.server.api.server:create_ui_app")(ephemeral=False)
        return made


def guarded_prefect(hosts: Iterable[str], public: Iterable[str] = ()) -> Guard:
    """The application for these names of the server; Prefect must not have been imported before."""
    os.environ |= {
        "PREFECT_SERVER_UI_API_URL": "/api",  # whatever name the page was found by
        "PREFECT_SERVER_CORS_ALLOWED_ORIGINS": ",".join(origins(hosts, public)),
        "PREFECT__SERVER_FINAL": "1",
    }
    return Guard(PrefectApp(), hosts, public)


def _staying_here(send: Send) -> Send:
    async def send_on(message: Message) -> None:
        if message["type"] == "http.response.start":
            message["headers"] = [*message["headers"], STAY_HERE]
        await send(message)

    return send_on
