"""The report: what it says, that it says it safely, and that it needs nothing but itself."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from hashlib import sha256
from html.parser import HTMLParser
from importlib.resources import files
from itertools import pairwise
from typing import Any, get_args

import numpy as np
import pytest
from pydantic import BaseModel

from penstock.components.plots import clustering_figures, supervised_figures, to_svg
from penstock.components.schema import Column, Schema
from penstock.document.candidates import Score, Selection
from penstock.document.data import Data
from penstock.document.formats import (
    MINUS,
    NOTHING,
    Shown,
    address,
    as_shown,
    decimals,
    duration,
    moment,
    number,
    percent,
    scalar,
    sentence,
    span,
)
from penstock.document.verdict import Verdict
from penstock.problems.clustering.sections import Telling
from penstock.problems.data import SplitFacts
from penstock.reporting.chart import Line, chart_of
from penstock.reporting.render import render as render_typed
from penstock.reporting.svg import inline
from penstock.reporting.words import gauge, meaning, selection_words, split_words, verdict_words
from penstock.tasks.cleaning import cleaning
from tests.documents import INTERVAL, amount, candidate, churn, crowded, part, segments, typed
from tests.documents import page as render

SEEN = {"rows": 9, "sample": {"rows": 9, "of": 9}}
VOID = {"meta", "link", "br", "img", "hr", "input"}


class Page(HTMLParser):
    """Collects what tests ask about, and fails where tags are not closed in order."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""
        self.first_screen = ""
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "nav":
            self.first_screen = self.text
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] not in (["style"], ["script"]):
            self.text += " " + " ".join(data.split())

    def all(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


@pytest.fixture
def document() -> dict[str, Any]:
    return churn()


@pytest.fixture
def clustering() -> dict[str, Any]:
    return segments()


@pytest.fixture(scope="module")
def arrays() -> dict[str, Any]:
    rng = np.random.default_rng(0)
    p = rng.random(1000)
    return {"y": (rng.random(1000) < p).astype(int), "proba": np.column_stack([1 - p, p])}


@pytest.fixture(scope="module")
def figures(arrays: dict[str, Any]) -> dict[str, str]:
    return {name: to_svg(figure) for name, figure in supervised_figures(churn(), arrays).items()}


def test_counts_of_what_a_model_tells_have_no_decimals(document: dict[str, Any]) -> None:
    rows = [["outside", 121, -0.5], ["on its edge", 5, "missing"]]
    table = {"title": "The margin", "heads": ["Where", "Rows", "Least"], "rows": rows}
    page = Page(render({**document, "deciding": {"sentences": ["So."], "tables": [table]}}, {}))
    assert "outside 121 \N{MINUS SIGN}0.500 on its edge 5 missing" in " ".join(page.text.split())


def test_verdict_and_interval_stand_on_the_first_screen(document: dict[str, Any]) -> None:
    page = Page(render(document, {}))
    for words in (
        "Promoted", "Version 3 replaces version 2.", "ROC AUC on 200 test rows", "0.861", "95% interval 0.832 to 0.889",
        "On 143 rows that version 2 never trained on, ROC AUC is 0.0121 better",
        "(95% interval 0.0042 to 0.0203 better).",
        "Above the margin.", "about 86 of 100 times (83 to 89)", "1 passed, 1 failed, 1 warning",
        "3 tried, 1 did not finish", "16 November 2026, 09:14 UTC",
        "Predicts whether “churned” is “yes”, from 2 columns of churn.csv.",
        "Trained on 800 rows, evaluated on 200 others that it never saw.",
        "Clearly better than the baseline.", "The model gets 0.870, the baseline, which ignores every column, 0.500.",
        "Look at the failed checks of the data before anything else.",
        "penstock score churn@champion new_rows.csv scores.csv",
        "The same test rows have now evaluated 2 winners.", "12 ages are below 0.", "1 candidate did not finish.",
    ):  # fmt: skip
        assert words in page.first_screen, words
    assert len(page.all("h1")) == 1


def test_page_is_whole_small_and_needs_nothing_from_outside(document: dict[str, Any], figures: dict[str, str]) -> None:
    html = render(document, figures)
    assert html.startswith("<!doctype html>")
    assert len(html.encode()) < 2_000_000
    page = Page(html)
    assert [attributes for tag, attributes in page.tags if tag == "script"] == [{}]
    for tag, attributes in page.tags:
        assert tag not in {"iframe", "img", "object", "embed", "base", "form"}
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name not in {"src", "srcset", "action", "xmlns", "xlink:href"}
            if name == "href":
                assert value
                assert value.startswith(("#", "data:")), value
            assert "url(" not in (value or "").replace("url(#", "")
    assert re.findall(r"https?://[^<\s]*", html) == ["http://127.0.0.1:5000/#/runs/9c1e5f"]
    assert "@import" not in html
    assert "url(" not in re.search(r"<style>(.*?)</style>", html, re.DOTALL)[1]
    script = re.search(r"<script>(.*?)</script>", html, re.DOTALL)[1]
    allowed = b64encode(sha256(script.encode()).digest()).decode()
    (policy,) = (meta["content"] for meta in page.all("meta") if "http-equiv" in meta)
    assert policy == f"default-src 'none'; script-src 'sha256-{allowed}'; style-src 'unsafe-inline'; img-src data:"


def test_ids_are_unique_and_every_reference_is_met(document: dict[str, Any], figures: dict[str, str]) -> None:
    svg = figures["roc_curve"]
    html = render(document, {"roc_curve": svg, "second": svg})
    page = Page(html)
    ids = [attributes["id"] for _, attributes in page.tags if "id" in attributes]
    assert len(ids) == len(set(ids))
    references = re.findall(r"url\(#([^)]+)\)", html) + re.findall(r'href="#([^"]+)"', html)
    assert any(reference.startswith("f1-") for reference in references)
    assert set(references) <= set(ids)


def test_tables_have_captions_and_pictures_have_words(document: dict[str, Any], figures: dict[str, str]) -> None:
    page = Page(render(document, figures))
    assert len(page.all("table")) == len(page.all("caption")) > 0
    pictures = page.all("svg")
    assert len(pictures) == len(page.all("figcaption")) == len(figures.keys() - {"candidates"})
    assert all(picture["role"] == "img" and picture["aria-label"] for picture in pictures)
    assert any("ROC curve: AUC" in (picture["aria-label"] or "") for picture in pictures)


def test_sections_stand_in_order_and_hold_their_figures(document: dict[str, Any], figures: dict[str, str]) -> None:
    page = Page(render(document, figures))
    assert sections_and_figures(page) == [
        "scores", "gate", "candidates", "plots", "figure-confusion_matrix", "figure-roc_curve",
        "figure-precision_recall_curve", "figure-threshold_curve", "figure-calibration_curve",
        "figure-score_distribution", "checks", "data", "figure-target_distribution", "figure-missing_values",
        "reproduce",
    ]  # fmt: skip
    links = [attributes["href"] for attributes in page.all("a")]
    assert links[0] == "#main"
    assert links[-7:] == ["#scores", "#gate", "#candidates", "#plots", "#checks", "#data", "#reproduce"]


def sections_and_figures(page: Page) -> list[str | None]:
    return [attributes["id"] for tag, attributes in page.tags if tag in ("section", "figure") and "id" in attributes]


def test_headings_stand_in_order_below_landmarks(document: dict[str, Any], figures: dict[str, str]) -> None:
    page = Page(render(document, figures))
    levels = [int(tag[1]) for tag, _ in page.tags if re.fullmatch("h[1-6]", tag)]
    assert levels[0] == 1
    assert all(after - before <= 1 for before, after in pairwise(levels))
    ids = {attributes["id"] for _, attributes in page.tags if "id" in attributes}
    assert all(section["aria-labelledby"] in ids for section in page.all("section"))
    for landmark in ("header", "nav", "main", "footer"):
        assert len(page.all(landmark)) == 1


def test_hostile_words_stay_words(document: dict[str, Any], arrays: dict[str, Any]) -> None:
    evil = "<script>alert(1)</script><img src=x onerror=alert(2)>\"'&"

    def poison(value: Any) -> Any:
        if isinstance(value, dict):
            return {
                (evil + key if key in ("alpha", "scikit-learn") else key): poison(item) for key, item in value.items()
            }
        if isinstance(value, list):
            return [poison(item) for item in value]
        return evil + value if isinstance(value, str) else value

    kept = {key: document[key] for key in ("metric", "problem")}
    hostile = poison(document) | kept
    hostile["verdict"]["verdict"] = evil
    hostile["metrics"] = {"roc_auc": hostile["metrics"]["roc_auc"], evil: hostile["metrics"]["accuracy"]}
    drawn = supervised_figures(hostile, arrays)
    figures = {name: to_svg(drawn[name]) for name in ("confusion_matrix", "candidates", "missing_values")}
    page = Page(render(hostile, {**figures, evil: figures["candidates"]}))
    assert page.all("script") == [{}]
    assert "img" not in {tag for tag, _ in page.tags}
    assert not any(name.startswith("on") for _, attributes in page.tags for name in attributes)
    assert "<script>alert(1)</script>" in page.text


def test_first_screen_of_a_regression_that_is_held_back() -> None:
    screen = Page(render(amount(), {})).first_screen
    for words in (
        "Predicts the value of “price”", "Held back", "Go on with version 2: nothing needs to change.",
        "The model gets 3.100, the baseline, which ignores every column, 6.200, 50% less error.",
    ):  # fmt: skip
        assert words in screen, words
    assert "penstock score" not in screen


def test_a_winner_no_better_than_the_baseline_is_said(document: dict[str, Any]) -> None:
    document["candidates"] = [candidate("ridge 1", 0.51, 1), candidate("baseline", 0.5, 2)]
    screen = Page(render(document, {})).first_screen
    assert "Not clearly better than the baseline." in screen
    assert "the model adds little yet" in screen


@pytest.mark.covers("proc_reference_baselines")
def test_every_candidate_stands_against_the_baseline_and_one_no_better_is_flagged(document: dict[str, Any]) -> None:
    document["candidates"] += [candidate("mlp 2", 0.48, 3)]
    page = Page(render(document, {}))
    assert "Over baseline" in page.text
    for words in ("ridge 1 winner", "baseline baseline", "mlp 2 not better than the baseline"):
        assert words in page.text
    assert page.text.count("not better than the baseline") == 1
    gains = [
        attributes["data-value"] for attributes in page.all("td") if attributes.get("data-label") == "Over baseline"
    ]
    assert [pytest.approx(float(gain)) for gain in gains if gain] == [0.37, -0.02]

    errors = amount()
    assert errors["candidates"][-1]["name"] == "dummy"
    assert "not better than the baseline" not in Page(render(errors, {})).text
    errors["candidates"][0] |= {"score": -7.0, "low": -7.5, "high": -6.5}  # an error, so greater is worse
    screen = Page(render(errors, {}))
    assert "not better than the baseline" in screen.text
    assert "No better than the baseline" in screen.first_screen


def test_what_was_chosen_of_the_preparation_is_told(document: dict[str, Any]) -> None:
    chosen = {"scale": {"robust": {"unit_variance": True, "with_centering": None}}, "select": {"none": {}}}
    document["candidates"][-1]["preparation"] = document["winner"]["preparation"] = chosen
    document["selection"]["halved"] = 24
    text = Page(render(document, {})).text
    assert "scale robust (unit_variance=True, with_centering=none), select none" in text
    assert "preparation: scale robust, unit_variance=True, with_centering=none preparation: select none" in text
    assert "24 candidates fell out of successive halving on a share of the rows" in text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"metrics": {"roc_auc": {**INTERVAL, "value": 0.998, "sign": 1}}}, "that is only known once the outcome is"),
        ({"metrics": {"roc_auc": {**INTERVAL, "low": 0.7, "sign": 1}}}, "known only roughly"),
        ({"data": {"test_rows": 40, "train_rows": 99}}, "Only 40 test rows evaluated it."),
        ({"data": {"target": {"facts": {"classes": {"no": 95, "yes": 5}}}}}, "95% of the rows are “no”"),
        ({"run": {"reproducible": False}}, "on another machine the result may differ"),
        ({"analysis": {**SEEN, "findings": [{"text": "“a” tells all", "weight": 90}]}}, "“a” tells all."),
        ({"checks": [], "selection": {}, "candidates": []}, "Nothing stood out."),
    ],
    ids=["too good", "rough", "few rows", "lopsided", "limit", "analysis", "nothing"],
)  # fmt: skip
def test_what_to_beware_of(document: dict[str, Any], change: dict[str, Any], words: str) -> None:
    page = Page(render(document | change, {}))
    assert words in page.first_screen


