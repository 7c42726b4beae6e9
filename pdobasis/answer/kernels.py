r"""Polynomial convolution kernels of any matrix group, proved.

A function K makes an equivariant convolution $f \mapsto K * f$ exactly if
$K(gx) = |\det g|^{-1} \rho_{out}(g) K(x) \rho_{in}(g)^{-1}$. Polynomials with
that property are the symbols of a question about the dual group $\{g^{-T}\}$
(:mod:`pdobasis.question.dual`), so the solver and the proof are those of PDOs.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element, displayed, shortened
from pdobasis.answer.evaluate import evaluate
from pdobasis.answer.family import Family, counted
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.errors import SpecError
from pdobasis.groups.closure import DEFAULT_LIMIT
from pdobasis.groups.group import Group
from pdobasis.operators.variables import latex_in, plain_in, pretty_in
from pdobasis.proof.certificate import Certificate, prove
from pdobasis.question.as_json import question_from_json, question_to_json
from pdobasis.question.dual import kernel_question
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS, Problem
from pdobasis.solvers.solver import Progress

if TYPE_CHECKING:
    import sympy


def kernels(
    group: str | Group,
    in_rep: str,
    out_rep: str,
    order: int | None = None,
    *,
    method: str = "auto",
    dim: int | None = None,
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    max_elements: int = DEFAULT_LIMIT,
) -> PolynomialKernels:
    r"""All polynomial kernels of order at most ``order``, proved:
    $K(gx) = |\det g|^{-1} \rho_{out}(g) K(x) \rho_{in}(g)^{-1}$.

    On SL(2) the vector x itself maps scalars to vectors; from scalars to
    scalars there are constants only, for no other polynomial is invariant:

    >>> [str(k) for k in kernels("SL(2)", "trivial", "vector", order=1)]
    ['[[x₁], [x₂]]']
    >>> kernels("SL(2)", "trivial", "trivial", order=3).dimensions
    {0: 1, 1: 0, 2: 0, 3: 0}

    Parameters
    ----------
    group : str or Group
        A name of the catalogue, a file of one's own, or a group.
    in_rep, out_rep : str
        How the fields before and behind the operator transform, as in ``2xregular + vector``.
    order : int, optional
        The highest degree of a polynomial; 2 when nothing else is said.
    method : str
        As in :func:`pdobasis.solve`.
    dim : int, optional
        The dimension, where the name of the group leaves it open (``C4``, ``D4``).
    max_unknowns : int
        Questions with more coefficients are refused.
    max_elements : int
        Largest finite group that is listed.

    Returns
    -------
    PolynomialKernels
        The kernels, with their certificate.

    Raises
    ------
    SpecError
        A text that says no group or representation; the message names the nearest.
    SizeError
        The question is too large for its limits: refused before any work.
    """
    problem = ask(group, in_rep, out_rep, order, dim=dim, limit=max_elements)
    return kernels_of(problem, method=method, max_unknowns=max_unknowns)


def kernels_of(
    problem: Problem,
    *,
    method: str = "auto",
    max_unknowns: int = DEFAULT_MAX_UNKNOWNS,
    progress: Progress = lambda message: None,
) -> PolynomialKernels:
    """The kernels between the fields of a question."""
    if problem.truncation is not None:
        raise SpecError(
            "truncations speak of PDOs: ask for polynomial kernels without "
            f"{problem.truncation.text}"
        )
    basis = solve_problem(
        kernel_question(problem),
        method=method,
        max_unknowns=max_unknowns,
        progress=progress,
    )
    return PolynomialKernels(problem, basis)


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class PolynomialKernels(Family["Kernel"]):
    """The kernels of ``problem``; ``basis`` holds them as the symbols of its
    dual question, with the proof.

    Attributes
    ----------
    problem : Problem
        The question.
    basis : Basis
        Of the dual question.

    Examples
    --------
    >>> from pdobasis import kernels
    >>> found = kernels("O(2)", "trivial", "vector", 1)
    >>> len(found), found.certificate.holds
    (1, True)
    """

    problem: Problem
    basis: Basis

    @property
    def certificate(self) -> Certificate:
        """Of the dual question: the same equations in other letters."""
        return self.basis.certificate

    @property
    def dimensions(self) -> dict[int, int]:
        """The number of kernels of each degree."""
        return self.basis.dimensions

    @property
    def dimension(self) -> int:
        """The number of kernels."""
        return self.basis.dimension

    @property
    def elements(self) -> tuple[Kernel, ...]:
        """The kernels, by increasing degree."""
        return tuple(Kernel(element) for element in self.basis.elements)

    def __len__(self) -> int:
        return self.dimension

    def at(self, points: ArrayLike) -> NDArray[np.float64]:
        """K(x) of every kernel: float64 (elements, ..., c_out, c_in).

        The points are of shape (..., d).

        Parameters
        ----------
        points : array_like, (..., d)
            Where.

        Returns
        -------
        numpy.ndarray
            float64 (elements, ..., c_out, c_in).

        Raises
        ------
        SpecError
            Points of another dimension.

        Examples
        --------
        >>> from pdobasis import kernels
        >>> kernels("O(2)", "trivial", "vector", 1).at([3.0, 4.0])[0].ravel().tolist()
        [3.0, 4.0]
        """
        return evaluate(self.basis, points)

    def save(self, path: str) -> None:
        """Write the dual question and its symbols: a basis file to verify.

        Parameters
        ----------
        path : str
            The file.

        Raises
        ------
        SpecError
            The file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> from pdobasis import kernels, load
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "kernels.json")
        ...     kernels("O(2)", "trivial", "vector", 1).save(path)
        ...     load(path).dimension
        1
        """
        self.as_read().save(path)

    def as_read(self) -> Basis:
        """The dual question and its symbols, as they are read from a file.

        A file knows the representations of the dual group by their matrices
        alone, and not that they were made from others; so its certificate is
        that of the question as it will be read.

        Returns
        -------
        Basis
            Equal to what :func:`pdobasis.load` reads.

        Examples
        --------
        >>> from pdobasis import kernels
        >>> kernels("O(2)", "trivial", "vector", 1).as_read()
        <Basis of 1 PDOs: O(2), trivial -> vector, order <= 1, proved>
        """
        question = question_from_json(question_to_json(self.basis.problem))
        blocks = self.basis.blocks
        return Basis(question, self.basis.method, blocks, prove(question, blocks))

    def to_json(self) -> dict[str, Any]:
        """The question, the kernels in x1, x2, …, and the certificate.

        Returns
        -------
        dict
            Values that ``json.dumps`` takes.

        Examples
        --------
        >>> from pdobasis import kernels
        >>> kernels("O(2)", "trivial", "vector", 1).to_json()["dimension"]
        1
        """
        p = self.problem
        elements = [{"order": k.order, "matrix": k.strings()} for k in self.elements]
        return {
            "kind": "polynomial kernels",
            "constraint": "K(g x) = |det g|^-1 rho_out(g) K(x) rho_in(g)^-1",
            "group": p.group.name,
            "dim": p.group.dim,
            "in": {"spec": p.in_type.spec, "size": p.in_type.size},
            "out": {"spec": p.out_type.spec, "size": p.out_type.size},
            "order": p.order,
            "method": self.basis.method,
            "dimension": self.dimension,
            "dimensions": {str(n): k for n, k in self.dimensions.items()},
            "certificate": self.certificate.to_json(),
            "elements": elements,
        }

    @property
    def title(self) -> str:
        """The question in a line."""
        p = self.problem
        proved = "proved" if self.certificate.holds else "NOT proved"
        return (
            f"{counted(self.dimension, 'polynomial kernel')}: {p.group.name}, "
            f"{p.in_type} -> {p.out_type}, order <= {p.order}, {proved}"
        )


@dataclass(frozen=True, slots=True, repr=False)
class Kernel:
    """One kernel: a symbol of the dual question, read as a function of x."""

    symbol: Element

    @property
    def order(self) -> int:
        return self.symbol.order

    @property
    def matrix(self) -> sympy.Matrix:
        """A SymPy matrix in the symbols x1, x2, …"""
        import sympy

        dim = self.symbol.basis.problem.group.dim
        d = sympy.symbols([f"d{i + 1}" for i in range(dim)])
        x = sympy.symbols([f"x{i + 1}" for i in range(dim)])
        return self.symbol.matrix.xreplace(dict(zip(d, x, strict=True)))

    def strings(self) -> list[list[str]]:
        rows = self.symbol.strings()
        return [[plain_in("x", text) for text in row] for row in rows]

    def pretty(self) -> list[list[str]]:
        rows = self.symbol.pretty()
        return [[pretty_in("x", text) for text in row] for row in rows]

    def latex(self) -> str:
        return latex_in("x", self.symbol.latex())

    def __str__(self) -> str:
        return pretty_in("x", str(self.symbol))

    def __repr__(self) -> str:
        return f"<Kernel of order {self.order}: {shortened(str(self), 60)}>"

    def _repr_latex_(self) -> str | None:
        return displayed(self.latex())
