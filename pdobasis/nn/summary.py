"""A network as a table: what each layer gives, how large, from how many parameters and how far."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from torch import nn

from pdobasis.nn.arguments import require_module
from pdobasis.nn.types import Types
from pdobasis.nn.walk import Step, walk

HEADINGS = ("layer", "fields", "size", "parameters", "receptive field", "exact")
TWO_LINES = (
    ("", "", "", "", "receptive", ""),
    ("layer", "fields", "size", "parameters", "field", "exact"),
)
"""The same, narrower."""
NUMBERS = (3,)
"""Columns whose cells stand to the right."""
WIDTH = 36
"""Of the column of fields at most."""
LINE = 80
"""Letters to a line."""
LEAST = 16
"""Letters that are left to fields in it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One layer: ``exact`` is None where there are no fields any more."""

    layer: str
    fields: str
    size: tuple[int, ...]
    parameters: int
    receptive_field: str
    exact: bool | None


@dataclass(frozen=True, slots=True)
class Summary:
    """``print(summary(model, 33))`` is a table; ``exact`` says whether all symmetries of the grid hold exactly.

    Attributes
    ----------
    rows : tuple
        One for each layer.
    parameters : int
        Of the whole network.

    Examples
    --------
    >>> from pdobasis.nn import PDOConv2d
    >>> found = summary(PDOConv2d("D4", "trivial", "vector", order=1, size=3), 9)
    >>> found.exact, found.parameters, found.rows[0].receptive_field
    (True, 1, '3x3')
    """

    rows: tuple[Row, ...]
    parameters: int

    @property
    def exact(self) -> bool:
        """Whether the network is exactly equivariant on the grid."""
        return all(row.exact is not False for row in self.rows)

    def __str__(self) -> str:
        cells = [_cells(row) for row in self.rows]
        table = [HEADINGS, *cells]
        if _letters(table) > LINE:
            table = _fitted([*TWO_LINES, *cells])
        widths = _widths(table)
        lines = [_line(cells, widths) for cells in table]
        verdict = "exactly equivariant on the grid"
        if not self.exact:
            verdict = "NOT exactly equivariant on the grid"
        return "\n".join([*lines, f"{self.parameters:,} parameters; {verdict}"])


def summary(model: nn.Module, size: int | Sequence[int]) -> Summary:
    """Run the network on an image of this size (one number, or one per array axis), and list its layers.

    *Receptive field*: how many input points an output looks at along every array axis. *Exact*: whether the output
    points lie symmetrically in the image, so that the symmetries of the grid hold to rounding; strides that do not
    fit the size break them. Types that do not meet are refused as in `check_types`.

    Parameters
    ----------
    model : nn.Module
        The network.
    size : int or sequence of int
        Of the image.

    Returns
    -------
    Summary
        Rows for every layer; prints as a table.

    Raises
    ------
    FieldMismatchError
        Two modules do not fit.

    Examples
    --------
    >>> from pdobasis.nn import PDOConv2d
    >>> print(summary(PDOConv2d("D4", "trivial", "vector", order=1, size=3, padding=1), 9))
    layer      fields        size  parameters  receptive field  exact
    PDOConv2d  vector of D4  9x9            1  3x3              yes
    1 parameters; exactly equivariant on the grid
    """
    require_module(model)
    steps = walk(model, size)
    rows = tuple(_row(step) for step in steps)
    return Summary(rows, sum(p.numel() for p in model.parameters()))


def _row(step: Step) -> Row:
    fields = step.seen.flow.fields
    exact: bool | None = None
    text = "-"
    if fields is not None:
        exact = step.exact
        text = _fields_text(fields)
    reach = "?"
    if step.seen.reach is not None:
        reach = str(step.seen.reach)
    own = sum(p.numel() for p in step.module.parameters())
    label = f"{step.name} {type(step.module).__name__}".lstrip()
    return Row(label, text, step.shape[2:], own, reach, exact)


def _fields_text(fields: Types) -> str:
    """At most so wide; long sums end in an ellipsis, with the group behind it."""
    if isinstance(fields, tuple):
        text, group = " | ".join(map(str, fields)), fields[0].group.name
    else:
        text, group = str(fields), fields.group.name
    return _ends(f"{text} of {group}", WIDTH)


def _cells(row: Row) -> tuple[str, ...]:
    return (
        row.layer,
        row.fields,
        "x".join(map(str, row.size)) or "-",
        f"{row.parameters:,}",
        row.receptive_field,
        {None: "-", True: "yes", False: "no"}[row.exact],
    )


def _widths(table: Sequence[Sequence[str]]) -> list[int]:
    return [max(map(len, column)) for column in zip(*table, strict=True)]


def _letters(table: Sequence[Sequence[str]]) -> int:
    """Of a line, with two between columns."""
    return sum(_widths(table)) + 2 * (len(HEADINGS) - 1)


def _fitted(table: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """In lines of `LINE` letters where that is possible: fields are cut, then kinds of layers, never names."""
    layer, fields, *_ = _widths(table)
    room = LINE - _letters(table) + layer + fields
    for_fields = min(fields, max(room - layer, LEAST))
    names = max(len(row[0].partition(" ")[0]) for row in table)
    for_layer = min(layer, max(room - for_fields, names + 2))
    return [
        (_start(row[0], for_layer), _ends(row[1], for_fields), *row[2:])
        for row in table
    ]


def _start(text: str, room: int) -> str:
    if len(text) <= room:
        return text
    return f"{text[: room - 1]}…"


def _ends(text: str, room: int) -> str:
    """The group at the end stays, and the sum before it is cut."""
    if len(text) <= room:
        return text
    head, of, group = text.rpartition(" of ")
    return f"{_start(head, max(room - len(of + group), 2))}{of}{group}"


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    aligned = [
        cell.rjust(width) if n in NUMBERS else cell.ljust(width)
        for n, (cell, width) in enumerate(zip(cells, widths, strict=True))
    ]
    return "  ".join(aligned).rstrip()
