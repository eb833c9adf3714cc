"""Runs the gallery and draws its pictures anew: python examples/gallery/draw.py docs/images/gallery"""

from __future__ import annotations

import re
import sys
from pathlib import Path

HERE = Path(__file__).parent
# The figure of the report that stands for the family.
PICTURES = {
    "bayes": "class_densities",
    "discriminant-analysis": "coefficients",
    "ensembles": "diagnosis_out-of-bag",
    "feature-selection": "chosen_features",
    "kernels": "partial_dependence",
    "learning-theory": "diagnosis_hoeffding",
    "linear-classification": "coefficient_path",
    "linear-regression": "diagnosis_regularisation-path",
    "local-models": "neighbours",
    "multiclass": "confusion_matrix",
    "optimisation": "diagnosis_solvers",
    "perceptron": "coefficients",
    "preprocessing": "coefficients",
    "svm": "margin",
    "trees": "tree",
}


def picture(page: str, name: str) -> str:
    """A figure of a report as a file of its own: on white, without what a page shows under the pointer."""
    found = re.search(rf'<figure id="figure-{re.escape(name)}">.*?(<svg.*?</svg>)', page, re.DOTALL)
    if found is None:
        raise SystemExit(f"the report has no figure '{name}'")
    svg = re.sub(r'<rect class="hint".*?</rect>', "", found.group(1), flags=re.DOTALL)
    inside = '<svg xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink" color="#4b5563" '
    ground = '<rect width="100%" height="100%" fill="white"/>'
    return re.sub(r">", f">{ground}", svg.replace("<svg ", inside, 1), count=1) + "\n"


def main(folder: Path) -> None:
    import penstock

    folder.mkdir(parents=True, exist_ok=True)
    for stem, name in PICTURES.items():
        page = penstock.run(str(HERE / f"{stem}.yaml")).report.read_text(encoding="utf-8")
        (folder / f"{stem}.svg").write_text(picture(page, name), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
