"""HTML: formulas in MathML, one self-contained page without scripts or network."""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files

from pdobasis.bounds.caches import remembered
from pdobasis_tables.escape import escape_html
from pdobasis_tables.formula import Formula, math_element
from pdobasis_tables.table import Cell, Head, Prose, Table, origins

_PAGE = """\
<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>{title}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<style>{style}</style>
</head>
<body>
{body}
</body>
</html>
"""


def html(tables: Sequence[Table], command: Sequence[str]) -> str:
    lines = []
    for block in origins(tables, command):
        lines += block
    # "-->" in a name would end the comment
    comment = "\n".join(lines).replace("-->", "->")
    body = [f"<!--\n{comment}\n-->"]
    for table in tables:
        body += _body(table)
    return page(_title(tables), "\n".join(body))


def page(title: str, body: str, *sheets: str) -> str:
    """A whole document; ``title`` is escaped already, ``sheets`` are style sheets beside the one of all pages."""
    # the sheet of all pages comes first: later rules win
    style = "".join("\n" + _sheet(name) for name in ("html.css", *sheets))
    return _PAGE.format(title=title, style=style, body=body)


@remembered
def _sheet(name: str) -> str:
    return files("pdobasis_tables").joinpath(name).read_text(encoding="utf-8")


def _title(tables: Sequence[Table]) -> str:
    """The words of the first title: a <title> holds no formulas."""
    if not tables:
        return ""
    words = [part for part in tables[0].title if isinstance(part, str)]
    return escape_html("".join(words))


def _body(table: Table) -> list[str]:
    heads = "".join(f'<th scope="col">{_head(h)}</th>' for h in table.columns)
    lines = [
        f"<h1>{prose(table.title)}</h1>",
        '<div class="wide" tabindex="0"><table class="grid">',
        f"<thead><tr><th>out \\ in</th>{heads}</tr></thead>",
        "<tbody>",
    ]
    for head, row in zip(table.rows, table.cells, strict=True):
        cells = "".join(f'<td class="cell">{_cell(c)}</td>' for c in row)
        lines.append(f'<tr><th scope="row">{_head(head)}</th>{cells}</tr>')
    lines.append("</tbody></table></div>")
    for note in table.notes:
        lines.append(_note(prose(note)))
    for mark, note in table.marked:
        lines.append(_note(f"<sup>{mark}</sup> {prose(note)}"))
    for words in table.proof:
        lines.append(_note(escape_html(words)))
    return lines


def _note(body: str) -> str:
    return f'<p class="note">{body}</p>'


def _cell(cell: Cell) -> str:
    if not cell.lines:
        return "∅"
    out = ""
    for line in cell.lines:
        items = [math_element(item.mathml) for item in line]
        out += f"<div>{', '.join(items)}</div>"
    return out


def _head(head: Head) -> str:
    out = math_element(head.name.mathml)
    if head.mark:
        out += f"<sup>{head.mark}</sup>"
    if head.condition is not None:
        condition = math_element(head.condition.mathml)
        out += f'<span class="condition">{condition}</span>'
    return out


def prose(parts: Prose) -> str:
    out = ""
    for part in parts:
        if isinstance(part, Formula):
            out += math_element(part.mathml)
        else:
            out += escape_html(part)
    return out
