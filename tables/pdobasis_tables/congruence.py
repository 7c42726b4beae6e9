r"""The symbolic proof of a cell: for all m, n, N and t at once.

Put $z = x_1 + i x_2$, and $z^{-k}$ for $\bar z^k$. A pattern of T and U is $P = \mathrm{Re}(C z^k)$ with $C = 1$ for T
and $C = -i$ for U, and every harmonic P of order d is $\mathrm{Re}(C z^d)$ for some complex matrix C. A rotation by a
multiplies $z^k$ by $e^{ika}$ and acts on a fibre of frequency m by $e^{\pm i m a}$ along $u_\pm = (1, \mp i)^T$. So for
$C = \sum c_{\sigma\tau} u_\sigma v_\tau^*$ the constraint is

$$k \equiv \sigma m - \tau n \pmod N \quad \text{for every } (\sigma, \tau) \text{ with } c_{\sigma\tau} \ne 0,$$

with equality for SO(2), where N = 0, and with N/2 in the place of m for the scalar irrep of that frequency. The mirror
takes z to $\bar z$: its constraint is $\psi_{out}(f)\, C\, \psi_{in}(f) = \bar C$.

*All of them.* (sigma, tau, k) and (-sigma, -tau, -k) give the same P; up to this, different ones are independent,
whether or not m = n, m + n = N or 2m = N. So the solutions are, for each class of signs and each k that solves its
congruence, a real space: all c, or the line of those that the mirror leaves. A cell is complete if its laws reach each
of these k once, and its elements in every class are a basis of that space. Between scalars k and -k are the same, so
k >= 0; and at k = 0 only the real part is there ($U_0 = 0$). Powers of $r^2$ do the rest (the theorem of Fischer).
"""

from __future__ import annotations

from fractions import Fraction
from itertools import product

from pdobasis.errors import ProofError
from pdobasis_tables.circular import Index, Pattern, Symbolic
from pdobasis_tables.families import Family, Kind

Signs = tuple[int, int]
"""(sigma, tau); 0 for a scalar."""
Complex = list[list[complex]]
"""Of small whole numbers, on which Python's complex numbers are exact."""


def prove_cell(
    family: Family,
    out: Kind,
    source: Kind,
    elements: tuple[Symbolic, ...],
    convention: str,
) -> None:
    """Refuse a cell that is not a basis for all m, n, N and t."""
    where = f"the table of {family.group} is wrong at {source.spec} -> {out.spec}"
    found: dict[Signs, list[complex]] = {signs: [] for signs in _classes(out, source)}
    for element in elements:
        signs, coefficient = _component(element.pattern, out, source, where)
        if not _solves(element.index, signs, family, out, source):
            raise ProofError(
                f"{where}: the index does not solve its congruence for all m, n, N"
            )
        if not _reaches_all(element.index, family, out, source):
            raise ProofError(f"{where}: the index does not reach every solution once")
        if family.mirror and not _is_mirrored(element.pattern, out, source, convention):
            raise ProofError(f"{where}: the mirror does not keep an element")
        if signs not in found:  # Re(c E z^k) is Re(c* E* z^-k)
            signs, coefficient = (-signs[0], -signs[1]), coefficient.conjugate()
        found[signs].append(coefficient)
    is_constant = not family.rotations and not (out.varies or source.varies)
    for coefficients in found.values():
        if is_constant:  # k = 0 alone
            coefficients = [complex(c.real) for c in coefficients]
        wanted = _dimension(family, out, source, convention, is_constant=is_constant)
        if not len(coefficients) == wanted == _rank(coefficients):
            raise ProofError(
                f"{where}: {wanted} independent elements are needed for each k, not {len(coefficients)}"
            )


def fiber_signs(kind: Kind) -> tuple[int, ...]:
    """Of the frequencies in a fibre: m and -m, or that of a scalar."""
    return (1, -1) if kind.varies else (0,)


def frequency(kind: Kind) -> tuple[int, Fraction]:
    """The frequency as a multiple of m (or n), plus a multiple of N."""
    if kind.varies:
        return 1, Fraction(0)
    if kind.half:
        return 0, Fraction(1, 2)
    return 0, Fraction(0)