def test_gaps_of_a_column_are_told_once(document: dict[str, Any]) -> None:
    check = {"rule": "mostly empty columns", "column": "cabin", "message": "column 'cabin' is missing in 77% of rows",
             "passed": False, "severity": "warning"}  # fmt: skip
    gaps = [
        {"kind": "missing", "columns": [name], "text": f"'{name}' is missing in 76% of rows", "weight": 60}
        for name in ("cabin", "boat")
    ]
    page = Page(render(document | {"checks": [check], "analysis": {**SEEN, "findings": gaps}}, {}))
    assert "Column 'cabin' is missing in 77% of rows." in page.first_screen
    assert "'cabin' is missing in 76%" not in page.first_screen
    assert "'boat' is missing in 76%" in page.first_screen


def test_a_known_group_is_not_among_the_columns_that_clusters_come_from() -> None:
    found = segments()
    found["data"]["schema"] = [{"name": "age", "role": "numeric"}, {"name": "planted", "role": "target"}]
    assert "from 1 column" in Page(render(found, {})).first_screen


def line(one: dict[str, Any], sign: int = 1) -> Line:
    return Line(one["label"], as_shown(Shown(one["score"], one["low"], one["high"]), sign), one["folds"])


def test_one_that_failed_badly_does_not_flatten_the_others() -> None:
    found = [candidate(f"c{place}", score, place) for place, score in enumerate((0.9, 0.88, 0.87, -50.0))]
    chart = chart_of([line(one) for one in found], sign=1)
    best, second, _, bad = chart.marks
    assert best.value - second.value > 5
    assert bad.beyond
    assert bad.value == 0
    assert not second.beyond
    assert best.low < best.value < best.low + best.width
    assert [tick.text for tick in chart.ticks] == ["0.86", "0.88", "0.90", "0.92"]


