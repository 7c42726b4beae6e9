"""Radial functions: every derivative is the one that SymPy finds."""

from typing import Any

import numpy as np
import pytest
import sympy  # type: ignore[import-untyped, unused-ignore]

from pdobasis.errors import UnknownNameError
from pdobasis.stencils import NonSmoothCentreError, multi_indices, radial_derivatives, radial_function

FORMULAS: dict[str, Any] = {
    "phs3": lambda r, e: r**3,
    "phs5": lambda r, e: r**5,
    "phs7": lambda r, e: r**7,
    "gaussian": lambda r, e: sympy.exp(-(e**2) * r**2),
    "multiquadric": lambda r, e: sympy.sqrt(1 + e**2 * r**2),
    "inverse_multiquadric": lambda r, e: 1 / sympy.sqrt(1 + e**2 * r**2),
    "wendland_c2": lambda r, e: (1 - e * r) ** 4 * (4 * e * r + 1),
    "wendland_c4": lambda r, e: (1 - e * r) ** 6 * (35 * (e * r) ** 2 + 18 * e * r + 3),
    "wendland_c6": lambda r, e: (1 - e * r) ** 8 * (32 * (e * r) ** 3 + 25 * (e * r) ** 2 + 8 * e * r + 1),
}
POINTS = [(0.3, 0.4), (-0.5, 0.2), (0.1, 0.0)]
HIGHEST = {"phs3": 4, "phs5": 4, "phs7": 4, "wendland_c2": 2, "wendland_c4": 4}


@pytest.mark.parametrize("name", FORMULAS)
def test_derivatives_away_from_the_centre(name: str) -> None:
    x, y = sympy.symbols("x y", real=True)
    formula = FORMULAS[name](sympy.sqrt(x**2 + y**2), sympy.Rational(5, 4))
    alphas = multi_indices(2, HIGHEST.get(name, 4))
    ours = radial_derivatives(radial_function(name), alphas, np.array(POINTS), np.array(1.25))
    for column, (a, b) in enumerate(alphas):
        derivative = sympy.diff(formula, x, a, y, b)
        for row, point in enumerate(POINTS):
            substituted = derivative.subs({x: sympy.Rational(str(point[0])), y: sympy.Rational(str(point[1]))})
            assert ours[row, column] == pytest.approx(float(substituted.evalf(30)), rel=1e-11, abs=1e-11)


@pytest.mark.parametrize("name", FORMULAS)
def test_the_value_at_the_centre_is_the_limit(name: str) -> None:
    phi = radial_function(name)
    highest = min(4, phi.smooth_order if phi.smooth_order is not None else 4)
    alphas = multi_indices(3, highest)
    centre = radial_derivatives(phi, alphas, np.zeros((1, 3), dtype=np.longdouble), np.array(0.8))
    near = radial_derivatives(phi, alphas, np.full((1, 3), 1e-9, dtype=np.longdouble), np.array(0.8))
    assert np.allclose(centre.astype(float), near.astype(float), atol=1e-4)


@pytest.mark.parametrize(
    ("name", "alpha", "instead"),
    [
        ("phs3", (2, 1), "phs5"),
        ("phs3", (4, 0), "phs5"),
        ("phs5", (3, 2), "phs7"),
        ("phs1", (1, 0), "phs3"),
        ("wendland_c2", (3, 0), "wendland_c4"),
        ("wendland_c6", (4, 4), "gaussian"),
    ],
)
def test_a_missing_derivative_at_the_centre_is_refused_with_a_way_out(
    name: str, alpha: tuple[int, ...], instead: str
) -> None:
    with pytest.raises(NonSmoothCentreError, match=instead):
        radial_derivatives(radial_function(name), [alpha], np.zeros((1, 2)), np.array(1.0))


def test_away_from_the_nodes_a_spline_has_all_derivatives() -> None:
    value = radial_derivatives(radial_function("phs3"), [(3, 0)], np.array([[1.0, 0.0]]), np.array(1.0))
    assert value[0, 0] == 6


@pytest.mark.parametrize("name", ["phs4", "phs", "wendland_c3", "gausian", "phs3333"])
def test_unknown_functions_are_refused(name: str) -> None:
    with pytest.raises(UnknownNameError, match="radial function"):
        radial_function(name)


def test_the_nearest_name_is_offered() -> None:
    with pytest.raises(UnknownNameError, match="gaussian"):
        radial_function("gausian")


def test_wendland_functions_vanish_outside_their_support() -> None:
    values = radial_derivatives(radial_function("wendland_c4"), [(0, 0), (1, 1)], np.array([[3.0, 0.0]]), np.array(1.0))
    assert not values.any()
