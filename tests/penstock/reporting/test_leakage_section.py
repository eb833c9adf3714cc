"""The certificate on the page: a line that says what was looked for and found, then each finding."""

from __future__ import annotations

from typing import Any

from tests.documents import churn
from tests.documents import page as render


def answer(code: str, outcome: str, severity: str | None = None, **more: Any) -> dict[str, Any]:
    return {
        "code": code, "title": f"title of {code}", "outcome": outcome, "severity": severity,
        "message": f"what {code} saw", "columns": [], "count": 0, "examples": [], "numbers": {},
        "remedy": "leave it out" if severity else "", **more,
    }  # fmt: skip


def test_what_was_found_heads_the_section_and_the_cautions() -> None:
    certificate = {
        "summary": "3 checks: 1 passed, 2 found something: LEK002, LEK012",
        "passed": 1,
        "found": ["LEK002", "LEK012"],
        "checks": [
            answer("LEK001", "passed"),
            answer("LEK002", "found", "error", message="7 test rows equal a training row", examples=["<b>k1</b>"]),
            answer("LEK012", "found", "note"),
        ],
    }
    page = render({**churn(), "certificate": certificate}, {})
    assert '<a href="#leakage">Leakage</a>' in page
    assert "3 checks: 1 passed, 2 found something: LEK002, LEK012." in page
    beware = page[page.index('id="beware"') : page.index('<dl class="facts">')]
    assert "7 test rows equal a training row." in beware
    assert "LEK012" not in beware  # a note is no caution
    section = page[page.index('<section id="leakage"') :]
    assert "voids the score" in section
    assert "good to know" in section
    assert "&lt;b&gt;k1&lt;/b&gt;" in section
    assert section.count("what LEK001 saw") + section.count("What LEK001 saw") == 1


def test_a_document_without_a_certificate_has_no_such_section() -> None:
    assert 'id="leakage"' not in render(churn(), {})


def test_the_nested_score_stands_beside_the_naive_and_the_corrected_one() -> None:
    document = churn()
    document["selection"]["nested"] = {
        "value": 0.8512,
        "low": 0.82,
        "high": 0.88,
        "confidence": 0.95,
        "folds": [0.8] * 5,
    }
    page = render(document, {})
    assert "The winner scored 0.873 on the training rows" in page
    assert "inside each of 5 outer folds" in page
    assert "0.851" in page


def test_who_is_new_in_the_test_is_said() -> None:
    document = churn()
    document["data"]["only_in_test"] = {
        "user_id": {"members": 3, "of": 40, "rows": 9},
        "film_id": {"members": 0, "of": 5, "rows": 0},
    }
    page = render(document, {})
    assert "Of the 40 values of “user_id” among the test rows, 3 occur in no training row (9 test rows)" in page
    assert "film_id" not in page
