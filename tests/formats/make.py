"""Write the fixtures of the formats as they are now, in a folder of that name: `python -m tests.formats.make 1`.

A format that changes gets a new folder; what is there is never written again.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import tempfile
import zipfile
from pathlib import Path

import pandas as pd
import yaml

from penstock.actions.records import Record
from penstock.flows.training import flow_of
from penstock.home.runs import document_of
from penstock.model import load_bundle
from penstock.settings import Settings
from tests.conformance.examples import EXAMPLES

KEPT = Path(__file__).parent
PROBLEM = "classification"
ROWS = 120
STAGE = "train"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("name", help="of the folder")
    folder = KEPT / parser.parse_args().name
    if folder.exists():
        parser.error(f"{folder} is there, and stays as it is")
    # Stored documents name files: those of a folder that says nothing of this machine.
    project = Path(tempfile.mkdtemp(prefix="penstock-", dir="/var/tmp"))
    try:
        made = project / "made"
        made.mkdir()
        _write(project, made)
        shutil.copytree(made, folder)
    finally:
        shutil.rmtree(project)


def _write(project: Path, folder: Path) -> None:
    home = project / "home"
    os.environ["PENSTOCK_HOME"] = str(home)
    Settings.from_environment().apply()
    example = EXAMPLES[PROBLEM]
    example.rows(ROWS, 0).to_csv(project / "data.csv", index=False)
    asked = {"name": "stored", "problem": PROBLEM, "data": {"source": "data.csv", **example.data}}
    pipeline = project / "pipeline.yaml"
    pipeline.write_text(yaml.safe_dump({**asked, "models": example.good, "split": {"folds": 2}, "search": {"fits": 4}}))
    document = flow_of(PROBLEM).fn(str(pipeline), engine="plain")
    shutil.copy(document_of(home, document.run.id), folder / "run.json")
    shutil.copy(document.artifacts.model, folder / "model.skops")
    rows = example.rows(5, 1)
    rows.to_csv(folder / "rows.csv", index=False)
    load_bundle(folder / "model.skops").score_frame(pd.read_csv(folder / "rows.csv")).to_csv(
        folder / "predicted.csv", index=False
    )
    latest = [
        Record.model_validate_json(file.read_bytes())
        for file in (home / "store" / "actions" / "latest").rglob("*.json")
    ]
    (record,) = [one for one in latest if one.stage == STAGE]
    (folder / "action.json").write_text(json.dumps(record.model_dump(mode="json"), indent=1))
    with zipfile.ZipFile(folder / "home.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        for part in ("store", "runs"):
            for file in sorted(path for path in (home / part).rglob("*") if path.is_file()):
                archive.write(file, file.relative_to(home))


if __name__ == "__main__":
    main()
