r"""Radial functions $\varphi(|x|)$ and all their derivatives.

Let $\psi_0 = \varphi$ and $\psi_{j+1}(r) = \psi_j'(r) / r$. Then
$\partial_i \psi_j(|x|) = x_i \psi_{j+1}(|x|)$, and by induction

$$\partial^\alpha \varphi(|x|) = \sum_{2k \le \alpha} \psi_{|\alpha|-|k|}(|x|)
    \prod_i \frac{a_i!}{2^{k_i} k_i! (a_i - 2k_i)!} x_i^{a_i - 2k_i}.$$

Every family below has its $\psi_j$ in closed form. At the centre only the term with 2k = alpha remains.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import product
from math import factorial, prod
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import UnknownNameError
from pdobasis.stencils.errors import NonSmoothCentreError
from pdobasis.stencils.multi_index import MultiIndex

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class RadialFunction(ABC):
    """A radial function; ``smooth_order`` is the highest order that exists at the centre (None: all do).

    Attributes
    ----------
    name : str
        As `radial_function` knows it.

    Examples
    --------
    >>> phi = radial_function("phs3")
    >>> phi.name, phi.smooth_order, phi.smoother(4)
    ('phs3', 2, 'phs5')
    """

    name: str

    @property
    def smooth_order(self) -> int | None:
        """The highest order of a derivative that exists at the centre."""
        return None

    def smoother(self, order: int) -> str:
        """A function of this family (or another) with derivatives of this order at its centre."""
        return self.name

    @abstractmethod
    def psi(self, j: int, r2: Array, epsilon: Array) -> Array:
        """psi_j at squared distances r2, away from a non-smooth centre."""

    def psi_centre(self, j: int, epsilon: Array) -> Array:
        """psi_j(0), where derivatives of order 2j exist."""
        return self.psi(j, np.zeros_like(epsilon), epsilon)


@dataclass(frozen=True, slots=True)
class Polyharmonic(RadialFunction):
    r"""$r^k$ with k odd: $\psi_j = k (k-2) \cdots (k-2j+2)\, r^{k-2j}$; it has no shape parameter."""

    power: int

    @property
    def smooth_order(self) -> int:
        return self.power - 1

    def smoother(self, order: int) -> str:
        return f"phs{order + 1 + order % 2}"

    def psi(self, j: int, r2: Array, epsilon: Array) -> Array:
        result: Array = np.sqrt(r2)
        half = (
            self.power // 2 - j
        )  # r^k = r (r²)^half, so that one square root serves all
        for _ in range(abs(half)):
            if half > 0:
                result = result * r2
            else:
                result = result / r2
        factor = prod(range(self.power, self.power - 2 * j, -2))
        if factor == 1:
            return result
        return result * factor

    def psi_centre(self, j: int, epsilon: Array) -> Array:
        # r^{k-2j} at 0, where derivatives of order 2j <= k - 1 are asked for.
        return np.zeros_like(epsilon)


@dataclass(frozen=True, slots=True)
class GaussianRadial(RadialFunction):
    r"""$e^{-\varepsilon^2 r^2}$: $\psi_j = (-2\varepsilon^2)^j e^{-\varepsilon^2 r^2}$."""

    def psi(self, j: int, r2: Array, epsilon: Array) -> Array:
        return np.asarray((-2 * epsilon**2) ** j * np.exp(-(epsilon**2) * r2))


@dataclass(frozen=True, slots=True)
class Multiquadric(RadialFunction):
    r"""$(1 + \varepsilon^2 r^2)^{p/2}$ with p = 1, or -1 for the inverse multiquadric.

    $\psi_j = p (p-2) \cdots (p-2j+2)\, \varepsilon^{2j} (1 + \varepsilon^2 r^2)^{p/2-j}$.
    """

    exponent: int

    def psi(self, j: int, r2: Array, epsilon: Array) -> Array:
        factor = prod(range(self.exponent, self.exponent - 2 * j, -2))
        base = np.sqrt(1 + epsilon**2 * r2)
        return np.asarray(factor * epsilon ** (2 * j) * base ** (self.exponent - 2 * j))


@dataclass(frozen=True, slots=True)
class Wendland(RadialFunction):
    r"""A polynomial $\sum_p c_p q^p$ in $q = \varepsilon r$ for q < 1, else 0; positive definite for d <= 3.

    $\psi_j = \varepsilon^{2j} \sum_p c_p\, p (p-2) \cdots (p-2j+2)\, q^{p-2j}$. Orders above the smoothness
    are refused everywhere.
    """

    coefficients: tuple[int, ...]
    smoothness: int

    @property
    def smooth_order(self) -> int:
        return self.smoothness

    def smoother(self, order: int) -> str:
        even = order + order % 2
        if even <= 6:
            return f"wendland_c{even}"
        return "gaussian or inverse_multiquadric"

    def psi(self, j: int, r2: Array, epsilon: Array) -> Array:
        q = epsilon * np.sqrt(r2)
        total = np.zeros_like(q)
        for p, c in enumerate(self.coefficients):
            # An even p below 2j brings a factor 0; an odd one a negative power, which exists away from the centre.
            factor = c * prod(range(p, p - 2 * j, -2))
            if factor:
                total = total + factor * q ** (p - 2 * j)
        return np.asarray(np.where(q < 1, epsilon ** (2 * j) * total, 0))

    def psi_centre(self, j: int, epsilon: Array) -> Array:
        return np.asarray(
            self.coefficients[2 * j] * prod(range(2 * j, 0, -2)) * epsilon ** (2 * j)
        )


_FIXED = (
    GaussianRadial("gaussian"),
    Multiquadric("multiquadric", 1),
    Multiquadric("inverse_multiquadric", -1),
    Wendland("wendland_c2", (1, 0, -10, 20, -15, 4), 2),
    Wendland("wendland_c4", (3, 0, -28, 0, 210, -448, 420, -192, 35), 4),
    Wendland("wendland_c6", (1, 0, -11, 0, 66, 0, -462, 1056, -1155, 704, -231, 32), 6),
)
RADIAL_FUNCTIONS = ("phs1", "phs3", "phs5", "phs7", *(phi.name for phi in _FIXED))


def radial_function(name: str | RadialFunction) -> RadialFunction:
    """The radial function of this name: phs3, phs5, ... (any odd power), or another of the catalogue.

    >>> radial_function("phs5").name
    'phs5'

    Parameters
    ----------
    name : str or RadialFunction
        A name, or what it would give.

    Returns
    -------
    RadialFunction
        The function and its derivatives.

    Raises
    ------
    UnknownNameError
        A name that is not known.
    """
    if isinstance(name, RadialFunction):
        return name
    for phi in _FIXED:
        if phi.name == name:
            return phi
    match = re.fullmatch(r"phs(\d{1,3})", name)
    if match and int(match[1]) % 2:
        return Polyharmonic(name, int(match[1]))
    raise UnknownNameError(
        "radial function",
        name,
        RADIAL_FUNCTIONS,
        "(polyharmonic splines have an odd power: phs3)",
    )


def radial_derivatives(
    phi: RadialFunction, alphas: Sequence[MultiIndex], x: Array, epsilon: Array
) -> Array:
    """The derivatives of phi(|x|) at points x (..., d): shape (..., len(alphas)).

    The shape parameter epsilon broadcasts against the leading axes of x.

    >>> cubic = radial_function("phs3")
    >>> radial_derivatives(cubic, [(0, 0), (1, 0)], np.array([[3.0, 4.0]]), np.ones(1)).round(12)
    array([[125.,  45.]])

    Parameters
    ----------
    phi : RadialFunction
        The function.
    alphas : sequence of MultiIndex
        Of the derivatives.
    x : array
        Points (..., d).
    epsilon : array
        Shape parameters.

    Returns
    -------
    array
        (..., derivatives).
    """
    r2 = np.sum(x * x, axis=-1)
    epsilon = np.broadcast_to(np.asarray(epsilon, dtype=x.dtype), r2.shape)
    centre = r2 == 0
    _check_smooth(phi, alphas, bool(np.any(centre)))
    # A harmless distance stands in at the centre, whose value is filled in below.
    away = np.where(centre, 1, r2)
    tables: dict[int, Array] = {}
    result = np.zeros((*r2.shape, len(alphas)), dtype=x.dtype)
    for column, alpha in enumerate(alphas):
        for k in product(*(range(a // 2 + 1) for a in alpha)):
            j = sum(alpha) - sum(k)
            # Several terms share a psi_j, which is the costly part.
            if j not in tables:
                tables[j] = phi.psi(j, away, epsilon)
            result[..., column] += _term(alpha, k, x) * tables[j]
        if np.any(centre):
            result[centre, column] = _at_centre(phi, alpha, epsilon[centre])
    return result


def _term(alpha: MultiIndex, k: MultiIndex, x: Array) -> Array:
    """prod_i a_i! / (2^k_i k_i! (a_i - 2 k_i)!) x_i^(a_i - 2 k_i)."""
    value: Array = np.ones((), dtype=x.dtype) * _coefficient(alpha, k)
    for i, (a, half) in enumerate(zip(alpha, k, strict=True)):
        for _ in range(a - 2 * half):
            value = value * x[..., i]
    return value


def _at_centre(phi: RadialFunction, alpha: MultiIndex, epsilon: Array) -> Array:
    if any(a % 2 for a in alpha):
        return np.zeros_like(epsilon)
    half = tuple(a // 2 for a in alpha)
    return _coefficient(alpha, half) * phi.psi_centre(sum(half), epsilon)


def _coefficient(alpha: MultiIndex, k: MultiIndex) -> int:
    return prod(
        factorial(a) // (2**half * factorial(half) * factorial(a - 2 * half))
        for a, half in zip(alpha, k, strict=True)
    )


def _check_smooth(
    phi: RadialFunction, alphas: Sequence[MultiIndex], centred: bool
) -> None:
    highest = phi.smooth_order
    # The others are smooth away from the centre; a Wendland function is not where its support ends.
    if highest is None or not (centred or isinstance(phi, Wendland)):
        return
    for alpha in alphas:
        if sum(alpha) > highest:
            raise NonSmoothCentreError(
                phi.name, alpha, highest, phi.smoother(sum(alpha))
            )
