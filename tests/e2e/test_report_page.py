"""The report in a real browser, without a network."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest

import penstock
from tests.small import classification

CHROMIUM = shutil.which("chromium")
QUIET = ("--disable-gpu", "--no-sandbox", "--no-first-run", "--disable-background-networking", "--disable-sync")


@pytest.mark.slow
@pytest.mark.skipif(CHROMIUM is None, reason="no chromium on this machine; install the package `chromium` to run this")
@pytest.mark.parametrize("width", [1280, 390])
def test_the_report_opens_offline_with_the_verdict_first(width: int, tmp_path: Path, served_home: Path) -> None:
    report = penstock.run(classification(tmp_path, name="page")).report
    # The page tells its own measures: what stands above the fold, and whether it is wider than the window.
    probe = (
        "<script>document.title = JSON.stringify({wide: document.documentElement.scrollWidth > window.innerWidth,"
        "figures: document.querySelectorAll('svg').length,"
        "outside: performance.getEntriesByType('resource').length})</script>"
    )
    page = tmp_path / "page.html"
    page.write_text(report.read_text().replace("</body>", f"{probe}</body>"))
    command = [
        str(CHROMIUM),
        "--headless",
        *QUIET,
        f"--user-data-dir={tmp_path / 'profile'}",
        f"--window-size={width},900",
    ]
    done = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=60)
    title = done.stdout.split("<title>")[1].split("</title>")[0]
    assert '"wide":false' in title
    assert '"outside":0' in title
    assert '"figures":0' not in title
    screenshot = tmp_path / "report.png"
    subprocess.run([*command, f"--screenshot={screenshot}", page.as_uri()], capture_output=True, timeout=60, check=True)
    assert screenshot.stat().st_size > 10_000