def mirror_of(kind: Kind, convention: str) -> tuple[int, ...]:
    """The diagonal of psi(f)."""
    if kind.varies:
        return {"pdobasis": (1, -1), "paper": (-1, 1)}[convention]
    # irrep(1, ...) is the irrep that changes its sign
    return (-1,) if kind.spec.startswith("irrep(1") else (1,)


def _classes(out: Kind, source: Kind) -> list[Signs]:
    """One of (sigma, tau) and (-sigma, -tau)."""
    kept: list[Signs] = []
    for sigma, tau in product(fiber_signs(out), fiber_signs(source)):
        if (-sigma, -tau) not in kept:
            kept.append((sigma, tau))
    return kept


def _component(
    pattern: Pattern, out: Kind, source: Kind, where: str
) -> tuple[Signs, complex]:
    """The only (sigma, tau) with a coefficient, and that (times the lengths of the vectors)."""
    matrix = _matrix(pattern)
    size = len(fiber_signs(out)), len(fiber_signs(source))
    if (len(matrix), len(matrix[0])) != size:
        raise ProofError(f"{where}: an element has the wrong size")
    found = []
    for sigma, tau in product(fiber_signs(out), fiber_signs(source)):
        u, v = _direction(sigma), _direction(tau)
        places = product(range(size[0]), range(size[1]))
        coefficient = sum(
            (u[r].conjugate() * matrix[r][c] * v[c] for r, c in places), 0j
        )
        if coefficient:
            found.append(((sigma, tau), coefficient))
    if len(found) != 1:
        raise ProofError(f"{where}: an element mixes {len(found)} frequencies")
    return found[0]


def _matrix(pattern: Pattern) -> Complex:
    """C with P = Re(C z^k)."""
    letters = {"T": 1, "U": -1j}
    return [[sign * letters[letter] for sign, letter in row] for row in pattern]


def _direction(sign: int) -> list[complex]:
    """The vector of a fibre that a rotation by a multiplies by e^{i sign m a}."""
    if sign == 0:
        return [1]
    return [1, -1j * sign]


def _solves(
    index: Index, signs: Signs, family: Family, out: Kind, source: Kind
) -> bool:
    """Whether a m + b n + (t + c) N = sigma m - tau n (mod N), as an identity in m, n, N and t."""
    (per_m, half_out), (per_n, half_in) = frequency(out), frequency(source)
    sigma, tau = signs
    if (index.a, index.b) != (sigma * per_m, -tau * per_n):
        return False
    turns = index.c - (half_out - half_in)
    if not family.rotations:  # N = 0: an equation
        return index.range == ""
    return turns.denominator == 1


def _reaches_all(index: Index, family: Family, out: Kind, source: Kind) -> bool:
    """Whether every solution of the congruence is reached by one t; between scalars, every one that is not negative."""
    if not family.rotations:
        return index.range == ""
    if out.varies or source.varies:
        return index.range == "Z"
    return index.range == "N" and 0 <= index.c < 1


def _is_mirrored(pattern: Pattern, out: Kind, source: Kind, convention: str) -> bool:
    matrix = _matrix(pattern)
    left, right = mirror_of(out, convention), mirror_of(source, convention)
    places = product(range(len(left)), range(len(right)))
    return all(
        left[r] * matrix[r][c] * right[c] == matrix[r][c].conjugate() for r, c in places
    )


def _dimension(
    family: Family, out: Kind, source: Kind, convention: str, *, is_constant: bool
) -> int:
    """Of the real space of coefficients of one class and one k."""
    if not family.mirror:
        return 1 if is_constant else 2
    if not is_constant:
        return 1  # the mirror takes E to +E* or -E*, so that c is real or imaginary
    return 1 if mirror_of(out, convention) == mirror_of(source, convention) else 0


def _rank(coefficients: list[complex]) -> int:
    """Over the real numbers."""
    nonzero = [c for c in coefficients if c]
    if not nonzero:
        return 0
    first = nonzero[0]
    return 1 + any((first.conjugate() * c).imag for c in nonzero)
