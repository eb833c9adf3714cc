"""Telling people that something went wrong, at addresses that stand in the settings and nowhere else.

A pipeline file names an address; what it is, and the key that is often part of it, is known to the settings alone.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from typing import Any

from penstock.errors import UsageError, did_you_mean
from penstock.settings import WEBHOOKS, Settings

LONGEST_ANSWER = 10.0

logger = logging.getLogger("penstock.reporting.notify")


def require_known(settings: Settings, names: Sequence[str]) -> None:
    for name in names:
        if name not in settings.webhooks:
            known = f"{did_you_mean(name, list(settings.webhooks))}; or " if settings.webhooks else ""
            raise UsageError(
                "PEN057",
                f"'{name}' is to be told, and no address of that name is in the settings",
                where="notify",
                remedy=f"{known}set {WEBHOOKS}='{name}=https://...', or leave it out for once: --set notify=[]",
            )


def notify(settings: Settings, names: Sequence[str], event: str, text: str, facts: dict[str, Any]) -> None:
    """Post `text`, and the facts beside it, to each of the named addresses; one that fails stops nothing."""
    import httpx  # a name that is not known is said without it

    for name in names:
        try:
            # Never on to where the answer points: that address is not in the settings.
            answer = httpx.post(
                settings.webhooks[name],
                json={"text": text, "event": event, **facts},
                timeout=LONGEST_ANSWER,
                follow_redirects=False,
            )
            said = None if answer.is_success else f"answered {answer.status_code}"
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            said = type(error).__name__  # its words may hold the address
        if said:
            logger.warning("'%s' could not be told: %s", name, said)
