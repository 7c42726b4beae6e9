r"""The paper's table of equivariance errors, and why its figures are as small as they are.

Images are transformed at a high resolution and scaled down (as `pdobasis.measure.rotation` does it): A is the layer of
the transformed image, B the transformed output of the layer, and the error $\|A - B\| / \|B\|$ over a disc. Two things
decide about its size besides the stencil:

- *the weights*. The paper's PDO layers start with delta-orthogonal weights, all of which but those of order 0 are zero;
  a layer with normal weights in front of all its elements, each of norm 1, shows what the stencils do.
- *the mean of the image*. A constant is turned into itself, so that a bright image has smaller relative errors.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.answer.solve import solve
from pdobasis.measure.off_grid import known_elements
from pdobasis.measure.resampling import correlated, disc, scaled_down, turned
from pdobasis.stencils.sampled import Sampled, matrix_at, sample

Floats = NDArray[np.float64]
METHODS: Mapping[str, tuple[str, Mapping[int, Mapping[str, Any]]]] = {
    "Kernels": ("kernel", {3: {}, 5: {}}),
    "FD": ("fd", {3: {}, 5: {}}),
    "RBF-FD": ("rbffd", {3: {}, 5: {}}),
    "Gauss": ("gauss", {3: {"sigma_paper": 1.0}, 5: {"sigma_paper": 1.3}}),
    "Gauss, moments": ("gauss", {3: {"normalize": "moments"}, 5: {"normalize": "moments"}}),
}
ORDERS = {3: 2, 5: 3}
PAPER = {
    ("Vanilla", 3): 32716e-6, ("Vanilla", 5): 32785e-6, ("Kernels", 3): 5.0e-6, ("Kernels", 5): 5.0e-6,
    ("FD", 3): 4.8e-6, ("FD", 5): 6.6e-6, ("RBF-FD", 3): 5.9e-6, ("RBF-FD", 5): 6.1e-6,
    ("Gauss", 3): 4.9e-6, ("Gauss", 5): 6.4e-6,
}  # fmt: skip
"""As printed: on the scale of squared relative errors."""
POINTS, ABOVE, BELOW = 72, 4, 2
"""Of the image that the layer sees; factors to the resolution above and below it."""
DEVIATION = 0.25
"""Of the pixels, which lie around the mean."""


@dataclass(frozen=True, slots=True)
class Measured:
    """Relative errors, root mean square over images, layers and angles."""

    method: str
    size: int
    all_orders: float
    order_0: float
    order_0_bright: float

    @property
    def plain(self) -> dict[str, Any]:
        values = self.all_orders, self.order_0, self.order_0_bright
        return {"method": self.method, "size": self.size, "errors": [float(f"{v:.3g}") for v in values]}


def measured(seeds: int = 3, runs: int = 2) -> list[Measured]:
    """Every method and size, and the identity, which shows what interpolation alone costs."""
    out = []
    for size, order in ORDERS.items():
        basis = solve("C16", "trivial", "regular", order)
        for name, (method, options) in METHODS.items():
            out.append(_method(name, sample(basis, method, size, **options[size]), seeds, runs))
    identity = sample(solve("C16", "trivial", "trivial", 0), "fd", 1)
    out.append(_method("interpolation alone", identity, seeds, 1))
    return out


def _method(name: str, sampled: Sampled, seeds: int, runs: int) -> Measured:
    orders = sampled.orders
    axes = tuple(range(1, sampled.stencils.ndim))
    norms = np.sqrt((sampled.stencils**2).sum(axis=axes, keepdims=True))
    unit = sampled.stencils / np.where(norms > 0, norms, 1.0)
    errors = [_error(sampled, unit * kept, mean, seeds, runs) for kept, mean in _cases(orders, unit.ndim)]
    return Measured(name, sampled.grid.size[0], *errors)


def _cases(orders: NDArray[np.int64], axes: int) -> list[tuple[Floats, float]]:
    everything = np.ones((len(orders), *(1,) * (axes - 1)))
    first = everything * (orders == 0).reshape(-1, *(1,) * (axes - 1))
    return [(everything, 0.0), (first, 0.0), (first, 0.5)]


def _error(sampled: Sampled, unit: Floats, mean: float, seeds: int, runs: int) -> float:
    problem, grid = sampled.problem, sampled.grid
    elements = known_elements(problem, grid)[:3]
    squares = []
    for seed in range(seeds):
        # Two streams: the image does not depend on how many weights a layer has.
        image, weights = (np.random.default_rng([seed, stream]) for stream in range(2))
        shape = [POINTS + (n - 1) % 2 for n in grid.array_shape]
        field = picture(shape, mean, image)
        layers = [np.tensordot(weights.standard_normal(len(unit)), unit, 1) for _ in range(runs)]
        stacked = np.concatenate(layers)
        plain = correlated(stacked, scaled_down(field, ABOVE), grid)
        for g in elements:
            before = scaled_down(turned(field, g, grid), ABOVE)
            a = scaled_down(correlated(stacked, before, grid), BELOW)
            b = scaled_down(turned(plain, g, grid), BELOW)
            inside = disc(b.shape[1:], grid)
            rho = np.kron(np.eye(runs), matrix_at(problem.out_type, g))
            first, second = a[:, inside], rho @ b[:, inside]
            channels = (first - second).reshape(runs, -1), second.reshape(runs, -1)
            squares += [float((d**2).sum() / (s**2).sum()) for d, s in zip(*channels, strict=True)]
    return float(np.sqrt(np.mean(squares)))


def picture(shape: list[int], mean: float, random: np.random.Generator) -> Floats:
    """(1, …) at the resolution above: noise whose amplitude falls as the frequency grows, as in natural images."""
    high = [n * ABOVE for n in shape]
    axes = [np.fft.fftfreq(n) * ABOVE for n in high]
    frequency = np.hypot(*np.meshgrid(*axes, indexing="ij"))
    amplitude = np.exp(-((frequency / 0.35) ** 4)) / np.where(frequency > 0, frequency, np.inf)
    field = np.fft.ifft2(np.fft.fft2(random.standard_normal(high)) * amplitude).real
    return np.asarray(mean + DEVIATION * field / field.std())[None]
