"""Pictures of the page are computed: errors against the angle, turned images, symmetry elements."""

from __future__ import annotations

import base64
import io
import re
from math import degrees

import numpy as np
import pytest
from pdobasis_explore.answer import Limits, answer, stencils
from pdobasis_explore.polar import errors, plot, turn_by, turns
from pdobasis_explore.question import Asked
from pdobasis_explore.symmetry_picture import picture
from pdobasis_explore.turning import colours, png, turned

import pdobasis
from pdobasis.measure import off_grid_errors
from pdobasis.stencils.sampled import Sampled


def sampled(asked: Asked) -> Sampled:
    return stencils(answer(asked, Limits()), asked, Limits())


def test_errors_are_those_of_the_command_line() -> None:
    """C8 has one class off the grid, that of 45°; the grid's own quarter turns have no error but rounding."""
    found = sampled(Asked("C8", "", "vector", "trivial", 1))
    by_angle = {round(degrees(e.angle)): e.error for e in errors(found)}
    assert list(by_angle) == list(range(0, 360, 45))
    wanted = max(e.error for e in off_grid_errors(found))
    assert by_angle[45] == pytest.approx(wanted, rel=1e-9)
    assert max(by_angle[a] for a in (0, 90, 180, 270)) < 1e-12


def test_a_continuous_group_turns_as_its_subgroups_do() -> None:
    """e^{θX} and e^{θ dρ(X)} at multiples of 45° are the matrices of C8."""
    continuous = sampled(Asked("SO(2)", "", "vector", "irrep(2)", 1)).problem
    for wanted in turns(sampled(Asked("C8", "", "vector", "irrep(2)", 1)).problem):
        turn = turn_by(continuous, wanted.angle)
        assert turn is not None
        for name in ("g", "rho_in", "rho_out"):
            np.testing.assert_allclose(getattr(turn, name), getattr(wanted, name), atol=1e-12)


def test_a_point_for_each_rotation_and_a_curve_for_all() -> None:
    finite, continuous = (errors(sampled(Asked(g, "", "vector", "trivial", 1))) for g in ("D6", "O(2)"))
    assert plot(finite, False).count('class="dot"') == 6
    assert plot(continuous, True).count("<polygon") == 1
    assert turns(sampled(Asked("D1", "", "vector", "trivial", 1)).problem)[0].angle == 0


@pytest.mark.parametrize("group", ["D4", "D8"])
def test_quarter_turns_commute_with_stencils_and_others_nearly(group: str) -> None:
    found = sampled(Asked(group, "", "vector", "vector", 2))
    for turn in turns(found.problem):
        error = turned(found, 1, turn).error
        if round(degrees(turn.angle)) % 90 == 0:
            assert error < 1e-12
        else:
            assert 1e-6 < error < 0.1


def test_a_stencil_that_is_not_equivariant_is_seen() -> None:
    """The same with one weight changed: the pictures differ."""
    found = sampled(Asked("C4", "", "trivial", "trivial", 2))
    weights = found.stencils.copy()
    weights[0, 0, 0, 0, 0] += 1
    object.__setattr__(found, "stencils", weights)
    assert turned(found, 0, turns(found.problem)[1]).error > 0.1
    assert errors(found)[1].error > 0.01


def test_pictures_are_png() -> None:
    image = pytest.importorskip("PIL.Image")
    pixels = colours(np.linspace(-1, 1, 12).reshape(3, 4))
    data = base64.b64decode(png(pixels).partition(",")[2])
    np.testing.assert_array_equal(np.asarray(image.open(io.BytesIO(data))), pixels)


@pytest.mark.parametrize(
    ("group", "flags", "mirrors", "points"),
    [("C4", 4, 0, 0), ("D3", 6, 3, 0), ("D4h", 0, 5, 16), ("Td", 0, 6, 24), ("SO(2)", 0, 0, 0), ("O(3)", 0, 1, 0)],
)
def test_symmetry_elements_are_all_there(group: str, flags: int, mirrors: int, points: int) -> None:
    drawn = picture(pdobasis.group(group))
    counted = [len(re.findall(f'class="{kind}"', drawn)) for kind in ("flag", "mirror", "(?:above|below)")]
    assert counted == [flags, mirrors, points]


def test_axes_of_the_cube() -> None:
    """Upper ends: three fourfold, four threefold, six twofold."""
    axes = re.findall(r'<(polygon points="[^"]*"|ellipse)[^>]*class="axis"', picture(pdobasis.group("O")))
    corners = sorted(axis.count(",") for axis in axes)
    assert corners == [0] * 6 + [3] * 4 + [4] * 3
