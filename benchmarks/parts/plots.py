"""Plots of the page, as SVG: curves are labelled at their ends, and marks differ in shape as well as in colour."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from benchmarks.common import ROOT, Context

MARKS = "os^Dvx"
COLOURS = ("#1b6ca8", "#c1440e", "#2f7f4f", "#7a4fa0", "#8a6d00", "#555555")


def log_plot(
    context: Context, name: str, curves: Mapping[str, tuple[Sequence[float], Sequence[float]]], x: str, y: str
) -> str:
    """Curves on logarithmic axes; the path of the file as the page names it."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(7.2, 4.2))
    for colour, (label, (sizes, values)) in zip(COLOURS, curves.items(), strict=False):
        axes.loglog(sizes, values, marker="o", markersize=4, color=colour)
        axes.annotate(label, (sizes[-1], values[-1]), textcoords="offset points", xytext=(6, 0), color=colour,
                      va="center", fontsize=8, annotation_clip=False)  # fmt: skip
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    return _save(context, figure, axes, name)


def dot_plot(context: Context, name: str, rows: Mapping[str, Mapping[str, float]], x: str) -> str:
    """One line a row, one mark a series, on a logarithmic axis of ratios with a line at 1."""
    pyplot = _pyplot()
    series = list(dict.fromkeys(label for values in rows.values() for label in values))
    figure, axes = pyplot.subplots(figsize=(7.2, 1.2 + 0.24 * len(rows)))
    for k, label in enumerate(series):
        at = [(values[label], i) for i, values in enumerate(rows.values()) if label in values]
        axes.plot(*zip(*at, strict=True), linestyle="", marker=MARKS[k % len(MARKS)], markersize=5,
                  color=COLOURS[k % len(COLOURS)], label=label)  # fmt: skip
    axes.set_yticks(range(len(rows)), list(rows), fontsize=8)
    axes.invert_yaxis()
    axes.set_xscale("log")
    axes.axvline(1, color="black", linewidth=0.8)
    axes.set_xlabel(x)
    axes.legend(fontsize=7, frameon=False, loc="lower center", bbox_to_anchor=(0.5, 1.0), ncols=max(1, len(series)))
    return _save(context, figure, axes, name)


def scatter(
    context: Context,
    name: str,
    groups: Mapping[str, Sequence[tuple[float, float]]],
    trend: tuple[Callable[[float], float], float],
    x: str,
    y: str,
) -> str:
    """Points on logarithmic axes, and a trend with a multiple of it that none should reach."""
    pyplot = _pyplot()
    figure, axes = pyplot.subplots(figsize=(7.2, 4.6))
    for k, (label, points) in enumerate(groups.items()):
        axes.plot(*zip(*points, strict=True), linestyle="", marker=MARKS[k % len(MARKS)], markersize=4,
                  color=COLOURS[k % len(COLOURS)], label=label, alpha=0.8)  # fmt: skip
    sizes = sorted(size for points in groups.values() for size, _ in points)
    line, times = trend
    axes.plot(sizes, [line(size) for size in sizes], color="black", linewidth=1)
    axes.plot(sizes, [times * line(size) for size in sizes], color="black", linewidth=1, linestyle="--")
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    axes.legend(fontsize=7, frameon=False, loc="upper left")
    return _save(context, figure, axes, name)


def _save(context: Context, figure: Any, axes: Any, name: str) -> str:
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    axes.grid(axis="both", color="#dddddd", linewidth=0.5)
    axes.set_axisbelow(True)
    context.plots.mkdir(parents=True, exist_ok=True)
    path = context.plots / f"{name}.svg"
    figure.savefig(path, bbox_inches="tight", metadata={"Date": None})
    _pyplot().close(figure)
    return link(path)


def link(path: Path) -> str:
    """As the page names it."""
    docs = ROOT / "docs"
    return str(path.relative_to(docs) if path.is_relative_to(docs) else path)


def _pyplot() -> Any:
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "pdobasis"
    import matplotlib.pyplot as pyplot

    return pyplot
