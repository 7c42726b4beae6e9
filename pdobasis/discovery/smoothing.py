r"""Noise: how much there is, and what can be taken away before products are made.

Along periodic axes fields are sums of waves; along time and open axes of the Demmler–Reinsch functions: eigenvectors of
$D^T D$ for third divided differences D, which are polynomials up to degree 2 and then ever faster oscillations without
any condition at the ends. White noise has the same variance $\sigma^2$ in every coefficient of such an orthonormal
basis, a smooth field nearly all of its own in a few. So $\sigma^2$ is read off where everything oscillates fastest, and
coefficients whose mean square among neighbours does not stand out of it are set to zero. All others stay as they are:
Wiener's factor $1 - \sigma^2/P$ leaves less noise, but shrinks what is fast, and with it the coefficients of products.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdobasis.discovery.recording import Array, Recording

CLEAN = 1e-6
"""Noise below this part of a field is left alone."""
LEAST = 1.5
"""Bins with less power than this times that of noise are closed: what they hold of the field is lost in it."""
FASTEST = 0.7
"""Part of the highest frequency above which all is taken for noise."""


@dataclass(frozen=True, eq=False)
class Smoothed:
    """A recording without what noise can be told apart; how to do the same to other noise."""

    recording: Recording
    periodic: tuple[bool, ...]
    """Along x1, x2, …"""
    sigma: dict[str, Array]
    """Standard deviation of the noise of every component."""
    _transform: Transform
    _masks: dict[str, list[NDArray[np.bool_] | None]]

    @property
    def noise(self) -> dict[str, float]:
        """As a part of the standard deviation of the field."""
        out = {}
        for name, u in self.recording.fields.items():
            spread = float(u.std()) or 1.0
            out[name] = float(np.sqrt(np.mean(self.sigma[name] ** 2))) / spread
        return out

    @property
    def is_noisy(self) -> bool:
        return any(ratio > CLEAN for ratio in self.noise.values())

    def again(self, rng: np.random.Generator) -> Recording:
        """What would have been found with other noise of the same kind on what was found."""
        fields = {}
        for name, u in self.recording.fields.items():
            out = np.empty_like(u)
            for c, mask in enumerate(self._masks[name]):
                noise = rng.normal(size=u[:, c].shape)
                noise *= self.sigma[name][c]
                if mask is not None:
                    noise = self._transform.masked(noise, mask)
                out[:, c] = u[:, c] + noise
            fields[name] = out
        own = self.recording
        return Recording(fields, own.times, own.axes, own.constants, own.source)


def smoothed(
    given: Recording, periodic: Sequence[bool], smooth: bool = True
) -> Smoothed:
    """Every component filtered by itself; without ``smooth`` noise is measured only."""
    transform = Transform(given, periodic)
    fields: dict[str, Array] = {}
    sigma: dict[str, Array] = {}
    masks: dict[str, list[NDArray[np.bool_] | None]] = {}
    for name, u in given.fields.items():
        out = np.empty_like(u)
        masks[name] = []
        sigma[name] = np.zeros(u.shape[1])
        for c in range(u.shape[1]):
            out[:, c], sigma[name][c], mask = transform.filtered(u[:, c])
            if not smooth:
                out[:, c], mask = u[:, c], None
            masks[name].append(mask)
        fields[name] = out
    own = Recording(fields, given.times, given.axes, given.constants, given.source)
    return Smoothed(own, tuple(periodic), sigma, transform, masks)


class Transform:
    """The orthonormal basis of one recording, and bins of similar frequencies."""

    def __init__(self, given: Recording, periodic: Sequence[bool]) -> None:
        dim = given.dim
        self.shape: tuple[int, ...] = (len(given.times), *given.grid)
        self.time: Array = oscillations(given.times)
        # axes of (time, …, x2, x1)
        self.waves: list[int] = [dim - k for k in range(dim) if periodic[k]]
        self.open: dict[int, Array] = {
            dim - k: oscillations(given.axes[k]) for k in range(dim) if not periodic[k]
        }
        bins, fast = self._bins()
        self.bins: NDArray[np.int64] = bins
        self.fast: NDArray[np.bool_] = fast

    def filtered(self, u: Array) -> tuple[Array, float, NDArray[np.bool_] | None]:
        """(u without noise, the standard deviation of the noise, bins that are kept)."""
        coefficients = self._forward(u)
        power = np.abs(coefficients) ** 2
        count = np.bincount(self.bins.ravel())
        mean = np.bincount(self.bins.ravel(), power.ravel()) / np.maximum(count, 1)
        fast = np.unique(self.bins[self.fast])
        variance = float(np.median(mean[fast[count[fast] > 0]]))
        sigma = float(np.sqrt(variance))
        if sigma <= CLEAN * float(u.std()):
            return u, sigma, None
        # a mean of squares of n numbers is uncertain by sqrt(2/n): bins of noise alone are closed for sure
        sure = np.maximum(LEAST, 1 + 3 * np.sqrt(2 / np.maximum(count, 1)))
        mask = mean > sure * variance
        coefficients *= mask[self.bins]
        return self._backward(coefficients), sigma, mask

    def masked(self, u: Array, mask: NDArray[np.bool_]) -> Array:
        coefficients = self._forward(u)
        coefficients *= mask[self.bins]
        return self._backward(coefficients)

    def _forward(self, u: Array) -> NDArray[np.complex128]:
        out = _along(self.time.T, u, 0)
        for axis, basis in self.open.items():
            out = _along(basis.T, out, axis)
        if not self.waves:
            return out.astype(np.complex128)
        axes = [a - 1 for a in sorted(self.waves)]
        halved = list(out.shape)
        halved[max(self.waves)] = halved[max(self.waves)] // 2 + 1
        found = np.empty(halved, dtype=np.complex128)
        for k, frame in enumerate(
            out
        ):  # one by one: all at once takes as much memory again
            found[k] = np.fft.rfftn(frame, axes=axes, norm="ortho")
        return found

    def _backward(self, coefficients: NDArray[np.complex128]) -> Array:
        out = coefficients.real
        if self.waves:
            axes = [a - 1 for a in sorted(self.waves)]
            sizes = [self.shape[a + 1] for a in axes]
            out = np.empty(self.shape)
            for k, frame in enumerate(coefficients):
                out[k] = np.fft.irfftn(frame, s=sizes, axes=axes, norm="ortho")
        for axis, basis in self.open.items():
            out = _along(basis, out, axis)
        return _along(self.time, out, 0)

    def _bins(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        parts = []
        for axis, n in enumerate(self.shape):
            if axis in self.waves:
                own = np.abs(np.fft.fftfreq(n)) * 2
                if axis == max(self.waves):
                    own = np.fft.rfftfreq(n) * 2
            else:
                own = np.arange(n) / max(n - 1, 1)
            shape = [1] * len(self.shape)
            shape[axis] = len(own)
            parts.append(own.reshape(shape))
        space = np.sqrt(sum(p**2 for p in parts[1:]) / max(len(parts) - 1, 1))
        per_shell = max(4, max(self.shape[1:]) // 2)
        shell = np.minimum((space * per_shell).astype(np.int64), per_shell)
        # every slow motion in time is a bin of its own, fast ones are taken together
        n = self.shape[0]
        slot = np.floor(
            np.minimum(np.arange(n), 6 * np.log1p(np.arange(n) / 6))
        ).astype(np.int64)
        index = slot.reshape(-1, *[1] * (len(self.shape) - 1)) * (per_shell + 1) + shell
        fast = (parts[0] > FASTEST) & (space > FASTEST)
        return np.broadcast_to(
            index, np.broadcast_shapes(index.shape)
        ), np.broadcast_to(fast, index.shape)


def oscillations(places: Array) -> Array:
    """An orthonormal basis of functions on ``places``, the slowest first (columns).

    >>> basis = oscillations(np.arange(20.0))
    >>> line = 3.0 + 0.5 * np.arange(20.0)
    >>> bool(np.allclose(basis[:, :3] @ (basis[:, :3].T @ line), line))  # polynomials come first
    True
    """
    n = len(places)
    scale = (places[-1] - places[0]) / (n - 1)
    x = (places - places[0]) / scale
    d = np.eye(n)
    for order in range(1, 4):
        gaps = (x[order:] - x[:-order]) / order
        d = np.diff(d, axis=0) / gaps[:, None]
    basis = np.linalg.eigh(d.T @ d)[1]
    # any basis of what has no third derivative would do for eigh, and machines differ: it is to be that of 1, x, x^2
    basis[:, :3] = np.vander(x / n, min(3, n), increasing=True)
    return np.asarray(np.linalg.qr(basis)[0])


def _along(matrix: Array, u: Array, axis: int) -> Array:
    moved = np.tensordot(matrix, u, axes=(1, axis))
    return np.asarray(np.moveaxis(moved, 0, axis))


def is_periodic(given: Recording) -> tuple[bool, ...]:
    """Along x1, x2, …: whether the last points go on at the first ones as points inside do.

    Second differences across the seam are compared with those inside, in the mean over all lines, times and components.
    """
    out = []
    for k in range(given.dim):
        votes = []
        for u in given.fields.values():
            axis = u.ndim - 1 - k
            ahead, behind = np.roll(u, -1, axis), np.roll(u, 1, axis)
            bend = np.moveaxis((ahead - 2 * u + behind) ** 2, axis, 0)
            mean = bend.reshape(len(bend), -1).mean(axis=1)
            seam = max(mean[0], mean[-1])
            votes.append(bool(seam <= 3 * np.mean(mean[1:-1]) + 1e-300))
        out.append(all(votes))
    return tuple(out)
