"""Write requirements.lock: the exact versions that pip chooses now for all that pyproject.toml asks for.

No index lines: the lock names packages and versions, and leaves it to the reader's pip where they come from.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parent.parent
HEADER = "# Exact versions for all of penstock[torch,explain,dask,postgres,dev]. Written by `make lock`; do not edit.\n"


def main() -> None:
    command = [sys.executable, "-m", "pip", "install", "--quiet", "--dry-run", "--ignore-installed", "--report", "-"]
    answer = subprocess.run([*command, f"{ROOT}[torch,explain,dask,postgres,dev]"], stdout=subprocess.PIPE, check=True)
    chosen = {
        item["metadata"]["name"].lower().replace("_", "-"): item["metadata"]["version"].split("+")[0]
        for item in json.loads(answer.stdout)["install"]
    }
    chosen.pop("penstock")
    lines = [f"{name}=={version}\n" for name, version in sorted(chosen.items())]
    (ROOT / "requirements.lock").write_text(HEADER + "".join(lines), encoding="utf-8")


if __name__ == "__main__":
    main()
