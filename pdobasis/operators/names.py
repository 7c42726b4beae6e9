r"""The usual names of PDOs: Laplacian, gradient, divergence, curl, …, recognised up to a factor.

A basis element is only determined up to a factor; one that is a multiple of a named operator is scaled to it.
"""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Protocol

import numpy as np

from pdobasis.exact.array import ExactArray, concatenate
from pdobasis.exact.polynomials import position
from pdobasis.exact.types import IndexArray
from pdobasis.operators.symbols import Symbols

Polynomial = dict[tuple[int, ...], Fraction | int]
Operator = dict[tuple[int, int], Polynomial]
"""(row, column) to a polynomial with rational coefficients."""

MAX_SIZE = 16


class First(Protocol):
    """d(i, sign): the polynomial of sign * ∂_i."""

    def __call__(self, i: int, sign: int = 1) -> Polynomial: ...


class Second(Protocol):
    """dd(i, j, sign): the polynomial of sign * ∂_i ∂_j."""

    def __call__(self, i: int, j: int, sign: int = 1) -> Polynomial: ...


def named_operators(dim: int, order: int, shape: tuple[int, int]) -> tuple[tuple[str, Vector], ...]:
    """(name, coefficients at (row, column, monomial)) of every named operator of an order and shape."""
    return _catalogue(dim, order, shape) if max(shape) <= MAX_SIZE and order <= 8 else ()


def name_of(part: Symbols, number: int) -> str | None:
    """The name of an element, if it is a named operator exactly."""
    found = _find(part, number)
    return found[0] if found is not None and found[1] == 1 else None


def textbook_scale(part: Symbols) -> Symbols:
    """Multiples of named operators become those operators; everything else stays."""
    sizes = [len(operator) for _, operator in named_operators(part.dim, part.order, part.shape)]
    if not sizes or not part.size:
        return part
    own = np.bincount(part.element, np.count_nonzero(part.coefficients.numerators, axis=(1, 2)), part.size)
    factors = {}
    for k in np.flatnonzero(np.isin(own, sizes)).tolist():
        found = _find(part, k)
        if found is not None and found[1] != 1:
            factors[k] = found[1]
    if not factors:
        return part
    pieces = []
    for k in range(part.size):
        values = part.select(k)[2]
        pieces.append(values.scale(1 / factors[k]) if k in factors else values)
    return replace(part, coefficients=concatenate(pieces))


def _find(part: Symbols, number: int) -> tuple[str, Fraction] | None:
    """(name, factor) with element = factor * named operator."""
    candidates = named_operators(part.dim, part.order, part.shape)
    if not candidates:
        return None
    rows, columns, values = part.select(number)
    size = np.count_nonzero(values.numerators)
    if all(len(operator) != size for _, operator in candidates) or values.numerators[..., 1:].any():
        return None
    vector = _vector(rows, columns, values)
    for name, operator in candidates:
        factor = _ratio(vector, operator)
        if factor is not None:
            return name, factor / values.denominator
    return None


Vector = dict[tuple[int, int, int], Fraction | int]


def _vector(rows: IndexArray, columns: IndexArray, values: ExactArray) -> dict[tuple[int, int, int], int]:
    """The numerators by (row, column, monomial)."""
    entry, monomial = np.nonzero(values.numerators[..., 0])
    places = zip(rows[entry].tolist(), columns[entry].tolist(), monomial.tolist(), strict=True)
    return dict(zip(places, values.numerators[entry, monomial, 0].tolist(), strict=True))


def _ratio(vector: dict[tuple[int, int, int], int], operator: Vector) -> Fraction | None:
    if vector.keys() != operator.keys():
        return None
    first = next(iter(operator))
    factor = Fraction(vector[first]) / operator[first]
    return factor if all(vector[k] == factor * v for k, v in operator.items()) else None


@cache
def _catalogue(dim: int, order: int, shape: tuple[int, int]) -> tuple[tuple[str, Vector], ...]:
    """Named operators of this order and shape, each also times powers of the Laplacian."""
    where = position(dim, order)
    out = []
    for name, operator, k in _operators(dim, order, shape):
        label = name if not k else _with_laplacian(name, k)
        vector = {(r, c, where[a]): v for (r, c), p in operator.items() for a, v in p.items() if v}
        if vector:
            out.append((label, vector))
    return tuple(out)


@cache
def _operators(dim: int, order: int, shape: tuple[int, int]) -> list[tuple[str, Operator, int]]:
    """(name, operator times the Laplacian k times, k) of an order, in the order of the names."""
    below = _operators(dim, order - 2, shape) if order >= 2 else []
    raised = {name: (name, _laplacian_times(operator, dim), k + 1) for name, operator, k in below}
    every = _named(dim, shape)
    own = {name: (name, operator, 0) for name, operator, lowest in every if lowest == order}
    return [found for name, _, _ in every if (found := own.get(name) or raised.get(name))]


def _with_laplacian(name: str, k: int) -> str:
    power = "Laplacian" if k == 1 else f"Laplacian^{k}"
    return power if name == "identity" else f"{power} ∘ {name}"


