"""Questions to a Prefect server, asked again while it is busy or on its way up, as Prefect's own clients do."""

from __future__ import annotations

import os
import time
from typing import Any

import httpx

PATIENCE = 120.0  # seconds


def ask(address: str, body: dict[str, Any] | None = None, auth: tuple[str, str] | None = None) -> Any:
    """The answer, of whatever form; with a body it is posted. What is wrong with the question is said at once.

    `auth`: the user and password, of the shared API if nothing else is said.
    """
    user, _, password = os.environ["PREFECT_API_AUTH_STRING"].partition(":")
    deadline = time.monotonic() + PATIENCE
    while True:
        try:
            method = "GET" if body is None else "POST"
            answer = httpx.request(method, address, json=body, auth=auth or (user, password), timeout=60)
            if answer.status_code < 500 or time.monotonic() > deadline:
                return answer.raise_for_status().json()
        except httpx.TransportError:
            if time.monotonic() > deadline:
                raise
        time.sleep(0.5)


def found(api: str, what: str, auth: tuple[str, str] | None = None, **filters: Any) -> list[dict[str, Any]]:
    """What a filter finds: flow runs, deployments, artifacts."""
    return list(ask(f"{api}/{what}/filter", filters, auth))
