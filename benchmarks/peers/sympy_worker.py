"""A plain null space in SymPy, as a reader of the paper would write it."""

from __future__ import annotations

from typing import Any

import sympy

from benchmarks.peers.protocol import serve, timed


def basis(dim: int, order: int, generators: list[list[Any]], lie: list[list[Any]]) -> dict[str, Any]:
    """Unknown coefficients, the constraint for every generator (given as exact text), ``Matrix.nullspace``."""
    x = sympy.symbols(f"x1:{dim + 1}")
    finite = [[sympy.Matrix(m).applyfunc(sympy.sympify) for m in triple] for triple in generators]
    algebra = [[sympy.Matrix(m).applyfunc(sympy.sympify) for m in triple] for triple in lie]

    def solve() -> int:
        return sum(_of_order(n, x, finite, algebra) for n in range(order + 1))

    seconds, dimension = timed(solve)
    return {"seconds": seconds, "dimension": dimension}


def _of_order(n: int, x: tuple[Any, ...], finite: list[list[Any]], algebra: list[list[Any]]) -> int:
    monomials = [m for m in sympy.itermonomials(x, n) if sympy.Poly(m, *x).total_degree() == n]
    g, source, target = (finite or algebra)[0]
    unknowns = sympy.symbols(f"c0:{len(monomials) * source.rows * target.rows}")
    c = iter(unknowns)
    p = sympy.Matrix(target.rows, source.rows, lambda i, j: sum(next(c) * m for m in monomials))
    equations = []
    for g, source, target in finite:
        y = dict(zip(x, g.inv().T * sympy.Matrix(x), strict=True))
        equations += list(p.subs(y, simultaneous=True) * source - target * p)
    for g, source, target in algebra:
        v = g.T * sympy.Matrix(x)
        moved = sum((v[k] * p.diff(x[k]) for k in range(len(x))), sympy.zeros(*p.shape))
        equations += list(moved + target * p - p * source)
    linear = [c for e in equations for c in sympy.Poly(sympy.expand(e), *x).coeffs()]
    system, _ = sympy.linear_eq_to_matrix(linear, unknowns)
    return len(system.nullspace())


if __name__ == "__main__":
    serve({"basis": basis}, {"SymPy": sympy.__version__})
