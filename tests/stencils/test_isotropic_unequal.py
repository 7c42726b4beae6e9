"""Isotropic stencils with unequal spacing: every moment in fractions, and windows that are too small by exact ranks.

Nothing here but the weights comes from the package: nodes, moments, and the invariant error terms, which are written
down by hand. A stencil matrix W has the symbol $\\sum_y W(y) e^{k\\cdot y}$, whose coefficient at $k^β$ is
$\\sum_y W(y) y^β / β!$. Up to degree n it has to be $P + \\sum_j c_j E_j$ with the equivariants E of O(d) in higher degrees.
Some c and W exist if and only if the left null space of the moments of the nodes is orthogonal to $P + \\sum_j c_j E_j$ for
some c, entry by entry: the entries of W are free, also where those of P are zero.
"""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
import pytest
from flint import fmpq, fmpq_mat

import pdobasis
from pdobasis.stencils import Grid, IsotropyError
from pdobasis.stencils.isotropic import exact_atoms
from pdobasis.stencils.moment_system import Wish

Polynomial = dict[tuple[int, ...], Fraction]
Entries = list[Polynomial]
Nodes = list[tuple[Fraction, ...]]


def times(u: Polynomial, v: Polynomial) -> Polynomial:
    out: Polynomial = {}
    for (a, x), (b, y) in product(u.items(), v.items()):
        at = tuple(i + j for i, j in zip(a, b, strict=True))
        out[at] = out.get(at, Fraction(0)) + x * y
    return out


def k(dim: int, axis: int) -> Polynomial:
    return {tuple(int(i == axis) for i in range(dim)): Fraction(1)}


def radial(dim: int, power: int) -> Polynomial:
    """|k|^(2 power)."""
    out: Polynomial = {(0,) * dim: Fraction(1)}
    square = {tuple(2 * int(i == axis) for i in range(dim)): Fraction(1) for axis in range(dim)}
    for _ in range(power):
        out = times(out, square)
    return out


def outer(dim: int) -> Entries:
    return [times(k(dim, i), k(dim, j)) for i in range(dim) for j in range(dim)]


def unit(dim: int) -> Entries:
    return [{(0,) * dim: Fraction(int(i == j))} for i in range(dim) for j in range(dim)]


def curl(dim: int) -> Entries:
    if dim == 2:
        return [{(0, 1): Fraction(-1)}, {(1, 0): Fraction(1)}]
    signs = {(0, 1, 2): 1, (1, 2, 0): 1, (2, 0, 1): 1, (0, 2, 1): -1, (2, 1, 0): -1, (1, 0, 2): -1}
    cells: Entries = [{} for _ in range(9)]
    for (i, j, axis), sign in signs.items():
        # (curl u)_i is the sum of ε_ijl ∂_j u_l.
        cells[3 * i + axis] = {at: sign * v for at, v in k(3, j).items()}
    return cells


def equivariants(name: str, dim: int, degree: int) -> list[Entries]:
    """Those of O(d) (of SO(d) for the curl, with its parity) that are homogeneous of a degree."""
    order, base = BASES[name]
    if degree < order or (degree - order) % 2:
        return []
    power = (degree - order) // 2
    found = [[times(radial(dim, power), e) for e in entries] for entries in base(dim)]
    if name in ("Hessian", "vector Laplacian"):
        found.append([times(radial(dim, power + 1), e) for e in unit(dim)])
    return found


BASES: dict[str, Any] = {
    "Laplacian": (2, lambda d: [[radial(d, 1)]]),
    "gradient": (1, lambda d: [[k(d, i) for i in range(d)]]),
    "divergence": (1, lambda d: [[k(d, i) for i in range(d)]]),
    "curl": (1, lambda d: [curl(d)]),
    "Hessian": (2, lambda d: [outer(d)]),
    "vector Laplacian": (2, lambda d: [outer(d)]),
}
QUESTIONS = {
    "Laplacian": ("O", "trivial", "trivial"),
    "gradient": ("O", "trivial", "vector"),
    "divergence": ("O", "vector", "trivial"),
    "curl": ("SO", "vector", ""),
    "Hessian": ("O", "trivial", "tensor(vector, vector)"),
    "vector Laplacian": ("O", "vector", "vector"),
}
SPACINGS = [("1", "2"), ("1", "3/2"), ("1", "1", "2"), ("1", "4/5", "3/2")]


