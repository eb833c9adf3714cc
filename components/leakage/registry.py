"""All checks of the certificate, in their order, and what they found in a line."""

from __future__ import annotations

from typing import Any

from penstock.components.leakage.base import Check, Seen, Sides
from penstock.components.leakage.columns import DERIVED, IDS_AS_FEATURES, TOO_GOOD_ALONE
from penstock.components.leakage.copies import EQUAL_ROWS, NEAR_COPIES, SHARED_IDS
from penstock.components.leakage.events import BY_NAME, BY_TIME
from penstock.components.leakage.order import ROW_ORDER, TELLING_IDS
from penstock.components.leakage.shuffled_labels import SHUFFLED_LABELS
from penstock.components.leakage.sides import GROUPS, TIMES, WINDOWS

CHECKS: tuple[Check, ...] = (
    SHARED_IDS,
    EQUAL_ROWS,
    NEAR_COPIES,
    GROUPS,
    TIMES,
    WINDOWS,
    TOO_GOOD_ALONE,
    DERIVED,
    BY_NAME,
    BY_TIME,
    IDS_AS_FEATURES,
    ROW_ORDER,
    TELLING_IDS,
    SHUFFLED_LABELS,
)


def certify(sides: Sides) -> dict[str, Any]:
    """The certificate of the rows; the check that needs the winner is added by `with_winner`."""
    return _certificate([check.run(sides) for check in CHECKS])


def with_winner(certificate: dict[str, Any], seen: Seen) -> dict[str, Any]:
    run = SHUFFLED_LABELS.tell(seen)
    return _certificate([run if one["code"] == run["code"] else one for one in certificate["checks"]])


def _certificate(checks: list[dict[str, Any]]) -> dict[str, Any]:
    found = [check for check in checks if check["outcome"] == "found"]
    passed = sum(check["outcome"] == "passed" for check in checks)
    named = ", ".join(f"{check['code']} ({check['title']})" for check in found)
    aside = len(checks) - passed - len(found)
    summary = f"{len(checks)} checks: {passed} passed"
    summary += f", {len(found)} found something: {named}" if found else ""
    summary += f"; {aside} did not apply" if aside else ""
    return {"summary": summary, "passed": passed, "found": [check["code"] for check in found], "checks": checks}
