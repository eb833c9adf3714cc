"""What a chosen component is, for the key of the stages that use it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from penstock.actions.codedigest import code_digests
from penstock.components import catalog
from penstock.store import Ref, Store

Fingerprint = dict[str, Any]
"""What decides what a component does beside data and parameters, as JSON."""
Fingerprints = dict[str, Fingerprint]
"""By the name of the component."""


def fingerprints(names: Iterable[str], problem: str, store: Store) -> Fingerprints:
    """What each of these is, by name."""
    return {name: fingerprint(name, problem, store) for name in sorted(set(names))}


def code_within(store: Store, *refs: Ref) -> dict[str, str]:
    """The digests of all modules in the fingerprints that these facts hold."""
    return {name: digest for ref in refs for name, digest in code_in(store.facts(ref.holding(object))).items()}


def code_in(facts: object) -> dict[str, str]:
    """The same of a fingerprint, or of what holds some, however deep these lie."""
    if isinstance(facts, list):
        return {name: digest for value in facts for name, digest in code_in(value).items()}
    return {**facts.get("code", {}), **code_in(list(facts.values()))} if isinstance(facts, dict) else {}


def of_plugins(code: Mapping[str, str]) -> dict[str, str]:
    """What of it is other packages'."""
    return {name: digest for name, digest in code.items() if name.partition(".")[0] != "penstock"}


def fingerprint(name: str, problem: str, store: Store) -> Fingerprint:
    """The catalogue's entry, the library's version or the digest of our own code.

    Nothing about any other component, but where it is made of others: then of all that it could name.
    """
    entry = catalog.find(name)
    facts = catalog.fingerprint(entry, problem)
    if entry.of_methods:
        facts["methods"] = {other: fingerprint(other, problem, store) for other in catalog.members(problem)}
    module = facts.get("module")
    return {**facts, "code": code_digests((module,), store)} if module else facts
