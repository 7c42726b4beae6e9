r"""What a layer computes, as a PDO: $D = \sum_e c_e D_e$ between its fields, with the numbers that it learned."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from pdobasis.algebra.operator import Operator, zero
from pdobasis.answer.basis import Basis
from pdobasis.answer.element import Element
from pdobasis.layers.errors import LayerError
from pdobasis.operators.printing import decimal_latex, decimal_text
from pdobasis.question.field_type import FieldType

SHOWN = 12
"""Pairs of fields that are printed."""
NEGLIGIBLE = 1e-9
"""What is left where numbers of one order cancel to this part of the largest is rounding, and is not printed."""


@dataclass(frozen=True)
class Term:
    """One number in front of one PDO of the basis between two fields."""

    coefficient: float
    element: Element

    def __str__(self) -> str:
        return f"{self.coefficient:.4g} {self.element.name or self.element}"


@dataclass(frozen=True, eq=False)
class FieldOperator:
    """The PDO from one field to another: ``basis`` is that between the two, ``coefficients`` one number for each."""

    out_field: str
    in_field: str
    basis: Basis
    coefficients: NDArray[np.float64]

    @property
    def terms(self) -> list[Term]:
        """By order, those that are not zero."""
        listed = zip(self.coefficients.tolist(), self.basis.elements, strict=True)
        return [Term(c, element) for c, element in listed if c]

    @cached_property
    def matrix(self) -> NDArray[np.float64]:
        """(c_out, c_in, monomials), over the monomials of ``basis.monomials()``."""
        return np.tensordot(self.coefficients, self.basis.coefficients(), 1)

    def exact(self, max_denominator: int = 1000) -> Operator:
        """The operator with every number rounded to a fraction: a value that adds, composes and has an adjoint."""
        total = zero(self.basis.problem.group.dim, self.matrix.shape[:2])
        for term in self.terms:
            rounded = Fraction(term.coefficient).limit_denominator(max_denominator)
            total = total + term.element.operator * rounded
        return total

    def pretty(self, digits: int = 4) -> list[list[str]]:
        """The matrix as text in ∂₁, ∂₂, …"""
        return [[decimal_text(p, digits) for p in row] for row in self._polynomials()]

    def latex(self, digits: int = 4) -> str:
        return _latex_matrix(self.latex_entries(digits))

    def latex_entries(self, digits: int = 4) -> list[list[str]]:
        """Row by row."""
        return [[decimal_latex(p, digits) for p in row] for row in self._polynomials()]

    def _repr_latex_(self) -> str:
        return f"$\\displaystyle {self.latex()}$"

    def _polynomials(self) -> list[list[list[tuple[float, tuple[int, ...]]]]]:
        alphas = self.basis.monomials()
        orders = np.array([sum(alpha) for alpha in alphas])
        largest = np.abs(self.matrix).max(axis=(0, 1), initial=0.0)
        # Orders are not compared with each other: on a fine grid their numbers differ by many powers of ten.
        least = [NEGLIGIBLE * largest[orders == n].max() for n in orders]
        return [
            [
                [
                    (float(v), alpha)
                    for v, alpha, small in zip(entry, alphas, least, strict=True)
                    if abs(v) > small
                ]
                for entry in row
            ]
            for row in self.matrix
        ]

    def __str__(self) -> str:
        rows = ["[" + ", ".join(row) + "]" for row in self.pretty()]
        text = f"{self.in_field} -> {self.out_field}: {', '.join(rows)}"
        named = [t for t in self.terms if t.element.name]
        # Where all have names, a reader wants these.
        if named and len(named) == len(self.terms):
            text += "  =  " + " + ".join(map(str, named)).replace("+ -", "- ")
        return text

    __repr__ = __str__


@dataclass(frozen=True, eq=False)
class LayerOperator:
    """All PDOs of a layer; ``operator[k, j]`` is that from input field j to output field k.

    ``coefficients`` has (out copies, in copies, elements) for each pair (out, in) of different summands.
    """

    answer: Basis
    coefficients: dict[tuple[int, int], NDArray[np.float64]]

    @property
    def in_type(self) -> FieldType:
        return self.answer.problem.in_type

    @property
    def out_type(self) -> FieldType:
        return self.answer.problem.out_type

    @property
    def shape(self) -> tuple[int, int]:
        """Numbers of output and input fields."""
        return len(self.out_type), len(self.in_type)

    def __getitem__(self, fields: tuple[int, int]) -> FieldOperator:
        try:
            k, j = (range(n)[i] for n, i in zip(self.shape, fields, strict=True))
        except (IndexError, TypeError, ValueError):
            raise LayerError(
                f"no operator {fields!r}: [output field, input field] of {self.shape[0]} and {self.shape[1]}"
            ) from None
        (o, out_copy), (i, in_copy) = self._outs[k], self._ins[j]
        basis = self._between(o, i)
        values = np.zeros(basis.dimension)
        if (o, i) in self.coefficients:
            values = self.coefficients[o, i][out_copy, in_copy]
        return FieldOperator(
            f"{self.out_type.distinct[o].spec}[{out_copy}]",
            f"{self.in_type.distinct[i].spec}[{in_copy}]",
            basis,
            values,
        )

    def __iter__(self) -> Iterator[FieldOperator]:
        """Those that are not zero."""
        for k in range(self.shape[0]):
            for j in range(self.shape[1]):
                (o, out_copy), (i, in_copy) = self._outs[k], self._ins[j]
                values = self.coefficients.get((o, i))
                if values is not None and values[out_copy, in_copy].any():
                    yield self[k, j]

    @property
    def matrix(self) -> NDArray[np.float64]:
        """(c_out, c_in, monomials) of the whole layer, over ``answer.monomials()``."""
        out = np.zeros(
            (self.out_type.size, self.in_type.size, len(self.answer.monomials()))
        )
        for k, rows in enumerate(self.out_type.slices):
            for j, columns in enumerate(self.in_type.slices):
                out[rows, columns] = self[k, j].matrix
        return out

    def latex(self, digits: int = 4) -> str:
        """The matrix of the whole layer, the rows of all output fields one below the other."""
        rows: list[list[str]] = []
        for k in range(self.shape[0]):
            parts = [self[k, j].latex_entries(digits) for j in range(self.shape[1])]
            rows += [list(chain(*row)) for row in zip(*parts, strict=True)]
        return _latex_matrix(rows)

    @cached_property
    def _outs(self) -> list[tuple[int, int]]:
        return _places(self.out_type)

    @cached_property
    def _ins(self) -> list[tuple[int, int]]:
        return _places(self.in_type)

    @cached_property
    def _known(self) -> dict[tuple[int, int], Basis]:
        return {}

    def _between(self, o: int, i: int) -> Basis:
        """The basis from one summand to one other: its elements are whole operators, which may have names."""
        if (o, i) not in self._known:
            problem = replace(
                self.answer.problem,
                in_type=FieldType.of([self.in_type.distinct[i]]),
                out_type=FieldType.of([self.out_type.distinct[o]]),
            )
            blocks = tuple(
                replace(block, in_index=0, out_index=0)
                for block in self.answer.blocks
                if (block.out_index, block.in_index) == (o, i)
            )
            self._known[o, i] = replace(self.answer, problem=problem, blocks=blocks)
        return self._known[o, i]

    def __str__(self) -> str:
        problem = self.answer.problem
        lines = [
            f"{problem.group.name}, {self.in_type} -> {self.out_type}, order <= {problem.order}"
        ]
        count = 0
        for count, part in enumerate(self, start=1):
            if count <= SHOWN:
                lines.append(f"  {part}")
        if count > SHOWN:
            lines.append(
                f"  … {count - SHOWN} more: operator[output field, input field]"
            )
        return "\n".join(lines)

    __repr__ = __str__


def _latex_matrix(rows: Sequence[Sequence[str]]) -> str:
    # amsmath's matrices stop at ten columns unless a counter is raised; an array does not
    columns = "c" * max(map(len, rows), default=0)
    body = r" \\ ".join(" & ".join(row) for row in rows)
    if len(columns) > 10:
        return rf"\left(\begin{{array}}{{{columns}}} {body} \end{{array}}\right)"
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"


def _places(fields: FieldType) -> list[tuple[int, int]]:
    """(which different summand, which of its copies) of every field."""
    seen = [0] * len(fields.distinct)
    out = []
    for rep in fields:
        index = fields.distinct.index(rep)
        out.append((index, seen[index]))
        seen[index] += 1
    return out
