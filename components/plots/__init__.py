"""Plots of a run: functions of plain arrays and facts that return a matplotlib figure, made without pyplot."""

from penstock.components.plots.clustering import clustering_figures
from penstock.components.plots.output import to_png, to_svg
from penstock.components.plots.supervised import supervised_figures

__all__ = ["clustering_figures", "supervised_figures", "to_png", "to_svg"]
