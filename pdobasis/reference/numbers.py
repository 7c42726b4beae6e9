r"""The number fields of the library as SymPy domains, and numbers carried across in both directions.

A field of ours has a basis over $\mathbb{Q}$: $2\cos(2\pi k/M)$, or square roots. Its image in SymPy is
$\mathbb{Q}(\alpha)$ with $\alpha = 2\cos(2\pi/M)$, or with a primitive element that SymPy finds for the square roots.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np
import sympy
from sympy import QQ
from sympy.polys.matrices import DomainMatrix

from pdobasis.bounds.caches import remembered
from pdobasis.exact.array import ExactArray, exact
from pdobasis.exact.field import Field
from pdobasis.exact.numbers import readable, to_sympy
from pdobasis.reference.question import Domain, Scalar


@dataclass(frozen=True, slots=True, eq=False)
class Numbers:
    """``basis[k]`` is the image of the k-th basis element of ``field`` in ``domain``."""

    field: Field
    domain: Domain
    basis: tuple[Scalar, ...]

    def matrix(self, array: ExactArray) -> DomainMatrix:
        """An exact matrix as a SymPy one."""
        wide = array.over(self.field)
        rows, columns = wide.shape
        entries: dict[int, dict[int, Scalar]] = {}
        for i, j in np.argwhere(wide.nonzero_mask()).tolist():
            entries.setdefault(i, {})[j] = self.scalar(
                wide.numerators[i, j].tolist(), wide.denominator
            )
        return DomainMatrix(entries, (rows, columns), self.domain)

    def scalar(self, numerators: list[int], denominator: int) -> Scalar:
        total = self.domain.zero
        for c, b in zip(numerators, self.basis, strict=True):
            if c:
                total = total + b * self.domain.from_sympy(
                    sympy.Rational(c, denominator)
                )
        return total

    def coordinates(self, value: Scalar) -> list[Fraction]:
        """A number over the basis of ``field``."""
        # Elements of QQ are plain rationals, without a list of powers.
        if self.field.is_rational:
            return [Fraction(int(value.numerator), int(value.denominator))]
        column = DomainMatrix(
            [[c] for c in _powers(value, len(self.basis))], (len(self.basis), 1), QQ
        )
        solved = (_to_basis(self) * column).to_list()
        return [Fraction(int(c.numerator), int(c.denominator)) for (c,) in solved]

    def array(self, values: list[list[Scalar]]) -> ExactArray:
        """Rows of numbers as an exact array."""
        rows = [[self.coordinates(v) for v in row] for row in values]
        common = lcm(
            1, *(c.denominator for row in rows for number in row for c in number)
        )
        width = 0
        if values:
            width = len(values[0])
        # whole numbers of any size, which int64 does not hold
        data = np.zeros((len(rows), width, self.field.degree), dtype=object)
        for i, row in enumerate(rows):
            for j, number in enumerate(row):
                data[i, j] = [int(c * common) for c in number]
        return exact(data, common, self.field)

    def expression(self, value: Scalar) -> sympy.Expr:
        """A number for a reader: square roots or cosines."""
        number = self.coordinates(value)
        common = lcm(1, *(c.denominator for c in number))
        return to_sympy(
            readable(tuple(int(c * common) for c in number), common, self.field)
        )


@remembered
def numbers_of(field: Field) -> Numbers:
    """The image of a field; Q stays Q."""
    if field.is_rational:
        return Numbers(field, QQ, (QQ.one,))
    if field.conductor == 1:
        roots = [sympy.sqrt(r) for r in field.radicands]
        # Dependent roots would only make a primitive element harder to find.
        domain = QQ.algebraic_field(*_independent(roots))
        return Numbers(field, domain, tuple(domain.from_sympy(r) for r in roots))
    # This number generates the real subfield of the cyclotomic field.
    domain = QQ.algebraic_field(2 * sympy.cos(2 * sympy.pi / field.conductor))
    two_cos = [domain.from_sympy(sympy.Integer(2)), domain.unit]
    for _ in range(2, field.degree):  # 2cos((k+1)t) = 2cos(t) 2cos(kt) - 2cos((k-1)t)
        two_cos.append(domain.unit * two_cos[-1] - two_cos[-2])
    # The first element of our basis is 1, not 2 cos 0.
    return Numbers(field, domain, (domain.one, *two_cos[1 : field.degree]))


def _independent(roots: list[sympy.Expr]) -> list[sympy.Expr]:
    """Square roots that generate the others: every new one doubles the field."""
    chosen: list[sympy.Expr] = []
    reached = {sympy.Integer(1)}
    for root in roots:
        if root not in reached:
            chosen.append(root)
            reached |= {_squarefree(root * other) for other in reached}
    return chosen


def _squarefree(root: sympy.Expr) -> sympy.Expr:
    """2 sqrt(3) becomes sqrt(3)."""
    return root.as_coeff_Mul()[1]


def _powers(value: Scalar, degree: int) -> list[Scalar]:
    """The rational coefficients of 1, a, a^2, … for the primitive element a."""
    # SymPy lists the highest power first and leaves out leading zeros.
    found = list(reversed(value.to_list()))
    return [*found, *[QQ.zero] * (degree - len(found))]


@remembered
def _to_basis(numbers: Numbers) -> DomainMatrix:
    """From powers of the primitive element to the basis of the field."""
    n = len(numbers.basis)
    columns = [_powers(b, n) for b in numbers.basis]
    # The images of a basis are a basis, so the matrix is invertible.
    return DomainMatrix(
        [[columns[k][i] for k in range(n)] for i in range(n)], (n, n), QQ
    ).inv()
