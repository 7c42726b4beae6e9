r"""Complexes: chains of operators, each two of which compose to zero, found from bases alone.

Between fields with several operators a complex is known up to automorphisms of the fields (the strain plus a multiple
of $\delta\,\mathrm{div}$ starts one as well), so of each span the sparsest members are tried: its basis, and the
$A_1 + tA_2$ in which a coefficient vanishes. Between two that are chosen the operators B with $B \circ A = 0$ and
$C \circ B = 0$ are a null space. A chain is *exact* where the ranks of its symbols at a covector in general position
are those of an exact sequence, from an injective first symbol to a surjective last one.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from flint import fmpq, fmpq_mat

from pdobasis.algebra.linear import rank
from pdobasis.algebra.operator import Operator
from pdobasis.algebra.spaces import annihilators, called, flat, operators_of, tidy
from pdobasis.answer.element import shortened
from pdobasis.answer.solve import solve
from pdobasis.errors import SpecError
from pdobasis.exact.scalars import Surd
from pdobasis.groups.group import Group

COVECTOR = (3, -7, 11, 5, -2, 13, 17, 19)
"""In general position: no symbol of a small operator has a lower rank there by accident."""


@dataclass(frozen=True, slots=True, repr=False)
class Complex:
    """Operators one after the other, between fields that are one more."""

    fields: tuple[str, ...]
    operators: tuple[Operator, ...]

    @property
    def is_complex(self) -> bool:
        pairs = zip(self.operators, self.operators[1:], strict=False)
        return all((b @ a).is_zero for a, b in pairs)

    @property
    def is_exact(self) -> bool | None:
        """Whether the symbols are an exact sequence at a general covector; None where they have roots in them."""
        ranks = [symbol_rank(op) for op in self.operators]
        if None in ranks:
            return None
        known = [r for r in ranks if r is not None]
        sizes = [self.operators[0].shape[1], *(op.shape[0] for op in self.operators)]
        before, after = [0, *known], [*known, 0]
        return all(a + b == n for a, b, n in zip(before, after, sizes, strict=True))

    def __str__(self) -> str:
        text = self.fields[0]
        for op, rep in zip(self.operators, self.fields[1:], strict=True):
            text += f" --{called(op)}--> {rep}"
        return text

    def __len__(self) -> int:
        """The number of operators."""
        return len(self.operators)

    def __iter__(self) -> Iterator[Operator]:
        return iter(self.operators)

    def __getitem__(self, index: int) -> Operator:
        return self.operators[index]

    def __repr__(self) -> str:
        return f"<Complex {shortened(str(self), 140)}>"

    def _repr_html_(self) -> str:
        from pdobasis.notebook.bases import operators_html

        return operators_html([str(self)], self.operators)


def complexes(
    group: str | Group,
    fields: Sequence[str],
    orders: int | Sequence[int] = 1,
    *,
    exact: bool = True,
) -> list[Complex]:
    """Chains of operators of the given orders between fields, the sparsest first; all of them with ``exact=False``.

    >>> for found in complexes("SO(3)", ["trivial", "vector", "vector", "trivial"]):
    ...     print(found)
    trivial --gradient--> vector --curl--> vector --divergence--> trivial
    """
    if len(fields) < 2:
        raise SpecError("a complex has at least two fields")
    wanted = [orders] * (len(fields) - 1) if isinstance(orders, int) else list(orders)
    if len(wanted) != len(fields) - 1:
        raise SpecError(
            f"{len(fields)} fields have {len(fields) - 1} operators between them, got {len(wanted)} orders"
        )
    spaces = []
    for source, target, n in zip(fields, fields[1:], wanted, strict=False):
        basis = solve(group, source, target, n)
        spaces.append([op for op in operators_of(basis) if op.order == n])
    chains = sorted(_different(_chains(spaces)), key=lambda c: sum(map(entries, c)))
    found = [Complex(tuple(fields), tuple(map(tidy, chain))) for chain in chains]
    return [c for c in found if not exact or c.is_exact is not False]


def entries(op: Operator) -> int:
    """The number of coefficients: few for an operator that one writes down."""
    return sum(map(len, op.cells.values()))


def symbol_rank(op: Operator) -> int | None:
    """The rank of P at a covector in general position."""
    rows, columns = op.shape
    point = [fmpq(v) for v in COVECTOR[: op.dim]]
    values = [fmpq(0)] * (rows * columns)
    for (r, c), p in op.cells.items():
        for alpha, value in p.items():
            if isinstance(value, Surd):
                return None
            for x, n in zip(point, alpha, strict=True):
                value = value * x**n
            values[r * columns + c] += value
    return int(fmpq_mat(rows, columns, values).rank())


def normal_forms(space: Sequence[Operator]) -> list[Operator]:
    """The sparsest members of a span: its basis, and what has a zero where the others of a line have none."""
    found = list(space)
    for one, two in combinations(space, 2):
        left, right = flat(one), flat(two)
        zeros = set()
        for place in left.keys() & right.keys():
            ratio = left[place] / right[place]
            if isinstance(ratio, fmpq):
                zeros.add(-Fraction(int(ratio.p), int(ratio.q)))
        for t in sorted(zeros):
            found.append((one + two * t) * t.denominator)
    return sorted(found, key=entries)


def _chains(spaces: Sequence[Sequence[Operator]]) -> list[tuple[Operator, ...]]:
    first, *others = spaces
    if not others:
        return [(op,) for op in first]
    out: list[tuple[Operator, ...]] = []
    for a in normal_forms(first):
        middle = list(annihilators(others[0], a))
        if len(others) == 1:
            out += [(a, b) for b in middle]
            continue
        adjoints = [b.adjoint() for b in middle]
        for c in normal_forms(others[1]):
            # C ∘ B = 0 is B* ∘ C* = 0
            for b in annihilators(adjoints, c.adjoint()):
                rest = _chains([[c], *others[2:]])
                out += [(a, b.adjoint(), *chain) for chain in rest]
    return out


def _different(chains: Sequence[tuple[Operator, ...]]) -> list[tuple[Operator, ...]]:
    """Chains that differ by more than factors."""
    out: list[tuple[Operator, ...]] = []
    for chain in chains:
        known = any(
            all(rank([flat(a), flat(b)]) == 1 for a, b in zip(chain, own, strict=True))
            for own in out
        )
        if not known:
            out.append(chain)
    return out
