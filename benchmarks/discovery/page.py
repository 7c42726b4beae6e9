"""Lines of results as tables and a picture."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import numpy as np

Line = dict[str, Any]
WAYS = {
    ("pdobasis, weak", "own"): "pdobasis, weak",
    ("PySINDy, weak", "BIC"): "PySINDy weak, threshold by BIC",
    ("PySINDy, weak", "held-out"): "PySINDy weak, threshold by held-out error",
    ("PySINDy, weak", "best"): "PySINDy weak, best threshold (answer known)",
    ("PySINDy, weak, more domains", "best"): "PySINDy weak, more domains, best threshold (answer known)",
    ("pdobasis, strong", "own"): "pdobasis, strong",
    ("PySINDy, strong", "held-out"): "PySINDy strong, threshold by held-out error",
    ("PySINDy, strong", "best"): "PySINDy strong, best threshold (answer known)",
}
WEAK = tuple(WAYS)[:4]
MORE = tuple(WAYS)[4]


def is_right(line: Line) -> bool:
    """The right terms and nothing else."""
    return bool(line["right"] == line["true"] and not line["wrong"])


def write_between(page: Path, name: str, text: str) -> None:
    block = f"<!-- {name} -->\n{text}\n<!-- end {name} -->"
    pattern = rf"<!-- {name} -->.*?<!-- end {name} -->"
    page.write_text(re.sub(pattern, lambda _: block, page.read_text(), flags=re.S))


def table(lines: list[Line]) -> str:
    """Markdown, one row for an equation, a level and a way, spread over seeds."""
    out = [
        "| equation | noise | way | candidates | runs right | right terms | wrong terms | median error of coefficients "
        "| seconds |",
        "| --- | --- | --- | --- | --- | --- | --- | --- | --- |",
    ]
    for equation in _equations(lines):
        for level in sorted({a["noise"] for a in lines}):
            for way, words in WAYS.items():
                own = _some(lines, equation, level, way)
                if own:
                    out.append(_row(equation, level, words, own))
    return "\n".join(out)


def limits(lines: list[Line]) -> str:
    """The largest noise up to which all seeds give the right terms and nothing else."""
    heads = ["equation", *[WAYS[way] for way in WEAK], WAYS[MORE]]
    out = ["| " + " | ".join(heads) + " |", "| --- " * len(heads) + "|"]
    for equation in _equations(lines):
        cells = [equation]
        for way in WEAK:
            level = bears(lines, equation, way)
            cells.append("none" if level is None else f"{level:.0%}")
        cells.append(_below(lines, equation))
        out.append("| " + " | ".join(cells) + " |")
    return "\n".join(out)


def bears(lines: list[Line], equation: str, way: tuple[str, str]) -> float | None:
    best = None
    for level in sorted({a["noise"] for a in lines}):
        own = _some(lines, equation, level, way)
        if not own or not all(map(is_right, own)):
            break
        best = level
    return best


def _below(lines: list[Line], equation: str) -> str:
    """More domains are asked above the limit of fewer, until a run is wrong."""
    wrong = [a["noise"] for a in lines if _is(a, equation, MORE) and not is_right(a)]
    return f"below {min(wrong):.0%}" if wrong else "not asked"


def _is(a: Line, equation: str, way: tuple[str, str]) -> bool:
    return bool((a["system"], a["method"], a["rule"]) == (equation, *way))


def picture(lines: list[Line], path: Path) -> None:
    """Part of the runs that are right against noise, a panel an equation."""
    import matplotlib as mpl

    mpl.use("Agg")
    mpl.rcParams["svg.hashsalt"] = "pdobasis"
    import matplotlib.pyplot as plt

    names = _equations(lines)
    levels = sorted({a["noise"] for a in lines})
    rows = -(-len(names) // 3)
    figure, axes = plt.subplots(rows, 3, figsize=(9, 2.2 * rows), sharex=True, sharey=True, squeeze=False)
    for place, equation in zip(axes.flat, names, strict=False):
        for k, way in enumerate(WEAK):
            # where a library was not asked any more, it was wrong at less noise
            own = [_some(lines, equation, level, way) for level in levels]
            share = [np.mean([is_right(a) for a in some]) if some else 0.0 for some in own]
            place.plot(range(len(levels)), np.array(share) - 0.02 * k, marker="o", ms=3, label=WAYS[way])
        place.set_title(equation, fontsize=8)
        place.set_xticks(range(len(levels)), [f"{level:.0%}" for level in levels], fontsize=7)
    for place in axes.flat[len(names) :]:
        place.axis("off")
    axes[0][0].legend(fontsize=5)
    figure.supylabel("part of the runs with the right terms and nothing else", fontsize=8)
    figure.supxlabel("noise", fontsize=8)
    figure.tight_layout()
    figure.savefig(path, metadata={"Date": None})


def _equations(lines: list[Line]) -> list[str]:
    return list(dict.fromkeys(a["system"] for a in lines))


def _some(lines: list[Line], equation: str, level: float, way: tuple[str, str]) -> list[Line]:
    return [a for a in lines if a["noise"] == level and _is(a, equation, way)]


def _row(equation: str, level: float, words: str, own: list[Line]) -> str:
    first = own[0]
    good = sum(map(is_right, own))
    cells = [equation, f"{level:.0%}", words, str(first["candidates"]), f"{good} of {len(own)}"]
    cells += [f"{_spread(own, 'right', '.0f')} of {first['true']}", _spread(own, "wrong", ".0f")]
    cells += [_spread(own, "error", ".1e"), _spread(own, "seconds", ".1f")]
    return "| " + " | ".join(cells) + " |"


def _spread(own: list[Line], key: str, form: str) -> str:
    values = sorted({format(a[key], form): a[key] for a in own}.items(), key=lambda pair: pair[1])
    if len(values) == 1:
        return str(values[0][0])
    return f"{values[0][0]} to {values[-1][0]}"
