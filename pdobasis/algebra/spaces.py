r"""Spaces of operators: coordinates in a basis, self-adjoint parts, relations, factorisations.

Everything is linear algebra on symbols. That $\mathrm{curl} \circ \mathrm{grad} = 0$ is not told: it is a null vector
of the products of two bases.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import gcd, lcm
from typing import Any, overload

from flint import fmpq

from pdobasis.algebra.linear import coordinates, rank, relations
from pdobasis.algebra.naming import factor_of
from pdobasis.algebra.operator import Operator, of_element, operator, zero
from pdobasis.answer.basis import Basis
from pdobasis.answer.element import shortened
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.errors import SpecError, require_type
from pdobasis.exact.scalars import Number, Radical, Surd, exact_of, float_of, text_of
from pdobasis.operators.layout import columns

Place = tuple[int, int, tuple[int, ...]]
SHOWN = 24
"""Operators of a printed space."""


def flat(op: Operator) -> dict[Place, Number]:
    return {(r, c, a): v for (r, c), p in op.cells.items() for a, v in p.items()}


def operators_of(space: Basis | Iterable[Any]) -> list[Operator]:
    """The elements of a basis, or a list of operators, as operators."""
    if isinstance(space, Basis):
        return [of_element(element) for element in space.elements]
    return [operator(item) for item in space]


@dataclass(frozen=True, slots=True, repr=False)
class OperatorSpace:
    """Independent operators of one shape.

    Attributes
    ----------
    elements : tuple of Operator
        A basis of the space.

    Examples
    --------
    >>> from pdobasis import solve
    >>> space = solve("O(2)", "trivial", "trivial").self_adjoint()
    >>> len(space)
    2
    >>> print(space[1])
    [∂₁² + ∂₂²]
    """

    elements: tuple[Operator, ...]

    @property
    def dimension(self) -> int:
        """The number of operators in its basis."""
        return len(self.elements)

    def __len__(self) -> int:
        return len(self.elements)

    def __iter__(self) -> Iterator[Operator]:
        return iter(self.elements)

    @overload
    def __getitem__(self, index: int) -> Operator: ...

    @overload
    def __getitem__(self, index: slice) -> OperatorSpace: ...

    def __getitem__(self, index: int | slice) -> Operator | OperatorSpace:
        """An operator, or the space that some of them span."""
        if isinstance(index, slice):
            return OperatorSpace(self.elements[index])
        return self.elements[index]

    def __contains__(self, op: object) -> bool:
        return isinstance(op, Operator) and coordinates_in(self, op) is not None

    def __repr__(self) -> str:
        named = ", ".join(map(called, self.elements))
        return f"<OperatorSpace of dimension {len(self)}: {shortened(named, 80)}>"

    def __str__(self) -> str:
        rows = []
        for k, op in enumerate(self.elements[:SHOWN], start=1):
            rows.append((str(k), str(op.order), op.name or "", str(op)))
        if len(self) > SHOWN:
            rows.append(("", "", "", f"… {len(self) - SHOWN} more"))
        title = f"dimension {len(self)}"
        if not rows:
            return title
        return f"{title}\n{columns(('', 'order', 'name', 'operator'), rows)}"

    def _repr_html_(self) -> str:
        from pdobasis.notebook.bases import operators_html

        return operators_html([f"dimension {len(self)}"], self.elements)


def coordinates_in(space: Basis | Iterable[Any], op: Any) -> list[Any] | None:
    """The exact numbers in front of the elements, as SymPy numbers; None when it is not in the span."""
    wanted = operator(op)
    every = operators_of(space)
    if any(e.shape != wanted.shape or e.dim != wanted.dim for e in every):
        return None
    found = coordinates([flat(e) for e in every], flat(wanted))
    if found is None:
        return None
    return [_sympy(value) for value in found]


def combination(weights: Sequence[Number], operators: Sequence[Operator]) -> Operator:
    total = zero(operators[0].dim, operators[0].shape)
    for w, op in zip(weights, operators, strict=True):
        if w:
            total = total + op * w
    return total


def with_adjoint(space: Basis | Iterable[Any], sign: int) -> OperatorSpace:
    """The operators of a span with P* = sign · P."""
    every = operators_of(space)
    if not every:
        return OperatorSpace(())
    rows, columns = every[0].shape
    if rows != columns:
        raise SpecError(
            "only operators from a field to itself are self-adjoint or skew"
        )
    # P - sign P* = 0 is a linear equation for the coordinates
    differences = [flat(e - e.adjoint() * sign) for e in every]
    found = [combination(w, every) for w in relations(differences)]
    return OperatorSpace(tuple(found))


@dataclass(frozen=True, slots=True, repr=False)
class Relation:
    """A sum of compositions that vanishes: (number, outer operator, inner operator)."""

    terms: tuple[tuple[Number, Operator, Operator], ...]

    def __str__(self) -> str:
        parts = [f"{_front(v)}{called(b)} ∘ {called(a)}" for v, b, a in self.terms]
        return " + ".join(parts) + " = 0"

    def __repr__(self) -> str:
        return f"<Relation {shortened(str(self), 100)}>"


def null_compositions(outer: Any, inner: Any) -> list[Relation]:
    """All relations among the compositions of two bases: first ``inner``, then ``outer``.

    >>> from pdobasis import solve
    >>> grad = solve("SO(3)", "trivial", "vector", 1)
    >>> curl = solve("SO(3)", "vector", "vector", 1)
    >>> for relation in null_compositions(curl, grad):
    ...     print(relation)
    curl ∘ gradient = 0

    Parameters
    ----------
    outer, inner : Basis or OperatorSpace
        The operators that come second, and first.

    Returns
    -------
    list of Relation
        A basis of the relations.

    Raises
    ------
    SpecError
        The operators cannot be composed.
    """
    pairs = [(b, a) for b in operators_of(outer) for a in operators_of(inner)]
    products = [flat(b @ a) for b, a in pairs]
    out = []
    for row in relations(products):
        used = [(w, b, a) for w, (b, a) in zip(row, pairs, strict=True) if w]
        out.append(Relation(tuple(used)))
    return out


@dataclass(frozen=True, slots=True, repr=False)
class Factorisation:
    """An operator as a sum of compositions, or none where it is indecomposable through the given fields."""

    operator: Operator
    terms: tuple[tuple[Number, Operator, Operator], ...] | None

    def __str__(self) -> str:
        own = called(self.operator)
        if self.terms is None:
            return f"{own}: no composition"
        parts = [f"{_front(v)}{called(b)} ∘ {called(a)}" for v, b, a in self.terms]
        return f"{own} = {' + '.join(parts)}"

    def __repr__(self) -> str:
        return f"<Factorisation {shortened(str(self), 100)}>"


def factorise(
    basis: Basis, through: Sequence[str], order: int = 1
) -> list[Factorisation]:
    """Which elements of a basis are compositions of operators of lower order through other fields.

    >>> from pdobasis import solve
    >>> found = factorise(solve("O(3)", "vector", "vector", 2), ["trivial"])
    >>> print(found[2])
    grad∘div = gradient ∘ divergence

    Parameters
    ----------
    basis : Basis
        Whose elements are taken apart.
    through : sequence of str
        Field types in between.
    order : int
        The highest order of a factor.

    Returns
    -------
    list of Factorisation
        One for each element, also for those that are no composition.

    Raises
    ------
    SpecError
        A text that says no group or representation; the message names the nearest.
    """
    require_type(basis, Basis, "basis", "a Basis, as solve() finds it")
    problem = basis.problem
    group = problem.group
    pairs: list[tuple[Operator, Operator]] = []
    for rep in through:
        first = solve_problem(ask(group, problem.in_type, rep, order))
        second = solve_problem(ask(group, rep, problem.out_type, order))
        for b in operators_of(second):
            pairs += [(b, a) for a in operators_of(first) if a.order and b.order]
    chosen: list[tuple[Operator, Operator]] = []
    vectors: list[dict[Place, Number]] = []
    for b, a in pairs:
        product = flat(b @ a)
        if product and rank([*vectors, product]) > len(vectors):
            vectors.append(product)
            chosen.append((b, a))
    out = []
    for op in operators_of(basis):
        found = coordinates(vectors, flat(op)) if vectors else None
        terms = None
        if found is not None:
            terms = tuple(
                (w, b, a) for w, (b, a) in zip(found, chosen, strict=True) if w
            )
        out.append(Factorisation(op, terms))
    return out


def annihilators(space: Any, first: Operator | Sequence[Operator]) -> OperatorSpace:
    """All B in the span of a space with B ∘ A = 0 for every given A.

    Parameters
    ----------
    space : Basis or OperatorSpace
        Where B is looked for.
    first : Operator or sequence of Operator
        The A that come first.

    Returns
    -------
    OperatorSpace
        All such B.

    Raises
    ------
    SpecError
        The operators cannot be composed: their sizes do not fit.

    Examples
    --------
    >>> from pdobasis import solve
    >>> gradient = solve("SO(3)", "trivial", "vector", 1)[0].operator
    >>> [str(op) for op in annihilators(solve("SO(3)", "vector", "vector", 1), gradient)]
    ['[[0, -∂₃, ∂₂], [∂₃, 0, -∂₁], [-∂₂, ∂₁, 0]]']
    """
    given = [first] if isinstance(first, Operator) else list(first)
    every = operators_of(space)
    if not every:
        return OperatorSpace(())
    products = []
    for b in every:
        vector: dict[Any, Number] = {}
        for k, a in enumerate(given):
            vector |= {(k, *place): v for place, v in flat(b @ a).items()}
        products.append(vector)
    return OperatorSpace(tuple(combination(w, every) for w in relations(products)))


def tidy(op: Operator) -> Operator:
    """The named operator that it is a multiple of, or coprime integers (before roots too) with a positive first one."""
    named = factor_of(op)
    if named is not None:
        return op / named[1]
    values = list(flat(op).values())
    parts = [q for v in values for q in _parts(v)]
    if not parts or any(_is_nested(v) for v in values):
        return op
    bottom = lcm(*(int(q.q) for q in parts))
    top = gcd(*(int(q.p) * bottom // int(q.q) for q in parts))
    if float_of(values[0]) < 0:
        top = -top
    return op * Fraction(bottom, top)


def _is_nested(value: Number) -> bool:
    return isinstance(value, Surd) and not isinstance(value, Radical)


def _parts(value: Number) -> list[fmpq]:
    """The q of a sum of q √r."""
    if isinstance(value, Radical):
        return list(value.parts.values())
    return [] if isinstance(value, Surd) else [value]


def called(op: Operator) -> str:
    return op.name or str(op)


def _front(value: Number) -> str:
    text = text_of(value)
    if text == "1":
        return ""
    return f"({text}) " if "+" in text or "-" in text else f"{text} "


def _sympy(value: Number) -> Any:
    from pdobasis.exact.numbers import readable, to_sympy

    own = exact_of(value)
    return to_sympy(
        readable(tuple(own.numerators.tolist()), own.denominator, own.field)
    )
