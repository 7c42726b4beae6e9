r"""The relative equivariance error for elements that do not map the grid to itself, in the paper's way.

A field at high resolution is transformed, $(g f)(x) = \rho_{in}(g) f(g^{-1} x)$, scaled down, and the layer is
applied: A. The other way round, it is scaled down, the layer is applied, and the result is transformed by
$\rho_{out}(g)$: B. Both are scaled down once more, so that every rotation happens at a higher resolution than the
comparison. The error is $\|A - B\| / \|B\|$ over a disc, for random layers $\sum_e w_e W_e / \|W_e\|$ with normal
weights.

One field and a few layers are a matter of luck: a layer whose weight at a low order happens to be small has an error
many times that of another. So every *seed* stands for a random field and random layers of its own; what is told is the
median over all of them, and between which values the medians of single seeds lie.

The interpolation leaves a floor of its own: `identity_error` measures it, with a layer that is equivariant exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import prod

import numpy as np
from numpy.typing import NDArray

from pdobasis.bounds.estimate import cost
from pdobasis.errors import SpecError
from pdobasis.exact.array import ExactArray
from pdobasis.measure.elements import label
from pdobasis.measure.off_grid import known_elements
from pdobasis.measure.resampling import blobs, correlated, disc, scaled_down, turned
from pdobasis.question.problem import Problem
from pdobasis.stencils import Grid
from pdobasis.stencils.sampled import Sampled, matrix_at

RUNS = 10
"""Random layers of a seed."""
SEEDS = 6
MAX_ELEMENTS = 3
RESOLUTION = {2: (72, 4, 2), 3: (28, 2, 2)}
"""Of the layer; factors to the resolution above and below it."""
WIDTHS = {"smooth": (3.0, 6.0), "rough": (1.2, 2.4)}
"""Widths of the blobs of the test field, in cells of the layer."""
DEPENDENT = 1e-13
"""Singular values below this, relative to the largest, are rounding."""
Layers = list[NDArray[np.float64]]


@dataclass(frozen=True, slots=True)
class Spread:
    """The median of all errors; the lowest and the highest median of one seed; mean and deviation of all errors.

    Attributes
    ----------
    median : float
        Of all errors.
    lowest, highest : float
        Of the medians of seeds.
    mean, deviation : float
        Of all errors.

    Examples
    --------
    >>> spread([[0.01, 0.02, 0.09], [0.03, 0.04, 0.05]]).text
    '3.5e-02 (2.0e-02 – 4.0e-02)'
    """

    median: float
    lowest: float
    highest: float
    mean: float
    deviation: float

    @property
    def text(self) -> str:
        """The median, and the range of the seeds where there is more than one."""
        if self.lowest == self.highest:
            return f"{self.median:.1e}"
        return f"{self.median:.1e} ({self.lowest:.1e} – {self.highest:.1e})"


def spread(by_seed: Sequence[Sequence[float]]) -> Spread:
    """Of the errors of every seed.

    >>> spread([[1.0, 2.0, 9.0], [3.0, 4.0, 5.0]])
    Spread(median=3.5, lowest=2.0, highest=4.0, mean=4.0, deviation=2.581988897471611)

    Parameters
    ----------
    by_seed : sequence of sequences of float
        The errors of each seed, equally many.

    Returns
    -------
    Spread
        Of all of them, and of the medians of seeds.
    """
    errors = np.array(by_seed)
    medians = np.median(errors, axis=1)
    return Spread(
        float(np.median(errors)),
        float(medians.min()),
        float(medians.max()),
        float(errors.mean()),
        float(errors.std()),
    )


@dataclass(frozen=True, slots=True)
class RotationError:
    """``label`` names g; ``by_seed`` holds, for each seed, one relative error for each random layer.

    Attributes
    ----------
    label : str
        The name of g.
    by_seed : tuple of tuples of float
        For each seed, the relative error of each random layer.

    Examples
    --------
    >>> RotationError("rotation by 45°", ((0.01, 0.03), (0.02, 0.04))).spread.median
    0.025
    """

    label: str
    by_seed: tuple[tuple[float, ...], ...]

    @property
    def spread(self) -> Spread:
        """Over layers and seeds."""
        return spread(self.by_seed)


def overall(found: Sequence[RotationError]) -> Spread:
    """Over all elements that were measured.

    >>> overall([RotationError("45°", ((1.0, 2.0),)), RotationError("90°", ((3.0, 6.0),))]).mean
    3.0

    Parameters
    ----------
    found : sequence of RotationError
        Of the same seeds.

    Returns
    -------
    Spread
        Of all errors together.
    """
    return spread(np.concatenate([np.array(f.by_seed) for f in found], axis=1).tolist())


def rotation_errors(
    sampled: Sampled, runs: int = RUNS, seeds: int = SEEDS, field: str = "smooth"
) -> tuple[RotationError, ...]:
    """One measurement for each class of elements modulo the symmetries of the grid, at most three.

    Parameters
    ----------
    sampled : Sampled
        Stencils of a basis, as ``pdobasis.stencils.sampled.sample`` makes them.
    runs : int, optional
        Random layers for each seed.
    seeds : int, optional
        Seeds.
    field : str, optional
        ``smooth`` or ``rough``.

    Returns
    -------
    tuple of RotationError
        One for each class.

    Raises
    ------
    SpecError
        The grid is staggered.

    Examples
    --------
    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("D8", "trivial", "vector", order=1)
    >>> (found,) = rotation_errors(sample(gradient, "fd", 3), runs=1, seeds=1)
    >>> found.label, found.spread.median < 0.05
    ('rotation by 45°', True)
    """
    if sampled.places is not None:
        raise SpecError(
            "a staggered grid has no other symmetries: only those of the grid itself are allowed there"
        )
    _require(sampled, runs, seeds)
    norms = np.sqrt(
        (sampled.stencils**2).sum(
            axis=tuple(range(1, sampled.stencils.ndim)), keepdims=True
        )
    )
    # Elements of one norm count equally; one that vanishes on this grid stays zero.
    unit = sampled.stencils / np.where(norms > 0, norms, 1.0)

    def layers(rng: np.random.Generator) -> Layers:
        return [
            np.tensordot(rng.standard_normal(len(unit)), unit, 1) for _ in range(runs)
        ]

    return _measure(sampled.problem, sampled.grid, layers, seeds, field)


def unconstrained_errors(
    sampled: Sampled, runs: int = RUNS, seeds: int = SEEDS, field: str = "smooth"
) -> tuple[RotationError, ...]:
    """The same for filters of this shape without any constraint.

    Parameters
    ----------
    sampled : Sampled
        Stencils of a basis, as ``pdobasis.stencils.sampled.sample`` makes them.
    runs : int, optional
        Random layers for each seed.
    seeds : int, optional
        Seeds.
    field : str, optional
        ``smooth`` or ``rough``.

    Returns
    -------
    tuple of RotationError
        One for each class.

    Examples
    --------
    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("D8", "trivial", "vector", order=1)
    >>> (found,) = unconstrained_errors(sample(gradient, "fd", 3), runs=1, seeds=1)
    >>> found.spread.median > 0.1
    True
    """
    _require(sampled, runs, seeds)

    def layers(rng: np.random.Generator) -> Layers:
        return [rng.standard_normal(sampled.stencils.shape[1:]) for _ in range(runs)]

    return _measure(sampled.problem, sampled.grid, layers, seeds, field)


def identity_error(
    problem: Problem, grid: Grid, seeds: int = SEEDS, field: str = "smooth"
) -> tuple[RotationError, ...]:
    """The floor: what interpolation alone gives, through the layer that changes nothing.

    Parameters
    ----------
    problem : Problem
        The question, for its group and its input.
    grid : Grid
        The samples.
    seeds : int, optional
        Seeds.
    field : str, optional
        ``smooth`` or ``rough``.

    Returns
    -------
    tuple of RotationError
        One for each element that is measured.

    Examples
    --------
    >>> import pdobasis
    >>> from pdobasis.stencils.sampled import sample
    >>> gradient = pdobasis.solve("D8", "trivial", "vector", order=1)
    >>> (found,) = identity_error(gradient.problem, sample(gradient, "fd", 3).grid, seeds=1)
    >>> found.spread.median < 1e-4
    True
    """
    same = Problem(problem.group, problem.in_type, problem.in_type, 0)
    # A stencil of one point with the identity matrix is equivariant on any grid.
    centre = Grid.regular(
        grid.dim, 1, spacing=grid.spacing, layout=grid.layout, lattice=grid.lattice
    )
    eye = np.eye(problem.in_type.size).reshape(
        problem.in_type.size, problem.in_type.size, *(1,) * grid.dim
    )
    return _measure(same, centre, lambda rng: [eye], seeds, field)


def _require(sampled: Sampled, runs: int, seeds: int) -> None:
    """Refuse more images than the limits allow: what is turned, correlated and mixed, all seeds together."""
    problem, grid = sampled.problem, sampled.grid
    if grid.dim not in RESOLUTION:
        return
    middle, above, below = RESOLUTION[grid.dim]
    points, fine = middle**grid.dim, (middle * above) ** grid.dim
    width, height = problem.in_type.size, problem.out_type.size
    taps = width * prod(grid.size)
    filters = min(runs * height, taps)
    # cubic splines have 4 coefficients along every axis
    turned = (width * fine + filters * points) * 4 ** (grid.dim - 2)
    features = {
        "turned": seeds * MAX_ELEMENTS * turned,
        "products": seeds * (MAX_ELEMENTS + 1) * filters * taps * points,
        "mixed": seeds
        * MAX_ELEMENTS
        * runs
        * height
        * filters
        * points
        / below**grid.dim,
        "held": width * fine + filters * points,
    }
    cost("turns", features).require(
        "turning images", "take fewer seeds= or runs=, or a smaller stencil"
    )


def _measure(
    problem: Problem,
    grid: Grid,
    layers: Callable[[np.random.Generator], Layers],
    seeds: int,
    kind: str,
) -> tuple[RotationError, ...]:
    elements = []
    if grid.dim in RESOLUTION:
        elements = known_elements(problem, grid)[:MAX_ELEMENTS]
    if not elements:  # on a line, for one, there are no other elements
        return ()
    found = []
    for seed in range(seeds):
        # two streams, so that the field does not depend on how many weights a layer has
        for_field, for_layers = (
            np.random.default_rng([seed, stream]) for stream in range(2)
        )
        found.append(
            _one_seed(problem, grid, elements, layers(for_layers), kind, for_field)
        )
    return tuple(
        RotationError(label(g), tuple(one[k] for one in found))
        for k, g in enumerate(elements)
    )


def _one_seed(
    problem: Problem,
    grid: Grid,
    elements: list[ExactArray],
    layers: Layers,
    kind: str,
    rng: np.random.Generator,
) -> list[tuple[float, ...]]:
    """For every element, the errors of these layers on one field."""
    reach = [
        (n - 1) * d for n, d in zip(grid.array_shape, grid.dilation[::-1], strict=True)
    ]
    middle, above, below = RESOLUTION[grid.dim]
    # The output gets an even size, so that it keeps its centre when it is scaled down.
    shape = [middle + r % 2 for r in reach]
    field = blobs(problem.in_type.size, shape, above, WIDTHS[kind], rng)
    filters, mixtures = _in_common(layers)
    plain = correlated(filters, scaled_down(field, above), grid)
    out = []
    for g in elements:
        rho_in, rho_out = matrix_at(problem.in_type, g), matrix_at(problem.out_type, g)
        before = scaled_down(turned(np.tensordot(rho_in, field, 1), g, grid), above)
        a = scaled_down(correlated(filters, before, grid), below)
        b = scaled_down(turned(plain, g, grid), below)
        inside = disc(b.shape[1:], grid)
        errors = []
        for mixture in mixtures:
            first, second = mixture @ a[:, inside], rho_out @ mixture @ b[:, inside]
            errors.append(
                float(np.linalg.norm(first - second) / np.linalg.norm(second))
            )
        out.append(tuple(errors))
    return out


def _in_common(layers: Layers) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Few filters to one channel (filters, c_in, ...), and each layer's mixture of them (layers, c_out, filters).

    Turning a result is what takes the time, and it is linear: so these are turned instead of all channels of all
    layers. There are no more of them than taps, derivatives or channels.
    """
    stacked = np.stack(layers)
    rows = stacked.reshape(stacked.shape[0] * stacked.shape[1], -1)
    u, s, v = np.linalg.svd(rows, full_matrices=False)
    rank = int(np.count_nonzero(s > DEPENDENT * s[0]))
    mixtures = (u[:, :rank] * s[:rank]).reshape(*stacked.shape[:2], rank)
    return v[:rank].reshape(rank, *stacked.shape[2:]), mixtures
