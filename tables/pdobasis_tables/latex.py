r"""LaTeX: booktabs, one tabular for each page-sized part; ``standalone`` compiles, ``fragment`` is for \input.

Wide tables are scaled to the line, wider ones are set on landscape pages, and those that would be too small to read
are cut into parts by rows and columns. The sizes are estimated from the formulas, so that the same table gives the
same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from pdobasis_tables.escape import escape_latex
from pdobasis_tables.formula import Formula
from pdobasis_tables.table import Cell, Head, Prose, Table, origins, starts_of_runs

PACKAGES = ("amsmath", "amssymb", "booktabs", "graphicx")
Page = tuple[int, float]
"""Characters on a line and lines on a page of A4 with small margins, at 10 pt."""
PORTRAIT: Page = (100, 54.0)
LANDSCAPE: Page = (152, 35.0)
WIDE = 1.15
"""A table may be so many times wider than a portrait page before the page is turned."""
MATRIX_COLUMNS = 10
"""What amsmath allows unless it is told otherwise."""
SMALLEST = 0.6
"""No part is scaled below this factor, unless one cell alone needs it."""

MACROS = (
    r"% T_k = r^|k| cos(k phi) and U_k = r^|k| sin(k phi) as polynomials; D(T_k), D(U_k) are the PDOs.",
    r"\providecommand{\PDOT}[1]{\mathsf{T}_{#1}}",
    r"\providecommand{\PDOU}[1]{\mathsf{U}_{#1}}",
)


def standalone(tables: Sequence[Table], command: Sequence[str]) -> str:
    page = PORTRAIT
    options = "a4paper,margin=15mm"
    if any(_is_wide(table) for table in tables):
        page = LANDSCAPE
        options += ",landscape"
    lines = [
        *_origin(tables, command),
        r"\documentclass[10pt]{article}",
        rf"\usepackage[{options}]{{geometry}}",
        *(rf"\usepackage{{{name}}}" for name in PACKAGES),
        *_definitions(tables),
        r"\pagestyle{empty}",
        r"\setlength{\parindent}{0pt}",
        r"\setlength{\parskip}{4pt}",
        r"\begin{document}",
    ]
    for k, table in enumerate(tables):
        if k:
            lines.append(r"\clearpage")
        lines += _body(table, page)
    lines += [r"\end{document}", ""]
    return "\n".join(lines)


def fragment(tables: Sequence[Table], command: Sequence[str]) -> str:
    packages = ",".join(PACKAGES)
    lines = [
        *_origin(tables, command),
        *_comment([rf"To \input; the preamble needs \usepackage{{{packages}}}."]),
        *_definitions(tables),
    ]
    for table in tables:
        lines += [
            # the lengths end with the group: the document around it keeps its own
            r"\begingroup\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}",
            *_body(table, PORTRAIT),
            r"\par\endgroup",
        ]
    return "\n".join([*lines, ""])


def _origin(tables: Sequence[Table], command: Sequence[str]) -> list[str]:
    out = []
    for block in origins(tables, command):
        out += _comment(block)
    return out


def _definitions(tables: Sequence[Table]) -> list[str]:
    """T and U where they are used, and room for matrices of more columns than amsmath expects."""
    out: list[str] = []
    if any(table.circular for table in tables):
        out += MACROS
    cells = [cell for table in tables for row in table.cells for cell in row]
    columns = max((cell.columns for cell in cells), default=0)
    if columns > MATRIX_COLUMNS:
        out.append(rf"\setcounter{{MaxMatrixCols}}{{{columns}}}")
    return out


def _body(table: Table, page: Page) -> list[str]:
    lines = [rf"\textbf{{{prose(table.title)}}}\par\medskip"]
    for k, (rows, columns) in enumerate(_parts(table, page)):
        if k:
            lines.append(r"\par\bigskip")
        lines += _tabular(table, rows, columns)
    lines.append(r"\par\medskip{\footnotesize")
    for note in table.notes:
        lines.append(prose(note) + r"\par")
    for mark, note in table.marked:
        lines.append(rf"$^{{{mark}}}$ {prose(note)}\par")
    return [*lines, "}"]


def _tabular(table: Table, rows: range, columns: range) -> list[str]:
    heads = " & ".join(_head(table.columns[c]) for c in columns)
    out = [
        # scaled down to the line where it is wider, never up
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        r"\renewcommand{\arraystretch}{1.15}%",
        rf"\begin{{tabular}}{{@{{}}l{'c' * len(columns)}@{{}}}}",
        r"\toprule",
        rf"out $\backslash$ in & {heads} \\",
        r"\midrule",
    ]
    for k, r in enumerate(rows):
        if k:
            out.append(r"\addlinespace[4pt]")
        cells = [_cell(table.cells[r][c]) for c in columns]
        row = " &\n  ".join([_head(table.rows[r]), *cells])
        out.append(row + r" \\")
    return [*out, r"\bottomrule", r"\end{tabular}}"]


def _cell(cell: Cell) -> str:
    if not cell.lines:
        return r"$\emptyset$"
    lines = [r",\; ".join(item.latex for item in line) for line in cell.lines]
    if len(lines) == 1:
        return f"${lines[0]}$"
    body = ", \\\\\n    ".join(lines)
    return rf"$\begin{{gathered}} {body} \end{{gathered}}$"


def _head(head: Head) -> str:
    name = head.name.latex
    if head.mark:
        # on an empty term, so that it stands behind the index and not above it
        name += rf"{{}}^{{{head.mark}}}"
    if head.condition is None:
        return f"${name}$"
    condition = rf"{{\footnotesize ${head.condition.latex}$}}"
    return rf"\begin{{tabular}}{{@{{}}c@{{}}}}${name}$ \\ {condition}\end{{tabular}}"


def prose(parts: Prose) -> str:
    out = ""
    for part in parts:
        if isinstance(part, Formula):
            out += f"${part.latex}$"
        else:
            out += escape_latex(part)
    return out


def _comment(lines: Sequence[str]) -> list[str]:
    return [f"% {line}".rstrip() for line in lines]


def _is_wide(table: Table) -> bool:
    return _width(table, table.widths) > PORTRAIT[0] * WIDE


def _width(table: Table, columns: Sequence[float]) -> float:
    """Of the names of the rows and some columns."""
    return sum(columns) + _names_width(table)


def _names_width(table: Table) -> int:
    return max(head.width for head in table.rows)


def _parts(table: Table, page: Page) -> list[tuple[range, range]]:
    """Rows and columns of each part, so that none is scaled below SMALLEST and all fit on a page."""
    wide, high = page
    # every part repeats the names of the rows
    room = wide / SMALLEST - _names_width(table)
    across = _bands([float(w) for w in table.widths], room)
    widest = max(_width(table, [table.widths[c] for c in band]) for band in across)
    # what is scaled down in width loses height too; four lines are for the head
    scale = min(1.0, wide / widest)
    down = _bands(table.heights, high / scale - 4)
    return list(product(down, across))


def _bands(sizes: Sequence[float], limit: float) -> list[range]:
    """Consecutive runs with sums up to the limit, as few and as even as a single pass makes them."""
    runs = _runs(sizes, limit)
    # a single pass fills every run but the last: aim at the mean and a little more, and keep it if it is as few
    even = sum(sizes) / len(runs) * 1.12
    evened = _runs(sizes, min(limit, max(even, max(sizes))))
    if len(evened) == len(runs):
        return evened
    return runs


def _runs(sizes: Sequence[float], limit: float) -> list[range]:
    starts = starts_of_runs(sizes, limit)
    ends = [*starts[1:], len(sizes)]
    return [range(a, b) for a, b in zip(starts, ends, strict=True)]
