r"""Complexes: chains of operators, each two of which compose to zero, found from bases alone.

Between fields with several operators a complex is known up to automorphisms of the fields (the strain plus a multiple
of $\delta\,\mathrm{div}$ starts one as well), so of each span the sparsest members are tried: its basis, the
$A_1 + tA_2$ in which a coefficient vanishes, and the sum of all, which has a part in every summand of the next field.
After one that is chosen the operators B with $B \circ A = 0$ are a null space; between two those with $C \circ B = 0$
besides. A chain is *exact* where the ranks of its symbols at a covector in general position are those of an exact
sequence, from an injective first symbol to a surjective last one: of a complex neighbouring ranks are at most the size
of the field between them, so ranks modulo a prime, which can only be too small, prove it where they reach it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import reduce
from itertools import combinations
from math import prod

from flint import fmpq, nmod_mat

from pdobasis.algebra.operator import Operator
from pdobasis.algebra.spaces import (
    annihilators,
    called,
    combination,
    flat,
    operators_of,
    tidy,
)
from pdobasis.answer.element import shortened
from pdobasis.answer.solve import solve
from pdobasis.bounds.watch import check
from pdobasis.errors import SpecError, require_type
from pdobasis.exact.field import RATIONALS, join
from pdobasis.exact.residue_numbers import Residues
from pdobasis.exact.scalars import field_of
from pdobasis.groups.group import Group

COVECTOR = (3, -7, 11, 5, -2, 13, 17, 19)
"""In general position: no symbol of a small operator has a lower rank there by accident."""


@dataclass(frozen=True, slots=True, repr=False)
class Complex:
    """Operators one after the other, between fields that are one more.

    Attributes
    ----------
    fields : tuple of FieldType
        One more than there are operators.
    operators : tuple of Operator
        Each maps into the kernel of the next.

    Examples
    --------
    >>> from pdobasis import complexes
    >>> chain = complexes("SO(3)", ["trivial", "vector", "vector", "trivial"])[0]
    >>> [op.name for op in chain.operators], chain.is_exact
    (['gradient', 'curl', 'divergence'], True)
    """

    fields: tuple[str, ...]
    operators: tuple[Operator, ...]

    @property
    def is_complex(self) -> bool:
        """Whether neighbours compose to zero."""
        pairs = zip(self.operators, self.operators[1:], strict=False)
        return all((b @ a).is_zero for a, b in pairs)

    @property
    def is_exact(self) -> bool:
        """Whether the symbols are an exact sequence at a general covector, the ends too: 0 → first … last → 0."""
        ranks = [symbol_rank(op) for op in self.operators]
        sizes = [self.operators[0].shape[1], *(op.shape[0] for op in self.operators)]
        before, after = [0, *ranks], [*ranks, 0]
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
        return f"<Complex {shortened(self.outline(), 140)}>"

    def _repr_html_(self) -> str:
        from pdobasis.notebook.bases import operators_html

        return operators_html([self.outline()], self.operators)

    def outline(self) -> str:
        """In one line: operators without a name by their number and order.

        Returns
        -------
        str
            Fields, arrows and names.

        Examples
        --------
        >>> from pdobasis import complexes
        >>> print(complexes("SO(2)", ["trivial", "vector", "trivial"])[0].outline())
        trivial --gradient--> vector --curl--> trivial
        """
        text = self.fields[0]
        pairs = zip(self.operators, self.fields[1:], strict=True)
        for k, (op, rep) in enumerate(pairs, start=1):
            text += f" --{op.name or f'P{k} (order {op.order})'}--> {rep}"
        return text


def complexes(
    group: str | Group,
    fields: Sequence[str],
    orders: int | Sequence[int] = 1,
    *,
    exact: bool = True,
) -> list[Complex]:
    """Chains of operators of the given orders between fields, named and sparse ones first; with ``exact=False`` all.

    >>> for found in complexes("SO(3)", ["trivial", "vector", "vector", "trivial"]):
    ...     print(found)
    trivial --gradient--> vector --curl--> vector --divergence--> trivial

    Parameters
    ----------
    group : str or Group
        A name of the catalogue, a file of one's own, or a group.
    fields : sequence of str
        The fields of the chain, from the first to the last.
    orders : int or sequence of int
        The order of every operator.
    exact : bool
        Only chains whose symbols are an exact sequence at a general covector, from 0 before the first field to 0
        behind the last; otherwise all in which neighbours compose to zero.

    Returns
    -------
    list of Complex
        Chains in which neighbours compose to zero.

    Raises
    ------
    SpecError
        A text that says no group or representation; the message names the nearest.
    SizeError
        The question is too large for its limits: refused before any work.
    """
    require_type(
        fields,
        (list, tuple),
        "fields",
        "a list of fields such as ['trivial', 'vector']",
    )
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
    every = _chains(spaces)
    for op in members(spaces[0]):
        every += _onwards(spaces, (op,))
    chains = [tuple(map(tidy, chain)) for chain in _different(every)]
    chains.sort(key=_strangeness)
    found = [Complex(tuple(fields), chain) for chain in chains]
    return [c for c in found if not exact or c.is_exact]


def _strangeness(chain: tuple[Operator, ...]) -> tuple[int, int]:
    """Operators without a name, and coefficients."""
    return sum(op.name is None for op in chain), sum(map(entries, chain))


def entries(op: Operator) -> int:
    """The number of coefficients: few for an operator that one writes down."""
    return sum(map(len, op.cells.values()))


def symbol_rank(op: Operator) -> int:
    """The rank of P at a covector in general position, modulo a prime."""
    rows, columns = op.shape
    fields = {field_of(v) for p in op.cells.values() for v in p.values()}
    modulo = Residues(reduce(join, (f for f in fields if f is not None), RATIONALS))
    table = nmod_mat(rows, columns, modulo.prime)
    for (r, c), p in op.cells.items():
        total = 0
        for alpha, value in p.items():
            powers = zip(COVECTOR, alpha, strict=False)
            total += modulo(value) * prod(x**n for x, n in powers)
        table[r, c] = total % modulo.prime
    return int(table.rank())


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


def members(space: Sequence[Operator]) -> list[Operator]:
    """The sparsest, and one that is none of them: the sum of a basis."""
    found = normal_forms(space)
    if len(space) > 1:
        found.append(combination([fmpq(1)] * len(space), space))
    return found


def _onwards(
    spaces: Sequence[Sequence[Operator]], chain: tuple[Operator, ...]
) -> list[tuple[Operator, ...]]:
    """Chains that go on with what annihilates the last operator."""
    if len(chain) == len(spaces):
        return [chain]
    out: list[tuple[Operator, ...]] = []
    for op in members(list(annihilators(spaces[len(chain)], chain[-1]))):
        check()
        out += _onwards(spaces, (*chain, op))
    return out


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
    known: dict[tuple[Operator, ...], tuple[Operator, ...]] = {}
    for chain in chains:
        known.setdefault(tuple(map(_monic, chain)), chain)
    return list(known.values())


def _monic(op: Operator) -> Operator:
    """The multiple whose first coefficient is 1."""
    places = flat(op)
    if not places:
        return op
    return op / places[min(places)]
