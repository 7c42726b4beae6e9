r"""The solution tables of Jenner and Weiler's appendix: SO(2), O(2), reflections, C_N and D_N in T_k and U_k.

The entries come from :mod:`.laws`, which reads them off from the transfer solver's closed forms; slips of
the printed tables are corrected and noted.
"""

from __future__ import annotations

from pdobasis.bounds.caches import remembered
from pdobasis_tables.circular import Index, Pattern, Symbolic
from pdobasis_tables.entries import cell, compare, prove
from pdobasis_tables.families import FAMILIES, Family, Kind
from pdobasis_tables.formula import Formula, Matrix, Part
from pdobasis_tables.mathml import formula, mathml, sentence
from pdobasis_tables.table import Cell, Head, Prose, Table, broken

CONVENTIONS = ("pdobasis", "paper")
# how far the command itself compares every table with the direct solver; the tests go further
FREQUENCY = 3
ROTATIONS = 5
ORDER = 4
CELL_LINE = 52
"""Characters on one line of a cell."""

TITLES = {
    "so2": "Special orthogonal group SO(2)",
    "o2": "Orthogonal group O(2)",
    "reflection": r"Reflection group $\{1, f\}$",
    "cn": "Cyclic group $C_N$",
    "dn": "Dihedral group $D_N$",
}
_SLIPS = {
    ("cn", 1): r"The paper prints $\psi_1$ for this row; it is that of $\psi_{N/2}$.",
    (
        "cn",
        2,
    ): r"The paper prints $\psi_n$ for this row; the frequency of the output is $m$.",
    (
        "dn",
        4,
    ): r"The paper prints $1 \le m \le N/2$; at $m = N/2$ there are the two irreps of size one above instead.",
}
"""Corrected slips of the printed tables, by table and row."""
_SINE = r"The paper's explicit sine has $(-1)^{(i+1)/2}$, which is $-\PDOU{k}$: but $r \sin\varphi = x_2$."
_ENTRIES = (
    r"Rows: output, columns: input. Entries are symbols; the PDOs are $D(\PDOT{k})$ and $D(\PDOU{k})$ with "
    r"$x_i \mapsto \partial_i$, times all powers of $\Delta$."
)
_DEFINITIONS = (
    r"$\PDOT{k} = r^{k}\cos k\varphi = \sum_{i \text{ even}} (-1)^{i/2} \binom{k}{i} x_1^{k-i} x_2^{i}$, "
    r"$\PDOU{k} = r^{k}\sin k\varphi = \sum_{i \text{ odd}} (-1)^{(i-1)/2} \binom{k}{i} x_1^{k-i} x_2^{i}$ $^{a}$ for "
    r"$k > 0$, $\PDOT{-k} = \PDOT{k}$, $\PDOU{-k} = -\PDOU{k}$, $\PDOT{0} = 1$, $\PDOU{0} = 0$."
)
_RANGES = (
    r"One element for every $t \in \mathbb{Z}$, and for every $\hat{t} \in \mathbb{N} = \{0, 1, \dots\}$ (where it is "
    r"$\PDOU{0} = 0$, there is none)."
)
_MU = r"One element for every $\mu \in \mathbb{N} = \{0, 1, \dots\}$ ($\PDOU{0} = 0$ is none)."
_REFLECTION = (
    r"f = diag(1, −1) fixes the $x_1$ axis; $\psi_0(f) = 1$, $\psi_1(f) = -1$."
)
_FLIPS = {
    "pdobasis": (
        r"f = diag(1, −1) fixes the $x_1$ axis, and $\psi_{1,k}(f)$ = diag(1, −1), so that $\psi_{1,1}$ is the vector "
        r"and the gradient is $(\PDOT{1}, \PDOU{1})$ as a column. The paper's own convention, diag(−1, 1), is a "
        "quarter turn of the fibre away."
    ),
    "paper": (
        r"The paper's convention: f = diag(1, −1) fixes the $x_1$ axis, and $\psi_{1,k}(f)$ = diag(−1, 1). Entries are "
        r"$J P J^{-1}$ with the quarter turn $J$ in fibres of size two, where $P$ is the entry for "
        r"$\psi_{1,k}(f)$ = diag(1, −1)."
    ),
}


def paper_tables(convention: str = "pdobasis") -> dict[str, Table]:
    """File stem to table, all five, each proved and compared with the direct solver before it is returned."""
    return {family.key: _table(family, convention) for family in FAMILIES}


