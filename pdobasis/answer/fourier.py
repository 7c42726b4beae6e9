r"""The Fourier dual of a basis: a PDO multiplies by its symbol at $ik$.

With $\hat f(k) = \int f(x)\, e^{-ik\cdot x}\, dx$ we have
$\widehat{\partial^\alpha f}(k) = (ik)^\alpha \hat f(k)$, so
$\widehat{D(P)f}(k) = P(ik)\,\hat f(k)$, and P(ik) is the transform of
$P(\partial)\delta$: derivatives of δ become polynomials. For P of order n,
$P(ik) = i^n P(k)$. By
$\widehat{T \circ g} = |\det g|^{-1}\,\hat T \circ g^{-T}$ multipliers satisfy
the constraint of symbols, $M(g^{-T}k) = \rho_{out}(g) M(k) \rho_{in}(g)^{-1}$.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element, displayed, shortened
from pdobasis.answer.evaluate import evaluate
from pdobasis.answer.family import Family, counted
from pdobasis.operators.printing import (
    Entries,
    latex_matrix,
    matrix_strings,
    unicode_matrix,
)
from pdobasis.operators.variables import latex_in, plain_in, pretty_in

if TYPE_CHECKING:
    import sympy


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Multipliers(Family["Multiplier"]):
    """The multipliers of all elements of a basis, in its order.

    >>> from pdobasis import solve
    >>> for m in solve("O(2)", "trivial", "trivial", order=2).fourier():
    ...     print(m)
    [1]
    [-k₁² - k₂²]

    Attributes
    ----------
    basis : Basis
        The PDOs.
    """

    basis: Basis

    @property
    def elements(self) -> tuple[Multiplier, ...]:
        """One multiplier for each element of the basis."""
        return tuple(Multiplier(element) for element in self.basis.elements)

    def __len__(self) -> int:
        return self.basis.dimension

    @property
    def title(self) -> str:
        """The question in a line."""
        p = self.basis.problem
        number = counted(len(self), "Fourier multiplier")
        return (
            f"{number}: {p.group.name}, {p.in_type} -> {p.out_type}, order <= {p.order}"
        )

    def inverse(self) -> Basis:
        r"""The PDOs: only $P(\partial)\delta$ has the transform $i^n P(k)$.

        Returns
        -------
        Basis
            The one that they were made from.

        Examples
        --------
        >>> from pdobasis import solve
        >>> basis = solve("O(2)", "trivial", "trivial")
        >>> basis.fourier().inverse() == basis
        True
        """
        return self.basis

    def at(self, k: ArrayLike) -> NDArray[np.complex128]:
        """P(ik) at wave vectors (..., d): complex128 (elements, ..., c_out,
        c_in).

        Parameters
        ----------
        k : array_like, (..., d)
            Wave vectors.

        Returns
        -------
        numpy.ndarray
            complex128 (elements, ..., c_out, c_in).

        Raises
        ------
        SpecError
            Vectors of another dimension.

        Examples
        --------
        >>> from pdobasis import solve
        >>> solve("O(2)", "trivial", "trivial").fourier().at([3.0, 4.0]).ravel().tolist()
        [(1+0j), (-25+0j)]
        """
        values = evaluate(self.basis, k)
        # The powers of i are exact: 1j**3 is not.
        units = np.array([1, 1j, -1, -1j])
        orders = [element.order % 4 for element in self.basis.elements]
        shape = (len(orders), *(1,) * (values.ndim - 1))
        return np.asarray(values * units[orders].reshape(shape))


@dataclass(frozen=True, slots=True, repr=False)
class Multiplier:
    """$P(ik) = i^n P(k)$ of one PDO of order n, exactly.

    Invariant: it is ``sign`` P(k), times i if ``imaginary``.
    """

    pdo: Element

    @property
    def order(self) -> int:
        return self.pdo.order

    @property
    def power(self) -> int:
        """The power of i in front of P(k), modulo 4."""
        return self.pdo.order % 4

    @property
    def sign(self) -> int:
        if self.power in (2, 3):
            return -1
        return 1

    @property
    def imaginary(self) -> bool:
        return self.power % 2 == 1

    @property
    def matrix(self) -> sympy.Matrix:
        """A SymPy matrix in the symbols k1, k2, …"""
        import sympy

        dim = self.pdo.basis.problem.group.dim
        d = sympy.symbols([f"d{i + 1}" for i in range(dim)])
        k = sympy.symbols([f"k{i + 1}" for i in range(dim)])
        moved = self.pdo.matrix.xreplace(dict(zip(d, k, strict=True)))
        # P is homogeneous, so the i of all letters come out as one power.
        return moved * sympy.I**self.power

    def inverse(self) -> Element:
        r"""The PDO $D(P)$, the convolution with $P(\partial)\delta$."""
        return self.pdo

    def strings(self) -> list[list[str]]:
        """The matrix as text in k1, k2, … and I."""
        rows = matrix_strings(*self._written)
        return [[self._plain(plain_in("k", t)) for t in row] for row in rows]

    def pretty(self) -> list[list[str]]:
        rows = unicode_matrix(*self._written)
        return [[self._pretty(pretty_in("k", t)) for t in row] for row in rows]

    def latex(self) -> str:
        text = latex_in("k", latex_matrix(*self._written))
        # The sign is in the coefficients already, so that only i itself is left.
        if self.imaginary:
            return rf"i {text}"
        return text

    def __str__(self) -> str:
        rows = ["[" + ", ".join(row) + "]" for row in self.pretty()]
        if len(rows) == 1:
            return rows[0]
        return "[" + ", ".join(rows) + "]"

    def __repr__(self) -> str:
        return f"<Multiplier of order {self.order}: {shortened(str(self), 60)}>"

    def _repr_latex_(self) -> str | None:
        return displayed(self.latex())

    @property
    def _written(self) -> tuple[Entries, tuple[int, int], int, int]:
        signed = {}
        for place, values in self.pdo.entries.items():
            signed[place] = values.scale(self.sign)
        dim = self.pdo.basis.problem.group.dim
        return signed, self.pdo.shape, dim, self.pdo.order

    def _plain(self, text: str) -> str:
        """Times I, where it is: I*k1, -I*k1, I*(k1 + k2)."""
        if not self.imaginary or text == "0":
            return text
        # Without brackets I would multiply the first term of a sum only.
        if " + " in text or " - " in text:
            return f"I*({text})"
        if text.startswith("-"):
            return f"-I*{text[1:]}"
        return f"I*{text}"

    def _pretty(self, text: str) -> str:
        """Times i, where it is: ik₁, -ik₁, i(k₁ + k₂), i(2 k₁)."""
        if not self.imaginary or text == "0":
            return text
        if " " in text:
            return f"i({text})"
        if text.startswith("-"):
            return f"-i{text[1:]}"
        return f"i{text}"