def test_errors_on_a_line_run_from_small_to_large() -> None:
    found = [candidate("good", -2.0, 1), candidate("bad", -3.0, 2), candidate("none", None, None)]
    good, bad, nothing = chart_of([line(one, -1) for one in found], sign=-1, whole=[0]).marks
    assert 0 < good.value < bad.value < 100
    assert nothing is None


def test_what_was_found_out_about_the_file_is_told(document: dict[str, Any]) -> None:
    found = {"format": "csv", "separated_by": "semicolons", "decimal": None, "declared": [], "summary": "all at once"}
    document["data"]["reading"] = found
    text = " ".join(Page(render(document, {})).text.split())
    assert "How the file was read Format csv Separated by semicolons" in text
    assert "Declared" not in text
    assert "all at once" not in text


def test_errors_are_shown_as_positive_numbers_with_ends_in_order(document: dict[str, Any]) -> None:
    document |= {
        "metric": "neg_root_mean_squared_error",
        "metrics": {
            "neg_root_mean_squared_error": {
                "value": -3.2,
                "low": -3.9,
                "high": -2.7,
                "confidence": 0.9,
                "label": "RMSE",
                "sign": -1,
            }
        },
        "candidates": [candidate("ridge 1", -3.1, 1)],
        "selection": {"naive": -3.1, "corrected": {"value": -3.25, "low": -3.5, "high": -3.0, "confidence": 0.95}},
    }
    page = Page(render(document, {}))
    assert "90% interval 2.700 to 3.900" in page.first_screen
    assert "typically off by about 3.200" in page.first_screen
    assert "3.070 to 3.120" in page.text
    assert "less error" not in page.text
    assert "scored 3.100 on the training rows" in page.text
    assert "3.250 (95% interval 3.000 to 3.500)" in page.text
    assert f"{MINUS}3" not in page.text
    assert "-3." not in page.text


