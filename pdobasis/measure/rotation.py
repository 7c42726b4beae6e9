r"""The relative equivariance error for elements that do not map the grid to itself, in the paper's way.

A field at high resolution is transformed, $(g f)(x) = \rho_{in}(g) f(g^{-1} x)$, scaled down, and the layer is
applied: A. The other way round, it is scaled down, the layer is applied, and the result is transformed by
$\rho_{out}(g)$: B. Both are scaled down once more, so that every rotation happens at a higher resolution than the
comparison. The error is $\|A - B\| / \|B\|$ over a disc, averaged over random layers $\sum_e w_e W_e / \|W_e\|$
with normal weights.

The interpolation leaves a floor of its own: `identity_error` measures it, with a layer that is equivariant exactly.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.measure.grid_symmetry import candidates, rotation_planes
from pdobasis.question.problem import Problem
from pdobasis.stencils import Grid
from pdobasis.stencils.sampled import Sampled, matrix_at, signed_permutation

RUNS = 10
MAX_ELEMENTS = 3
RESOLUTION = {2: (72, 4, 2), 3: (28, 2, 2)}
"""Of the layer; factors to the resolution above and below it."""
SPLINE = 5
WIDTHS = {"smooth": (3.0, 6.0), "rough": (1.2, 2.4)}
"""Widths of the blobs of the test field, in cells of the layer."""


@dataclass(frozen=True, slots=True)
class RotationError:
    """``label`` names g; ``errors`` holds one relative error for each random layer."""

    label: str
    errors: tuple[float, ...]

    @property
    def mean(self) -> float:
        return float(np.mean(self.errors))

    @property
    def deviation(self) -> float:
        return float(np.std(self.errors))


def rotation_errors(
    sampled: Sampled, runs: int = RUNS, seed: int = 0, field: str = "smooth"
) -> tuple[RotationError, ...]:
    """One measurement for each class of elements modulo the symmetries of the grid, at most three."""
    if sampled.places is not None:
        raise SpecError("a staggered grid has no other symmetries: only those of the grid itself are allowed there")
    norms = np.sqrt((sampled.stencils**2).sum(axis=tuple(range(1, sampled.stencils.ndim)), keepdims=True))
    # Elements of one norm count equally; one that vanishes on this grid stays zero.
    unit = sampled.stencils / np.where(norms > 0, norms, 1.0)
    rng = np.random.default_rng(seed)
    layers = [np.tensordot(rng.standard_normal(len(unit)), unit, 1) for _ in range(runs)]
    return _measure(sampled.problem, sampled.grid, layers, seed, field)


def unconstrained_errors(
    sampled: Sampled, runs: int = RUNS, seed: int = 0, field: str = "smooth"
) -> tuple[RotationError, ...]:
    """The same for filters of this shape without any constraint."""
    rng = np.random.default_rng(seed)
    layers = [rng.standard_normal(sampled.stencils.shape[1:]) for _ in range(runs)]
    return _measure(sampled.problem, sampled.grid, layers, seed, field)


def identity_error(problem: Problem, grid: Grid, seed: int = 0, field: str = "smooth") -> tuple[RotationError, ...]:
    """The floor: what interpolation alone gives, through the layer that changes nothing."""
    same = Problem(problem.group, problem.in_type, problem.in_type, 0)
    # A stencil of one point with the identity matrix is equivariant on any grid.
    centre = Grid.regular(grid.dim, 1, spacing=grid.spacing, layout=grid.layout)
    eye = np.eye(problem.in_type.size).reshape(problem.in_type.size, problem.in_type.size, *(1,) * grid.dim)
    return _measure(same, centre, [eye], seed, field)


def off_grid_elements(problem: Problem) -> list[ExactArray]:
    """Elements that are not signed permutations, one of each class modulo those that are, at most three."""
    if problem.group.dim not in RESOLUTION or not problem.group.is_orthogonal:
        return []
    kept: list[ExactArray] = []
    if problem.group.lie:
        elements = _turns(problem)
    else:
        elements = candidates(problem)
    symmetries = [g for g in elements if signed_permutation(g) is not None]
    seen: set[bytes] = set()
    for g in elements:
        if len(kept) == MAX_ELEMENTS:
            break
        if signed_permutation(g) is None and _key(to_float(g)) not in seen:
            kept.append(g)
            # g and g h move the grid alike, so one of them is measured
            seen.update(_key(to_float(g) @ to_float(h)) for h in symmetries)
    return kept


def label(g: ExactArray) -> str:
    """A rotation by its angle, a reflection by its axis, in space by the angle."""
    m = to_float(g)
    proper = np.linalg.det(m) > 0
    if len(m) == 2:
        angle = np.degrees(np.arctan2(m[1, 0], m[0, 0])) % 360
        if proper:
            return f"rotation by {angle:g}°"
        return f"reflection at {angle / 2:g}°"
    kind = "rotation"
    if not proper:  # -1 times a rotation
        m, kind = -m, "rotoinversion"
    angle = np.degrees(np.arccos(np.clip((np.trace(m) - 1) / 2, -1, 1)))
    return f"{kind} by {angle:.4g}°"


def _measure(
    problem: Problem, grid: Grid, layers: Sequence[NDArray[np.float64]], seed: int, kind: str
) -> tuple[RotationError, ...]:
    elements = off_grid_elements(problem)
    if not elements:
        return ()
    reach = [(n - 1) * d for n, d in zip(grid.array_shape, grid.dilation[::-1], strict=True)]
    middle, above, below = RESOLUTION[grid.dim]
    # The output gets an even size, so that it keeps its centre when it is scaled down.
    shape = [middle + r % 2 for r in reach]
    field = _test_field(problem.in_type.size, shape, above, WIDTHS[kind], np.random.default_rng(seed))
    small = _scale_down(field, above)
    plain = [_correlate(layer, small, grid) for layer in layers]
    out = []
    for g in elements:
        turned = _scale_down(_transform(field, g, matrix_at(problem.in_type, g), grid), above)
        rho_out = matrix_at(problem.out_type, g)
        errors = []
        for layer, result in zip(layers, plain, strict=True):
            a = _scale_down(_correlate(layer, turned, grid), below)
            b = _scale_down(_transform(result, g, rho_out, grid), below)
            inside = _disc(b.shape[1:])
            errors.append(float(np.linalg.norm((a - b)[:, inside]) / np.linalg.norm(b[:, inside])))
        out.append(RotationError(label(g), tuple(errors)))
    return tuple(out)


def _turns(problem: Problem) -> list[ExactArray]:
    """A continuous group is measured at multiples of 22.5° in the first coordinate plane that it rotates."""
    from pdobasis.groups.catalogue import parse_group

    reps = (*problem.in_type.distinct, *problem.out_type.distinct)
    planes = rotation_planes(problem.group)
    if not planes or any(rep.term is None for rep in reps):
        return []
    table = closure(parse_group("C16")).matrices
    return [_embedded(table[k], problem.group.dim, planes[0]) for k in range(len(table))]


def _embedded(g: ExactArray, dim: int, plane: tuple[int, int]) -> ExactArray:
    """A matrix of the plane in these two coordinates of a larger space."""
    numerators = np.zeros((dim, dim, g.field.degree), dtype=g.numerators.dtype)
    # The identity, over the denominator that g has.
    numerators[range(dim), range(dim), 0] = g.denominator
    numerators[np.ix_(plane, plane)] = g.numerators
    return ExactArray(numerators, g.denominator, g.field)


def _key(m: NDArray[np.float64]) -> bytes:
    # -0.0 has other bytes than 0.0, and becomes it by adding 0.0.
    return (np.round(m, 6) + 0.0).tobytes()


def _test_field(
    channels: int, shape: Sequence[int], above: int, widths: tuple[float, float], rng: np.random.Generator
) -> NDArray[np.float64]:
    """Blobs away from the border, at the resolution above the layer's."""
    axes = [(np.arange(n * above) - (n * above - 1) / 2) / above for n in shape]
    field = np.zeros((channels, *(n * above for n in shape)))
    room = min(shape) / 2
    for channel in range(channels):
        for _ in range(12):
            width = rng.uniform(*widths) * min(1.0, room / 24)
            centre = rng.uniform(-0.3, 0.3, len(shape)) * room
            blob = np.ones(())
            for axis, c in zip(axes, centre, strict=True):
                blob = np.multiply.outer(blob, np.exp(-((axis - c) ** 2) / (2 * width**2)))
            field[channel] += rng.standard_normal() * blob
    return field


