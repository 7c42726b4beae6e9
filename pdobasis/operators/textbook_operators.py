"""The operators that have names, as data: gradient, divergence, curl, Hessian,
…

Every one of them comes also times powers of the Laplacian.
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, product
from math import lcm

from pdobasis.bounds.caches import remembered
from pdobasis.exact.polynomials import position
from pdobasis.values import dataclass

Rational = Fraction | int
RationalPolynomial = dict[tuple[int, ...], Rational]
"""Exponents to rational coefficients."""
Operator = dict[tuple[int, int], RationalPolynomial]
"""(row, column) to a polynomial."""
FlatOperator = dict[tuple[int, int, int], Rational]
"""(row, column, number of the monomial) to a coefficient."""

MAX_SIZE = 16
MAX_ORDER = 8


@dataclass(frozen=True, slots=True)
class Named:
    """An operator with a name, and its order."""

    name: str
    operator: Operator
    order: int
    laplacians: int = 0

    @property
    def label(self) -> str:
        """With the powers of the Laplacian in front of it."""
        if not self.laplacians:
            return self.name
        power = "Laplacian"
        if self.laplacians > 1:
            power = f"Laplacian^{self.laplacians}"
        if self.name == "identity":
            return power
        return f"{power} ∘ {self.name}"


def named_operators(
    dim: int, order: int, shape: tuple[int, int], composed: bool = False
) -> tuple[tuple[str, FlatOperator], ...]:
    """(name, coefficients) of every named operator of an order and shape.

    Bases choose their elements by these names, so that the same question has
    the same answer in every release. ``composed`` adds those of second order
    between tensors, which are met among compositions, and choose nothing.
    """
    if max(shape) > MAX_SIZE or order > MAX_ORDER:
        return ()
    return _catalogue(dim, order, shape, composed)


@dataclass(frozen=True, slots=True)
class Entries:
    """An operator by its entries: their rows and columns, sorted, and all their coefficients over a denominator.

    ``first`` says which coefficient is the first that is not zero, ``zeros`` how many are.
    """

    rows: list[int]
    columns: list[int]
    values: list[int]
    first: int
    zeros: int
    denominator: int


@remembered
def by_first_entry(
    dim: int, order: int, shape: tuple[int, int]
) -> dict[tuple[int, int], list[Entries]]:
    """All of them, by the row and column of their first entry."""
    found: dict[tuple[int, int], list[Entries]] = {}
    monomials = len(position(dim, order))
    for _, operator in named_operators(dim, order, shape):
        places = sorted({(r, c) for r, c, _ in operator})
        common = lcm(*(v.denominator for v in operator.values()))
        starts = {place: k * monomials for k, place in enumerate(places)}
        values = [0] * (len(places) * monomials)
        for (r, c, k), v in operator.items():
            values[starts[r, c] + k] = int(v * common)
        first = next(k for k, v in enumerate(values) if v)
        rows, columns = [r for r, _ in places], [c for _, c in places]
        own = Entries(rows, columns, values, first, values.count(0), common)
        found.setdefault(places[0], []).append(own)
    return found


@remembered
def _catalogue(
    dim: int, order: int, shape: tuple[int, int], composed: bool
) -> tuple[tuple[str, FlatOperator], ...]:
    out = []
    for named in _of_order(dim, order, shape, composed):
        flat = _flat(named, dim)
        if flat:
            out.append((named.label, flat))
    return tuple(out)


def angular_operators(
    dim: int, order: int, shape: tuple[int, int]
) -> list[FlatOperator]:
    """Those that may have a harmonic part: no powers of the Laplacian times others."""
    if max(shape) > MAX_SIZE or order > MAX_ORDER:
        return []
    every = _of_shape(dim, shape, False)
    found = [_flat(named, dim) for named in every if named.order == order]
    return [flat for flat in found if flat]


def _flat(named: Named, dim: int) -> FlatOperator:
    where = position(dim, named.order)
    flat: FlatOperator = {}
    for (r, c), polynomial in named.operator.items():
        for alpha, v in polynomial.items():
            if v:
                flat[r, c, where[alpha]] = v
    return flat


@remembered
def _of_order(
    dim: int, order: int, shape: tuple[int, int], composed: bool
) -> list[Named]:
    """Of one order, times powers of the Laplacian; in the order of names."""
    found: dict[str, Named] = {}
    if order >= 2:
        for lower in _of_order(dim, order - 2, shape, composed):
            raised = _laplacian_times(lower.operator, dim)
            found[lower.name] = Named(lower.name, raised, order, lower.laplacians + 1)
    # A name stands for its own order first; the powers of the Laplacian raise
    # what is known two orders below.
    every = _of_shape(dim, shape, composed)
    found |= {named.name: named for named in every if named.order == order}
    return [found[named.name] for named in every if named.name in found]


@remembered
def _of_shape(dim: int, shape: tuple[int, int], composed: bool) -> list[Named]:
    """Every name that fits the shape."""
    d = Derivatives(dim)
    out = [*_scalars(d, shape), *_first_kinds(d, shape)]
    if dim == 2:
        out += _planar(d, shape)
    if dim == 3 and shape == (3, 3):
        out += _spatial(d)
    if dim > 1:
        out += _tensors(d, shape)
    if dim > 1 and composed:
        out += _composed(d, shape)
    return out


@dataclass(frozen=True, slots=True)
class Derivatives:
    """The polynomials of derivatives in so many dimensions."""

    dim: int

    def first(self, i: int, sign: int = 1) -> RationalPolynomial:
        """sign * ∂_i."""
        alpha = [0] * self.dim
        alpha[i] += 1
        return {tuple(alpha): sign}

    def second(self, i: int, j: int, sign: int = 1) -> RationalPolynomial:
        """sign * ∂_i ∂_j."""
        alpha = [0] * self.dim
        alpha[i] += 1
        alpha[j] += 1
        return {tuple(alpha): sign}

    @property
    def metric(self) -> list[int]:
        """The signs of time and space."""
        return [1] + [-1] * (self.dim - 1)


def _scalars(d: Derivatives, shape: tuple[int, int]) -> Iterator[Named]:
    rows, columns = shape
    zero = (0,) * d.dim
    if rows == columns:
        # Times powers of the Laplacian this becomes the Laplacian itself.
        unit: Operator = {(i, i): {zero: 1} for i in range(rows)}
        yield Named("identity", unit, 0)
    if shape == (1, 1):
        for i, digit in zip(range(d.dim), "₁₂₃₄₅₆₇₈₉", strict=False):
            yield Named(f"∂{digit}", {(0, 0): d.first(i)}, 1)
        wave: RationalPolynomial = {}
        for i, sign in enumerate(d.metric):
            wave |= d.second(i, i, sign)
        yield Named("d'Alembertian", {(0, 0): wave}, 2)


def _first_kinds(d: Derivatives, shape: tuple[int, int]) -> Iterator[Named]:
    """Gradient and divergence, also with the index raised by a metric."""
    dim = d.dim
    if dim == 1:
        return
    plain = [d.first(i) for i in range(dim)]
    raised = [d.first(i, sign) for i, sign in enumerate(d.metric)]
    if shape == (dim, 1):
        yield Named("gradient", {(i, 0): p for i, p in enumerate(plain)}, 1)
        column: Operator = {(i, 0): p for i, p in enumerate(raised)}
        yield Named("gradient (raised index)", column, 1)
    if shape == (1, dim):
        yield Named("divergence", {(0, i): p for i, p in enumerate(plain)}, 1)
        row: Operator = {(0, i): p for i, p in enumerate(raised)}
        yield Named("divergence (raised index)", row, 1)
    if shape == (dim, dim):
        hessian: Operator = {}
        traceless: Operator = {}
        for i in range(dim):
            for j in range(dim):
                hessian[i, j] = d.second(i, j)
                traceless[i, j] = d.second(i, j, dim)
        for i in range(dim):
            # On the diagonal d ∂_i² - Δ.
            traceless[i, i] = {}
            for k in range(dim):
                traceless[i, i] |= d.second(k, k, dim * (k == i) - 1)
        yield Named("grad∘div", hessian, 2)
        yield Named(f"{dim} grad∘div - Laplacian", traceless, 2)


def _planar(d: Derivatives, shape: tuple[int, int]) -> Iterator[Named]:
    first, second = d.first, d.second
    if shape == (1, 2):
        curl: Operator = {(0, 0): first(1, -1), (0, 1): first(0)}
        yield Named("curl", curl, 1)
    if shape == (2, 1):
        turned: Operator = {(0, 0): first(1, -1), (1, 0): first(0)}
        yield Named("rotated gradient", turned, 1)
    if shape == (2, 2):
        quarter: Operator = {(0, 1): {(0, 0): -1}, (1, 0): {(0, 0): 1}}
        yield Named("rotation by π/2", quarter, 0)
        grad_curl: Operator = {
            (0, 0): second(0, 1, -1),
            (0, 1): second(0, 0),
            (1, 0): second(1, 1, -1),
            (1, 1): second(0, 1),
        }
        yield Named("grad∘curl", grad_curl, 2)
        rot_div: Operator = {
            (0, 0): second(0, 1, -1),
            (0, 1): second(1, 1, -1),
            (1, 0): second(0, 0),
            (1, 1): second(0, 1),
        }
        yield Named("rotated gradient∘div", rot_div, 2)


def _spatial(d: Derivatives) -> Iterator[Named]:
    curl: Operator = {}
    double: Operator = {}
    for i in range(3):
        # (curl u)_i = ∂_j u_k - ∂_k u_j in cyclic order.
        j, k = (i + 1) % 3, (i + 2) % 3
        curl[i, k] = d.first(j)
        curl[i, j] = d.first(k, -1)
        double[i, i] = d.second(j, j, -1) | d.second(k, k, -1)
        double[i, j] = d.second(i, j)
        double[i, k] = d.second(i, k)
    yield Named("curl", curl, 1)
    yield Named("curl∘curl", double, 2)


def _tensors(d: Derivatives, shape: tuple[int, int]) -> Iterator[Named]:
    """Hessian, Jacobian, strain, exterior derivative and their transposes, for
    the bases of tensor, sym and alt.
    """
    dim = d.dim
    square = [(i, j) for i in range(dim) for j in range(dim)]
    pairs = list(combinations_with_replacement(range(dim), 2))
    wedge = list(combinations(range(dim), 2))
    # As a tensor with all pairs, and as a symmetric one with i <= j.
    for basis in (square, pairs):
        if shape == (len(basis), 1):
            hessian: Operator = {}
            for r, (i, j) in enumerate(basis):
                hessian[r, 0] = d.second(i, j)
            yield Named("Hessian", hessian, 2)
    if shape == (len(square), dim):
        jacobian: Operator = {}
        for r, (i, j) in enumerate(square):
            jacobian[r, i] = d.first(j)
        yield Named("Jacobian", jacobian, 1)
    if shape == (len(pairs), dim):
        yield Named("strain (symmetrised gradient)", _strain(d, pairs), 1)
    if shape == (dim, len(pairs)):
        divergence: Operator = {}
        for c, (i, j) in enumerate(pairs):
            divergence[i, c] = d.first(j)
            divergence[j, c] = d.first(i)
        yield Named("divergence of a symmetric tensor", divergence, 1)
    if shape == (len(wedge), dim):
        exterior: Operator = {}
        for r, (i, j) in enumerate(wedge):
            # (du)_ij = ∂_i u_j - ∂_j u_i.
            exterior[r, j] = d.first(i)
            exterior[r, i] = d.first(j, -1)
        yield Named("exterior derivative", exterior, 1)


def _strain(d: Derivatives, pairs: list[tuple[int, int]]) -> Operator:
    """(∂_i u_j + ∂_j u_i) / 2."""
    out: Operator = {}
    half = Fraction(1, 2)
    for r, (i, j) in enumerate(pairs):
        if i == j:
            out[r, i] = d.first(i)
        else:
            out[r, j] = {a: v * half for a, v in d.first(i).items()}
            out[r, i] = {a: v * half for a, v in d.first(j).items()}
    return out


def _composed(d: Derivatives, shape: tuple[int, int]) -> Iterator[Named]:
    pairs = list(combinations_with_replacement(range(d.dim), 2))
    if shape == (1, len(pairs)):
        yield Named("div∘div of a symmetric tensor", _double_divergence(d, pairs), 2)
    if shape == {2: (1, 3), 3: (6, 6)}.get(d.dim):
        yield Named("incompatibility (Saint-Venant)", _incompatibility(d, pairs), 2)


def _double_divergence(d: Derivatives, pairs: list[tuple[int, int]]) -> Operator:
    """∂_i ∂_j e_ij; off the diagonal e_ij stands twice."""
    out: Operator = {}
    for c, (i, j) in enumerate(pairs):
        times = 1 if i == j else 2
        out[0, c] = {a: v * times for a, v in d.second(i, j).items()}
    return out


def _incompatibility(d: Derivatives, pairs: list[tuple[int, int]]) -> Operator:
    """ε_ikl ε_jmn ∂_k ∂_m e_ln; in the plane ε_kl ε_mn ∂_k ∂_m e_ln."""
    out: Operator = {}
    targets = pairs if d.dim == 3 else [(2, 2)]
    for r, (i, j) in enumerate(targets):
        for k, p, m, n in product(range(d.dim), repeat=4):
            sign = _permutation(i, k, p) * _permutation(j, m, n)
            if not sign:
                continue
            c = pairs.index((min(p, n), max(p, n)))
            own = out.setdefault((r, c), {})
            for alpha, v in d.second(k, m, sign).items():
                own[alpha] = own.get(alpha, 0) + v
    return out


def _permutation(i: int, j: int, k: int) -> int:
    """ε_ijk."""
    return (i - j) * (j - k) * (k - i) // 2


def _laplacian_times(operator: Operator, dim: int) -> Operator:
    out: Operator = {}
    for place, polynomial in operator.items():
        total: RationalPolynomial = {}
        for alpha, v in polynomial.items():
            for i in range(dim):
                beta = (*alpha[:i], alpha[i] + 2, *alpha[i + 1 :])
                total[beta] = total.get(beta, 0) + v
        out[place] = {a: v for a, v in total.items() if v}
    return out
