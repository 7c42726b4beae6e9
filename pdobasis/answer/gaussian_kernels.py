r"""Derivatives of a Gaussian as steerable kernels: polynomials times it.

Let $g^T B g = B$ for all g, with B positive definite (B = 1 for G <= O(d)), so
that $|\det g| = 1$, and let
$G_\sigma(x) = \det(B)^{1/2} (2\pi\sigma^2)^{-d/2} e^{-x^T B x/2\sigma^2}$.
From $G \circ g = G$ we have $(\nabla G)(gx) = g^{-T} \nabla G(x)$. So for a
steerable symbol P the kernel $K_\sigma = D(P)\,G_\sigma$ is steerable:
$K_\sigma(gx) = (P(g^{-T}\partial)\,G_\sigma)(x) =
\rho_{out}(g)\,K_\sigma(x)\,\rho_{in}(g)^{-1}$.

By $\partial_i (pG) = (\partial_i p - \sigma^{-2} (Bx)_i\, p)\,G$ it is a
polynomial times the Gaussian: Hermite polynomials, for B = 1. And
$K_\sigma * f = D(P)(G_\sigma * f)$ tends to $D(P)f$ as σ → 0, with an error
$\tfrac{\sigma^2}{2} D(P)\,\mathrm{tr}(B^{-1}\nabla\nabla^T) f + O(\sigma^4)$.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element, displayed, shortened
from pdobasis.answer.evaluate import points_of
from pdobasis.answer.family import Family, counted
from pdobasis.answer.forms import positive_form, sympy_form
from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray, integers, matrix, zeros
from pdobasis.exact.numbers import to_float, to_sympy
from pdobasis.exact.polynomials import monomials
from pdobasis.operators.printing import coefficients_of

if TYPE_CHECKING:
    import sympy

Polynomial = dict[tuple[int, ...], ExactArray]
"""Exponents to exact numbers."""
Hermite = dict[int, ExactArray]
"""Order m to a matrix (monomials of order n, monomials of order m)."""


def gaussian_kernels(basis: Basis) -> GaussianKernels:
    """The kernels of a basis; an error where the group keeps no length."""
    form = positive_form(basis.problem.group)
    return GaussianKernels(basis, form, hermite(form, basis.problem.order))


def hermite(form: ExactArray, order: int) -> tuple[Hermite, ...]:
    r"""The polynomials $\partial^\alpha G/G$ at σ = 1, of all orders n.

    Of $\partial_i (pG)$, one order after the other: $\partial_i p$ has an
    order less, $(Bx)_i\,p$ one more.
    """
    dim = len(form)
    none = (0,) * dim
    known: dict[tuple[int, ...], Polynomial] = {none: {none: integers(1)}}
    for n in range(1, order + 1):
        for alpha in monomials(dim, n):
            # Derivatives commute, so any variable of alpha may be the last one.
            i = next(k for k, a in enumerate(alpha) if a)
            known[alpha] = _derived(known[_moved(alpha, i, -1)], i, form)
    return tuple(_by_order(known, dim, n) for n in range(order + 1))


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class GaussianKernels(Family["GaussianKernel"]):
    r"""$D(P)\,G_\sigma$ of every element, for all σ at once.

    ``hermite[n][m]`` holds the terms of order m of the polynomials
    $\partial^\alpha G / G$ for all α of order n, at σ = 1; at any other σ a
    term of order m has the factor $\sigma^{-(n+m)}$.

    >>> from pdobasis import solve
    >>> for kernel in solve("O(2)", "trivial", "trivial").gaussian_kernels():
    ...     print(kernel)
    [1] G_sigma
    [-2/sigma**2 + x1**2/sigma**4 + x2**2/sigma**4] G_sigma

    Attributes
    ----------
    basis : Basis
        The PDOs.
    form : ExactArray
        The quadratic form that the group keeps.
    hermite : tuple
        As above.
    """

    basis: Basis
    form: ExactArray
    hermite: tuple[Hermite, ...]

    @property
    def elements(self) -> tuple[GaussianKernel, ...]:
        """The kernels, by increasing order."""
        return tuple(GaussianKernel(self, e) for e in self.basis.elements)

    def __len__(self) -> int:
        return self.basis.dimension

    @property
    def title(self) -> str:
        """The question in a line."""
        p = self.basis.problem
        number = counted(len(self), "kernel")
        return f"{number} D(P) G_sigma: {p.group.name}, {p.in_type} -> {p.out_type}, order <= {p.order}"

    def at(self, points: ArrayLike, sigma: float) -> NDArray[np.float64]:
        """float64 (elements, ..., c_out, c_in) at points (..., d).

        Parameters
        ----------
        points : array_like, (..., d)
            Where.
        sigma : float
            The standard deviation.

        Returns
        -------
        numpy.ndarray
            float64 (elements, ..., c_out, c_in).

        Raises
        ------
        SpecError
            Points of another dimension, or no positive sigma.

        Examples
        --------
        >>> from pdobasis import solve
        >>> kernels = solve("O(2)", "trivial", "trivial").gaussian_kernels()
        >>> kernels.at([[0.0, 0.0]], sigma=1.0).round(3).ravel().tolist()
        [0.159, -0.318]
        """
        if not sigma > 0:
            raise SpecError(f"sigma has to be positive, got {sigma}")
        dim = self.basis.problem.group.dim
        # D(P)G_sigma(x) = sigma^-(n+d) (D(P)G_1)(x/sigma)
        y = points_of(points, dim) / sigma
        form = to_float(self.form)
        quadratic = np.einsum("...i,ij,...j->...", y, form, y)
        # The integral of exp(-y^T B y/2) is (2 pi)^(d/2) det(B)^(-1/2).
        height = np.sqrt(np.linalg.det(form) / (2 * np.pi) ** dim)
        gauss = height * np.exp(-quadratic / 2)
        out = [e.values_at(y) * sigma ** -(e.order + dim) for e in self]
        shape = (*y.shape[:-1], *self._shape)
        # Without elements the list would not tell its shape.
        stacked = np.array(out).reshape(len(out), *shape)
        return np.asarray(stacked * gauss[..., None, None])

    @property
    def _shape(self) -> tuple[int, int]:
        p = self.basis.problem
        return p.out_type.size, p.in_type.size


@dataclass(frozen=True, slots=True, repr=False)
class GaussianKernel:
    """A matrix of polynomials times the Gaussian."""

    family: GaussianKernels
    pdo: Element

    @property
    def order(self) -> int:
        return self.pdo.order

    @property
    def entries(self) -> dict[tuple[int, int], Hermite]:
        """(row, column) to the polynomial at σ = 1, by the orders of its
        terms, exactly.
        """
        out: dict[tuple[int, int], Hermite] = {}
        table = self.family.hermite[self.order]
        for place, values in self.pdo.entries.items():
            row = values.reshape(1, len(values))
            out[place] = {m: (row @ h)[0] for m, h in table.items()}
        return out

    @property
    def polynomial(self) -> sympy.Matrix:
        """The factor of the Gaussian: a SymPy matrix in x1, …, and sigma."""
        import sympy

        dim = self.pdo.basis.problem.group.dim
        x = sympy.symbols([f"x{i + 1}" for i in range(dim)])
        sigma = sympy.Symbol("sigma", positive=True)
        out = sympy.zeros(*self.pdo.shape)
        for place, parts in self.entries.items():
            for m, values in parts.items():
                for number, alpha in coefficients_of(values, dim, m):
                    powers = [v**a for v, a in zip(x, alpha, strict=True)]
                    term = to_sympy(number) * sympy.Mul(*powers)
                    out[place] += term / sigma ** (self.order + m)
        return out

    @property
    def matrix(self) -> sympy.Matrix:
        """The whole kernel."""
        import sympy

        form = self.family.form
        dim = len(form)
        x = sympy.Matrix(sympy.symbols([f"x{i + 1}" for i in range(dim)]))
        sigma = sympy.Symbol("sigma", positive=True)
        b = sympy_form(form)
        height = sympy.sqrt(b.det() / (2 * sympy.pi * sigma**2) ** dim)
        exponent = -sympy.expand((x.T * b * x)[0]) / (2 * sigma**2)
        return self.polynomial * height * sympy.exp(exponent)

    def strings(self) -> list[list[str]]:
        """The factor of the Gaussian as text in x1, x2, … and sigma."""
        return [[str(v) for v in row] for row in self.polynomial.tolist()]

    def latex(self) -> str:
        import sympy

        return rf"{sympy.latex(self.polynomial)}\, G_\sigma"

    def __str__(self) -> str:
        rows = ["[" + ", ".join(row) + "]" for row in self.strings()]
        text = ", ".join(rows)
        if len(rows) > 1:
            text = f"[{text}]"
        return f"{text} G_sigma"

    def __repr__(self) -> str:
        return f"<GaussianKernel of order {self.order}: {shortened(str(self), 60)}>"

    def _repr_latex_(self) -> str | None:
        return displayed(self.latex())

    def values_at(self, y: NDArray[np.float64]) -> NDArray[np.float64]:
        """The polynomial factor at σ = 1: float64 (..., c_out, c_in)."""
        out = np.zeros((*y.shape[:-1], *self.pdo.shape))
        for (r, c), parts in self.entries.items():
            for m, values in parts.items():
                powers = np.array(monomials(y.shape[-1], m))
                terms = np.prod(y[..., None, :] ** powers, axis=-1)
                out[..., r, c] += terms @ to_float(values)
        return out


def _derived(p: Polynomial, i: int, form: ExactArray) -> Polynomial:
    """d_i p - (Bx)_i p."""
    out: Polynomial = {}
    for beta, value in p.items():
        if beta[i]:
            _add(out, _moved(beta, i, -1), value.scale(beta[i]))
        for j in range(len(form)):
            _add(out, _moved(beta, j, 1), -(form[i, j] * value))
    return out


def _add(p: Polynomial, beta: tuple[int, ...], value: ExactArray) -> None:
    if beta in p:
        value = p[beta] + value
    p[beta] = value


def _moved(alpha: tuple[int, ...], i: int, by: int) -> tuple[int, ...]:
    return (*alpha[:i], alpha[i] + by, *alpha[i + 1 :])


def _by_order(known: dict[tuple[int, ...], Polynomial], dim: int, n: int) -> Hermite:
    """Orders m = n, n - 2, …: every derivative changes the order by one."""
    out = {}
    for m in range(n % 2, n + 1, 2):
        rows = []
        for alpha in monomials(dim, n):
            own = known[alpha]
            rows.append([own.get(b, zeros(())) for b in monomials(dim, m)])
        out[m] = matrix(rows)
    return out