def test_intervals_name_their_confidence(document: dict[str, Any]) -> None:
    assert "Value 95% interval In words" in " ".join(Page(render(document, {})).text.split())
    document["metrics"]["accuracy"]["confidence"] = 0.9
    text = " ".join(Page(render(document, {})).text.split())
    assert "Value Interval In words" in text
    assert "0.760 to 0.840 (90% interval)" in text


def test_candidates_are_ranked_and_failures_say_why(document: dict[str, Any]) -> None:
    text = Page(render(document, {})).text
    table = text[text.index("Candidates and their scores") :]
    assert table.index("ridge 1") < table.index("baseline baseline") < table.index("mlp 1")
    assert "Rank" in table
    assert "out of memory" in table
    assert "needed more than 500 MB" in table


def test_a_candidate_ended_early_is_no_failure(document: dict[str, Any]) -> None:
    document["candidates"][0] |= {"status": "pruned", "score": 0.6, "reason": "others were better"}
    page = Page(render(document, {}))
    assert "3 tried, 1 pruned early" in page.first_screen
    assert "did not finish" not in page.text
    assert "pruned early" in page.text[page.text.index("Candidates and their scores") :]


def test_unranked_candidates_stand_by_score_after_the_winner(clustering: dict[str, Any]) -> None:
    clustering["candidates"] = [
        candidate("k-means #0", 0.3, None, stability=INTERVAL),
        candidate("k-means #1", None, None, status="died", reason="the worker ended"),
        candidate("k-means #2", 0.5, None),
        candidate("ridge 1", 0.4, None),
    ]
    text = Page(render(clustering, {})).text
    table = text[text.index("Candidates and their scores") :]
    places = [table.index(name) for name in ("ridge 1", "k-means #2", "k-means #0", "k-means #1")]
    assert places == sorted(places)
    assert "Rank" not in table
    assert "Stability" in table


