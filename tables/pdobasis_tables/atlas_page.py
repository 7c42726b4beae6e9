"""The table of an atlas as one page that a browser can search and sort, and as CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from typing import TYPE_CHECKING

from pdobasis_tables.escape import escape_html

if TYPE_CHECKING:
    from pdobasis.atlas.answering import Row

COLUMNS = ("group", "in", "out", "order", "number", "by order", "Hilbert series")
NUMERIC = (4,)
"""Columns that are sorted as numbers."""


def table_rows(rows: Sequence[Row]) -> list[tuple[str, ...]]:
    """What a reader sees of each answered question."""
    out: list[tuple[str, ...]] = []
    for row in rows:
        if row.status != "done":
            continue
        order = "all"
        if row.order is not None:
            order = str(row.order)
        numbers = [f"{k} of order {n}" for n, k in enumerate(row.dimensions) if k]
        out.append(
            (
                row.group,
                _plain(row.in_rep),
                _plain(row.out_rep),
                order,
                str(row.dimension),
                ", ".join(numbers),
                row.hilbert,
            )
        )
    return out


def atlas_csv(rows: Sequence[Row]) -> str:
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(table_rows(rows))
    return out.getvalue()


def atlas_page(rows: Sequence[Row], title: str) -> str:
    """Nothing is fetched: the table is data in the page, drawn by the script below it."""
    # "</" would end the script, wherever it stands, and "<!--" make its own end a part of it
    data = json.dumps(table_rows(rows), ensure_ascii=False).replace("<", "\\u003c")
    head = "".join(
        f'<th scope="col" aria-sort="none"><button type="button">{escape_html(name)}</button></th>'
        for name in COLUMNS
    )
    filters = "".join(
        f'<th><input type="search" aria-label="{escape_html(name)}" placeholder="filter"></th>'
        for name in COLUMNS
    )
    return _PAGE.format(
        title=escape_html(title),
        head=head,
        filters=filters,
        data=data,
        numeric=list(NUMERIC),
    )


def _plain(spec: str) -> str:
    """irrep(T1u) is T1u to a reader."""
    if spec.startswith("irrep(") and spec.endswith(")") and spec.count("(") == 1:
        return spec[6:-1]
    return spec


_PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
:root {{ color-scheme: light dark; }}
body {{ font: 15px/1.4 system-ui, sans-serif; margin: 1.5rem; }}
h1 {{ font-size: 1.3rem; }}
.wide {{ overflow-x: auto; }}
table {{ border-collapse: collapse; }}
th, td {{ text-align: left; padding: 0.2rem 0.7rem; border-bottom: 1px solid #8884; vertical-align: top; }}
th button {{ font: inherit; font-weight: 600; background: none; border: 0; padding: 0.2rem 0; color: inherit; }}
th button {{ cursor: pointer; }}
th[aria-sort="ascending"] button::after {{ content: " ↑"; }}
th[aria-sort="descending"] button::after {{ content: " ↓"; }}
input {{ font: inherit; width: 100%; min-width: 5rem; box-sizing: border-box; }}
</style>
</head>
<body>
<h1>{title}</h1>
<p>A name finds itself, <kbd>T1*</kbd> all that begin so. Columns sort by their headings.
<output id="count"></output></p>
<div class="wide"><table>
<thead><tr>{head}</tr><tr>{filters}</tr></thead>
<tbody></tbody>
</table></div>
<p><button type="button" id="more">show more</button></p>
<script>
"use strict";
const rows = {data};
const numeric = new Set({numeric});
const STEP = 200;
let shown = STEP, column = -1, sign = 1;
const inputs = [...document.querySelectorAll("thead input")];
const heads = [...document.querySelectorAll("thead tr:first-child th")];
const body = document.querySelector("tbody");
const whole = heads.map((_, k) => new Set(rows.map(r => r[k].toLowerCase())));
// A value that is there is meant itself (C2 is not C2v), and anything else is looked for inside of the texts.
function fits(value, wish, k) {{
  if (!wish) return true;
  const a = value.toLowerCase(), b = wish.toLowerCase();
  if (b.endsWith("*")) return a.startsWith(b.slice(0, -1));
  return whole[k].has(b) ? a === b : a.includes(b);
}}
function found() {{
  const wishes = inputs.map(i => i.value.trim());
  const out = rows.filter(r => wishes.every((w, k) => fits(r[k], w, k)));
  if (column >= 0) out.sort((a, b) => sign * (numeric.has(column)
    ? Number(a[column]) - Number(b[column])
    : a[column].localeCompare(b[column], "en", {{numeric: true}})));
  return out;
}}
function draw() {{
  const own = found();
  body.replaceChildren(...own.slice(0, shown).map(r => {{
    const tr = document.createElement("tr");
    tr.append(...r.map(t => {{ const td = document.createElement("td"); td.textContent = t; return td; }}));
    return tr;
  }}));
  document.getElementById("count").textContent = own.length + " of " + rows.length + " questions";
  document.getElementById("more").hidden = own.length <= shown;
}}
inputs.forEach(i => i.addEventListener("input", () => {{ shown = STEP; draw(); }}));
heads.forEach((h, k) => h.querySelector("button").addEventListener("click", () => {{
  sign = column === k ? -sign : 1; column = k;
  heads.forEach((o, j) => o.setAttribute("aria-sort", j !== k ? "none" : sign > 0 ? "ascending" : "descending"));
  draw();
}}));
document.getElementById("more").addEventListener("click", () => {{ shown += STEP; draw(); }});
draw();
</script>
</body>
</html>
"""