def basis_of(name: str, dim: int) -> Any:
    group, source, target = QUESTIONS[name]
    return pdobasis.solve(f"{group}({dim})", source, target or {2: "trivial", 3: "vector"}[dim], BASES[name][0])


def box(sides: tuple[int, ...], spacing: tuple[str, ...]) -> Nodes:
    lines = [[Fraction(h) * j for j in range(-(n // 2), n // 2 + 1)] for n, h in zip(sides, spacing, strict=True)]
    return list(product(*lines))


def monomials_up_to(dim: int, top: int) -> list[tuple[int, ...]]:
    return [beta for beta in product(range(top + 1), repeat=dim) if sum(beta) <= top]


def moment(weights: list[Fraction], nodes: Nodes, beta: tuple[int, ...]) -> Fraction:
    terms = (
        w * prod((x**b for x, b in zip(y, beta, strict=True)), start=Fraction(1))
        for w, y in zip(weights, nodes, strict=True)
        if w
    )
    return sum(terms, Fraction(0))


def as_rows(entries: Entries, betas: list[tuple[int, ...]]) -> list[list[fmpq]]:
    return [[as_fmpq(e.get(beta, Fraction(0))) for beta in betas] for e in entries]


def as_fmpq(v: Fraction) -> fmpq:
    return fmpq(v.numerator, v.denominator)


def is_possible(name: str, sides: tuple[int, ...], spacing: tuple[str, ...], top: int) -> bool:
    """Whether any weights on a box have the operators of order m, accuracy 2, and invariant errors up to degree top."""
    dim, (order, _) = len(sides), BASES[name]
    betas = monomials_up_to(dim, top)
    table = [
        [
            as_fmpq(prod((x**b / factorial(b) for x, b in zip(y, beta, strict=True)), start=Fraction(1)))
            for beta in betas
        ]
        for y in box(sides, spacing)
    ]
    null = null_space(fmpq_mat(table))
    errors = [e for degree in range(order + 2, top + 1) for e in equivariants(name, dim, degree)]
    # Every equivariant of the order itself has to be possible.
    return all(
        is_solvable(
            [(null * fmpq_mat(as_rows(e, betas)).transpose()).entries() for e in errors],
            (null * fmpq_mat(as_rows(target, betas)).transpose()).entries(),
        )
        for target in equivariants(name, dim, order)
    )


def null_space(table: fmpq_mat) -> fmpq_mat:
    """The rows n with table · n = 0."""
    reduced, rank = table.rref()
    columns = table.ncols()
    pivots = [next(j for j in range(columns) if reduced[i, j] != 0) for i in range(rank)]
    rows = []
    for free in sorted(set(range(columns)) - set(pivots)):
        row = [fmpq(int(j == free)) for j in range(columns)]
        for i, j in enumerate(pivots):
            row[j] = -reduced[i, free]
        rows.append(row)
    return fmpq_mat(rows) if rows else fmpq_mat(0, columns)


def is_solvable(columns: list[list[fmpq]], right: list[fmpq]) -> bool:
    """Whether some combination of the columns is the right side, by ranks."""
    if not right:
        return True
    matrix = fmpq_mat([*columns, right])
    return matrix.rank() == (fmpq_mat(columns).rank() if columns else 0)


def smaller(sides: tuple[int, ...], top: int) -> Iterator[tuple[int, ...]]:
    """Boxes that allow at least what any box with fewer nodes allows.

    On n nodes of an axis the moments 0 to n - 1 are free: for moments up to top more than top + 1 nodes allow no more.
    """
    dim, count = len(sides), prod(sides)
    most = top + 1 + top % 2
    found = set()
    for first in product(range(1, count, 2), repeat=dim - 1):
        last = (count - 1) // prod(first)
        if last:
            found.add(tuple(min(n, most) for n in (*first, last - 1 + last % 2)))
    for one in found:
        if not any(other != one and all(a <= b for a, b in zip(one, other, strict=True)) for other in found):
            yield one


def case(name: str, spacing: tuple[str, ...]) -> Any:
    """Weights of tensors on 5×5×5 take seconds."""
    marks = [pytest.mark.slow] if len(spacing) == 3 and name in ("Hessian", "vector Laplacian") else []
    return pytest.param(name, spacing, marks=marks)


CASES = [case(name, spacing) for spacing in SPACINGS for name in BASES]


@pytest.mark.parametrize(("name", "spacing"), CASES)
def test_errors_are_invariant_and_what_is_refused_is_impossible(name: str, spacing: tuple[str, ...]) -> None:
    dim, (order, _) = len(spacing), BASES[name]
    top = {1: 3, 2: 4}[order]
    basis = basis_of(name, dim)
    with pytest.raises(IsotropyError) as error:
        basis.stencils("fd", size=3, spacing=spacing, isotropic=top)
    sides = error.value.smallest
    assert sides is not None
    assert is_possible(name, sides, spacing, top)
    assert not any(is_possible(name, fewer, spacing, top) for fewer in smaller(sides, top))
    grid = Grid.regular(dim, sides, spacing=spacing)
    atoms = exact_atoms(basis, grid, Wish(top))
    nodes = list(grid.nodes())
    assert sorted(nodes) == sorted(box(sides, spacing))
    betas = monomials_up_to(dim, top)
    coefficients = np.array(basis.coefficients())
    for element in coefficients[np.array([o == order for o in orders_of(basis)])]:
        symbols = [
            {beta: moment(weights, nodes, beta) / prod(map(factorial, beta)) for beta in betas}
            for weights in combined(element, atoms)
        ]
        check(name, dim, symbols, element, basis.monomials(), top)


def orders_of(basis: Any) -> list[int]:
    return [order for order, count in basis.dimensions.items() for _ in range(count)]


def combined(element: Any, atoms: list[list[Fraction]]) -> list[list[Fraction]]:
    """The weights of every entry: whole numbers times those of monomials."""
    exact = [[Fraction(v).limit_denominator(1000) for v in cell] for row in element for cell in row]
    return [
        [sum((c * a[y] for c, a in zip(cell, atoms, strict=True) if c), Fraction(0)) for y in range(len(atoms[0]))]
        for cell in exact
    ]


def check(name: str, dim: int, symbols: Entries, element: Any, alphas: Any, top: int) -> None:
    order = BASES[name][0]
    betas = monomials_up_to(dim, top)
    cells = [cell for row in element for cell in row]
    wanted = [
        {a: Fraction(c).limit_denominator(1000) for a, c in zip(alphas, cell, strict=True) if c} for cell in cells
    ]
    for degree in range(top + 1):
        own = [beta for beta in betas if sum(beta) == degree]
        part = [v for row in as_rows(symbols, own) for v in row]
        if degree == order:
            assert part == [v for row in as_rows(wanted, own) for v in row]
        elif degree < order + 2:
            assert not any(part)
        else:
            # Both of SO(2), the gradient and the rotated one: what commutes with turns.
            names = ["divergence", "curl"] if (name, dim) == ("curl", 2) else [name]
            errors = [e for n in names for e in equivariants(n, dim, degree)]
            assert is_solvable([[v for row in as_rows(e, own) for v in row] for e in errors], part)


def test_the_proof_of_impossibility_can_fail() -> None:
    """The nine-point Laplacian is there on equal steps, and not on unequal ones; a Hessian on neither."""
    assert is_possible("Laplacian", (3, 3), ("1", "1"), 4)
    assert not is_possible("Laplacian", (3, 3), ("1", "2"), 4)
    assert not is_possible("Hessian", (3, 3), ("1", "1"), 4)
    assert is_possible("Hessian", (5, 5), ("1", "1"), 4)
    assert set(smaller((5, 5), 4)) == {(3, 5), (5, 3)}
    assert set(smaller((3, 5, 5), 4)) == {(3, 3, 5), (3, 5, 3), (5, 3, 3), (1, 5, 5), (5, 1, 5), (5, 5, 1)}
