"""Terms as values: one term, those of one multidegree, all of a question."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pdobasis.answer.element import displayed, shortened
from pdobasis.errors import SpecError
from pdobasis.nonlinear import writing
from pdobasis.nonlinear.independent import Components
from pdobasis.nonlinear.question import Multidegree, TermsQuestion
from pdobasis.operators.layout import columns
from pdobasis.proof.certificate import Certificate

if TYPE_CHECKING:
    import sympy

    from pdobasis.stencils.keywords import MethodKeywords

SHOWN = 40
"""Terms of a printed table."""
WIDE = 90
"""Characters of one term in it."""


@dataclass(frozen=True, eq=False)
class Term:
    """One equivariant polynomial in derivatives; ``components`` are those of the output.

    ``indexed`` is the term in index notation where it has one, and ``name`` its usual name.

    Attributes
    ----------
    question : TermsQuestion
        What was asked for.
    multidegree : Multidegree
        How often each field and each derivative occurs.
    components : tuple
        Polynomials in derivatives, one for each component of the output.
    indexed, indexed_latex : str or None
        In index notation.
    name : str or None
        As "advection".

    Examples
    --------
    >>> from pdobasis import terms
    >>> term = terms("O(2)", {"u": "vector"}, "vector", degree=2, derivatives=1)[1]
    >>> term.text, term.pretty()[0]
    ('u_i ∂_j u_j', 'u₁ ∂₁u₁ + u₁ ∂₂u₂')
    """

    question: TermsQuestion
    multidegree: Multidegree
    components: Components
    indexed: str | None = None
    indexed_latex: str | None = None
    name: str | None = None

    @property
    def text(self) -> str:
        """In index notation, or component by component."""
        if self.indexed is not None:
            return self.indexed
        fields = self.question.fields
        parts = [writing.pretty(fields, p) for p in self.components]
        if len(parts) == 1:
            return parts[0]
        return "(" + ", ".join(parts) + ")"

    def pretty(self) -> list[str]:
        """Every component for a reader.

        Returns
        -------
        list of str
            In u₁, ∂₁, …

        Examples
        --------
        >>> from pdobasis import terms
        >>> terms("O(2)", {"p": "trivial"}, "trivial", degree=1)[1].pretty()
        ['∂₁²p + ∂₂²p']
        """
        return [writing.pretty(self.question.fields, p) for p in self.components]

    def strings(self) -> list[str]:
        """Every component in ASCII: 2*u1*d1(u2).

        Returns
        -------
        list of str
            In u1, d1, …

        Examples
        --------
        >>> from pdobasis import terms
        >>> terms("O(2)", {"p": "trivial"}, "trivial", degree=1)[1].strings()
        ['d1d1(p) + d2d2(p)']
        """
        return [writing.plain(self.question.fields, p) for p in self.components]

    def latex(self) -> str:
        r"""The term as LaTeX, in index notation.

        Returns
        -------
        str
            For mathematical mode.

        Examples
        --------
        >>> from pdobasis import terms
        >>> print(terms("O(2)", {"p": "trivial"}, "trivial", degree=1)[1].latex())
        \partial_{i} \partial_{i} p
        """
        if self.indexed_latex is not None:
            return self.indexed_latex
        parts = [writing.latex(self.question.fields, p) for p in self.components]
        if len(parts) == 1:
            return parts[0]
        return r"\begin{pmatrix} " + r" \\ ".join(parts) + r" \end{pmatrix}"

    def _repr_latex_(self) -> str | None:
        """None where it would be longer than a page."""
        return displayed(self.latex())

    def _repr_html_(self) -> str:
        from pdobasis.notebook.families import term_html

        return term_html(self)

    def __eq__(self, other: object) -> bool:
        """The same components in an answer to the same question, however they are written."""
        if not isinstance(other, Term):
            return NotImplemented
        return (
            self.components == other.components
            and self.multidegree == other.multidegree
            and self.question == other.question
        )

    def __hash__(self) -> int:
        return hash((self.multidegree, self.text))

    def sympy(self, **given: Any) -> sympy.Matrix:
        """A SymPy column in functions of x1, x2, … (and t), or in the expressions that are given for fields.

        A field with several components takes a list of expressions.

        Parameters
        ----------
        **given : expression or list of expressions
            By the names of the fields.

        Returns
        -------
        sympy.Matrix
            A column.

        Raises
        ------
        SpecError
            A field of another name, or of another number of components.

        Examples
        --------
        >>> import sympy
        >>> from pdobasis import terms
        >>> x1 = sympy.Symbol("x1", real=True)
        >>> terms("O(2)", {"p": "trivial"}, "trivial", degree=1)[1].sympy(p=x1**3)
        Matrix([[6*x1]])
        """
        import sympy

        from pdobasis.exact.expressions import expressions

        question = self.question
        read = {name: expressions(own, name) for name, own in given.items()}
        x, t, components = writing.functions(
            question.fields,
            question.group.dim,
            question.time,
            [e for own in read.values() for e in own],
        )
        for f, field in enumerate(question.fields):
            own = read.pop(field.name, None)
            if own is None:
                continue
            if len(own) != field.rep.size:
                raise SpecError(
                    f"{field.name} has {field.rep.size} components, got {len(own)} expressions"
                )
            for c, expression in enumerate(own):
                components[f, c] = expression
        for name in read:
            known = ", ".join(field.name for field in question.fields)
            raise SpecError(f"no field {name!r:.40} in these terms: they have {known}")
        return sympy.Matrix(
            [writing.sympy_expression(p, x, t, components) for p in self.components]
        )

    @property
    def size(self) -> int:
        """The number of monomials in all components."""
        return sum(map(len, self.components))

    def __str__(self) -> str:
        return self.text

    def __repr__(self) -> str:
        named = f" {self.name}:" if self.name else ""
        return f"<Term{named} {shortened(self.text, 100)}>"


@dataclass(frozen=True, eq=False)
class TermBlock:
    """All terms of one multidegree, and the proof that they are all."""

    multidegree: Multidegree
    terms: tuple[Term, ...]
    certificate: Certificate
    method: str


@dataclass(frozen=True, eq=False)
class Terms(Sequence[Term]):
    """All terms of a question, by multidegree; multidegrees without terms are listed with their proof, too.

    Attributes
    ----------
    question : TermsQuestion
        What was asked for.
    blocks : tuple
        Terms and proof, by multidegree.
    form : str or None
        The structure that was asked for.
    kept : tuple or None
        The terms that have it.
    structure : tuple
        What is known of it.

    Examples
    --------
    >>> from pdobasis import terms
    >>> found = terms("O(2)", {"u": "vector"}, "vector", degree=2, derivatives=1)
    >>> len(found), [term.text for term in found]
    (4, ['u_i', 'u_i ∂_j u_j', 'u_j ∂_j u_i', 'u_j ∂_i u_j'])
    """

    question: TermsQuestion
    blocks: tuple[TermBlock, ...]
    form: str = "textbook"
    kept: tuple[Term, ...] | None = None
    """Where a structure was asked for: the terms that have it."""
    structure: str | None = None

    @cached_property
    def _all(self) -> tuple[Term, ...]:
        if self.kept is not None:
            return self.kept
        return tuple(term for block in self.blocks for term in block.terms)

    @property
    def dimension(self) -> int:
        """The number of terms."""
        return len(self._all)

    @property
    def holds(self) -> bool:
        """Whether every multidegree is proved."""
        return all(block.certificate.holds for block in self.blocks)

    def __len__(self) -> int:
        return len(self._all)

    def __getitem__(self, index: Any) -> Any:
        return self._all[index]

    def __iter__(self) -> Iterator[Term]:
        return iter(self._all)

    @property
    def dimensions(self) -> dict[str, int]:
        """The number of terms of every multidegree that has some, before any structure is asked for.

        >>> from pdobasis import terms
        >>> terms("O(2)", {"u": "vector"}, "vector", degree=2, derivatives=1).dimensions
        {'u': 1, 'u · ∂u': 3}
        """
        out = {}
        for block in self.blocks:
            if block.terms:
                out[self.question.label(block.multidegree)] = len(block.terms)
        return out

    def evaluate(
        self,
        fields: Mapping[str, ArrayLike],
        spacing: float | Sequence[float] = 1.0,
        *,
        stencil: str = "spectral",
        size: int | Sequence[int] = 5,
        boundary: str = "periodic",
        grid: Sequence[ArrayLike] | None = None,
        points: ArrayLike | None = None,
        neighbours: int = 20,
        block: int = 1 << 16,
        **options: Unpack[MethodKeywords],
    ) -> NDArray[np.float64]:
        """Every term on arrays, float64 (terms, components, *grid); see :mod:`pdobasis.nonlinear.evaluate`.

        Parameters
        ----------
        fields : mapping of array_like
            By name: (components, ..., x2, x1), or (components, points).
        spacing : float or sequence of float
            Of the grid, x1 first.
        stencil : str
            spectral, fd, gauss, rbffd.
        size : int or sequence of int
            Points of the stencil.
        boundary : str
            periodic, reflect, nearest, zero.
        grid : sequence of array_like, optional
            Uniform coordinates along x1, x2, …
        points : array_like, (points, d), optional
            A cloud.
        neighbours : int
            Of a point of the cloud.
        block : int
            Points whose products are held at a time.
        **options
            Those of the stencil.

        Returns
        -------
        numpy.ndarray
            float64 (terms, components, ...).

        Raises
        ------
        SpecError
            Fields that are missing or of another shape, a stencil or option that nobody knows.

        Examples
        --------
        >>> import numpy as np
        >>> from pdobasis import terms
        >>> x = np.linspace(0, 2 * np.pi, 8, endpoint=False)
        >>> found = terms("O(1)", {"p": "trivial"}, "trivial", degree=1)
        >>> bool(np.allclose(found.evaluate({"p": np.sin(x)}, x[1])[1, 0], -np.sin(x)))
        True
        """
        from pdobasis.nonlinear.evaluate import evaluate

        return evaluate(
            self,
            fields,
            spacing,
            stencil=stencil,
            size=size,
            boundary=boundary,
            grid=grid,
            points=points,
            neighbours=neighbours,
            block=block,
            **options,
        )

    def equivariance_error(
        self,
        fields: Mapping[str, ArrayLike],
        *,
        points: ArrayLike | None = None,
        trials: int = 4,
        seed: int = 0,
        spacing: float | Sequence[float] = 1.0,
        stencil: str = "spectral",
        size: int | Sequence[int] = 5,
        boundary: str = "periodic",
        neighbours: int = 20,
        **options: Unpack[MethodKeywords],
    ) -> NDArray[np.float64]:
        """How far every term, as it is computed, is from T(gu) = gT(u); see :mod:`pdobasis.nonlinear.measured`.

        Parameters
        ----------
        fields : mapping of array_like
            By name: (components, ..., x2, x1), or (components, points).
        points : array_like, (points, d), optional
            A cloud.
        trials : int
            Random elements on a cloud.
        seed : int
            Of these.
        spacing : float or sequence of float
            Of the grid, x1 first.
        stencil : str
            spectral, fd, gauss, rbffd.
        size : int or sequence of int
            Points of the stencil.
        boundary : str
            periodic, reflect, nearest, zero.
        neighbours : int
            Of a point of the cloud.
        **options
            Those of the stencil.

        Returns
        -------
        numpy.ndarray
            One number for each term.

        Raises
        ------
        SpecError
            No element permutes the points of the grid.

        Examples
        --------
        >>> import numpy as np
        >>> from pdobasis import terms
        >>> found = terms("O(2)", {"p": "trivial"}, "vector", degree=1, derivatives=1)
        >>> p = np.random.default_rng(0).normal(size=(8, 8))
        >>> bool(found.equivariance_error({"p": p}).max() < 1e-12)
        True
        """
        from pdobasis.nonlinear.measured import equivariance_error

        return equivariance_error(
            self,
            fields,
            points=points,
            trials=trials,
            seed=seed,
            spacing=spacing,
            stencil=stencil,
            size=size,
            boundary=boundary,
            neighbours=neighbours,
            **options,
        )

    def python_source(self, name: str = "terms") -> str:
        """A module of plain Python that computes every term from derivatives, without this package.

        Parameters
        ----------
        name : str
            Of the function.

        Returns
        -------
        str
            It needs nothing but the derivatives.

        Examples
        --------
        >>> from pdobasis import terms
        >>> "def heat(" in terms("O(2)", {"p": "trivial"}, "trivial", degree=1).python_source("heat")
        True
        """
        from pdobasis.nonlinear.source import python_source

        return python_source(self, name)

    def function(self) -> Any:
        """That function, compiled: ``f(jets)`` for NumPy or torch arrays; ``jets["u", 0, (1, 0), 0]`` is ∂₁u₁.

        Returns
        -------
        callable
            It takes a mapping from (field, component, exponents, time derivatives) to arrays.

        Examples
        --------
        >>> from pdobasis import terms
        >>> f = terms("O(1)", {"p": "trivial"}, "trivial", degree=1).function()
        >>> f({("p", 0, (0,), 0): 3.0, ("p", 0, (2,), 0): 5.0})
        [[3.0], [5.0]]
        """
        from pdobasis.nonlinear.source import compiled

        return compiled(self)

    def sympy(self, **given: Any) -> list[sympy.Matrix]:
        """Every term as a SymPy column; see :meth:`Term.sympy`.

        Parameters
        ----------
        **given : expression or list of expressions
            By the names of the fields.

        Returns
        -------
        list of sympy.Matrix
            One column for each term.

        Raises
        ------
        SpecError
            A field of another name or size.

        Examples
        --------
        >>> from pdobasis import terms
        >>> terms("O(1)", {"p": "trivial"}, "trivial", degree=1).sympy()[1]
        Matrix([[Derivative(p(x1), (x1, 2))]])
        """
        return [term.sympy(**given) for term in self]

    def latex_document(self) -> str:
        r"""A LaTeX document of all terms that compiles.

        Returns
        -------
        str
            For pdflatex.

        Examples
        --------
        >>> from pdobasis import terms
        >>> terms("O(1)", {"p": "trivial"}, "trivial", degree=1).latex_document().startswith("\\documentclass")
        True
        """
        from pdobasis.nonlinear.document import latex_document

        return latex_document(self)

    def latex(self) -> str:
        r"""The terms as LaTeX.

        Returns
        -------
        str
            For mathematical mode.

        Examples
        --------
        >>> from pdobasis import terms
        >>> print(terms("O(1)", {"p": "trivial"}, "trivial", degree=1).latex())
        p,\quad \partial_{1}^{2} p
        """
        return ",\\quad ".join(term.latex() for term in self)

    def _repr_latex_(self) -> str | None:
        """None where it would be longer than a page."""
        return displayed(self.latex())

    def _repr_html_(self) -> str:
        from pdobasis.notebook.families import terms_html

        return terms_html(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Terms):
            return NotImplemented
        return self.question == other.question and self._all == other._all

    def __hash__(self) -> int:
        return hash((self.question, len(self)))

    def save(self, path: str) -> None:
        """Write a file that ``pdobasis verify`` proves again.

        Parameters
        ----------
        path : str
            The file; :func:`pdobasis.load_terms` proves what it reads.

        Raises
        ------
        SpecError
            The file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> from pdobasis import load_terms, terms
        >>> found = terms("O(1)", {"p": "trivial"}, "trivial", degree=1)
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "terms.json")
        ...     found.save(path)
        ...     len(load_terms(path))
        2
        """
        from pdobasis.nonlinear.file import save_terms

        save_terms(self, path)

    @property
    def title(self) -> str:
        """What they are, in one line."""
        q = self.question
        proved = "proved" if self.holds else "NOT proved"
        fields = ", ".join(f"{f.name}: {f.rep.spec}" for f in q.fields)
        return (
            f"{len(self)} terms of {q.group.name}, {fields} -> {q.out.spec}, {proved}"
        )

    def __repr__(self) -> str:
        return f"<{self.title}>"

    def __str__(self) -> str:
        """The terms with their factors and names."""
        rows = []
        for term in self._all[:SHOWN]:
            factors = self.question.label(term.multidegree)
            rows.append((factors, term.name or "", shortened(term.text, WIDE)))
        if len(self) > SHOWN:
            rows.append(("", "", f"… {len(self) - SHOWN} more"))
        if not rows:
            return self.title
        return f"{self.title}\n{columns(('factors', 'name', 'term'), rows)}"
