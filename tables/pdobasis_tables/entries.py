r"""The entries of the tables of the plane in both conventions, and their proof.

The entries come from :mod:`.laws`. :func:`prove` proves them for all m, n, N and t by :mod:`.congruence`;
:func:`compare` substitutes numbers and compares the spans with the direct solver, which knows nothing of T, U and
congruences.
"""

from __future__ import annotations

from itertools import product

from pdobasis.errors import ProofError
from pdobasis.exact.array import ExactArray, integers
from pdobasis.proof.spans import same_span
from pdobasis.representations.representation import Representation, from_matrices
from pdobasis.solvers.direct import solve_block
from pdobasis_tables.circular import Symbolic, quarter_turn, span
from pdobasis_tables.congruence import prove_cell
from pdobasis_tables.families import Family, Kind, Point
from pdobasis_tables.laws import Cell, read_off


def cell(family: Family, out: Kind, source: Kind, convention: str = "pdobasis") -> Cell:
    """The elements of one entry of a table."""
    found = read_off(family, out, source)
    # the conventions differ in psi(f) alone
    if convention == "paper" and family.mirror:
        return tuple(Symbolic(quarter_turn(e.pattern), e.index) for e in found)
    return found


def prove(family: Family, convention: str = "pdobasis") -> None:
    """Refuse a table of which one cell is not a basis for all m, n, N and t."""
    for out, source in product(family.kinds, repeat=2):
        prove_cell(
            family, out, source, cell(family, out, source, convention), convention
        )


def compare(
    family: Family,
    *,
    frequency: int,
    rotations: int,
    order: int,
    convention: str = "pdobasis",
) -> int:
    """Substitute every m, n (and N up to ``rotations``) and every t, and compare with the direct solver; how often."""
    checked = 0
    for turns in family.all_rotations(rotations):
        for out, source in product(family.kinds, repeat=2):
            elements = cell(family, out, source, convention)
            for m in out.frequencies(turns, frequency):
                for n in source.frequencies(turns, frequency):
                    compare_cell(
                        family, out, source, (m, n, turns), elements, order, convention
                    )
                    checked += 1
    return checked


def compare_cell(
    family: Family,
    out: Kind,
    source: Kind,
    point: Point,
    elements: Cell,
    order: int,
    convention: str = "pdobasis",
) -> None:
    """Refuse elements that do not span, at one (m, n, N), what the direct solver finds."""
    rep_out, rep_in = family.irreps(out, source, point)
    if convention == "paper":
        rep_out, rep_in = turned(rep_out), turned(rep_in)
    claimed = span(elements, (rep_out.size, rep_in.size), point, order)
    for degree, part in enumerate(claimed):
        # the solver compares coefficients, without closed forms
        if not same_span(part, solve_block(rep_in, rep_out, degree)):
            raise ProofError(
                f"the table of {rep_in.group.name} is wrong at {rep_in.spec} -> {rep_out.spec}, order {degree}"
            )


def turned(rep: Representation) -> Representation:
    r"""$J \rho J^{-1}$ with the quarter turn J, for representations of size 2: the paper's convention."""
    if rep.size != 2:
        return rep
    generators = tuple(map(_conjugated, rep.matrices()))
    lie = tuple(map(_conjugated, rep.lie))
    return from_matrices(rep.group, f"turned({rep.spec})", 2, generators, lie)


def _conjugated(matrix: ExactArray) -> ExactArray:
    quarter = integers([[0, -1], [1, 0]])
    return quarter @ matrix @ quarter.T
