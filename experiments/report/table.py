"""Tables in Markdown and LaTeX: ours beside the paper's; what was not run is called missing."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass

from experiments.report.results import of_config
from experiments.settings.files import Table
from experiments.settings.values import Config
from experiments.training.folder import Line

MISSING = "missing"


@dataclass(frozen=True, slots=True)
class Cells:
    """A row of a table, as text."""

    labels: tuple[str, ...]
    paper: str
    ours: str
    seeds: str
    printed: str
    full: str
    parameters: str
    seconds: str


def cells(head: Table, config: Config, results: Sequence[Line]) -> Cells:
    made = of_config(results, config)
    values = [line["measures"][head.measure] for line in made]
    good = [float(v) for v in values if v is not None]
    ours = MISSING
    if good:
        ours = spread(good, head.digits)
    if len(good) < len(values):
        ours += f" ({len(values) - len(good)} diverged)"
    paper = "–"
    if config.paper.error is not None:
        paper = f"{config.paper.error:g}"
        if config.paper.deviation is not None:
            paper += f" ± {config.paper.deviation:g}"
    return Cells(
        config.labels,
        paper,
        ours,
        f"{len(made)} of {head.seeds}",
        config.paper.parameters or "–",
        f"{config.parameters:,}" if config.parameters else "–",
        f"{made[0]['parameters']:,}" if made else "–",
        f"{statistics.mean(line['seconds'] for line in made):.0f}" if made else "–",
    )


def spread(values: Sequence[float], digits: int) -> str:
    """Mean and standard deviation.

    >>> spread([1.0, 2.0, 3.0], 2), spread([1.5], 1)
    ('2.00 ± 1.00', '1.5')
    """
    mean = f"{statistics.mean(values):.{digits}f}"
    if len(values) == 1:
        return mean
    return f"{mean} ± {statistics.stdev(values):.{digits}f}"


def missing(head: Table, rows: Sequence[Config], results: Sequence[Line]) -> int:
    """Runs that the table asks for and that are not there."""
    return sum(max(0, head.seeds - len(of_config(results, row))) for row in rows)


def markdown(head: Table, rows: Sequence[Config], results: Sequence[Line]) -> str:
    measure = f"{head.measure} [{head.unit}]" if head.unit else head.measure
    headings = [
        *head.columns,
        f"paper, {measure}",
        f"ours ({rows[0].scale}), {measure}",
        "seeds",
        "parameters, printed",
        "full",
        rows[0].scale,
        "s",
    ]
    lines = [headings, ["---"] * len(headings)]
    for row in rows:
        c = cells(head, row, results)
        lines.append([*c.labels, c.paper, c.ours, c.seeds, c.printed, c.full, c.parameters, c.seconds])
    text = "\n".join(f"| {' | '.join(line)} |" for line in lines)
    count = missing(head, rows, results)
    if count:
        text += f"\n\n**{count} of {head.seeds * len(rows)} runs are missing.**"
    return text


def latex(head: Table, rows: Sequence[Config], results: Sequence[Line]) -> str:
    """With booktabs, as the paper's tables."""
    unit = f" [{_tex(head.unit)}]" if head.unit else ""
    titles = [*map(_tex, head.columns), f"Paper{unit}", f"Ours{unit}", "Params"]
    body = []
    for row in rows:
        c = cells(head, row, results)
        shown = [*map(_tex, c.labels), _tex(c.paper), _tex(c.ours), _tex(c.full)]
        body.append(f"    {' & '.join(shown)} \\\\")
    return "\n".join(
        [
            rf"\begin{{tabular}}{{{'l' * len(titles)}}}",
            r"    \toprule",
            f"    {' & '.join(titles)} \\\\",
            r"    \midrule",
            *body,
            r"    \bottomrule",
            r"\end{tabular}",
        ]
    )


def _tex(text: str) -> str:
    """
    >>> _tex("0.75 ± 0.02 %")
    '0.75 \\\\(\\\\pm\\\\) 0.02 \\\\%'
    """
    for plain, tex in _SIGNS.items():
        text = text.replace(plain, tex)
    return text


_SIGNS = {
    "%": r"\%",
    "_": r"\_",
    "&": r"\&",
    "±": r"\(\pm\)",
    "×": r"\(\times\)",
    "→": r"\(\to\)",
    "–": "--",
    "²": r"\(^2\)",
    "σ": r"\(\sigma\)",
}
