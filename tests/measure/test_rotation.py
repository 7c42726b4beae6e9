"""The error for angles that the grid does not have, in the paper's way."""

from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.measure import identity_error, rotation_errors, unconstrained_errors
from pdobasis.measure.rotation import RotationError, off_grid_elements
from pdobasis.stencils.sampled import Sampled, sample


def mean(found: tuple[RotationError, ...]) -> float:
    return float(np.mean([f.mean for f in found]))


def error(group: str, method: str, size: int, order: int = 2, **options: Any) -> float:
    return mean(rotation_errors(scalar_to_vector(group, method, size, order, **options), runs=4))


def scalar_to_vector(group: str, method: str, size: int, order: int = 2, **options: Any) -> Sampled:
    return sample(
        pdobasis.solve(group, "trivial", "irrep(1)" if group[0] == "C" else "vector", order), method, size, **options
    )


@pytest.mark.parametrize(
    ("group", "labels"),
    [
        ("C16", ["rotation by 22.5°", "rotation by 45°", "rotation by 67.5°"]),
        ("D8", ["rotation by 45°"]),  # the other elements are this one times a symmetry of the grid
        ("D4", []),
        ("SO(2)", ["rotation by 22.5°", "rotation by 45°", "rotation by 67.5°"]),
    ],
)
def test_one_element_of_each_class_is_measured(group: str, labels: list[str]) -> None:
    from pdobasis.measure.rotation import label

    problem = pdobasis.solve(group, "trivial", "vector", 1).problem
    assert [label(g) for g in off_grid_elements(problem)] == labels


@pytest.mark.parametrize("group", ["C16", "D8"])
def test_the_error_of_finite_differences_falls_with_the_size(group: str) -> None:
    errors = [error(group, "fd", size) for size in (3, 5, 7)]
    assert errors[0] > 5 * errors[1] > 10 * errors[2]


@pytest.mark.parametrize("group", ["C16", "D8"])
def test_the_error_of_gaussians_falls_with_the_size_at_one_sigma(group: str) -> None:
    """The truncation is what breaks the symmetry."""
    errors = [error(group, "gauss", size, sigma=1.0) for size in (3, 5, 7)]
    assert errors[0] > 1.5 * errors[1] > 7 * errors[2]


def test_filters_without_the_constraint_are_far_off_and_the_identity_is_not() -> None:
    sampled = scalar_to_vector("C16", "fd", 5)
    free, floor = mean(unconstrained_errors(sampled, runs=2)), mean(identity_error(sampled.problem, sampled.grid))
    ours = mean(rotation_errors(sampled, runs=4))
    assert floor < 1e-5 < ours < 1e-2 < 0.5 < free


def test_the_layout_does_not_matter() -> None:
    grid, image = (error("C16", "fd", 3, layout=layout) for layout in ("grid", "image"))
    assert 0.2 < grid / image < 5


def test_a_stencil_for_the_other_sense_of_rotation_is_far_off() -> None:
    """Stencils read in the other layout are mirrored: (∂₁, ∂₂) becomes (∂₁, -∂₂)."""
    from dataclasses import replace

    sampled = scalar_to_vector("C16", "fd", 3, 1)
    assert mean(rotation_errors(sampled, runs=2)) < 1e-2
    mirrored = replace(sampled, grid=sampled.grid.with_layout("image"))
    assert mean(rotation_errors(mirrored, runs=2)) > 0.3


def test_rotations_in_space_are_measured_too() -> None:
    sampled = sample(pdobasis.solve("SO(3)", "vector", "vector", 1), "fd", 3)
    assert mean(rotation_errors(sampled, runs=1)) < 0.05


@pytest.mark.slow
def test_the_table_of_the_paper() -> None:
    from pdobasis.measure import comparison_table

    rows = {(r.method, r.size, r.field): r.mean for r in comparison_table(runs=3)}
    for size in (3, 5):
        for method in ("FD", "RBF-FD, r³ or r⁵", "Gauss, moments"):
            assert rows[method, size, "smooth"] < 0.01 < 1 < rows["unconstrained", size, "smooth"]
