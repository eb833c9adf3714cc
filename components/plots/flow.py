"""The way of the rows through a supervised run: its stages in order, and what each hands to the next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import FancyBboxPatch

from penstock.components.plots.hints import hint_boxes
from penstock.components.plots.style import PALETTE, QUIET, house_style, label, new_figure, short_number, tint

WIDE, TALL = 0.86, 0.62
WAYS = (
    ("read", "split"),
    ("split", "learn"),
    ("learn", "search"),
    ("search", "train"),
    ("split", "test"),
    ("test", "judge"),
    ("train", "judge"),
    ("judge", "gate"),
)


class Box(NamedTuple):
    """`holds`: what goes through it here; `words` tell it in full. Places count columns and lines."""

    title: str
    holds: str
    x: float
    y: float
    words: str


def flow_figure(document: Mapping[str, Any]) -> dict[str, Figure]:
    """Nothing of a run without a winner."""
    known = (document.get("data") or {}).get("train_rows") and document.get("winner")
    return {"flow_diagram": flow_diagram(document)} if known else {}


@house_style()
def flow_diagram(document: Mapping[str, Any]) -> Figure:
    """Training rows go along the upper line to the winner; test rows wait below, and meet only the finished model."""
    boxes = _boxes(document)
    figure = new_figure("The way of the rows: what trains, and what evaluates", height=2.7)
    axes = figure.subplots()
    axes.set_axis_off()
    axes.set(xlim=(-0.5, 3.5), ylim=(2.45, -0.45))
    for start, end in WAYS:
        _arrow(axes, boxes[start], boxes[end])
    for name, box in boxes.items():
        _draw(axes, box, PALETTE[2] if name in ("test", "judge") else PALETTE[0])
        left, top = box.x - WIDE / 2, box.y - TALL / 2
        hint_boxes(axes, left, top, left + WIDE, top + TALL, [box.words])
    return figure


def _boxes(document: Mapping[str, Any]) -> dict[str, Box]:
    data, candidates = document["data"], document.get("candidates") or []
    rows, learning, test = (f"{data[name]:,} rows" for name in ("rows", "train_rows", "test_rows"))
    folds = max((len(one.get("folds") or []) for one in candidates), default=0)
    each = f", {folds} folds" if folds > 1 else ""
    winner = document["winner"]["name"]
    judged = document["metrics"][document["metric"]]
    score = short_number(judged["sign"] * judged["value"])
    split = data.get("split") or {}
    sides = "by time" if split.get("ordered") else "groups stay whole" if split.get("group") else "row by row"
    return {
        "read": Box("Read and check", rows, 0, 0, f"{rows} of {data['columns']} columns are read and checked"),
        "split": Box("Split", sides, 1, 0, "Each row gets its side before anything is learnt"),
        "learn": Box("Training rows", learning, 2, 0, f"{learning} teach: analysis, rules, preparation, search"),
        "search": Box(
            "Prepare, search", f"{len(candidates):,} tried{each}", 3, 0,
            f"{len(candidates):,} candidates{each}; each fit sees the training rows of its fold alone",
        ),
        "train": Box(
            "Fit the winner", label(winner, 20), 3, 1, f"{winner}, fitted again on all {learning} that teach"
        ),
        "test": Box("Test rows", test, 1, 2, f"{test} that nothing was trained on"),
        "judge": Box(
            "Evaluate once", f"{_short(judged['label'])} {score}", 2, 2,
            f"The finished model on the test rows: {judged['label']} {score}",
        ),
        "gate": Box("Gate", "champion or not", 3, 2, "Registered; whether it becomes the champion, the gate decides"),
    }  # fmt: skip


def _short(metric: str) -> str:
    """Without what stands after a comma: `ROC AUC` for `ROC AUC, one against the rest`."""
    return label(metric.partition(",")[0], 16)


def _draw(axes: Axes, box: Box, tone: str) -> None:
    axes.add_patch(
        FancyBboxPatch(
            (box.x - WIDE / 2, box.y - TALL / 2), WIDE, TALL, boxstyle="round,pad=0,rounding_size=0.06",
            facecolor=tint(tone)(0.35), edgecolor="none", mutation_aspect=0.7,
        )
    )  # fmt: skip
    axes.text(box.x, box.y - 0.11, box.title, ha="center", va="center", fontsize=7.5, fontweight="bold")
    axes.text(box.x, box.y + 0.14, box.holds, ha="center", va="center", fontsize=6.5)


def _arrow(axes: Axes, start: Box, end: Box) -> None:
    """From edge to edge: along a line to the side, else downwards; a corner where both change."""
    if start.y == end.y:
        tail, head = (start.x + WIDE / 2, start.y), (end.x - WIDE / 2, end.y)
    elif start.x == end.x:
        tail, head = (start.x, start.y + TALL / 2), (end.x, end.y - TALL / 2)
    else:
        tail, head = (start.x - WIDE / 2, start.y), (end.x, end.y - TALL / 2)
    corner = "angle,angleA=180,angleB=90,rad=0" if start.x != end.x and start.y != end.y else "arc3"
    axes.annotate(
        "", xy=head, xytext=tail,
        arrowprops={"arrowstyle": "-|>", "color": QUIET, "linewidth": 1.1, "shrinkA": 1, "shrinkB": 1,
                    "connectionstyle": corner},
    )  # fmt: skip
