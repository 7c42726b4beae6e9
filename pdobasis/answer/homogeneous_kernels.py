r"""Homogeneous steerable kernels, for groups that keep a length.

Let $g^T B g = B$ for all g, with B positive definite (B = 1 for G <= O(d)).
Then $Bg = g^{-T}B$, $|x|_B^2 = x^T B x$ is invariant and $|\det g| = 1$. So for
every steerable symbol P of order n the function
$K(x) = |x|_B^{s-n}\,P(Bx)$ satisfies
$K(gx) = \rho_{out}(g)\,K(x)\,\rho_{in}(g)^{-1}$, and
$K(\lambda x) = \lambda^s K(x)$ for λ > 0. The same holds with any radial
function in the place of the power.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.answer.basis import Basis
from pdobasis.answer.element import displayed, shortened
from pdobasis.answer.evaluate import evaluate, points_of
from pdobasis.answer.family import Family, counted
from pdobasis.answer.forms import positive_form, sympy_form
from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float

if TYPE_CHECKING:
    import sympy


def homogeneous_kernels(basis: Basis, degree: int | Fraction) -> HomogeneousKernels:
    r"""The kernels of a basis, each once.

    With the invariant symbol $q(x) = x^T B^{-1} x$, P and qP give the same
    kernel, and qP is steerable when P is. So all come from the two highest
    orders, one for each parity, and are independent as those elements are.
    Angular parts have no factor q: all of them are taken.

    >>> from pdobasis import solve
    >>> kernels = solve("O(2)", "vector", "vector").homogeneous_kernels(-2)
    >>> for k in range(len(kernels)):
    ...     print(kernels.matrix(k).tolist()[0][0])
    1/(x1**2 + x2**2)
    x1**2/(x1**2 + x2**2)**2
    """
    problem = basis.problem
    if problem.partial_order is not None or problem.truncation is not None:
        raise SpecError(
            "homogeneous kernels need all symbols of an order: "
            "ask without a limit on the order in each variable, and without a "
            "truncation"
        )
    form = positive_form(problem.group)
    lowest = problem.order - 1
    if problem.kernel:
        lowest = 0
    orders = [e.order for e in basis.elements]
    numbers = tuple(k for k, n in enumerate(orders) if n >= lowest)
    return HomogeneousKernels(basis, form, Fraction(degree), numbers)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class HomogeneousKernels(Family["HomogeneousKernel"]):
    """$|x|_B^{s-n} P(Bx)$ of degree s, for the elements of these numbers.

    Attributes
    ----------
    basis : Basis
        The PDOs.
    form : ExactArray
        B, the quadratic form that the group keeps.
    degree : Fraction
        s.
    numbers : tuple of int
        The elements that have such a kernel.

    Examples
    --------
    >>> from pdobasis import solve
    >>> kernels = solve("O(2)", "trivial", "vector", order=1).homogeneous_kernels(0)
    >>> len(kernels), kernels.degree
    (1, Fraction(0, 1))
    """

    basis: Basis
    form: ExactArray
    degree: Fraction
    numbers: tuple[int, ...]

    @property
    def elements(self) -> tuple[HomogeneousKernel, ...]:
        """The kernels, by increasing order."""
        return tuple(HomogeneousKernel(self, k) for k in range(len(self.numbers)))

    @property
    def title(self) -> str:
        """The question in a line."""
        p = self.basis.problem
        return (
            f"{counted(len(self.numbers), 'homogeneous kernel')} of degree {self.degree}: {p.group.name}, "
            f"{p.in_type} -> {p.out_type}, order <= {p.order}"
        )

    def _value(self) -> tuple[Basis, Fraction]:
        return self.basis, self.degree

    def __len__(self) -> int:
        return len(self.numbers)

    def matrix(self, k: int) -> sympy.Matrix:
        """Kernel k, a SymPy matrix in x1, x2, …

        Parameters
        ----------
        k : int
            Which kernel, from 0.

        Returns
        -------
        sympy.Matrix
            Exactly.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("O(2)", "trivial", "vector", order=1).homogeneous_kernels(0).matrix(0)[0]
        x1/sqrt(x1**2 + x2**2)
        """
        import sympy

        element = self.basis.elements[self.numbers[k]]
        dim = len(self.form)
        d = sympy.symbols([f"d{i + 1}" for i in range(dim)])
        x = sympy.Matrix(sympy.symbols([f"x{i + 1}" for i in range(dim)]))
        bx = sympy_form(self.form) * x
        square = sympy.expand((x.T * bx)[0])
        moved = dict(zip(d, bx, strict=True))
        angular = element.matrix.subs(moved, simultaneous=True)
        # The base is |x|^2, hence half of the exponent.
        power = sympy.Rational(self.degree - element.order) / 2
        return angular * square**power

    def at(self, points: ArrayLike) -> NDArray[np.float64]:
        """float64 (kernels, ..., c_out, c_in) at points (..., d).

        Parameters
        ----------
        points : array_like, (..., d)
            Where.

        Returns
        -------
        numpy.ndarray
            float64 (kernels, ..., c_out, c_in).

        Raises
        ------
        SpecError
            Points of another dimension, or the origin.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("O(2)", "trivial", "vector", order=1).homogeneous_kernels(0).at([3.0, 4.0])[0].ravel().tolist()
        [0.6, 0.8]
        """
        x = points_of(points, len(self.form))
        # B is symmetric, so that x^T B is (Bx)^T.
        bx = x @ to_float(self.form)
        length = np.sqrt(np.einsum("...i,...i->...", x, bx))
        if not length.all():
            raise SpecError("a homogeneous kernel is a function of x != 0")
        # P(Bx)/|x|^n = P(Bx/|x|)
        values = evaluate(self.basis, bx / length[..., None])
        radial = length ** float(self.degree)
        return np.asarray(values[list(self.numbers)] * radial[..., None, None])


@dataclass(frozen=True, slots=True, repr=False)
class HomogeneousKernel:
    """Kernel ``number`` of a family."""

    family: HomogeneousKernels
    number: int

    @property
    def order(self) -> int:
        """Of the symbol that makes its angular part."""
        return self.family.basis.elements[self.family.numbers[self.number]].order

    @property
    def matrix(self) -> sympy.Matrix:
        """A SymPy matrix in x1, x2, …"""
        return self.family.matrix(self.number)

    def latex(self) -> str:
        import sympy

        text: str = sympy.latex(self.matrix)
        return text

    def __str__(self) -> str:
        rows = [[str(v) for v in row] for row in self.matrix.tolist()]
        texts = ["[" + ", ".join(row) + "]" for row in rows]
        if len(texts) == 1:
            return texts[0]
        return "[" + ", ".join(texts) + "]"

    def __repr__(self) -> str:
        return f"<HomogeneousKernel of order {self.order}: {shortened(str(self), 60)}>"

    def _repr_latex_(self) -> str | None:
        return displayed(self.latex())