def test_many_candidates_fold_away(document: dict[str, Any]) -> None:
    document["candidates"] = [candidate(f"ridge {rank}", 0.9 - rank / 100, rank) for rank in range(1, 31)]
    page = Page(render(document, {}))
    assert [table["data-fold"] for table in page.all("table") if "data-sortable" in table][:1] == ["10"]
    assert "ridge 30" in page.text


def test_failed_checks_come_with_remedy_and_errors_first(document: dict[str, Any]) -> None:
    text = Page(render(document, {})).text
    checks = text[text.index("Checks of the data") :]
    assert checks.index("The key occurs twice.") < checks.index("12 ages are below 0.")
    assert "Correct them." in checks
    assert "12 rows (2.0%)" in checks


def test_clustering_report(clustering: dict[str, Any]) -> None:
    rng = np.random.default_rng(0)
    arrays = {
        "points_2d": rng.normal(size=(60, 2)), "labels": np.arange(60) % 3 - 1, "silhouette": rng.uniform(-1, 1, 60),
        "k_curves": {"gap": {"2": 0.4, "3": 0.3}},
    }  # fmt: skip
    figures = {name: to_svg(figure) for name, figure in clustering_figures(clustering, arrays).items()}
    page = Page(render(clustering, figures))
    assert "Version 1 goes into service as the first one." in page.first_screen
    assert "0.410" in page.first_screen
    assert "noise" in page.text
    assert "basic" in page.text
    assert sections_and_figures(page)[:4] == ["scores", "clusters", "figure-choice_of_k", "figure-cluster_profile"]