def _scale_down(field: NDArray[np.float64], factor: int) -> NDArray[np.float64]:
    """Means over blocks; the centre stays where it is."""
    for axis in range(1, field.ndim):
        n = field.shape[axis]
        # What does not fill a block is taken off both ends alike.
        cut = n % factor
        field = np.take(field, np.arange(cut // 2, n - (cut - cut // 2)), axis=axis)
        parts = (*field.shape[:axis], n // factor, factor, *field.shape[axis + 1 :])
        field = field.reshape(parts).mean(axis=axis + 1)
    return field


def _transform(field: NDArray[np.float64], g: ExactArray, rho: NDArray[np.float64], grid: Grid) -> NDArray[np.float64]:
    """rho(g) f(g^{-1} x), interpolated by splines around the centre of the array."""
    from scipy.ndimage import affine_transform

    frame = _frame(grid)
    # f(g^{-1} x), in steps of the array.
    matrix = np.linalg.inv(frame) @ np.linalg.inv(to_float(g)) @ frame
    centre = (np.array(field.shape[1:]) - 1) / 2
    mixed: NDArray[Any] = np.tensordot(rho, field, 1)
    # SciPy reads the point y of the result at matrix y + offset: this offset fixes the centre.
    return np.stack([affine_transform(c, matrix, centre - matrix @ centre, order=SPLINE) for c in mixed])


def _frame(grid: Grid) -> NDArray[np.float64]:
    """The matrix that takes steps along the array axes to coordinates x1, ..., xd."""
    frame = np.zeros((grid.dim, grid.dim))
    for i, h in enumerate(grid.spacing):
        frame[i, grid.dim - 1 - i] = float(h)
        if grid.descends(i):
            frame[i, grid.dim - 1 - i] = -float(h)
    return frame


def _correlate(layer: NDArray[np.float64], field: NDArray[np.float64], grid: Grid) -> NDArray[np.float64]:
    """Cross-correlation where the whole stencil fits."""
    steps = grid.dilation[::-1]
    space = [n - (k - 1) * d for n, k, d in zip(field.shape[1:], layer.shape[2:], steps, strict=True)]
    out = np.zeros((layer.shape[0], *space))
    for place in np.ndindex(*layer.shape[2:]):
        window = tuple(slice(p * d, p * d + n) for p, d, n in zip(place, steps, space, strict=True))
        out += np.tensordot(layer[(slice(None), slice(None), *place)], field[(slice(None), *window)], 1)
    return out


def _disc(shape: Sequence[int]) -> NDArray[np.bool_]:
    # A rotation brings in zeros from outside at the corners, so only what stays inside is compared.
    axes = np.meshgrid(*(np.arange(n) - (n - 1) / 2 for n in shape), indexing="ij")
    return np.asarray(sum(axis**2 for axis in axes) <= (0.45 * min(shape)) ** 2)
