"""What a chosen component is, for the key of the stages that use it."""

from __future__ import annotations

from typing import Any

from penstock.codedigest import code_digests
from penstock.components import catalog


def fingerprint(name: str, problem: str) -> dict[str, Any]:
    """The catalogue's entry, the library's version or the digest of our own code; nothing about any other component."""
    facts = catalog.fingerprint(catalog.find(name), problem)
    module = facts.get("module")
    return {**facts, "code": code_digests((module,))} if module else facts
