"""A run document and its pictures to one HTML page: a pure function, no address outside the page."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import ChainableUndefined, Environment, FileSystemLoader
from markupsafe import Markup

from penstock.reporting import formats, words
from penstock.reporting.svg import inline

HERE = Path(__file__).parent

# Which section shows a figure (all others stand under "plots"), and how to read it.
SECTION_OF = {
    "candidates": "candidates",
    "choice_of_k": "clusters",
    "cluster_profile": "clusters",
    "missing_values": "data",
    "target_distribution": "data",
}
CAPTIONS = {
    "confusion_matrix": "Rows of the test set by true and predicted class. The diagonal is right; the shade is the "
    "share of the true class.",
    "roc_curve": "Each point is a threshold: how many of the class are found, at the price of how many false alarms. "
    "The nearer to the upper left corner, the better.",
    "precision_recall_curve": "The further to the right without falling, the more positives are found without "
    "flagging others.",
    "threshold_curve": "Raising the threshold flags fewer rows: precision tends to rise, recall falls.",
    "calibration_curve": "On the dashed line, a promised 30% happens in 30 of 100 rows. Bars below: rows per bin.",
    "score_distribution": "The less the two overlap, the better the model tells them apart. Dotted: the usual "
    "threshold of 0.5.",
    "predicted_vs_actual": "Each dot is a test row; on the dashed line the prediction is exact.",
    "residuals": "What predictions miss by. A pattern on the left, or a lopsided histogram, is something not learnt.",
    "candidates": "Scores on the learning rows, the winner in orange. Where intervals overlap, the order between two "
    "candidates may be luck.",
    "target_distribution": "The parts should look alike: a model is judged on the kind of rows it learnt from.",
    "missing_values": "Share of the learning rows without a value.",
    "clusters_2d": "Each dot is a row. Two dimensions cannot show all distances: clusters that overlap here may be "
    "apart.",
    "silhouette_plot": "Each line is a row: long to the right, it fits its cluster; to the left of 0, another cluster "
    "would fit better.",
    "choice_of_k": "Ring: the best number of clusters by that curve. Dashed line: the chosen one. Where there is no "
    "ring, look for the bend.",
    "cluster_profile": "Mean of each column in each cluster, the most telling column on top.",
}


class Figure(NamedTuple):
    name: str
    caption: str
    markup: Markup


def render(document: Mapping[str, Any], figures: Mapping[str, str]) -> str:
    """The report of a run; `figures` maps names to SVG text. Parts that the document lacks are left out."""
    metrics = document.get("metrics") or {}
    metric = document.get("metric") or next(iter(metrics), "")
    target = (document.get("data") or {}).get("target") or {}
    sign = (metrics.get(metric) or {}).get("sign") or (-1 if metric.startswith("neg_") else 1)
    scores = [_score(name, facts, target) for name, facts in metrics.items() if facts]
    scores.sort(key=lambda score: score["name"] != metric)
    main = scores[0] if scores else None
    candidates = _candidates(document, sign)
    checks = document.get("checks") or []
    errors = [check for check in checks if not check["passed"] and check.get("severity") == "error"]
    warnings = [check for check in checks if not check["passed"] and check.get("severity") != "error"]
    page = _template().render(
        document=document,
        run=document.get("run") or {},
        data=document.get("data") or {},
        target=target,
        css=Markup((HERE / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
        verdict=_verdict(document, main),
        scores=scores,
        main=main,
        levels={formats.confidence(score["shown"]) for score in scores if score["shown"]["low"] is not None},
        sign=sign,
        selection=words.selection_words(document.get("selection") or {}, sign),
        notes=words.split_words(document.get("data") or {}),
        target_facts=_target_facts(target),
        candidates=candidates,
        unfinished=sum(candidate.get("status", "finished") != "finished" for candidate in candidates),
        errors=errors,
        warnings=warnings,
        failed_checks=errors + warnings,
        passed_checks=[check for check in checks if check["passed"]],
        figures=_figures(figures),
    )
    return str(page).lstrip()


@cache
def _template() -> Any:
    environment = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    environment.filters |= {
        "number": formats.number,
        "count": formats.count,
        "percent": formats.percent,
        "duration": formats.duration,
        "moment": formats.moment,
        "scalar": formats.scalar,
        "sentence": formats.sentence,
        "address": formats.address,
        "telling": words.telling_words,
        "span": formats.span,
        "value_of": formats.value_of,
        "confidence": formats.confidence,
        "as_shown": formats.as_shown,
    }
    return environment.get_template("report.html.j2")


def _score(name: str, facts: Mapping[str, Any], target: Mapping[str, Any]) -> dict[str, Any]:
    classes = target.get("classes") or []
    positive = str(classes[1]) if len(classes) == 2 else None
    shown = formats.as_shown(facts, facts.get("sign") or 1)
    label = facts.get("label") or name.replace("_", " ")
    return {
        "name": name,
        "label": label[:1].upper() + label[1:],
        "shown": shown,
        "meaning": words.meaning(name, facts, positive=positive, target=target.get("name")),
        "gauge": words.gauge(name, shown),
    }


def _verdict(document: Mapping[str, Any], main: Mapping[str, Any] | None) -> dict[str, Any] | None:
    verdict = document.get("verdict")
    if not verdict:
        return None
    told = words.verdict_words(verdict, main["label"] if main else "the score")
    return {"kind": verdict.get("verdict"), "reason": formats.sentence(verdict.get("reason")), **told._asdict()}


def _target_facts(target: Mapping[str, Any]) -> dict[str, str]:
    """What is known of the outcome, without what a plot shows better."""
    facts = {**target, **(target.get("facts") or {})}
    shown = {name: value for name, value in facts.items() if value and name not in ("name", "facts", "histogram")}
    return {name.replace("_", " "): formats.scalar(value) for name, value in shown.items()}


def _candidates(document: Mapping[str, Any], sign: int) -> list[dict[str, Any]]:
    """The winner first, then by rank or else by score, then those that did not finish; errors as positive numbers."""
    found = [
        {**candidate, "shown": formats.as_shown({**candidate, "value": candidate.get("score")}, sign)}
        for candidate in document.get("candidates") or []
    ]
    winner = (document.get("winner") or {}).get("label")

    def place(candidate: Mapping[str, Any]) -> tuple[bool, float, bool, float]:
        score = candidate.get("score")
        rank = candidate.get("rank") or len(found) + 1
        return candidate.get("label") != winner, rank, score is None, -score if score is not None else 0

    return sorted(found, key=place)


def _figures(figures: Mapping[str, str]) -> dict[str, list[Figure]]:
    """By section, in the order of the captions and then as given."""
    order = {name: place for place, name in enumerate(CAPTIONS)}
    placed: dict[str, list[Figure]] = {}
    for index, name in enumerate(sorted(figures, key=lambda name: order.get(name, len(order)))):
        picture = inline(figures[name], prefix=f"f{index}", name=name.replace("_", " "))
        placed.setdefault(SECTION_OF.get(name, "plots"), []).append(
            Figure(name, CAPTIONS.get(name, ""), Markup(picture))  # noqa: S704 - drawn by us, cleaned
        )
    return placed
