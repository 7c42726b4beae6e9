"""The slips of the paper (arXiv 2106.10163): each printed formula fails a check that the corrected one passes."""

from __future__ import annotations

from math import comb

import numpy as np
import pytest
import sympy

from pdobasis.answer.check import is_steerable
from pdobasis.answer.solve import solve
from pdobasis.errors import PdoBasisError
from pdobasis.exact.array import integers
from pdobasis.groups.catalogue import parse_group
from pdobasis.question.text import parse_field_type
from pdobasis.representations.intertwiners import intertwiners
from pdobasis.representations.representation import from_term
from pdobasis.representations.terms import Planar
from pdobasis.solvers.planar import circular
from pdobasis.stencils import Grid, gaussian, rbf_fd


def cosine(n: int) -> str:
    """T_n, as printed."""
    terms = [f"({(-1) ** (i // 2) * comb(n, i)})*d1**{n - i}*d2**{i}" for i in range(0, n + 1, 2)]
    return " + ".join(terms)


def sine(n: int, shift: int) -> str:
    """U_n with (-1)^((i + shift)/2): printed with shift = 1, right with shift = -1."""
    if n < 0:
        return f"-({sine(-n, shift)})"
    signs = [(i, 1 if ((i + shift) // 2) % 2 == 0 else -1) for i in range(1, n + 1, 2)]
    return " + ".join(f"({sign * comb(n, i)})*d1**{n - i}*d2**{i}" for i, sign in signs)


@pytest.mark.parametrize("n", [1, 2, 3, 4])
def test_the_explicit_sine(n: int) -> None:
    """|x| sin(phi) is +x2: the exponent is (i - 1)/2."""
    assert not is_steerable("SO(2)", f"irrep({n})", "trivial", [[cosine(n), sine(n, 1)]])
    assert is_steerable("SO(2)", f"irrep({n})", "trivial", [[cosine(n), sine(n, -1)]])
    t, u = (sympy.Matrix(v.numerators[:, 0].tolist()) for v in circular(n))
    x, y, phi = sympy.symbols("x y phi", real=True)
    monomials = [x ** (n - i) * y**i for i in range(n + 1)]
    for value, expected in ((t, sympy.cos(n * phi)), (u, sympy.sin(n * phi))):
        polynomial = sum(c * m for c, m in zip(value, monomials, strict=True))
        assert sympy.expand_trig(expected - polynomial.subs({x: sympy.cos(phi), y: sympy.sin(phi)})).simplify() == 0


@pytest.mark.parametrize("n", [4, 6])
def test_the_second_row_of_the_table_of_c_n(n: int) -> None:
    """T_{N/2} maps psi_0 to psi_{N/2}; psi_1 has two rows, and none of its elements is of this form."""
    printed = [[cosine(n // 2)]]
    assert not is_steerable(f"C{n}", "trivial", "irrep(1)", printed)
    assert is_steerable(f"C{n}", "trivial", f"irrep({n // 2})", printed)


def test_the_last_row_of_the_table_of_c_n() -> None:
    """The row of psi_m: entries with the index m do not fit a row called psi_n."""
    m, n = 1, 2
    column = [[f"-({sine(m, -1)})"], [cosine(m)]]
    assert not is_steerable("C8", "trivial", f"irrep({n})", column)
    assert is_steerable("C8", "trivial", f"irrep({m})", column)


@pytest.mark.parametrize("n", [4, 6, 8])
def test_the_last_row_of_the_table_of_d_n(n: int) -> None:
    """1 <= m < N/2: for m = N/2 the formula of psi_{1,m} is a sum of two irreps."""
    group = parse_group(f"D{n}")
    for m in range(1, n // 2 + 1):
        psi = from_term(group, Planar(m), f"psi_1,{m}")
        assert len(intertwiners(psi, psi)) == (2 if m == n // 2 else 1)
    with pytest.raises(PdoBasisError, match=r"expected|no irrep"):
        solve(group, "irrep(2,1)", "trivial", 1)
    assert solve(group, f"irrep(1,{n // 2})", "trivial", 0).problem.in_type.size == 1


def test_the_constraint_where_irreps_are_introduced() -> None:
    """k(gx) = rho_out(g)^-1 k(x) rho_in(g)^-1 excludes the gradient, and is not even consistent with composition."""
    x, y = sympy.symbols("x y")
    g = sympy.Matrix([[0, -1], [1, 0]])
    gradient = sympy.Matrix([x, y])
    moved = gradient.subs({x: (g * gradient)[0], y: (g * gradient)[1]}, simultaneous=True)
    assert moved != g.inv() * gradient
    assert moved == g * gradient
    assert is_steerable("SO(2)", "trivial", "vector", [["d1"], ["d2"]])


@pytest.mark.parametrize("k", [1, 2, 3])
def test_the_domain_of_the_irreps_of_o2(k: int) -> None:
    r"""$\psi_{1,k}$ is printed as a map from SO(2); $(r, s) \mapsto r^k s$ is a homomorphism of O(2), where $srs = r^{-1}$."""
    turn, flip = sympy.Matrix([[3, -4], [4, 3]]) / 5, sympy.diag(1, -1)
    psi = {name: value**k * s for name, value, s in [("r", turn, sympy.eye(2)), ("s", sympy.eye(2), flip)]}
    assert psi["s"] * psi["r"] * psi["s"] == (turn.inv()) ** k
    names = {"SO(2)": f"irrep({k})", "O(2)": f"irrep(1,{k})"}
    # With the reflection only half of the operators are left: the domain is no matter of taste.
    found = [solve(group, name, "trivial", order=k).dimension for group, name in names.items()]
    assert found == [2, 1]
    for generator, matrix in zip(parse_group("O(2)").generators, (flip,), strict=True):
        (rep,) = parse_field_type(names["O(2)"], parse_group("O(2)")).distinct
        assert rep.at(generator).equals(integers(matrix.tolist()))


@pytest.mark.parametrize("n", [1, 2, 3])
def test_the_transform_of_derivatives_of_delta(n: int) -> None:
    r"""$\int \delta^{(n)}(x) e^{-ikx} dx = (-1)^n (-ik)^n = (ik)^n$; printed is $(-i)^n k^n$, which is another for odd n."""
    x, k = sympy.symbols("x k", real=True)
    transform = sympy.integrate(sympy.DiracDelta(x, n) * sympy.exp(-sympy.I * k * x), (x, -sympy.oo, sympy.oo))
    assert sympy.expand(transform - (sympy.I * k) ** n) == 0
    assert (sympy.expand(transform - (-sympy.I * k) ** n) == 0) == (n % 2 == 0)
    ours = solve("trivial(1)", "trivial", "trivial", order=n).fourier().elements[n].matrix[0]
    assert sympy.expand(ours - transform.subs(k, sympy.Symbol("k1"))) == 0


def test_the_sign_of_gaussian_stencils() -> None:
    r"""$\sum \partial^\alpha G(x_n) f(x_n)$ approximates $(-1)^{|\alpha|} \partial^\alpha f$; ours approximates $+\partial^\alpha f$."""
    grid = Grid.regular(1, 13)
    nodes = np.array([float(n) for n in grid.axis_nodes(0)])
    density = np.exp(-(nodes**2) / 2) / np.sqrt(2 * np.pi)
    printed = float((-nodes * density) @ nodes)  # the derivative of G, applied to f(x) = x
    assert printed == pytest.approx(-1, abs=1e-6)
    ours = gaussian([(1,)], grid, sigma=1.0).weights[0]
    assert float(ours @ nodes) == pytest.approx(1, abs=1e-6)


def test_the_normalisation_of_the_gaussian() -> None:
    x, eps = sympy.symbols("x epsilon", positive=True)
    factor = 1 / sympy.sqrt(2 * sympy.pi * eps)
    printed = sympy.integrate(factor * sympy.exp(-(x**2) / eps), (x, -sympy.oo, sympy.oo))
    corrected = sympy.integrate(factor * sympy.exp(-(x**2) / (2 * eps)), (x, -sympy.oo, sympy.oo))
    assert sympy.simplify(printed) == 1 / sympy.sqrt(2)
    assert sympy.simplify(corrected) == 1


def test_cubic_splines_have_no_third_derivative_at_the_centre() -> None:
    grid = Grid.regular(2, 5)
    with pytest.raises(PdoBasisError, match="phs5"):
        rbf_fd([(3, 0)], grid, "phs3")
    weights = rbf_fd([(3, 0)], grid, "phs5").weights[0]
    x1 = np.array([float(node[0]) for node in grid.nodes()]).reshape(weights.shape)
    assert float((weights * x1**3).sum()) == pytest.approx(6)
