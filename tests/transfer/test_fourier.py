r"""The Fourier dual: $\widehat{D(P)f}(k) = P(ik)\,\hat f(k)$ with $\hat f(k) = \int f e^{-ik\cdot x} dx$."""

from __future__ import annotations

import numpy as np
import pytest
import sympy

from pdobasis import solve

QUESTIONS = [
    ("SO(2)", "vector", "trivial", 3),
    ("D8", "irrep(1,2)", "vector", 3),
    ("C8", "regular", "trivial", 2),
    ("SO(3)", "vector", "vector", 3),
    ("SL(2)", "vector", "trivial", 2),
    ("SO(1,1)", "vector", "vector", 4),
    ("GL(2)", "sym(2, vector)", "trivial", 2),
]


@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order"), QUESTIONS)
def test_plane_waves_are_eigenfunctions(group: str, in_rep: str, out_rep: str, order: int) -> None:
    """D(P) e^{ik.x} = P(ik) e^{ik.x}: differentiated by SymPy."""
    basis = solve(group, in_rep, out_rep, order)
    dim = basis.problem.group.dim
    x, k, d = (sympy.symbols(f"{letter}1:{dim + 1}") for letter in "xkd")
    wave = sympy.exp(sympy.I * sum(a * b for a, b in zip(k, x, strict=True)))
    assert len(basis.fourier()) == basis.dimension > 0
    for multiplier, pdo in zip(basis.fourier(), basis, strict=True):
        assert multiplier.inverse() == pdo
        texts = [text for row in multiplier.strings() for text in row]
        for p, m, text in zip(pdo.matrix, multiplier.matrix, texts, strict=True):
            applied = sympy.Integer(0)
            for powers, c in sympy.Poly(p, *d).terms():
                term = wave
                for variable, n in zip(x, powers, strict=True):
                    term = sympy.diff(term, variable, n) if n else term
                applied += c * term
            assert sympy.expand(applied / wave - m) == 0
            assert sympy.expand(sympy.sympify(text) - m) == 0


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize(("group", "in_rep", "out_rep", "order"), QUESTIONS[:6])
def test_spectral_derivatives(group: str, in_rep: str, out_rep: str, order: int, seed: int) -> None:
    """The multiplier on NumPy's FFT gives the derivatives of a trigonometric field, and the energies agree (Parseval)."""
    basis = solve(group, in_rep, out_rep, order)
    p = basis.problem
    dim = p.group.dim
    rng = np.random.default_rng(seed)
    side = 16
    axis = 2 * np.pi * np.arange(side) / side
    x = np.stack(np.meshgrid(*[axis] * dim, indexing="ij"), axis=-1)
    powers = np.array(basis.monomials())
    field = np.zeros((*[side] * dim, p.in_type.size))
    derivatives = np.zeros((*field.shape, len(powers)))
    for _ in range(4):
        k, phase, height = rng.integers(-5, 6, size=dim), rng.uniform(0, 6), rng.normal(size=p.in_type.size)
        angle = x @ k + phase
        field += np.cos(angle)[..., None] * height
        for a, alpha in enumerate(powers):  # d^alpha cos = k^alpha cos(. + |alpha| pi/2)
            wave = np.prod(k**alpha) * np.cos(angle + alpha.sum() * np.pi / 2)
            derivatives[..., a] += wave[..., None] * height
    expected = np.einsum("eoia,...ia->e...o", basis.coefficients(), derivatives)
    frequencies = np.fft.fftfreq(side, 1 / side)
    k_grid = np.stack(np.meshgrid(*[frequencies] * dim, indexing="ij"), axis=-1)
    axes = tuple(range(dim))
    transform = np.fft.fftn(field, axes=axes)
    moved = np.einsum("e...oi,...i->e...o", basis.fourier().at(k_grid), transform)
    found = np.fft.ifftn(moved, axes=tuple(a + 1 for a in axes))
    scale = np.abs(expected).max()
    np.testing.assert_allclose(found.real, expected, atol=1e-12 * scale)
    np.testing.assert_allclose(found.imag, 0, atol=1e-12 * scale)
    energy = (expected**2).sum(axis=tuple(range(1, expected.ndim)))
    spectral = (np.abs(moved) ** 2).sum(axis=tuple(range(1, expected.ndim))) / side**dim
    np.testing.assert_allclose(energy, spectral, rtol=1e-10, atol=1e-12 * scale**2)


@pytest.mark.parametrize(
    ("group", "g"),
    [
        ("SL(2)", [[2, 1], [1, 1]]),
        ("GL(2)", [[2, 1], [0, -3]]),
        ("SO(1,1)", [["5/4", "3/4"], ["3/4", "5/4"]]),
        ("D4", [[0, 1], [1, 0]]),
    ],
)
def test_the_constraint_in_fourier_space(group: str, g: list[list[int | str]]) -> None:
    r"""$M(g^{-T}k) = \rho_{out}(g) M(k) \rho_{in}(g)^{-1}$, without a determinant; with g in its place it fails off O(d)."""
    m = sympy.Matrix([[sympy.Rational(v) for v in row] for row in g])
    k = sympy.Matrix(sympy.symbols("k1 k2"))
    (divergence,) = (e for e in solve(group, "vector", "trivial", order=1).fourier() if e.pdo.name == "divergence")
    assert str(divergence) == "[ik₁, ik₂]"
    assert divergence.latex() == r"i \begin{pmatrix} k_{1} & k_{2} \end{pmatrix}"
    dual = dict(zip(k, m.inv().T * k, strict=True))
    moved = divergence.matrix.subs(dual, simultaneous=True)
    assert (moved - divergence.matrix * m.inv()).applyfunc(sympy.expand).is_zero_matrix
    plain = divergence.matrix.subs(dict(zip(k, m * k, strict=True)), simultaneous=True)
    rest = (plain - divergence.matrix * m.inv()).applyfunc(sympy.expand)
    assert (rest == sympy.zeros(1, 2)) == (m.T * m == sympy.eye(2))


def test_powers_of_i_and_the_way_back() -> None:
    basis = solve("trivial(1)", "trivial", "trivial", order=5)
    multipliers = basis.fourier()
    assert [str(m) for m in multipliers] == ["[1]", "[ik₁]", "[-k₁²]", "[-ik₁³]", "[k₁⁴]", "[ik₁⁵]"]
    assert [m.strings()[0][0] for m in multipliers][3] == "-I*k1**3"
    assert multipliers.inverse() is basis
    values = multipliers.at([[2.0]])[:, 0, 0, 0]
    assert values.tolist() == [1, 2j, -4, -8j, 16, 32j]


def test_the_adjoint_has_the_conjugate_multiplier() -> None:
    r"""$\langle D(P)f, h\rangle = \langle f, P(-\partial)^T h\rangle$: $\overline{P(ik)} = P(-ik)$ for real P."""
    basis = solve("SO(3)", "vector", "vector", order=3)
    k = np.random.default_rng(1).normal(size=(7, 3))
    multipliers = basis.fourier()
    np.testing.assert_allclose(multipliers.at(k).conj(), multipliers.at(-k), atol=1e-12)