def emptied(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Paths of what a document may lack: a value that may be None, a list or a dictionary that may be empty."""
    if isinstance(value, BaseModel):
        for name, field in type(value).model_fields.items():
            inner = getattr(value, name)
            if isinstance(inner, list | dict) or type(None) in get_args(field.annotation):
                yield (*path, name)
            yield from emptied(inner, (*path, name))


def without(value: Any, path: tuple[Any, ...]) -> Any:
    name, *rest = path
    inner = getattr(value, name)
    nothing = type(inner)() if isinstance(inner, list | dict) else None
    return value.model_copy(update={name: without(inner, tuple(rest)) if rest else nothing})


@pytest.mark.parametrize("kind", ["document", "clustering"])
def test_any_part_may_be_missing(kind: str, request: pytest.FixtureRequest) -> None:
    document = typed(request.getfixturevalue(kind))
    for path in emptied(document):
        page = Page(render_typed(without(document, path), {}))
        for trace in ("None", "nan", "Undefined", " ()"):
            assert trace not in page.text, (path, trace)


def test_an_empty_document_still_gives_a_page() -> None:
    assert "How to reproduce" in Page(render({}, {})).text


def test_not_reproducible_is_said_with_its_reason(document: dict[str, Any]) -> None:
    document["run"] |= {"reproducible": False, "not_reproducible_because": "the time limit struck mlp 1"}
    assert "The time limit struck mlp 1." in Page(render(document, {})).text


@pytest.mark.parametrize(
    ("verdict", "tag", "headline"),
    [
        ({"verdict": "promoted", "version": "3", "champion": "2"}, "Promoted", "Version 3 replaces version 2"),
        ({"verdict": "held", "version": "3", "champion": "2"}, "Held back",
         "Version 2 stays: version 3 does not replace it"),
        ({"verdict": "inconclusive", "version": "3", "champion": "2"}, "Undecided",
         "Version 2 stays for now: there is not enough evidence about version 3"),
        ({"verdict": "held", "version": "1", "champion": None}, "Held back", "Version 1 does not go into service"),
        ({"verdict": "first", "version": "1", "champion": None}, "First version",
         "Version 1 goes into service as the first one"),
    ],
)  # fmt: skip
def test_verdicts_in_words(verdict: dict[str, Any], tag: str, headline: str) -> None:
    assert verdict_words(part(Verdict, verdict), "ROC AUC") == (tag, headline, "")


@pytest.mark.parametrize(
    ("low", "value", "high", "words"),
    [
        (0.1, 0.2, 0.3, "RMSE is 0.200 better (95% interval 0.100 to 0.300 better)."),
        (-0.3, -0.2, -0.1, "RMSE is 0.200 worse (95% interval 0.100 to 0.300 worse)."),
        (-0.1, 0.1, 0.3, "RMSE is 0.100 better (95% interval from 0.100 worse to 0.300 better)."),
        (0, 0, 0.3, "RMSE is equal (95% interval from equal to 0.300 better)."),
    ],
)
def test_differences_in_words(low: float, value: float, high: float, words: str) -> None:
    difference = {"low": low, "value": value, "high": high, "confidence": 0.95}
    assert verdict_words(part(Verdict, {"difference": difference}), "RMSE").evidence == words


def scored(**facts: Any) -> Score:
    return part(Score, {"sign": 1, **facts})


def test_meaning_of_metrics() -> None:
    auc = meaning("roc_auc", scored(**INTERVAL), positive="yes", what="“churned”")
    assert auc == (
        "Of a random “yes” row and a random other row, the model gives the “yes” one the higher score "
        "about 86 of 100 times (83 to 89); guessing gets 50."
    )
    near_perfect = meaning("accuracy", scored(value=0.9996, low=0.999, high=1.0), positive=None, what="the target")
    assert near_perfect == "About 100.0 of 100 rows (99.9 to 100.0) get the right class."
    assert "71%" in meaning("r2", scored(value=0.71), positive=None, what="“price”")
    assert "about 99.7%" in meaning("r2", scored(value=0.9967), positive=None, what="“price”")
    assert "about 99.9%" in meaning("r2", scored(value=0.99999), positive=None, what="“price”")
    assert meaning("r2", scored(value=-0.1), positive=None, what="“price”").startswith("No better than")
    assert meaning("neg_mean_absolute_error", scored(value=-2.5, sign=-1), positive=None, what="“price”") == (
        "On average, predictions of “price” are off by 2.500."
    )
    assert meaning("my_own", scored(value=1.0), positive=None, what="the target") == ""


def test_gauge_lies_on_the_metrics_own_scale() -> None:
    *places, start, end = gauge("roc_auc", Shown(0.75, 0.6, 1.0))
    assert places == pytest.approx([20, 50, 80])
    assert (start, end) == ("0.5", "1")
    assert gauge("roc_auc", Shown(0.5, 0.4, 0.6)).start == "0"
    assert gauge("neg_log_loss", Shown(0.75, 0.6, 1.0)) is None
    assert gauge("r2", Shown(0.75, None, None)) is None


@pytest.mark.parametrize(
    ("difference", "words"),
    [
        ({"column": "age", "of": "mean", "mean": 24.449, "overall": 42.01}, "age 24.45 (all 42.01)"),
        ({"column": "joined", "of": "mean", "mean": "2024-05-01", "overall": "2023-01-01"},
         "joined 2024-05-01 (all 2023-01-01)"),
        ({"column": "plan", "of": "level", "level": "basic", "share": 0.81, "overall": 0.25},
         "plan “basic” in 81% (all 25%)"),
        ({"column": "plan", "of": "missing", "share": 0.4, "overall": 0.05}, "plan missing in 40% (all 5.0%)"),
    ],
)  # fmt: skip
def test_clusters_are_told_apart_in_words(clustering: dict[str, Any], difference: dict[str, Any], words: str) -> None:
    assert part(Telling, difference).in_words == words
    clustering["clusters"][1]["telling"] = [difference]
    assert f"Cluster 0 {words}" in Page(render(clustering, {})).text


def test_a_cluster_goes_by_its_name(clustering: dict[str, Any]) -> None:
    for cluster, name in zip(clustering["clusters"], ("noise", "high age", "low age"), strict=True):
        cluster["name"] = name
    clustering["candidates"] = [one for one in clustering["candidates"] if one["name"] != "baseline"]
    text = " ".join(Page(render(clustering, {})).text.split())
    assert "Cluster 0 high age" in text
    assert "Cluster 1 low age" in text
    assert "Noise noise" not in text


def test_doubts_about_the_test_rows_are_said(document: dict[str, Any]) -> None:
    assert split_words(part(Data, {})) == []
    document["data"] |= {"topped_up": {"yes": 1}, "equal_content": 12}
    text = Page(render(document, {})).text
    assert "Of class “yes”, 1 more row than its share went into the test" in text
    assert "12 test rows equal a training row in all features" in text


def test_facts_of_the_target_are_shown_without_what_is_drawn(document: dict[str, Any]) -> None:
    assert "Target: classes no: 600, yes: 200" in " ".join(Page(render(document, {})).text.split())
    document["data"]["target"] = {
        "name": "price", "classes": None,
        "facts": {"name": "price", "missing": 0.0, "mean": 12.5, "histogram": {"edges": [0, 777], "counts": [3]}},
    }  # fmt: skip
    text = " ".join(Page(render(document, {})).text.split())
    assert "Target price Target: mean 12.50" in text
    assert "777" not in text


def test_many_levels_are_cut(document: dict[str, Any]) -> None:
    text = Page(render(crowded(document), {})).text
    assert "level 11: 12, and: 188 more" in text
    assert "level 12:" not in text


def test_passwords_in_addresses_are_left_out(document: dict[str, Any]) -> None:
    document["run"] |= {"mlflow_uri": "postgresql://me:secret@db/mlflow"}
    text = Page(render(document, {})).text
    assert "postgresql://db/mlflow" in text
    assert "secret" not in text
    assert address("http://me:p@ss@host:5000/#/x") == "http://host:5000/#/x"
    assert address("http://host/a@b") == "http://host/a@b"


def test_a_repeated_run_says_whose_results_it_shows(document: dict[str, Any]) -> None:
    document["run"]["cached_from"] = "run-16"
    assert "these are the results of run run-16" in Page(render(document, {})).text


def test_worn_test_rows_are_said() -> None:
    def words(**facts: Any) -> list[str]:
        return selection_words(part(Selection, facts), 1)

    assert words(winners_evaluated=1) == ["These test rows have evaluated no winner before."]
    assert "evaluated 4 winners" in words(winners_evaluated=4)[0]
    assert words(reason="k-means is the most stable")[0] == "K-means is the most stable."
    assert words(candidates=1, fits=5)[0] == "1 candidate was tried in 5 fits."


def test_numbers_as_people_read_them() -> None:
    values = (0.8612, 54.321, 543.21, 54321.9, -0.25, 0.012, 0, 0.00002, None, float("nan"))
    assert [number(value) for value in values] == [
        "0.861", "54.32", "543.2", "54,322", f"{MINUS}0.250", "0.0120", "0", f"2.00e{MINUS}05", NOTHING, NOTHING,
    ]  # fmt: skip
    assert decimals(0.0042, 12.0) == 2
    assert span(as_shown(Shown(-3, -4, -2, 0.9), -1)) == "2.000 to 4.000"
    assert [percent(share) for share in (0, 0.0004, 0.021, 0.5, None)] == ["0%", "< 0.1%", "2.1%", "50%", NOTHING]
    assert [duration(seconds) for seconds in (0.04, 59.6, 84.2, 125, 7322, None)] == [
        "0.0 s", "60 s", "84 s", "2 min 5 s", "2 h 2 min", NOTHING,
    ]  # fmt: skip
    assert moment("2026-11-16T09:14:03+01:00") == "16 November 2026, 08:14 UTC"
    assert moment("yesterday") == "yesterday"
    assert scalar({"no": 0.75, "yes": [1, True, None]}) == "no: 0.750, yes: 1, yes, " + NOTHING
    assert sentence("as it is") == "As it is."
    assert sentence("Why?") == "Why?"


def test_inlined_picture_carries_nothing_that_acts_on_the_page() -> None:
    svg = (
        '<?xml version="1.0"?><svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" '
        'width="9" onload="x()"><title>A &lt;plot&gt;</title><style>*{fill:red}</style><script>x()</script>'
        '<a xlink:href="https://example.org/"><use xlink:href="#m"/></a><path id="m" style="clip-path: url(#c)"/></svg>'
    )
    inlined = inline(svg, prefix="f1", name="plot")
    assert (inlined.title, inlined.note) == ("A <plot>", "")
    assert inlined.markup == (
        '<svg role="img" aria-label="A &lt;plot&gt;"><a><use href="#f1-m" /></a>'
        '<path id="f1-m" style="clip-path: url(#f1-c)" /></svg>'
    )
    assert 'aria-label="plot"' in inline("<svg/>", prefix="f1", name="plot").markup


def test_inlined_picture_keeps_its_hints_and_gives_its_note() -> None:
    svg = "<svg><title>T</title><desc>2 of 9 rows</desc><rect class='hint'><title>7 rows</title></rect></svg>"
    inlined = inline(svg, prefix="f1", name="plot")
    assert inlined.note == "2 of 9 rows"
    assert '<rect class="hint"><title>7 rows</title></rect>' in inlined.markup
    assert "2 of 9" not in inlined.markup


def luminance(colour: str) -> float:
    parts = [int(colour[place : place + 2], 16) / 255 for place in (1, 3, 5)]
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


@pytest.mark.parametrize("scheme", [0, 1], ids=["light", "dark"])
def test_words_stand_out_from_what_is_behind_them(scheme: int) -> None:
    css = (files("penstock.reporting") / "report.css").read_text()
    colours = {name: pair[scheme] for name, *pair in re.findall(r"--([\w-]+): light-dark\((#\w{6}), (#\w{6})\)", css)}
    pairs = [(words, behind) for words in ("ink", "quiet", "accent") for behind in ("page", "card")]
    pairs += [("good", "good-soft"), ("warn", "warn-soft"), ("bad", "bad-soft"), ("good", "card"), ("warn", "card")]
    pairs += [("ink", "accent-soft"), ("ink", "good-soft"), ("quiet", "good-soft")]
    for words, behind in pairs:
        dark, light = sorted((luminance(colours[words]), luminance(colours[behind])))
        assert (light + 0.05) / (dark + 0.05) >= 4.5, (words, behind)


@pytest.mark.parametrize(
    ("seen", "sign", "words"),
    [
        (0.95, 1, "better than chance explains (overfitting)"),
        (0.85, 1, "no sign of overfitting"),
        (0.5, 1, "happen to be easier"),
        (-0.1, -1, "better than chance explains (overfitting)"),
        (-2.0, -1, "happen to be easier"),
    ],
)
def test_both_values_of_a_loss_stand_side_by_side(document: dict[str, Any], seen: float, sign: int, words: str) -> None:
    facts = {"value": 0.861, "low": 0.832, "high": 0.889} if sign > 0 else {"value": -0.9, "low": -1.1, "high": -0.8}
    document["metrics"]["roc_auc"] = {**facts, "label": "the loss", "sign": sign}
    document["in_sample"] = {"roc_auc": seen, "accuracy": 0.9}
    text = Page(render(document, {})).text
    assert "On unseen rows" in text
    assert f"The loss is {number(abs(seen))} on the rows that the model was trained on" in text
    assert f"{number(abs(facts['value']))} on rows that it never saw" in text
    assert words in text


def test_the_question_heads_the_page_and_cleaning_is_counted(document: dict[str, Any]) -> None:
    document["question"] = {"asked": "who leaves", "inputs": ["age", "plan"], "target": "churned"}
    document["cleaning"] = {
        "before": {"rows": 1010, "columns": 5}, "after": {"rows": 1000, "columns": 4}, "columns": {"note": "free text"},
        "rows": {"no value of the target 'churned'": 10}, "set_aside": {"in the gap": 3},
    }  # fmt: skip
    page = Page(render(document, {}))
    assert "Who leaves. Predicts whether “churned” is “yes”" in page.first_screen
    for words in (
        "Cleaning: 1,010 rows by 5 columns became 1,000 rows by 4 columns.", "3 rows set aside: in the gap.",
        "10 rows no value of the target 'churned'", "Column note free text",
    ):  # fmt: skip
        assert words in page.text, words


def test_a_quick_try_on_a_sample_is_no_secret() -> None:
    columns = [Column(name="churned", role="target", reason="")]
    schema = Schema(problem="classification", target="churned", columns=columns)
    parts = part(SplitFacts, {"rows": 400, "without_target": 0, "in_gap": 0})
    page = render({**churn(), "cleaning": cleaning(schema, {}, parts, source_rows=7000).model_dump()}, {})
    assert "A quick try on 400 of 7,000 rows; run it on all of them." in page
    whole = render({**churn(), "cleaning": cleaning(schema, {}, parts, source_rows=400).model_dump()}, {})
    assert "A quick try" not in whole
