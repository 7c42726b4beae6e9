r"""The sixth table: generators of all orders between the irreps of C_N and D_N, for symbolic m, n and N.

Over the polynomials in Δ the solutions are $P_k = \mathrm{Re}(C z^k)$ with $k = k_0 + tN$, for all t (:mod:`.paper`,
proved for all m, n, N and t). Let $T_N = \mathrm{Re}\, z^N$, where $z^{-k}$ stands for $\bar z^k$. From
$z^k z^N + z^k z^{-N} = 2 z^k\, \mathrm{Re}\, z^N$ and $z \bar z = r^2$

$$2\, T_N P_k = r^{2a} P_{k+N} + r^{2b} P_{k-N},$$

with $a = 0$ for $k \ge 0$ and $b = 0$ for $k \le 0$. So two neighbours $P_{k_0}$ and $P_{k_0 - N}$ on the two sides of
0 give all others, one after the other: to the right by the first term, to the left by the second. Between scalars k
and -k give the same P up to sign, so that one is enough: $P_{N/2}$; of T_{tN} it is $T_0 = 1$, and of U_{tN}, where
$U_0 = 0$, it is $U_N$.

They are a basis: the solutions are a free module over the polynomials in Δ and T_N, whose orders are 2 and N, of rank
$2N\,c_{out} c_{in} / |G|$, and as many elements that generate a free module are a basis of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from itertools import product

from pdobasis.bounds.caches import remembered
from pdobasis.errors import ProofError
from pdobasis.modules.primary import primary_invariants
from pdobasis.operators.symbols import Symbols, from_dense, join_symbols
from pdobasis.proof.all_orders import rank_modulo_ideal
from pdobasis.proof.counting import count_pdos
from pdobasis.proof.parameters import numerator
from pdobasis_tables.circular import Symbolic
from pdobasis_tables.congruence import fiber_signs
from pdobasis_tables.entries import cell, prove
from pdobasis_tables.families import FAMILIES, Family, Kind, Point
from pdobasis_tables.mathml import sentence
from pdobasis_tables.paper import CELL_LINE, TITLES, head, pattern_matrix
from pdobasis_tables.table import Cell, Table, broken

ROTATIONS = 5
"""How far the command compares with the engine; the tests go further."""
_NOTES = (
    r"Rows: output, columns: input. Entries are symbols; all equivariant PDOs, of every order, are the sums of the "
    r"$D(P_k)$ times polynomials in $\Delta$ and $\PDOT{N}$, each in one way. The order of an element is the absolute "
    r"value of its index, and the Hilbert series is the sum of $t^{k}$ over these orders k, over $(1-t^{2})(1-t^{N})$.",
    r"$\PDOT{k} = r^{k}\cos k\varphi$, $\PDOU{k} = r^{k}\sin k\varphi$ for $k > 0$, $\PDOT{-k} = \PDOT{k}$, "
    r"$\PDOU{-k} = -\PDOU{k}$, $\PDOT{0} = 1$, $\PDOU{0} = 0$; $\epsilon = 1$ for $m \ge n$, and $-1$ for $m < n$.",
)


@dataclass(frozen=True, slots=True)
class Generator:
    """$P_k$ of a pattern, with $k = a m + b n + c N + s\\epsilon N$."""

    element: Symbolic
    c: Fraction
    s: int = 0

    @property
    def text(self) -> str:
        """The index in LaTeX."""
        index = self.element.index
        out = ""
        for coefficient, name in ((index.a, "m"), (index.b, "n")):
            if coefficient:
                out += {1: "+", -1: "-"}[coefficient] + name
        out += _turns(self.c)
        if self.s:
            out += r"-\epsilon N"
        return out.removeprefix("+") or "0"

    def value(self, point: Point) -> int:
        m, n, rotations = point
        index = self.element.index
        start = index.a * m + index.b * n + self.c * rotations
        if start.denominator != 1:
            raise ValueError(f"the index is not whole for N = {rotations}")
        epsilon = 1 if m >= n else -1
        return int(start) + self.s * epsilon * rotations

    def symbols(self, point: Point) -> Symbols:
        k = self.value(point)
        return from_dense(self.element.at(k), 2, abs(k))


def _turns(c: Fraction) -> str:
    names = {0: "", 2: "+N", -2: "-N", 1: "+N/2", -1: "-N/2"}
    return names[int(2 * c)]


def generators(family: Family, out: Kind, source: Kind) -> tuple[Generator, ...]:
    """Those of one cell."""
    found: list[Generator] = []
    for element in cell(family, out, source):
        found += _of(element, out.varies and source.varies)
    return tuple(found)


def _of(element: Symbolic, may_differ: bool) -> Iterator[Generator]:
    index = element.index
    if index.range == "N":
        # between scalars: T_0 = 1, U_N, or the half turn
        is_sine = element.pattern[0][0][1] == "U"
        yield Generator(element, index.c + (is_sine and index.c == 0))
        return
    yield Generator(element, index.c)
    if may_differ and index.a * index.b < 0:
        # m - n has either sign, and the other neighbour of 0 is on its other side
        yield Generator(element, index.c, -1)
    else:
        yield Generator(element, index.c - 1)


def prove_generators(family: Family) -> None:
    """The cells are proved for all m, n, N and t; what is left is that two neighbours were taken, and their number."""
    prove(family)
    order = {False: 1, True: 2}[family.mirror]  # of G, over N
    for out, source in product(family.kinds, repeat=2):
        size = len(fiber_signs(out)) * len(fiber_signs(source))
        found = generators(family, out, source)
        if len(found) * order != 2 * size:
            raise ProofError(
                f"all orders of {family.group}: {len(found)} generators at {source.spec} -> {out.spec}"
            )


def compare_generators(family: Family, rotations: int) -> int:
    """Substitute every m, n and N: as many of each order as Molien counts, and independent modulo Δ and T_N."""
    checked = 0
    for turns in family.all_rotations(rotations):
        for out, source in product(family.kinds, repeat=2):
            for m, n in product(
                out.frequencies(turns, 0), source.frequencies(turns, 0)
            ):
                _compare(family, out, source, (m, n, turns))
                checked += 1
    return checked


def _compare(family: Family, out: Kind, source: Kind, point: Point) -> None:
    rep_out, rep_in = family.irreps(out, source, point)
    primary = primary_of(family, point[2])
    counts = count_pdos(rep_in, rep_out, point[2] + 1).numbers
    wanted = numerator(counts, [theta.order for theta in primary])
    found: dict[int, list[Symbols]] = {}
    for generator in generators(family, out, source):
        part = generator.symbols(point)
        found.setdefault(part.order, []).append(part)
    for order, number in enumerate(wanted):
        parts = found.pop(order, [])
        rank = 0
        if parts:
            rank = rank_modulo_ideal(join_symbols(parts), primary)
        if not len(parts) == rank == number:
            raise ProofError(
                f"all orders of {rep_in.group.name}: wrong at {rep_in.spec} -> {rep_out.spec}, order {order}"
            )
    if found:
        raise ProofError(f"all orders of {rep_in.group.name}: too high an order")


def primary_of(family: Family, rotations: int) -> tuple[Symbols, ...]:
    """Δ and T_N, whatever else might do for a small N."""
    from pdobasis.exact.array import stack
    from pdobasis.groups.catalogue import parse_group
    from pdobasis.solvers.planar import circular

    (delta,) = primary_invariants(parse_group("SO(2)"))
    real, _ = circular(rotations)
    form = from_dense(stack([stack([stack([real])])]), 2, rotations)
    return delta, form


def all_orders_tables() -> dict[str, Table]:
    """File stem to table."""
    return {f"{f.key}-all-orders": _table(f) for f in FAMILIES if f.free}


@remembered
def _table(family: Family) -> Table:
    prove_generators(family)
    checked = compare_generators(family, ROTATIONS)
    title = rf"{TITLES[family.key]}: generators of all orders over $\mathbb{{R}}[\Delta, \PDOT{{N}}]$"
    cells = []
    for out in family.kinds:
        row = [_cell(generators(family, out, source)) for source in family.kinds]
        cells.append(tuple(row))
    return Table(
        title=sentence(title),
        columns=tuple(head(family, kind, "n") for kind in family.kinds),
        rows=tuple(head(family, kind, "m") for kind in family.kinds),
        cells=tuple(cells),
        notes=tuple(sentence(note) for note in _NOTES),
        proof=(
            "Entries read off from the closed forms of the transfer solver; convention: pdobasis.",
            "Proved for all m, n and N: neighbours on both sides of 0 of the solutions over the polynomials in Delta.",
            f"Compared for N <= {ROTATIONS}: in {checked} cases they are as many of each order as Molien counts, and "
            "independent modulo Delta and T_N, exactly.",
        ),
        circular=True,
    )


def _cell(found: tuple[Generator, ...]) -> Cell:
    return broken([pattern_matrix(g.element.pattern, g.text) for g in found], CELL_LINE)
