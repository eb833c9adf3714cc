"""The report in a real browser, opened from the disk."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Browser, Page, expect, sync_playwright

from penstock.components.plots import clustering_figures, supervised_figures, to_svg
from tests.documents import amount, churn, crowded, segments
from tests.documents import page as render
from tests.e2e.harness import finish, start
from tests.small import classification

CHROMIUM = shutil.which("chromium")
PDFTOTEXT = shutil.which("pdftotext")
QUIET = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]
WIDTHS = (1280, 390)
SCREENSHOTS = os.environ.get("PENSTOCK_SCREENSHOTS")
SIDEWAYS = "document.documentElement.scrollWidth > document.documentElement.clientWidth"

pytestmark = pytest.mark.skipif(
    CHROMIUM is None, reason="no chromium on this machine; install the package `chromium` to run this"
)

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        chromium = playwright.chromium.launch(executable_path=CHROMIUM, args=QUIET)
        yield chromium
        chromium.close()


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """One report of each kind of problem, with all its plots."""
    rng = np.random.default_rng(0)
    p, y, x = rng.random(400), rng.normal(size=300), rng.normal(size=(200, 2))
    proba = {"y": (rng.random(400) < p).astype(int), "proba": np.column_stack([1 - p, p])}
    numbers = {"y": y, "prediction": y + rng.normal(size=300) / 3}
    labels = {"points_2d": x, "labels": (x[:, 0] > 0).astype(int), "silhouette": rng.uniform(-0.2, 1, 200)}
    made = {
        "classification": (churn(), supervised_figures(churn(), proba)),
        "regression": (amount(), supervised_figures(amount(), numbers)),
        "clustering": (segments(), clustering_figures(segments(), {**labels, "k_curves": {"gap": {2: 0.4, 3: 0.3}}})),
        "crowded": (crowded(churn()), {}),
    }
    folder = tmp_path_factory.mktemp("pages")
    for name, (document, figures) in made.items():
        (folder / f"{name}.html").write_text(render(document, {key: to_svg(plot) for key, plot in figures.items()}))
    return {name: folder / f"{name}.html" for name in made}


@pytest.fixture
def opened(browser: Browser, pages: dict[str, Path]) -> Iterator[Open]:
    """Opens a report; at the end nothing may have been asked of a network, and the console must be empty."""
    complaints: list[str] = []
    contexts = []

    def open_page(name: str | Path, *, width: int = 1280, **options: Any) -> Page:
        context = browser.new_context(viewport={"width": width, "height": 900}, **options)
        contexts.append(context)
        page = context.new_page()
        page.on("request", lambda request: complaints.append(request.url) if request.url != address else None)
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        address = (name if isinstance(name, Path) else pages[name]).as_uri()
        page.goto(address)
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [words for words in complaints if not words.startswith("data:")] == []


def keep(page: Page, folder: Path, name: str) -> None:
    path = folder / f"{name}.png"
    page.screenshot(path=path, full_page=True)
    assert path.stat().st_size > 10_000
    if SCREENSHOTS:
        Path(SCREENSHOTS).mkdir(parents=True, exist_ok=True)
        shutil.copy(path, SCREENSHOTS)


@pytest.mark.slow
def test_the_report_of_a_run_opens_offline(tmp_path: Path, served_home: Path, prefect_api: str, opened: Open) -> None:
    pipeline = classification(tmp_path, name="page")
    # In a process of its own: a browser driven from this one keeps an event loop that Prefect would stumble on.
    assert finish(start(pipeline, served_home, prefect_api)) == 0
    (report,) = served_home.glob("runs/*/report.html")
    assert report.stat().st_size < 5_000_000
    for width in WIDTHS:
        page = opened(report, width=width)
        assert not page.evaluate(SIDEWAYS)
        assert page.locator("figure svg").count() >= 5
    keep(page, tmp_path, "run")


@pytest.mark.parametrize(
    "name",
    ["classification", *(pytest.param(n, marks=pytest.mark.slow) for n in ("regression", "clustering", "crowded"))],
)
def test_no_page_scrolls_sideways(opened: Open, tmp_path: Path, name: str) -> None:
    page = opened(name)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        for scheme in ("light", "dark"):
            page.emulate_media(color_scheme=scheme)
            if SCREENSHOTS or (name != "crowded" and (width, scheme) in ((1280, "light"), (390, "dark"))):
                keep(page, tmp_path, f"{name}-{width}-{scheme}")
        assert not page.evaluate(SIDEWAYS)
        page.get_by_role("button", name="Unfold all").click()
        assert not page.evaluate(SIDEWAYS)
        page.get_by_role("button", name="Unfold all").click()


OVERLAPS = """() => {
    const marks = [...document.querySelectorAll("#candidates .axis span")].map((mark) => mark.getBoundingClientRect());
    return marks.some((mark, place) => place > 0 && mark.left < marks[place - 1].right);
}"""
CUT_OFF = """() => [...document.querySelectorAll(".table")].filter((one) => one.scrollWidth > one.clientWidth)
    .map((one) => one.ariaLabel)"""
SMALLEST_LETTERS = """() => Math.min(...[...document.querySelectorAll("figure svg text")].map((text) =>
    parseFloat(getComputedStyle(text).fontSize) * text.getScreenCTM().a).filter((size) => size > 0))"""
UNNAMED = """() => [...document.querySelectorAll(".stack tbody td:not(.words):not(:empty)")].filter((cell) =>
    getComputedStyle(cell, "::before").content === "none").length"""


@pytest.mark.slow
def test_tables_can_be_read_at_every_width(opened: Open) -> None:
    page = opened("classification")
    table = page.locator("#candidates .table").first
    assert not page.evaluate(OVERLAPS), "marks of the axis run into each other"
    assert table.evaluate("one => one.scrollWidth <= one.clientWidth")
    page.set_viewport_size({"width": 390, "height": 900})
    assert page.locator(".stack tbody td:visible").count() > 5
    assert page.evaluate(UNNAMED) == 0, "a number without the name of its column"
    page.get_by_role("button", name="Unfold all").click()
    assert page.evaluate(CUT_OFF) == []
    assert page.evaluate(SMALLEST_LETTERS) > 8


@pytest.mark.slow
def test_first_screen_answers_before_scrolling(opened: Open) -> None:
    page = opened("classification")
    for question in ("How good is it?", "Is that more than guessing?", "Does it go into service?",
                     "What to do next", "What to beware of"):  # fmt: skip
        heading = page.get_by_role("heading", name=question, level=2)
        box = heading.bounding_box()
        assert box is not None
        assert box["y"] < 900


@pytest.mark.slow
def test_candidates_sort_filter_and_fold(opened: Open) -> None:
    page = opened("crowded")
    table = page.locator("#candidates table")
    names = table.locator("tbody tr:visible th")
    assert names.count() == 10
    score = table.get_by_role("columnheader", name="ROC AUC")
    expect(score).not_to_have_attribute("aria-sort", "ascending")
    score.get_by_role("button").click()
    expect(score).to_have_attribute("aria-sort", "ascending")
    assert names.first.inner_text().startswith("baseline")
    score.get_by_role("button").press("Enter")
    expect(score).to_have_attribute("aria-sort", "descending")
    assert names.first.inner_text().startswith("hist-gradient-boosting 1\n")
    page.get_by_role("button", name="Show all 102 rows").click()
    assert names.count() == 102
    assert names.last.inner_text().startswith("mlp 1"), "a candidate without a score stays last"
    page.get_by_label("Filter rows: Candidates").fill("boosting 77")
    assert names.all_inner_texts()[0].startswith("hist-gradient-boosting 77")
    assert names.count() == 1


@pytest.mark.slow
def test_a_section_unfolds_by_keyboard(opened: Open) -> None:
    page = opened("classification")
    fold = page.locator("#checks details")
    expect(fold.get_by_role("table")).not_to_be_visible()
    fold.locator("summary").press("Enter")
    expect(fold.get_by_role("table")).to_be_visible()


@pytest.mark.slow
def test_first_key_leads_past_the_header(opened: Open) -> None:
    page = opened("classification")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_be_focused()


@pytest.mark.slow
def test_colours_follow_the_system_and_can_be_switched(opened: Open) -> None:
    background = "getComputedStyle(document.body).backgroundColor"
    light = opened("classification", color_scheme="light").evaluate(background)
    page = opened("classification", color_scheme="dark")
    dark = page.evaluate(background)
    assert dark != light
    button = page.get_by_role("button", name="Dark")
    expect(button).to_have_attribute("aria-pressed", "true")
    button.click()
    expect(button).to_have_attribute("aria-pressed", "false")
    assert page.evaluate(background) == light
    for _ in range(10):  # the browser writes it down some time later
        page.reload()
        if page.evaluate(background) == light:
            break
        page.wait_for_timeout(500)
    assert page.evaluate(background) == light, "the choice is remembered"


@pytest.mark.slow
def test_pointing_shows_values(opened: Open) -> None:
    page = opened("classification")
    tip = page.locator("#tip")
    expect(tip).not_to_be_visible()
    page.locator("#figure-confusion_matrix .hint").first.hover()
    expect(tip).to_contain_text("True no, predicted no:")
    page.locator("#candidates .plot.hint").first.hover()
    expect(tip).to_have_text("ridge 1: 0.870, interval 0.850 to 0.900; folds 0.860 to 0.880")
    page.keyboard.press("Escape")
    expect(tip).not_to_be_visible()


@pytest.mark.slow
def test_arrow_keys_walk_through_the_values_of_a_plot(opened: Open) -> None:
    page = opened("regression")
    plot = page.locator("#figure-residuals svg")
    plot.focus()
    plot.press("ArrowRight")
    first = page.locator("#tip").inner_text()
    assert first.startswith("Predicted")
    plot.press("ArrowRight")
    assert page.locator("#tip").inner_text() != first


@pytest.mark.slow
def test_the_page_prints_with_all_its_folds_open(opened: Open, tmp_path: Path) -> None:
    page = opened("crowded")
    page.evaluate(
        "addEventListener('beforeprint', () => { window.opened = document.querySelectorAll('details[open]').length })"
    )
    page.pdf(path=tmp_path / "report.pdf", format="A4")
    assert (tmp_path / "report.pdf").stat().st_size > 30_000
    assert page.evaluate("window.opened") == page.locator("details").count() > 3
    assert page.locator("details[open]").count() < page.locator("details").count(), "folded again afterwards"
    if PDFTOTEXT:
        told = subprocess.check_output([PDFTOTEXT, "-layout", tmp_path / "report.pdf", "-"], text=True)
        with_candidates = [sheet for sheet in told.split("\f") if sheet.count("hist-gradient-boosting ") > 3]
        assert len(with_candidates) > 3
        assert all({"Rank", "Candidate", "Time"} <= set(sheet.split()[:20]) for sheet in with_candidates[1:])
    page.emulate_media(media="print")
    assert page.locator("#candidates tbody tr:visible").count() == 102
    expect(page.locator("nav")).not_to_be_visible()


@pytest.mark.slow
def test_everything_can_be_read_without_the_script(opened: Open) -> None:
    page = opened("crowded", width=390, java_script_enabled=False)
    assert page.locator("#candidates tbody tr:visible").count() == 102
    expect(page.get_by_role("button")).to_have_count(0)
    page.locator("#checks summary").click()
    expect(page.locator("#checks details table")).to_be_visible()
    assert page.locator("#candidates .plot.hint").first.get_attribute("title")
