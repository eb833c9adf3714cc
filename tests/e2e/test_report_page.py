"""The report in a real browser, without a network."""

from __future__ import annotations

import html
import json
import re
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
def test_the_report_opens_offline_and_fits_wide_and_narrow_windows(tmp_path: Path, served_home: Path) -> None:
    text = penstock.run(classification(tmp_path, name="page")).report.read_text()
    policy = re.search(r'<meta http-equiv="Content-Security-Policy"[^>]*>', text)
    assert policy is not None
    # The page itself may run no script, so the copy that is measured goes without this rule.
    probe = (
        "<script>document.title = JSON.stringify({wide: document.documentElement.scrollWidth > window.innerWidth,"
        "figures: document.querySelectorAll('svg').length,"
        "outside: performance.getEntriesByType('resource').length})</script>"
    )
    page = tmp_path / "page.html"
    page.write_text(text.replace(policy.group(), "").replace("</body>", f"{probe}</body>"))
    for width in (1280, 500):
        command = [
            str(CHROMIUM),
            "--headless",
            *QUIET,
            f"--user-data-dir={tmp_path / 'profile'}",
            f"--window-size={width},900",
        ]
        done = subprocess.run([*command, "--dump-dom", page.as_uri()], capture_output=True, text=True, timeout=60)
        measured = json.loads(html.unescape(done.stdout.split("<title>")[1].split("</title>")[0]))
        assert measured["wide"] is False
        assert measured["outside"] == 0
        assert measured["figures"] >= 5
