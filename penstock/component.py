"""What a chosen component is, for the key of the stages that use it."""

from __future__ import annotations

from typing import Any

from penstock.codedigest import code_digests
from penstock.components import catalog


def fingerprint(name: str, problem: str) -> dict[str, Any]:
    """The catalogue's entry, the library's version or the digest of our own code.

    Nothing about any other component, but where it is made of others: then of all that it could name.
    """
    entry = catalog.find(name)
    facts = catalog.fingerprint(entry, problem)
    if entry.of_methods:
        facts["methods"] = {other: fingerprint(other, problem) for other in catalog.members(problem)}
    module = facts.get("module")
    return {**facts, "code": code_digests((module,))} if module else facts
