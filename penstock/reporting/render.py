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

from penstock.document import formats
from penstock.document.data import Reading, Target
from penstock.document.run import RunDocument
from penstock.problems.words import Words, words_of
from penstock.reporting import advice, glance, words
from penstock.reporting.captions import CAPTIONS, PLACES
from penstock.reporting.chart import Chart, Line, chart_of
from penstock.reporting.explained import explained_words
from penstock.reporting.gate import gate_of
from penstock.reporting.rows import ScoreRow, candidate_rows, score_rows
from penstock.reporting.svg import inline

HERE = Path(__file__).parent
MAX_LEVELS = 12
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


def render(document: RunDocument, figures: Mapping[str, str]) -> str:
    """The report of a run; `figures` maps names to SVG text. Parts that the document lacks are left out.

    The page allows one script, its own, by hash: whatever a value of the data may hold, it cannot run.
    """
    metric = document.metric
    sign = document.metrics[metric].sign if metric in document.metrics else -1 if metric.startswith("neg_") else 1
    scores = score_rows(document)
    main = scores[0] if scores else None
    candidates = candidate_rows(document, sign)
    errors = [check for check in document.checks if not check.passed and check.severity == "error"]
    warnings = [check for check in document.checks if not check.passed and check.severity != "error"]
    unfinished = sum(one.tried.status not in ("finished", "pruned") for one in candidates)
    compared = advice.comparison(candidates, document.winner.label, sign)
    baseline = next((one for one in candidates if one.baseline), None)
    script = (HERE / "report.js").read_text(encoding="utf-8")
    page = (
        environment()
        .get_template("report.html.j2")
        .render(
            document=document,
            sections=document.sections,
            run=document.run,
            data=document.data,
            target=document.data.target,
            reading=_reading(document.data.reading),
            css=Markup((HERE / "report.css").read_text(encoding="utf-8")),  # noqa: S704 - our own file
            script=Markup(script),  # noqa: S704 - our own file
            script_hash=b64encode(sha256(script.encode()).digest()).decode(),
            lede=advice.lede(document),
            compared=compared,
            pair=_pair(compared, metric, sign) if compared else None,
            steps=advice.next_steps(document, errors, compared, figures),
            cautions=advice.cautions(document, main, warnings, unfinished),
            verdict=_verdict(document, main),
            gate=gate_of(document.verdict),
            scores=scores,
            main=main,
            also=next((score for score in scores[1:] if score.name == SAID_BESIDE.get(metric)), None),
            levels={formats.confidence(score.shown) for score in scores if score.shown.low is not None},
            sign=sign,
            learnt=words.learnt_words(main.label, main.shown, main.seen, sign) if main else "",
            explained=explained_words(document),
            selection=words.selection_words(document.selection, sign),
            predictions=words_of(document.problem).decisions(document),
            promises=words_of(document.problem).promises(document),
            notes=words.split_words(document.data) + words.cleaning_words(document.cleaning),
            cleaning=document.cleaning,
            target_facts=_target_facts(document.data.target),
            candidates=candidates,
            baseline=baseline,
            chart=chart_of(
                [one.line for one in candidates], sign=sign, baseline=baseline.shown.value if baseline else None
            ),
            unfinished=unfinished,
            pruned=sum(one.tried.status == "pruned" for one in candidates),
            errors=errors,
            warnings=warnings,
            failed_checks=errors + warnings,
            passed_checks=[check for check in document.checks if check.passed],
            figures=_figures(figures, words_of(document.problem)),
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
        "span": formats.span,
        "value_of": formats.value_of,
        "confidence": formats.confidence,
        "as_shown": formats.as_shown,
        "bars": glance.bars,
        "in_numbers": glance.in_numbers,
        "brief": formats.brief,
    }
    return shared


def _verdict(document: RunDocument, main: ScoreRow | None) -> GateWords:
    measured = words_of(document.problem).compared(document, main.label if main else "the score")
    told = words.verdict_words(document.verdict, measured)
    return GateWords(document.verdict.verdict, formats.sentence(document.verdict.reason), *told)


class GateWords(NamedTuple):
    kind: str
    reason: str
    tag: str
    headline: str
    evidence: str


def _pair(compared: advice.Comparison, metric: str, sign: int) -> Chart | None:
    """The winner above the baseline, up to the best that the measure allows."""
    best = compared.pair[0].shown.value
    perfect = 1 if metric in advice.UNIT_SCALE else 0 if sign < 0 or best is None else best
    return chart_of([Line(one.tried.label, one.shown) for one in compared.pair], sign=sign, whole=[perfect])


def _reading(reading: Reading) -> dict[str, str]:
    """How the source was read, but for what is told elsewhere."""
    told = reading.model_dump(exclude={"summary", "source", "rows", "columns"}, by_alias=True, exclude_none=True)
    return {name.replace("_", " ").capitalize(): formats.scalar(value) for name, value in told.items()}


def _target_facts(target: Target) -> dict[str, str]:
    """What is known of the outcome, without what a plot shows better."""
    facts = target.facts
    known = facts.model_dump(exclude={"name", "role", "histogram"}) if facts else {}
    known["classes"] = known.get("classes") or target.classes
    shown = {name: value for name, value in known.items() if value}
    return {name.replace("_", " "): formats.scalar(_first_of(value)) for name, value in shown.items()}


def _first_of(value: Any) -> Any:
    """Of many levels the first few."""
    if isinstance(value, Mapping) and len(value) > MAX_LEVELS:
        return {**dict(list(value.items())[:MAX_LEVELS]), "and": f"{len(value) - MAX_LEVELS} more"}
    if isinstance(value, list) and len(value) > MAX_LEVELS:
        return [*value[:MAX_LEVELS], f"and {len(value) - MAX_LEVELS} more"]
    return value


def _figures(figures: Mapping[str, str], own: Words) -> dict[str, list[Figure]]:
    """By section, in the order of the captions and then by name."""
    captions = {**CAPTIONS, **own.captions}
    order = {name: place for place, name in enumerate(captions)}
    placed: dict[str, list[Figure]] = {}
    shown = sorted(figures.keys() - {DRAWN_BY_THE_PAGE}, key=lambda name: (order.get(name, len(order)), name))
    for index, name in enumerate(shown):
        picture = inline(figures[name], prefix=f"f{index}", name=name.replace("_", " "))
        caption = " ".join(filter(None, (captions.get(name, ""), picture.note)))
        placed.setdefault(_section(name, own), []).append(
            Figure(name, picture.title, caption, Markup(picture.markup))  # noqa: S704 - drawn by us, cleaned
        )
    return placed


def _section(name: str, own: Words) -> str:
    """Where a figure stands; that of a diagnostic stands with it."""
    return name if name.startswith(DIAGNOSIS) else {**PLACES, **own.places}.get(name, "plots")