@remembered
def _table(family: Family, convention: str) -> Table:
    prove(family, convention)
    checked = compare(
        family,
        frequency=FREQUENCY,
        rotations=ROTATIONS,
        order=ORDER,
        convention=convention,
    )
    # notes of this table, by the row that they are about
    slips = {row: text for (key, row), text in _SLIPS.items() if key == family.key}
    # every table has the note a, on the sine
    marks = dict(zip(slips, "bcd", strict=False))
    marked = [("a", sentence(_SINE))]
    for row, text in slips.items():
        marked.append((marks[row], sentence(text)))
    rows = []
    cells = []
    for r, out in enumerate(family.kinds):
        rows.append(head(family, out, "m", marks.get(r, "")))
        entries = [cell(family, out, source, convention) for source in family.kinds]
        cells.append(tuple(_cell(family, elements) for elements in entries))
    title = rf"{TITLES[family.key]}: module bases of steerable PDOs over $\mathbb{{R}}[\Delta]$"
    return Table(
        title=sentence(title),
        columns=tuple(head(family, kind, "n") for kind in family.kinds),
        rows=tuple(rows),
        cells=tuple(cells),
        notes=_notes(family, convention),
        marked=tuple(marked),
        proof=_proof(family, checked, convention),
        circular=True,
    )


def head(family: Family, kind: Kind, letter: str, mark: str = "") -> Head:
    inner = kind.spec.removeprefix("irrep(").removesuffix(")")
    index = inner.replace("{k}", letter).replace("{h}", "N/2")
    name = formula(rf"\psi_{{{index}}}")
    return Head(name, _condition(family, kind, letter), mark)


def _condition(family: Family, kind: Kind, letter: str) -> Formula | None:
    """For which N or frequencies there is such an irrep."""
    if kind.half:
        return formula(r"N \text{ even}")
    if not kind.varies:
        return None
    if family.free:
        return formula(rf"1 \le {letter} < N/2")
    return formula(rf"{letter} \in \mathbb{{N}}_{{>0}}")


def _cell(family: Family, elements: tuple[Symbolic, ...]) -> Cell:
    return broken([_matrix(family, e) for e in elements], CELL_LINE)


def _matrix(family: Family, element: Symbolic) -> Matrix:
    return pattern_matrix(element.pattern, _index(family, element.index))


def pattern_matrix(pattern: Pattern, index: str) -> Matrix:
    """T and U with an index, at the places of a pattern."""
    if index == "0" and len(pattern) * len(pattern[0]) == 1:
        # T_0 = 1, and U_0 = 0 is no element
        return Matrix(((formula("1"),),))
    read_as = index.replace(r"\hat{t}", "t").replace(r"\mu", "m")
    read_as = read_as.replace(r"\epsilon ", "e")
    # small letters, beside the T or U
    width = max(2, len(read_as) * 2 // 3 + 1)
    rows = []
    for row in pattern:
        rows.append(tuple(_entry(sign, letter, index, width) for sign, letter in row))
    return Matrix(tuple(rows))


def _entry(sign: int, letter: str, index: str, width: int) -> Formula:
    latex = rf"\PDO{letter}{{{index}}}"
    return Formula((Part(sign < 0, latex, mathml(latex), width),))


def _index(family: Family, index: Index) -> str:
    r"""m - n + tN, (\hat t + 1/2)N, …"""
    signs = {1: "+", -1: "-"}
    out = ""
    for coefficient, name in ((index.a, "m"), (index.b, "n")):
        if coefficient:
            out += signs[coefficient] + name
    turns = _turns(family, index)
    if turns:
        out += "+" + turns
    return out.removeprefix("+") or "0"


def _turns(family: Family, index: Index) -> str:
    """The part of an index that grows with t."""
    if not family.free:
        # one rotation or none at all: k runs through the whole numbers, or is fixed
        return r"\mu" if index.range else ""
    t = "t"
    if index.range == "N":
        t = r"\hat{t}"
    if index.c:
        t = f"({t}+1/2)"
    return f"{t}N"


def _notes(family: Family, convention: str) -> tuple[Prose, ...]:
    notes = [_ENTRIES, _DEFINITIONS]
    if family.free:
        notes.append(_RANGES)
    elif family.rotations:
        notes.append(_MU)
    if family.key == "reflection":
        notes.append(_REFLECTION)
    elif family.mirror:
        notes.append(_FLIPS[convention])
    return tuple(sentence(note) for note in notes)


def _proof(family: Family, checked: int, convention: str) -> tuple[str, ...]:
    letters, where = "m, n, N and t", f"N <= {ROTATIONS}, all m, n and t, "
    if family.key == "reflection":
        letters, where = "mu", ""
    elif not family.free:
        letters, where = "m and n", f"m, n <= {FREQUENCY}, "
    return (
        f"Entries read off from the closed forms of the transfer solver; convention: {convention}.",
        f"Proved for all {letters}: equivariant, independent and complete, by the frequencies of the entries.",
        f"Compared for {where}orders <= {ORDER}: in {checked} cases they span what the direct solver finds, exactly.",
    )
