"""Nodes are exact, and lie in arrays as the conventions say."""

from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest

from pdobasis.stencils import Grid, GridError, Layout, MultiIndexError, finite_difference

F = Fraction
AXES = [  # size, spacing, dilation, offset, nodes
    (3, 1, 1, 0, (-1, 0, 1)),
    (2, 1, 1, 0, (F(-1, 2), F(1, 2))),
    (4, "1/2", 1, 0, (F(-3, 4), F(-1, 4), F(1, 4), F(3, 4))),
    (3, 0.1, 1, 0, (F(-1, 10), 0, F(1, 10))),
    (3, 1, 2, 0, (-2, 0, 2)),
    (3, 2, 1, F(1, 2), (-1, 1, 3)),
    (1, 1, 1, 0, (0,)),
]


@pytest.mark.parametrize(("size", "spacing", "dilation", "offset", "nodes"), AXES)
def test_nodes_along_one_axis(size: Any, spacing: Any, dilation: Any, offset: Any, nodes: Any) -> None:
    grid = Grid.regular(1, size, spacing=spacing, dilation=dilation, offset=offset)
    assert grid.axis_nodes(0) == nodes


def test_last_array_axis_is_x1_and_an_image_has_x2_upwards() -> None:
    grid = Grid.regular(2, (3, 2), spacing=(1, 10))
    assert grid.array_shape == (2, 3)
    rows: list[tuple[int, ...]] = [(-1, -5), (0, -5), (1, -5), (-1, 5), (0, 5), (1, 5)]
    assert [tuple(map(int, node)) for node in grid.nodes()] == rows
    assert [tuple(map(int, node)) for node in grid.with_layout("image").nodes()] == rows[3:] + rows[:3]


@pytest.mark.parametrize("layout", ["grid", "image"])
@pytest.mark.parametrize("dim", [1, 2, 3, 4])
def test_coordinates_are_the_nodes_rounded(dim: int, layout: Layout) -> None:
    grid = Grid.regular(dim, [2, 3, 4, 2][:dim], spacing="1/3", layout=layout)
    assert np.array_equal(grid.coordinates(), np.array(grid.nodes(), dtype=float))
    assert grid.coordinates().shape == (prod(grid.size), dim)


@pytest.mark.parametrize(
    "arguments",
    [
        {"size": 0},
        {"size": 3, "spacing": 0},
        {"size": 3, "spacing": "one"},
        {"size": 3, "spacing": float("nan")},
        {"size": 3, "dilation": -1},
        {"size": 3.5},
        {"size": (3, 3, 3)},
        {"size": 3, "layout": "matrix"},
    ],
)
def test_a_grid_that_makes_no_sense_is_refused(arguments: Any) -> None:
    with pytest.raises(GridError):
        Grid.regular(2, **arguments)


@pytest.mark.parametrize("alpha", [(1,), (1, -1), (1, 0.5), (1, 0, 0), (1, "0")])
def test_a_wrong_multi_index_is_refused(alpha: tuple[int, ...]) -> None:
    with pytest.raises(MultiIndexError, match="dimension 2"):
        finite_difference([alpha], Grid.regular(2, 3))


def test_a_grid_is_a_value() -> None:
    assert hash(Grid.regular(2, 3)) == hash(Grid.regular(2, (3, 3)))
    assert Grid.regular(2, 3) == Grid.regular(2, (3, 3), spacing="1")
