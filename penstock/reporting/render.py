"""A run document and its pictures to one HTML page: a pure function, no address outside the page."""

from __future__ import annotations

from base64 import b64encode
from collections.abc import Mapping
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from jinja2 import ChainableUndefined, Environment, FileSystemLoader
from markupsafe import Markup

from penstock.reporting import advice, answers, formats, glance, words
from penstock.reporting.captions import CAPTIONS, SECTION_OF
from penstock.reporting.chart import Chart, chart_of
from penstock.reporting.explained import explained_words
from penstock.reporting.gate import gate_of
from penstock.reporting.svg import inline

HERE = Path(__file__).parent
MOST_LEVELS = 12
DRAWN_BY_THE_PAGE = "candidates"
DIAGNOSIS = "diagnosis_"
# What a manager asks next: how large a usual miss is, whether the groups would come back.
SAID_BESIDE = {
    "r2": "neg_mean_absolute_error",
    "silhouette": "stability",
    "reconstruction": "explained_variance",
}


class Figure(NamedTuple):
    name: str
    title: str
    caption: str
    markup: Markup


def render(document: Mapping[str, Any], figures: Mapping[str, str]) -> str:
    """The report of a run; `figures` maps names to SVG text. Parts that the document lacks are left out.

    The page allows one script, its own, by hash: whatever a value of the data may hold, it cannot run.
    """
    metrics = document.get("metrics") or {}
    metric = document.get("metric") or next(iter(metrics), "")
    target = (document.get("data") or {}).get("target") or {}
    sign = (metrics.get(metric) or {}).get("sign") or (-1 if metric.startswith("neg_") else 1)
    in_sample = document.get("in_sample") or {}
    scores = [_score(name, facts, target, in_sample.get(name)) for name, facts in metrics.items() if facts]
    scores.sort(key=lambda score: score["name"] != metric)
    main = scores[0] if scores else None
    candidates = _candidates(document, sign)
    checks = document.get("checks") or []
    errors = [check for check in checks if not check["passed"] and check.get("severity") == "error"]
    warnings = [check for check in checks if not check["passed"] and check.get("severity") != "error"]
    unfinished = sum(candidate.get("status", "finished") not in ("finished", "ended") for candidate in candidates)
    compared = advice.comparison(candidates, (document.get("winner") or {}).get("label"), sign)
    baseline = next((candidate for candidate in candidates if advice.is_baseline(candidate)), None)
    advice.set_against(candidates, baseline, sign)
    script = (HERE / "report.js").read_text(encoding="utf-8")
    page = (
        environment()
        .get_template("report.html.j2")
        .render(
            document=document,
            run=document.get("run") or {},
            data=document.get("data") or {},
            target=target,
            css=Markup((HERE / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=b64encode(sha256(script.encode()).digest()).decode(),
            lede=advice.lede(document),
            compared=compared,
            pair=_pair(compared, metric, sign) if compared else None,
            steps=advice.next_steps(document, errors, compared, figures),
            cautions=advice.cautions(document, main, warnings, unfinished),
            verdict=_verdict(document, main),
            gate=gate_of(document.get("verdict")),
            scores=scores,
            main=main,
            also=next((score for score in scores[1:] if score["name"] == SAID_BESIDE.get(metric)), None),
            levels={formats.confidence(score["shown"]) for score in scores if score["shown"]["low"] is not None},
            sign=sign,
            learnt=words.learnt_words(main["label"], main["shown"], main["seen"], sign) if main else "",
            explained=explained_words(document),
            selection=words.selection_words(document.get("selection") or {}, sign),
            answers=answers.answer_words(document),
            promises=answers.promises(document),
            notes=words.split_words(document.get("data") or {}) + words.cleaning_words(document.get("cleaning") or {}),
            cleaning=document.get("cleaning") or {},
            target_facts=_target_facts(target),
            candidates=candidates,
            baseline=baseline,
            chart=chart_of(candidates, sign=sign, baseline=baseline["shown"]["value"] if baseline else None),
            unfinished=unfinished,
            ended=sum(candidate.get("status") == "ended" for candidate in candidates),
            errors=errors,
            warnings=warnings,
            failed_checks=errors + warnings,
            passed_checks=[check for check in checks if check["passed"]],
            figures=_figures(figures),
        )
    )
    return str(page).lstrip()


@cache
def environment() -> Environment:
    """What the templates of all pages share."""
    shared = Environment(
        loader=FileSystemLoader(HERE),
        autoescape=True,
        undefined=ChainableUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shared.filters |= {
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
        "bars": glance.bars,
        "in_numbers": glance.in_numbers,
        "brief": glance.brief,
    }
    return shared


def _score(name: str, facts: Mapping[str, Any], target: Mapping[str, Any], in_sample: float | None) -> dict[str, Any]:
    classes = target.get("classes") or []
    positive = str(classes[1]) if len(classes) == 2 else None
    sign = facts.get("sign") or 1
    shown = formats.as_shown(facts, sign)
    label = facts.get("label") or name.replace("_", " ")
    return {
        "name": name,
        "label": label[:1].upper() + label[1:],
        "shown": shown,
        "seen": formats.as_shown({"value": in_sample}, sign),
        "meaning": words.meaning(name, facts, positive=positive, target=target.get("name")),
        "gauge": words.gauge(name, shown),
    }


def _verdict(document: Mapping[str, Any], main: Mapping[str, Any] | None) -> dict[str, Any] | None:
    verdict = document.get("verdict")
    if not verdict:
        return None
    measured = main["label"] if main else "the score"
    if document.get("problem") == "clustering":
        measured = "the stability of the clusters"
    told = words.verdict_words(verdict, measured)
    return {"kind": verdict.get("verdict"), "reason": formats.sentence(verdict.get("reason")), **told._asdict()}


def _pair(compared: advice.Comparison, metric: str, sign: int) -> Chart | None:
    """The winner above the baseline, up to the best that the measure allows."""
    perfect = 1 if metric in advice.UNIT_SCALE else 0 if sign < 0 else compared.pair[0]["shown"]["value"]
    return chart_of([{**one, "folds": []} for one in compared.pair], sign=sign, whole=[perfect])


def _target_facts(target: Mapping[str, Any]) -> dict[str, str]:
    """What is known of the outcome, without what a plot shows better."""
    facts = {**target, **(target.get("facts") or {})}
    shown = {name: value for name, value in facts.items() if value and name not in ("name", "facts", "histogram")}
    return {name.replace("_", " "): formats.scalar(_first_of(value)) for name, value in shown.items()}


def _first_of(value: Any) -> Any:
    """Of many levels the first few."""
    if isinstance(value, Mapping) and len(value) > MOST_LEVELS:
        return {**dict(list(value.items())[:MOST_LEVELS]), "and": f"{len(value) - MOST_LEVELS} more"}
    if isinstance(value, list) and len(value) > MOST_LEVELS:
        return [*value[:MOST_LEVELS], f"and {len(value) - MOST_LEVELS} more"]
    return value


def _candidates(document: Mapping[str, Any], sign: int) -> list[dict[str, Any]]:
    """The winner first, then by rank or else by score, then those that did not finish; errors as positive numbers."""
    found = [
        {
            **candidate,
            "baseline": advice.is_baseline(candidate),
            "shown": formats.as_shown({**candidate, "value": candidate.get("score")}, sign),
            "behind": words.against_words(candidate.get("against")),
        }
        for candidate in document.get("candidates") or []
    ]
    winner = (document.get("winner") or {}).get("label")

    def place(candidate: Mapping[str, Any]) -> tuple[bool, float, bool, float]:
        score = candidate.get("score")
        rank = candidate.get("rank") or len(found) + 1
        return candidate.get("label") != winner, rank, score is None, -score if score is not None else 0

    return sorted(found, key=place)


def _figures(figures: Mapping[str, str]) -> dict[str, list[Figure]]:
    """By section, in the order of the captions and then by name."""
    order = {name: place for place, name in enumerate(CAPTIONS)}
    placed: dict[str, list[Figure]] = {}
    shown = sorted(figures.keys() - {DRAWN_BY_THE_PAGE}, key=lambda name: (order.get(name, len(order)), name))
    for index, name in enumerate(shown):
        picture = inline(figures[name], prefix=f"f{index}", name=name.replace("_", " "))
        caption = " ".join(filter(None, (CAPTIONS.get(name, ""), picture.note)))
        placed.setdefault(_section(name), []).append(
            Figure(name, picture.title, caption, Markup(picture.markup))  # noqa: S704 - drawn by us, cleaned
        )
    return placed


def _section(name: str) -> str:
    """Where a figure stands; that of a diagnostic stands with it."""
    return name if name.startswith(DIAGNOSIS) else SECTION_OF.get(name, "plots")
