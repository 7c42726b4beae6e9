r"""The answer for all orders: every equivariant PDO is one sum $\sum_k q_k(\theta)\,D_k$."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import overload

from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element, displayed, shortened
from pdobasis.answer.told import operator_text
from pdobasis.exact.array import ExactArray
from pdobasis.modules.invariant_names import invariant_names
from pdobasis.modules.multiply import expanded
from pdobasis.modules.series import HilbertSeries
from pdobasis.operators.block import Block
from pdobasis.operators.layout import columns
from pdobasis.operators.printing import (
    coefficients_of,
    latex_matrix,
    matrix_strings,
    pretty,
)
from pdobasis.operators.symbols import Symbols
from pdobasis.proof.certificate import MARKS, Certificate, prove
from pdobasis.question.problem import DEFAULT_MAX_UNKNOWNS, Problem

SHOWN = 24
"""Generators of a printed table."""


@dataclass(frozen=True, slots=True, eq=False)
class ModuleBasis:
    """Generators of all equivariant PDOs over the polynomials in the primary invariants, and the proof that they are.

    ``problem.order`` is the largest order of a generator. A block holds the generators between two different summands.

    >>> from pdobasis import all_orders
    >>> module = all_orders("D8", "trivial", "vector")
    >>> [g.order for g in module.generators], str(module.hilbert)
    ([1, 7], '(t + t⁷)/((1−t²)(1−t⁸))')

    Attributes
    ----------
    problem : Problem
        The question, with the largest order of a generator.
    primary : PrimaryInvariants
        The polynomials that the module is free over.
    blocks : tuple of Block
        The generators as exact arrays.
    certificate : Certificate
        The proof.
    """

    problem: Problem
    primary: tuple[Symbols, ...]
    blocks: tuple[Block, ...]
    certificate: Certificate

    @property
    def generators(self) -> Sequence[Element]:
        """By increasing order."""
        return self.carrier.elements

    @property
    def carrier(self) -> Basis:
        """The generators as elements that can be printed; no basis of the PDOs up to an order."""
        return Basis(self.problem, "all orders", self.blocks, self.certificate)

    @property
    def hilbert(self) -> HilbertSeries:
        """The series of the dimensions of all orders."""
        numbers = list(self.carrier.dimensions.values())
        while numbers and not numbers[-1]:
            numbers.pop()
        return HilbertSeries(tuple(numbers), tuple(t.order for t in self.primary))

    @property
    def invariants(self) -> list[Invariant]:
        """The primary invariants, with names."""
        names = invariant_names(self.primary)
        return [Invariant(n, t) for n, t in zip(names, self.primary, strict=True)]

    def expand(self, order: int) -> Basis:
        r"""All $\theta^a D_k$ of order at most ``order``: a basis with a proof of its own, of the same span as
        :func:`pdobasis.solve` finds.

        >>> from pdobasis import all_orders
        >>> all_orders("D4", "trivial", "trivial").expand(4).dimensions
        {0: 1, 1: 0, 2: 1, 3: 0, 4: 2}

        Parameters
        ----------
        order : int
            The largest order.

        Returns
        -------
        Basis
            With its certificate.

        Raises
        ------
        SpecError
            The order is no whole number.
        SizeError
            It is below 0 or above 64.
        """
        problem = replace(self.problem, order=order)
        problem.require(DEFAULT_MAX_UNKNOWNS)
        blocks = tuple(expanded(block, self.primary, order) for block in self.blocks)
        return Basis(problem, "all orders", blocks, prove(problem, blocks))

    def save(self, path: str | Path) -> None:
        """Write it as JSON, whole or not at all.

        Parameters
        ----------
        path : str or path
            The file; :func:`pdobasis.load_all_orders` proves what it reads.

        Raises
        ------
        SpecError
            The file cannot be written.

        Examples
        --------
        >>> import os, tempfile
        >>> from pdobasis import all_orders, load_all_orders
        >>> module = all_orders("D4", "trivial", "vector")
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     path = os.path.join(folder, "module.json")
        ...     module.save(path)
        ...     load_all_orders(path) == module
        True
        """
        # Files stand above the answer: they are imported when they are asked for.
        from pdobasis.files.module_file import save_module

        save_module(self, path)

    def latex(self) -> str:
        r"""Generators and invariants as LaTeX.

        Returns
        -------
        str
            For mathematical mode.

        Examples
        --------
        >>> from pdobasis import all_orders
        >>> print(all_orders("O(2)", "trivial", "vector").latex().partition(",")[0])
        \Delta = \begin{pmatrix} \partial_{1}^{2} + \partial_{2}^{2} \end{pmatrix}
        """
        lines = [rf"{t.latex_name} = {t.latex()}" for t in self.invariants]
        lines += [
            rf"D_{{{k}}} = {g.latex()}" for k, g in enumerate(self.generators, start=1)
        ]
        lines.append(rf"\sum_n \dim M_n\, t^n = {self.hilbert.latex()}")
        return ",\\quad ".join(lines)

    def _repr_latex_(self) -> str | None:
        """None where it would be longer than a page."""
        return displayed(self.latex())

    def _repr_html_(self) -> str:
        from pdobasis.notebook.families import module_html

        return module_html(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ModuleBasis):
            return NotImplemented
        if self is other:
            return True
        # the carrier's order is that of the generators, so bases are compared as they are
        return (
            self.carrier == other.carrier
            and len(self.primary) == len(other.primary)
            and all(map(Symbols.equals, self.primary, other.primary))
        )

    def __hash__(self) -> int:
        return hash((self.carrier, *(t.order for t in self.primary)))

    def __len__(self) -> int:
        return len(self.generators)

    @overload
    def __getitem__(self, index: int) -> Element: ...

    @overload
    def __getitem__(self, index: slice) -> Sequence[Element]: ...

    def __getitem__(self, index: int | slice) -> Element | Sequence[Element]:
        """A generator."""
        return self.generators[index]

    def __iter__(self) -> Iterator[Element]:
        return iter(self.generators)

    @property
    def title(self) -> str:
        """What it is, in one line."""
        p = self.problem
        proved = "NOT proved"
        if self.certificate.holds:
            proved = "proved"
        return (
            f"{len(self)} generators: {p.group.name}, {p.in_type} -> {p.out_type}, "
            f"all orders, series {shortened(str(self.hilbert), 60)}, {proved}"
        )

    def __repr__(self) -> str:
        return f"<ModuleBasis of {self.title}>"

    def __str__(self) -> str:
        """Invariants, generators and proof."""
        rows = [(t.name, str(t.order), str(t)) for t in self.invariants[:SHOWN]]
        for k, g in enumerate(self.generators[:SHOWN], start=1):
            rows.append((f"D{k}", str(g.order), operator_text(g)))
        if len(self) > SHOWN:
            rows.append(("", "", f"… {len(self) - SHOWN} more"))
        claims = [f"{MARKS[c.holds]} {c.what}: {c.how}" for c in self.certificate.told]
        table = columns(("", "order", "operator"), rows)
        return "\n".join([self.title, table, *claims])


@dataclass(frozen=True, slots=True, eq=False, repr=False)
class Invariant:
    """A primary invariant with its name, such as Δ or T₈."""

    name: str
    symbol: Symbols

    @property
    def order(self) -> int:
        return self.symbol.order

    @property
    def latex_name(self) -> str:
        if self.name == "Δ":
            return r"\Delta"
        letter, index = self.name[0], self.name[1:].translate(_DIGITS)
        return rf"{_GREEK.get(letter, letter)}_{{{index}}}"

    def __str__(self) -> str:
        return pretty(coefficients_of(self._entry, self.symbol.dim, self.order))

    def __repr__(self) -> str:
        return f"<Invariant {self.name} = {shortened(str(self), 80)}>"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Invariant):
            return NotImplemented
        return self.symbol.equals(other.symbol)

    def __hash__(self) -> int:
        return hash((self.order, self.symbol.dim))

    def text(self) -> str:
        """In d1, d2, … (the form of the JSON file)."""
        return matrix_strings(*self._written)[0][0]

    def latex(self) -> str:
        return latex_matrix(*self._written)

    @property
    def _entry(self) -> ExactArray:
        return self.symbol.coefficients[0]

    @property
    def _written(
        self,
    ) -> tuple[dict[tuple[int, int], ExactArray], tuple[int, int], int, int]:
        return {(0, 0): self._entry}, (1, 1), self.symbol.dim, self.order


_DIGITS = str.maketrans("₀₁₂₃₄₅₆₇₈₉", "0123456789")
_GREEK = {"θ": r"\theta"}
