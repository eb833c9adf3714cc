"""What the criteria for the number of clusters say: a picture for each, and one with all of them."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from penstock.components.number_of_clusters import CRITERIA, Answer
from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import PALETTE, QUIET, amounts, house_style, new_figure, short_number


@house_style()
def criterion_figure(answer: Answer) -> Figure:
    """The value of every K, with its error; the K that is picked as a ring, and what a value must reach as a line."""
    label = CRITERIA[answer.criterion].label
    figure = new_figure(f"{label}: {said(answer)}")
    _draw(figure.subplots(), answer, label)
    figure.set_label(f"{answer.reason}.")
    return figure


@house_style()
def criteria_figure(answers: Mapping[str, Answer]) -> Figure:
    """A small panel for each criterion that has values."""
    shown = [answer for answer in answers.values() if answer.values]
    figure = new_figure("How many clusters? What each criterion says", height=0.8 + 1.6 * -(-len(shown) // 2))
    panels = figure.subplots(-(-len(shown) // 2), 2, squeeze=False).ravel()
    for axes, answer in zip(panels, shown, strict=False):
        label = CRITERIA[answer.criterion].label
        _draw(axes, answer, label)
        axes.set_title(f"{answer.criterion}: {answer.k or 'cannot tell'}")
        axes.set_ylabel("")
    for empty in panels[len(shown) :]:
        empty.set_axis_off()
    return figure


def said(answer: Answer) -> str:
    if answer.k is None:
        return "cannot tell"
    return f"{answer.k} cluster{'s' if answer.k > 1 else ', no structure'}"


def _draw(axes: Axes, answer: Answer, label: str) -> None:
    ks = sorted(answer.values)
    values = [answer.values[k] for k in ks]
    if answer.bar is not None:
        axes.axhline(answer.bar, color=QUIET, linewidth=1, linestyle=":")
    if answer.errors:
        axes.errorbar(ks, values, [answer.errors[k] for k in ks], fmt="none", ecolor=QUIET, capsize=3, linewidth=1)
    axes.plot(ks, values, "o-", color=PALETTE[0], markersize=4)
    hint_points(axes, ks, values, (f"{k} clusters: {short_number(answer.values[k])}" for k in ks))
    if answer.k in answer.values:
        axes.plot(answer.k, answer.values[answer.k], "o", markersize=10, markerfacecolor="none", color=PALETTE[1])
    elif answer.k is not None:
        axes.axvline(answer.k, color=PALETTE[1], linewidth=1.2, linestyle="--")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    amounts(axes.yaxis)
    axes.margins(0.12)
    axes.set_xlabel("Number of clusters K")
    axes.set_ylabel(label)
