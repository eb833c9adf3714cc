"""A drift document to one HTML page, in the dress of the report."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

from markupsafe import Markup

from penstock.document import formats
from penstock.document.formats import brief
from penstock.reporting.glance import bars_of
from penstock.reporting.render import HERE, environment

NAMES = {"inputs": "Inputs", "predictions": "Predictions", "performance": "Performance"}
KINDS = {
    "numbers": "values",
    "levels": "shares of levels",
    "missing": "missing values",
    "length": "length of texts",
    "terms": "words",
    "joint": "all columns together",
    "score": "score",
}


def render_drift(document: Mapping[str, Any]) -> str:
    """What drifted, what did not, and by how much; no address outside the page."""
    script = (HERE / "report.js").read_text(encoding="utf-8")
    families = [
        {**family, "title": NAMES[family["name"]], "rows": [_row(one) for one in _ordered(family["found"])]}
        for family in document["families"]
        if family["name"] != "performance"
    ]
    page = (
        environment()
        .get_template("drift.html.j2")
        .render(
            document=document,
            families=families,
            headline=headline(document),
            scores=_scores(document["scores"]),
            fallen=any(family["name"] == "performance" and family["drifted"] for family in document["families"]),
            css=Markup((HERE / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=b64encode(sha256(script.encode()).digest()).decode(),
            metric=(document["scores"] or {}).get("metric"),
        )
    )
    return str(page).lstrip()


def headline(document: Mapping[str, Any]) -> str:
    """The outcome in a sentence."""
    found = [one for family in document["families"] for one in family["found"] if one["drifted"]]
    if not found:
        return "Nothing has changed more than chance explains."
    named = list(dict.fromkeys(one["column"] or "all columns together" for one in found))
    more = f" and {len(named) - 5} more" if len(named) > 5 else ""
    return f"Changed more than chance explains: {', '.join(named[:5])}{more}."


def _ordered(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return sorted(found, key=lambda one: (one["p"], -(one.get("distance") or 0)))


def _row(one: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "name": one["column"] or "all columns together",
        "kind": KINDS[one["kind"]],
        "drifted": one["drifted"],
        "p": "< 0.001" if one["p"] <= 0.001 else formats.number(one["p"]),
        "distance": formats.number(one.get("distance")),
        "before": _side(one.get("before") or {}),
        "now": _side(one.get("now") or {}),
        "bars": [
            bars_of(side["histogram"]["counts"])
            for side in (one.get("before"), one.get("now"))
            if side and side.get("histogram")
        ],
    }


def _side(facts: Mapping[str, Any]) -> str:
    if facts.get("quartiles"):
        low, middle, high = (value if isinstance(value, str) else brief(value) for value in facts["quartiles"])
        return f"median {middle}, half of them {low} to {high}"
    if "missing" in facts:
        return f"{formats.percent(facts['missing'])} missing"
    return ", ".join(
        f"{name} {formats.percent(share)}" for name, share in list((facts.get("shares") or {}).items())[:4]
    )


def _scores(scores: Mapping[str, Any] | None) -> dict[str, Any] | None:
    if not scores:
        return None
    shown = {name: formats.as_shown(formats.Shown.of(scores[name]), scores["sign"]) for name in ("test", "now")}
    return {"label": scores["label"], "rows": scores["rows"], **shown}
