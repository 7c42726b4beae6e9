"""Numbers, symbols and equations of the reference engine as LaTeX."""

from __future__ import annotations

import sympy
from sympy.polys.matrices import DomainMatrix

from pdobasis.reference.constraint import Unknown
from pdobasis.reference.numbers import Numbers
from pdobasis.reference.question import (
    Domain,
    Scalar,
    SymbolicQuestion,
    coordinates,
    power,
)


def matrix_latex(m: DomainMatrix, numbers: Numbers) -> str:
    """A matrix of numbers or polynomials."""
    entries = [
        [expression(value, m.domain, numbers) for value in row] for row in m.to_list()
    ]
    return _matrix(entries)


def pdo_latex(symbol: DomainMatrix, numbers: Numbers, dim: int) -> str:
    """D(P): the same with derivatives for the variables."""
    derivatives = {
        x: sympy.Symbol(rf"\partial_{{{i + 1}}}")
        for i, x in enumerate(coordinates(dim))
    }
    entries = [
        [expression(p, symbol.domain, numbers).subs(derivatives) for p in row]
        for row in symbol.to_list()
    ]
    return _matrix(entries)


def expression(value: Scalar, domain: Domain, numbers: Numbers) -> sympy.Expr:
    if not domain.is_PolynomialRing:
        return numbers.expression(value)
    terms = [
        numbers.expression(c) * power(domain.symbols, alpha, sympy.Integer(1))
        for alpha, c in value.terms()
    ]
    return sympy.Add(*terms)


def ansatz_latex(question: SymbolicQuestion, names: list[Unknown]) -> str:
    """P with a name for every unknown coefficient."""
    rows, columns = question.shape
    entries = [[sympy.Integer(0)] * columns for _ in range(rows)]
    for k, (i, j, alpha) in enumerate(names):
        entries[i][j] = entries[i][j] + unknown_symbol(k) * power(
            question.variables, alpha, sympy.Integer(1)
        )
    return _matrix(entries)


def unknown_symbol(k: int) -> sympy.Symbol:
    return sympy.Symbol(f"u_{{{k + 1}}}")


def equation_texts(system: DomainMatrix, numbers: Numbers) -> list[str]:
    """The different equations of a system, each divided by its first coefficient, the short ones first."""
    rows: dict[int, dict[int, Scalar]] = {}
    for (i, j), value in sorted(system.to_dok().items()):
        rows.setdefault(i, {})[j] = value
    found: dict[str, int] = {}
    for row in rows.values():
        # Equations that differ by a factor become the same text.
        first = row[min(row)]
        terms = [
            numbers.expression(value / first) * unknown_symbol(k)
            for k, value in sorted(row.items())
        ]
        found[_sum_latex(terms) + " = 0"] = len(terms)
    return sorted(found, key=lambda text: (found[text], len(text), text))


def solved_texts(system: DomainMatrix, numbers: Numbers) -> tuple[list[str], list[str]]:
    """The reduced echelon form: (unknowns that are 0, equations that give an unknown in terms of free ones)."""
    reduced, pivots = system.to_sparse().rref()
    rows: list[dict[int, Scalar]] = [{} for _ in pivots]
    for (i, j), value in reduced.to_dok().items():
        rows[i][j] = value
    zeros, solved = [], []
    for pivot, row in zip(pivots, rows, strict=True):
        name = str(sympy.latex(unknown_symbol(pivot)))
        rest = [
            numbers.expression(-value) * unknown_symbol(k)
            for k, value in sorted(row.items())
            if k != pivot
        ]
        if rest:
            solved.append(f"{name} = {_sum_latex(rest)}")
        else:
            zeros.append(name)
    return zeros, solved


def _sum_latex(terms: list[sympy.Expr]) -> str:
    """In the order given; SymPy would sort u10 before u2."""
    text = str(sympy.latex(terms[0]))
    for term in terms[1:]:
        part = sympy.latex(term)
        if part.startswith("-"):
            text += f" - {part[1:].strip()}"
        else:
            text += f" + {part}"
    return text


def _matrix(entries: list[list[sympy.Expr]]) -> str:
    body = r" \\ ".join(
        " & ".join(sympy.latex(entry) for entry in row) for row in entries
    )
    return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"
