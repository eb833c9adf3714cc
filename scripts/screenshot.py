"""A picture of a report as a browser shows it: `python scripts/screenshot.py report.html picture.png`."""

from __future__ import annotations

import shutil
import sys
from pathlib import Path

from playwright.sync_api import sync_playwright

SIZE = {"width": 1280, "height": 790}


def main(report: Path, picture: Path) -> None:
    with sync_playwright() as playwright:
        chromium = shutil.which("chromium")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport=SIZE, color_scheme="light")
        page.goto(report.resolve().as_uri())
        picture.parent.mkdir(parents=True, exist_ok=True)
        page.screenshot(path=picture)
        browser.close()


if __name__ == "__main__":
    main(*map(Path, sys.argv[1:3]))
