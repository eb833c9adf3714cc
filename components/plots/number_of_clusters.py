"""What the criteria for the number of clusters say: a picture for each, and one with all of them."""

from __future__ import annotations

from collections.abc import Mapping

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from penstock.components.number_of_clusters import CRITERIA, CriterionResult
from penstock.components.plots.hints import hint_points
from penstock.components.plots.style import PALETTE, QUIET, amounts, house_style, new_figure, short_number


@house_style()
def criterion_figure(result: CriterionResult) -> Figure:
    """The value of every K, with its error; the K that is picked as a ring, and what a value must reach as a line."""
    label = CRITERIA[result.criterion].label
    figure = new_figure(f"{label}: {describe(result)}")
    _draw(figure.subplots(), result, label)
    figure.set_label(f"{result.reason}.")
    return figure


@house_style()
def criteria_figure(results: Mapping[str, CriterionResult]) -> Figure:
    """A small panel for each criterion that has values."""
    shown = [result for result in results.values() if result.values]
    figure = new_figure("How many clusters? What each criterion says", height=0.8 + 1.6 * -(-len(shown) // 2))
    panels = figure.subplots(-(-len(shown) // 2), 2, squeeze=False).ravel()
    for axes, result in zip(panels, shown, strict=False):
        label = CRITERIA[result.criterion].label
        _draw(axes, result, label)
        axes.set_title(f"{result.criterion}: {result.k or 'cannot tell'}")
        axes.set_ylabel("")
    for empty in panels[len(shown) :]:
        empty.set_axis_off()
    return figure


def describe(result: CriterionResult) -> str:
    if result.k is None:
        return "cannot tell"
    return f"{result.k} cluster{'s' if result.k > 1 else ', no structure'}"


def _draw(axes: Axes, result: CriterionResult, label: str) -> None:
    ks = sorted(result.values)
    values = [result.values[k] for k in ks]
    if result.bar is not None:
        axes.axhline(result.bar, color=QUIET, linewidth=1, linestyle=":")
    if result.errors:
        axes.errorbar(ks, values, [result.errors[k] for k in ks], fmt="none", ecolor=QUIET, capsize=3, linewidth=1)
    axes.plot(ks, values, "o-", color=PALETTE[0], markersize=4)
    hint_points(axes, ks, values, (f"{k} clusters: {short_number(result.values[k])}" for k in ks))
    if result.k in result.values:
        axes.plot(result.k, result.values[result.k], "o", markersize=10, markerfacecolor="none", color=PALETTE[1])
    elif result.k is not None:
        axes.axvline(result.k, color=PALETTE[1], linewidth=1.2, linestyle="--")
    axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
    amounts(axes.yaxis)
    axes.margins(0.12)
    axes.set_xlabel("Number of clusters K")
    axes.set_ylabel(label)