@cache
def _named(dim: int, shape: tuple[int, int]) -> list[tuple[str, Operator, int]]:
    """(name, operator, order) for every name that fits the shape."""
    e = [tuple(int(i == j) for j in range(dim)) for i in range(dim)]
    zero = (0,) * dim
    out: list[tuple[str, Operator, int]] = []

    def d(i: int, sign: int = 1) -> Polynomial:
        return {e[i]: sign}

    def dd(i: int, j: int, sign: int = 1) -> Polynomial:
        return {tuple(a + b for a, b in zip(e[i], e[j], strict=True)): sign}

    rows, columns = shape
    if rows == columns:
        out.append(("identity", {(i, i): {zero: 1} for i in range(rows)}, 0))
    if shape == (1, 1):
        out += [(f"∂{'₁₂₃₄₅₆₇₈₉'[i]}", {(0, 0): d(i)}, 1) for i in range(min(dim, 9))]
        wave = {a: v for i in range(dim) for a, v in dd(i, i, 1 if i == 0 else -1).items()}
        out.append(("d'Alembertian", {(0, 0): wave}, 2))
    if shape == (dim, 1) and dim > 1:
        out.append(("gradient", {(i, 0): d(i) for i in range(dim)}, 1))
        out.append(("gradient (raised index)", {(i, 0): d(i, 1 if i == 0 else -1) for i in range(dim)}, 1))
    if shape == (1, dim) and dim > 1:
        out.append(("divergence", {(0, i): d(i) for i in range(dim)}, 1))
        out.append(("divergence (raised index)", {(0, i): d(i, 1 if i == 0 else -1) for i in range(dim)}, 1))
    if shape == (dim, dim) and dim > 1:
        out.append(("grad∘div", {(i, j): dd(i, j) for i in range(dim) for j in range(dim)}, 2))
        traceless: Operator = {(i, j): dd(i, j, dim) for i in range(dim) for j in range(dim)}
        for i in range(dim):
            traceless[i, i] = {a: v - 1 for k in range(dim) for a, v in [(next(iter(dd(k, k))), dim * (k == i))]}
        out.append((f"{dim} grad∘div - Laplacian", traceless, 2))
    if dim == 2:
        out += _planar(shape, d, dd)
    if dim == 3 and shape == (3, 3):
        out += _spatial(d, dd)
    if dim > 1:
        out += _tensors(dim, shape, d, dd)
    return out


def _planar(shape: tuple[int, int], d: First, dd: Second) -> list[tuple[str, Operator, int]]:
    one: Polynomial = {(0, 0): 1}
    if shape == (1, 2):
        return [("curl", {(0, 0): d(1, -1), (0, 1): d(0)}, 1)]
    if shape == (2, 1):
        return [("rotated gradient", {(0, 0): d(1, -1), (1, 0): d(0)}, 1)]
    if shape == (2, 2):
        quarter: Operator = {(0, 1): {(0, 0): -1}, (1, 0): one}
        grad_curl = {(0, 0): dd(0, 1, -1), (0, 1): dd(0, 0), (1, 0): dd(1, 1, -1), (1, 1): dd(0, 1)}
        rot_div = {(0, 0): dd(0, 1, -1), (0, 1): dd(1, 1, -1), (1, 0): dd(0, 0), (1, 1): dd(0, 1)}
        return [
            ("rotation by π/2", quarter, 0),
            ("grad∘curl", grad_curl, 2),
            ("rotated gradient∘div", rot_div, 2),
        ]
    return []


def _spatial(d: First, dd: Second) -> list[tuple[str, Operator, int]]:
    curl: Operator = {}
    double: Operator = {}
    for i in range(3):
        j, k = (i + 1) % 3, (i + 2) % 3
        curl[i, k], curl[i, j] = d(j), d(k, -1)
        double[i, i] = {**dd(j, j, -1), **dd(k, k, -1)}
        double[i, j], double[i, k] = dd(i, j), dd(i, k)
    return [("curl", curl, 1), ("curl∘curl", double, 2)]


def _tensors(dim: int, shape: tuple[int, int], d: First, dd: Second) -> list[tuple[str, Operator, int]]:
    """Hessian, Jacobian, strain, exterior derivative and their transposes, for the bases of tensor, sym and alt."""
    pairs = list(combinations_with_replacement(range(dim), 2))
    wedge = list(combinations(range(dim), 2))
    square = [(i, j) for i in range(dim) for j in range(dim)]
    strain: Operator = {}
    half = Fraction(1, 2)
    for r, (i, j) in enumerate(pairs):
        for a, b in {(i, j), (j, i)}:
            p = strain.setdefault((r, b), {})
            for alpha, v in d(a).items():
                p[alpha] = p.get(alpha, 0) + (v if i == j else v * half)
    exterior = {(r, c): d(a, s) for r, (i, j) in enumerate(wedge) for c, a, s in ((j, i, 1), (i, j, -1))}
    both_diagonal: Operator = {}
    for c, (i, j) in enumerate(pairs):
        both_diagonal[i, c] = d(j)
        both_diagonal[j, c] = d(i)
    candidates: list[tuple[str, Operator, int, tuple[int, int]]] = [
        ("Hessian", {(r, 0): dd(i, j) for r, (i, j) in enumerate(square)}, 2, (dim * dim, 1)),
        ("Hessian", {(r, 0): dd(i, j) for r, (i, j) in enumerate(pairs)}, 2, (len(pairs), 1)),
        ("Jacobian", {(r, i): d(j) for r, (i, j) in enumerate(square)}, 1, (dim * dim, dim)),
        ("strain (symmetrised gradient)", strain, 1, (len(pairs), dim)),
        ("divergence of a symmetric tensor", both_diagonal, 1, (dim, len(pairs))),
        ("exterior derivative", exterior, 1, (len(wedge), dim)),
    ]
    return [(name, operator, order) for name, operator, order, fits in candidates if fits == shape]


def _laplacian_times(operator: Operator, dim: int) -> Operator:
    out: Operator = {}
    for place, polynomial in operator.items():
        total: Polynomial = {}
        for alpha, v in polynomial.items():
            for i in range(dim):
                key = tuple(a + 2 * (k == i) for k, a in enumerate(alpha))
                total[key] = total.get(key, 0) + v
        out[place] = {a: v for a, v in total.items() if v}
    return out
