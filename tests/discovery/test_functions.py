"""Test functions: exact on periodic axes, and as wide as the waves of a field."""

from __future__ import annotations

import numpy as np
import pytest

from benchmarks.discovery.systems import SYSTEMS
from pdobasis.discovery import functions
from pdobasis.discovery.bumps import axis_of
from pdobasis.discovery.candidates import candidates
from pdobasis.discovery.columns import Plan
from pdobasis.discovery.discover import prepared
from pdobasis.discovery.functions import NARROWEST, RADII, wave_numbers
from pdobasis.discovery.recording import Recording, recording

N = 48


@pytest.mark.parametrize("order", [1, 2, 4])
@pytest.mark.parametrize("wave", [1, 5, 15])
def test_derivatives_move_to_a_bump_of_few_points_exactly(order: int, wave: int) -> None:
    """∫ φ^(k) f = (-1)^k ∫ φ f^(k) for every wave of the grid; samples of the derivative of φ miss it by a third."""
    x = 2 * np.pi * np.arange(N) / N
    axis = axis_of(x, 3 * x[1], 8, 1.5 * x[1], True, "x1")
    f = np.exp(1j * wave * x)
    moved, plain = axis.weights(order) @ f, axis.weights(0) @ ((1j * wave) ** order * f)
    assert np.allclose(moved, plain, rtol=0, atol=1e-10 * wave**order)


def test_wave_numbers_of_a_pattern() -> None:
    """Waves of one length in all directions: |k| along each axis, whatever the noise was."""
    rng = np.random.default_rng(0)
    x = np.arange(64.0)
    frame = np.zeros((64, 64))
    for angle in np.pi * np.arange(12) / 12:
        k = 2 * np.pi / 64 * np.round(8 * np.array([np.cos(angle), np.sin(angle)]))
        frame += np.cos(k[0] * x + k[1] * x[:, None] + rng.uniform(0, 6))
    u = frame * np.ones((30, 1, 1, 1))
    expected = 2 * np.pi / 64 * 8
    for level in (0.0, 0.5):
        noisy = u + level * u.std() * rng.normal(size=u.shape)
        ready = prepared(Recording({"u": noisy}, np.arange(30.0), (x, x)), True, True)
        assert wave_numbers(ready.recording, "u") == pytest.approx(expected, rel=0.1)


@pytest.mark.parametrize(("level", "least", "most"), [(0.0, 8, 8), (0.2, NARROWEST, 4)])
def test_noise_makes_bumps_as_narrow_as_waves(level: float, least: float, most: float) -> None:
    system = SYSTEMS["swift_hohenberg"](seed=204, n=N, frames=40)
    ready = prepared(recording(system.arrays(level, 0), {"u": 1}), None, True)
    plan = Plan(candidates("O(2)", system.fields, "u", 3, 4, max_total=4), True, 2)
    settings = functions.test_functions(plan, ready, RADII[0])[3]
    points = settings["radius_x1"] / ready.recording.steps[0]
    assert least - 1e-9 <= points <= most + 1e-9
