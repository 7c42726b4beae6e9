"""The page docs/experiments.md and its curves, from the collected results alone."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from statistics import mean, stdev

from experiments.report.equivariance import PAPER
from experiments.report.resolution import COARSE, METHODS, OPERATORS, SAME, SPREAD
from experiments.report.results import all_results, of_config
from experiments.report.table import markdown
from experiments.report.turned import ANGLES, ANY, UPRIGHT
from experiments.report.turned import METHODS as TURNED
from experiments.report.words import (
    COMPARED,
    EQUIVARIANCE,
    INTRO,
    RESOLUTION,
    RESOLUTION_SAID,
    SAID,
    TURNS,
    TURNS_SAID,
)
from experiments.settings.files import read_table, rows
from experiments.settings.values import Config, Tuning
from experiments.training.folder import Line
from experiments.training.tuning import validated

TABLES = ("mnist_rot", "beyond", "flow", "small", "cifar10", "stl10")
SCALE = "reduced"


def page_text(results: Path) -> str:
    parts = [INTRO.rstrip()]
    for name in TABLES:
        parts += _section(name, results)
        if name in SAID:
            parts.append(SAID[name].strip())
        if name == "mnist_rot":
            parts += [*_peer(results), *_equivariance(results)]
        if name == "beyond":
            parts += [*_resolution(results), *_turned(results)]
        if name == "cifar10":
            parts += ["## PDOs or kernels?", COMPARED.strip()]
    return "\n\n".join(parts) + "\n"


def _section(name: str, results: Path) -> list[str]:
    head, found, lines = read_table(name), rows(name, SCALE), all_results(name, results)
    parts = [f"## {head.title}", head.about.strip(), markdown(head, found, lines)]
    notes = [f"- {', '.join(row.labels)}: {row.note}." for row in found if row.note]
    if notes:
        parts.append("\n".join(notes))
    if any(of_config(lines, row) for row in found):
        parts.append(f"![{head.title}: loss by epoch](experiments/{name}.svg)")
    return parts + _rates(found, lines, head.measure)


def _rates(found: Sequence[Config], lines: Sequence[Line], measure: str) -> list[str]:
    """Which rates were tried, and which was taken."""
    text = []
    for row in found:
        by_rate = validated(lines, row, measure)
        if by_rate:
            shown = ", ".join(f"{rate:g}: {_error(by_rate[rate])}" for rate in sorted(by_rate))
            text.append(f"- {', '.join(row.labels)} ({_length(row.tuning)}): {shown}; taken: {row.training.rate:g}")
    if not text:
        return []
    head = (
        f"Rates were chosen by short runs on validation samples, from the same grid for all; rows that are not listed "
        f"take the rate of their method. The {measure} by rate:"
    )
    return [head, "\n".join(text)]


def _length(tuning: Tuning) -> str:
    return f"{tuning.train} samples, {tuning.validation} for validation, {tuning.epochs} epochs"


def _error(value: float | None) -> str:
    if value is None:
        return "diverged"
    return f"{value:.1f}"


def _peer(results: Path) -> list[str]:
    path = results / "e2cnn.json"
    if not path.exists():
        return []
    found = json.loads(path.read_text())
    errors = found["errors"]
    text = (
        f"**e2cnn's own layers.** `python -m experiments peer` trains the network of the row FD 5×5 with e2cnn 0.2.3 "
        f"({found['parameters']:,} parameters), and carries its weights over to ours every ten steps: over "
        f"{len(found['curve'])} comparisons along the run the losses differ by at most "
        f"{found['largest_difference']:.0e} (from {found['curve'][0]['e2cnn']:.2f} down to "
        f"{found['curve'][-1]['e2cnn']:.2f}), and of their filters {found['outside_of_span']:.0e} lies outside the "
        f"span of ours. Test errors at the end: e2cnn {errors['e2cnn']} %, ours with its weights {errors['ours']} %."
    )
    return [text]


def _resolution(results: Path) -> list[str]:
    path = results / "resolution.json"
    if not path.exists():
        return []
    found = json.loads(path.read_text())
    ways = [COARSE, SAME, SPREAD, OPERATORS]
    lines = [f"| method | {' | '.join(ways)} |", "| --- |" + " --- |" * len(ways)]
    for method in METHODS:
        cells = [[one["errors"].get(way) for one in found if one["method"] == method] for way in ways]
        lines.append(f"| {method} | {' | '.join(_spread(values) for values in cells)} |")
    return ["### Another resolution", RESOLUTION.strip(), "\n".join(lines), RESOLUTION_SAID.strip()]


def _turned(results: Path) -> list[str]:
    path = results / "turned.json"
    if not path.exists():
        return []
    found = json.loads(path.read_text())
    ways = [*(f"{angle:g}" for angle in ANGLES), ANY]
    heads = ["upright, error [%]", "turned, error [%]", *(f"{angle:g}°" for angle in ANGLES), "any angle"]
    lines = [f"| method | {' | '.join(heads)} |", "| --- |" + " --- |" * len(heads)]
    for method in TURNED:
        of_method = [one for one in found if one["method"] == method]
        errors = [_spread([one["errors"][way] for one in of_method]) for way in (UPRIGHT, ANY)]
        changes = [_mean([one["changes"][way] for one in of_method]) for way in ways]
        lines.append(f"| {method} | {' | '.join([*errors, *changes])} |")
    about = TURNS.strip().format(seeds=len({one["seed"] for one in found}))
    return ["### Turns that training did not show", about, "\n".join(lines), TURNS_SAID.strip()]


def _mean(values: Sequence[float]) -> str:
    """Of few digits: 0.123 or 2e-06."""
    if not values:
        return "–"
    if mean(values) < 1e-3:
        return f"{mean(values):.0e}"
    return f"{mean(values):.3f}"


def _spread(values: Sequence[float | None]) -> str:
    known = [value for value in values if value is not None]
    if not known:
        return "–"
    if len(known) == 1:
        return f"{known[0]:.1f}"
    return f"{mean(known):.1f} ± {stdev(known):.1f}"


def _equivariance(results: Path) -> list[str]:
    path = results / "equivariance.json"
    if not path.exists():
        return []
    lines = [
        "| method | stencil | paper | all orders, relative | squared | order 0, squared | order 0, bright, squared |",
        "| --- | --- | --- | --- | --- | --- | --- |",
    ]
    for row in json.loads(path.read_text()):
        printed = PAPER.get((row["method"], row["size"]))
        paper = f"{printed:.1e}" if printed else "–"
        one, first, bright = row["errors"]
        lines.append(
            f"| {row['method']} | {row['size']}×{row['size']} | {paper} | {one:.1e} | {one**2:.1e} | {first**2:.1e} | "
            f"{bright**2:.1e} |"
        )
    return ["## Equivariance errors", EQUIVARIANCE.strip(), "\n".join(lines)]


def curves(results: Path) -> list[Path]:
    """One picture for each table that has runs: the mean loss of every epoch, over the seeds."""
    import matplotlib

    matplotlib.use("svg")
    import matplotlib.pyplot as plt

    written = []
    # The same picture from the same lines, byte by byte.
    with plt.rc_context({"svg.hashsalt": "pdobasis", "font.size": 8}):
        for name in TABLES:
            found, lines = rows(name, SCALE), all_results(name, results)
            there = [(row, of_config(lines, row)) for row in found]
            there = [(row, made) for row, made in there if made]
            if not there:
                continue
            figure, axes = plt.subplots(figsize=(7, 3.6))
            for row, made in there:
                losses = [[line["loss"] for line in run["curve"]] for run in made]
                means = [sum(epoch) / len(epoch) for epoch in zip(*losses, strict=True)]
                label = " ".join(part for part in row.labels if part != "–")
                axes.plot(range(1, len(means) + 1), means, marker=".", linewidth=1, label=label)
            axes.set(xlabel="epoch", ylabel="training loss", yscale="log")
            axes.legend(fontsize=6, loc="center left", bbox_to_anchor=(1.0, 0.5))
            path = results / f"{name}.svg"
            figure.savefig(path, bbox_inches="tight", metadata={"Date": None, "Creator": None})
            plt.close(figure)
            written.append(path)
    return written
