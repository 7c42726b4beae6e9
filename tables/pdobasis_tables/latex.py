r"""LaTeX: booktabs, one tabular for each page-sized part; ``standalone`` compiles, ``fragment`` is for \input.

Wide tables are scaled to the line, wider ones are set on landscape pages, and those that would be too small to read
are cut into parts by rows and columns. The sizes are estimated from the formulas, so that the same table gives the
same bytes.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product

from pdobasis_tables.formula import Formula, escape_latex
from pdobasis_tables.table import Cell, Head, Prose, Table, origin, starts_of_runs

PACKAGES = ("amsmath", "amssymb", "booktabs", "graphicx")
PORTRAIT, LANDSCAPE = (100, 54.0), (152, 35.0)
"""Characters on a line and lines on a page of A4 with small margins, at 10 pt."""
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
    landscape = any(_is_wide(table) for table in tables)
    lines = [
        *_comment([line for table in tables[:1] for line in origin(table, command)]),
        *_comment([line for table in tables[1:] for line in table.proof]),
        r"\documentclass[10pt]{article}",
        rf"\usepackage[a4paper,margin=15mm{',landscape' if landscape else ''}]{{geometry}}",
        *(rf"\usepackage{{{name}}}" for name in PACKAGES),
        *_definitions(tables),
        r"\pagestyle{empty}",
        r"\setlength{\parindent}{0pt}",
        r"\setlength{\parskip}{4pt}",
        r"\begin{document}",
    ]
    for k, table in enumerate(tables):
        lines += ([r"\clearpage"] if k else []) + _body(table, LANDSCAPE if landscape else PORTRAIT)
    return "\n".join([*lines, r"\end{document}", ""])


def fragment(tables: Sequence[Table], command: Sequence[str]) -> str:
    lines = [
        *_comment([line for table in tables[:1] for line in origin(table, command)]),
        *_comment([line for table in tables[1:] for line in table.proof]),
        *_comment([rf"To \input; the preamble needs \usepackage{{{','.join(PACKAGES)}}}."]),
        *_definitions(tables),
    ]
    for table in tables:
        lines += [
            r"\begingroup\setlength{\parindent}{0pt}\setlength{\parskip}{4pt}",
            *_body(table, PORTRAIT),
            r"\par\endgroup",
        ]
    return "\n".join([*lines, ""])


def _definitions(tables: Sequence[Table]) -> list[str]:
    """T and U where they are used, and room for matrices of more columns than amsmath expects."""
    columns = max((cell.columns for table in tables for row in table.cells for cell in row), default=0)
    wide = [rf"\setcounter{{MaxMatrixCols}}{{{columns}}}"] if columns > MATRIX_COLUMNS else []
    return [*(MACROS if any(table.circular for table in tables) else ()), *wide]


def _body(table: Table, page: tuple[int, float]) -> list[str]:
    lines = [rf"\textbf{{{prose(table.title)}}}\par\medskip"]
    for k, (rows, columns) in enumerate(_parts(table, page)):
        lines += ([r"\par\bigskip"] if k else []) + _tabular(table, rows, columns)
    lines.append(r"\par\medskip{\footnotesize")
    lines += [prose(note) + r"\par" for note in table.notes]
    lines += [rf"$^{{{mark}}}$ {prose(note)}\par" for mark, note in table.marked]
    return [*lines, "}"]


def _tabular(table: Table, rows: range, columns: range) -> list[str]:
    heads = " & ".join(_head(table.columns[c]) for c in columns)
    out = [
        r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%",
        r"\renewcommand{\arraystretch}{1.15}%",
        rf"\begin{{tabular}}{{@{{}}l{'c' * len(columns)}@{{}}}}",
        r"\toprule",
        rf"out $\backslash$ in & {heads} \\",
        r"\midrule",
    ]
    for k, r in enumerate(rows):
        cells = [_cell(table.cells[r][c]) for c in columns]
        out += ([r"\addlinespace[4pt]"] if k else []) + [" &\n  ".join([_head(table.rows[r]), *cells]) + r" \\"]
    return [*out, r"\bottomrule", r"\end{tabular}}"]


def _cell(cell: Cell) -> str:
    if not cell.lines:
        return r"$\emptyset$"
    lines = [r",\; ".join(item.latex for item in line) for line in cell.lines]
    if len(lines) == 1:
        return f"${lines[0]}$"
    return r"$\begin{gathered} " + ", \\\\\n    ".join(lines) + r" \end{gathered}$"


def _head(head: Head) -> str:
    name = f"${head.name.latex}{f'{{}}^{{{head.mark}}}' if head.mark else ''}$"
    if head.condition is None:
        return name
    return rf"\begin{{tabular}}{{@{{}}c@{{}}}}{name} \\ {{\footnotesize ${head.condition.latex}$}}\end{{tabular}}"


def prose(parts: Prose) -> str:
    return "".join(f"${p.latex}$" if isinstance(p, Formula) else escape_latex(p) for p in parts)


def _comment(lines: Sequence[str]) -> list[str]:
    return [f"% {line}".rstrip() for line in lines]


def _is_wide(table: Table) -> bool:
    return sum(table.widths) + max(h.width for h in table.rows) > PORTRAIT[0] * 1.15


def _parts(table: Table, page: tuple[int, float]) -> list[tuple[range, range]]:
    """Rows and columns of each part, so that none is scaled below SMALLEST and all fit on a page."""
    wide, high = page
    bands = _bands([float(w) for w in table.widths], wide / SMALLEST - max(h.width for h in table.rows))
    widest = max(sum(table.widths[c] for c in band) for band in bands) + max(h.width for h in table.rows)
    scale = min(1.0, wide / widest)
    return [(rows, columns) for rows, columns in product(_bands(table.heights, high / scale - 4), bands)]


def _bands(sizes: Sequence[float], limit: float) -> list[range]:
    """Consecutive runs with sums up to the limit, as few and as even as a single pass makes them."""
    runs = _runs(sizes, limit)
    even = sum(sizes) / len(runs) * 1.12
    evened = _runs(sizes, min(limit, max(even, max(sizes))))
    return evened if len(evened) == len(runs) else runs


def _runs(sizes: Sequence[float], limit: float) -> list[range]:
    starts = starts_of_runs(sizes, limit)
    return [range(a, b) for a, b in zip(starts, [*starts[1:], len(sizes)], strict=True)]
