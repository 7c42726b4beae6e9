"""HTML: formulas in MathML, one self-contained page without scripts or network."""

from __future__ import annotations

from collections.abc import Sequence

from pdobasis_tables.formula import Formula, escape_html, math_element
from pdobasis_tables.table import Cell, Head, Prose, Table, origin

STYLE = """
:root { color-scheme: light dark; --ink: #1c2126; --paper: #ffffff; --soft: #5b6670; --line: #d5dbe0; --head: #f3f5f7;
  --good: #14743c; --bad: #b3261e; --link: #1a56a8; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --paper: #14181c; --soft: #a3adb6; --line: #38414a;
  --head: #1d2329; --good: #6cc48d; --bad: #f2867e; --link: #8ab6f0; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem clamp(0.8rem, 3vw, 2.5rem) 4rem; max-width: 90rem; background: var(--paper);
  color: var(--ink); font: 1rem/1.55 system-ui, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
h1 { font-size: 1.5rem; line-height: 1.25; margin: 0 0 0.6rem; } h1:not(:first-of-type) { margin-top: 2.6rem; }
h2 { font-size: 1.15rem; margin: 2.2rem 0 0.6rem; }
math { font-size: 1.05em; font-family: "STIX Two Math", "Latin Modern Math", "DejaVu Math TeX Gyre", math; }
mtd { padding: 0.12em 0.4em; }
.wide { overflow-x: auto; padding-bottom: 0.3rem; }
table.grid { border-collapse: collapse; border-top: 2px solid var(--ink); border-bottom: 2px solid var(--ink); }
table.grid th { background: var(--head); font-weight: 500; }
table.grid tbody th { position: sticky; left: 0; }
table.grid thead th { border-bottom: 1px solid var(--ink); }
table.grid th, table.grid td { padding: 0.45rem 0.9rem; text-align: center; vertical-align: middle;
  white-space: nowrap; }
table.grid tbody tr + tr > * { border-top: 1px solid var(--line); }
.cell > div { padding: 0.15rem 0; } .condition { display: block; font-size: 0.85em; color: var(--soft); }
.note { color: var(--soft); font-size: 0.92rem; max-width: 62rem; margin: 0.45rem 0; }
code, pre { font-family: ui-monospace, "DejaVu Sans Mono", monospace; font-size: 0.92em; }
pre { background: var(--head); padding: 0.7rem 0.9rem; overflow-x: auto; border-radius: 6px; margin: 0.6rem 0; }
"""


def html(tables: Sequence[Table], command: Sequence[str]) -> str:
    lines = [line for k, t in enumerate(tables) for line in (origin(t, command) if k == 0 else t.proof)]
    comment = "\n".join(lines).replace("-->", "->")
    body = "\n".join(line for table in tables for line in _body(table))
    title = escape_html("; ".join("".join(p for p in t.title if isinstance(p, str)) for t in tables[:1]))
    return page(title, f"<!--\n{comment}\n-->\n{body}")


def page(title: str, body: str, style: str = "") -> str:
    """A whole document; ``title`` is escaped already."""
    return (
        f'<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n<title>{title}</title>\n'
        f'<meta name="viewport" content="width=device-width, initial-scale=1">\n<style>{STYLE}{style}</style>\n'
        f"</head>\n<body>\n{body}\n</body>\n</html>\n"
    )


def _body(table: Table) -> list[str]:
    heads = "".join(f'<th scope="col">{_head(h)}</th>' for h in table.columns)
    lines = [f"<h1>{prose(table.title)}</h1>", '<div class="wide" tabindex="0"><table class="grid">']
    lines += [f"<thead><tr><th>out \\ in</th>{heads}</tr></thead>", "<tbody>"]
    for head, row in zip(table.rows, table.cells, strict=True):
        cells = "".join(f'<td class="cell">{_cell(c)}</td>' for c in row)
        lines.append(f'<tr><th scope="row">{_head(head)}</th>{cells}</tr>')
    lines += ["</tbody></table></div>", *(f'<p class="note">{prose(n)}</p>' for n in table.notes)]
    lines += [f'<p class="note"><sup>{mark}</sup> {prose(n)}</p>' for mark, n in table.marked]
    return [*lines, *(f'<p class="note">{escape_html(p)}</p>' for p in table.proof)]


def _cell(cell: Cell) -> str:
    if not cell.lines:
        return "∅"
    return "".join(f"<div>{', '.join(math_element(i.mathml) for i in line)}</div>" for line in cell.lines)


def _head(head: Head) -> str:
    name = math_element(head.name.mathml) + (f"<sup>{head.mark}</sup>" if head.mark else "")
    condition = head.condition
    return name if condition is None else f'{name}<span class="condition">{math_element(condition.mathml)}</span>'


def prose(parts: Prose) -> str:
    return "".join(math_element(p.mathml) if isinstance(p, Formula) else escape_html(p) for p in parts)
