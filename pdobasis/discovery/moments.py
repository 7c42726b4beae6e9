r"""Second moments of columns, tile by tile, and what noise adds to them.

Products of noisy fields make noisy columns, and least squares then finds coefficients that are too small. With the
moments $G = X^T X$ of columns (the target last) and $N = E[\delta X^T \delta X]$ of their noise, known from noise of
the same size put on smoothed fields once more, $G - N$ are those without noise.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pdobasis.discovery.columns import Columns
from pdobasis.discovery.recording import Array

FLOOR = 1e-4
"""Columns are believed to this part of themselves at most: quadrature, time steps of whoever made the data."""


@dataclass(frozen=True, eq=False)
class Moments:
    """``gram`` and ``noise`` (tiles, terms + 1, terms + 1); ``rows`` of independent test functions, roughly."""

    gram: Array
    noise: Array
    rows: float

    @property
    def size(self) -> int:
        """The number of terms."""
        return int(self.gram.shape[-1]) - 1

    def total(self, tiles: Sequence[int] | NDArray[np.int64] | None = None) -> Total:
        """Summed over some tiles, columns scaled to length 1."""
        gram, noise = self.gram, self.noise
        share = 1.0
        if tiles is not None:
            gram, noise = gram[tiles], noise[tiles]
            share = len(tiles) / len(self.gram)
        g, n = gram.sum(axis=0), noise.sum(axis=0)
        lengths = np.sqrt(np.maximum(np.diag(g), 1e-300))
        scale = np.outer(lengths, lengths)
        own = n / scale + FLOOR**2 * np.eye(len(g))
        return Total(g / scale, own, lengths, share * self.rows)

    def joined(self, other: Moments) -> Moments:
        """Tiles of two recordings."""
        return Moments(
            np.concatenate([self.gram, other.gram]),
            np.concatenate([self.noise, other.noise]),
            self.rows + other.rows,
        )


@dataclass(frozen=True, eq=False)
class Total:
    """Moments of columns of length 1, the target last."""

    gram: Array
    noise: Array
    lengths: Array
    rows: float

    @property
    def size(self) -> int:
        return len(self.lengths) - 1


def moments(
    own: Columns, noisy: Iterable[Columns], pieces: Sequence[int], rows: float
) -> Moments:
    """From columns, and the same with more noise, several times; of ``noisy`` one is held at a time."""
    count = int(np.prod([min(a, b) for a, b in zip(own.places, pieces, strict=True)]))
    noise = np.zeros((count, own.width, own.width))
    made = 0
    for other in noisy:
        made += 1
        for b, (tile, again) in enumerate(
            zip(own.tiles(pieces), other.tiles(pieces), strict=True)
        ):
            more = again - tile
            noise[b] += more.T @ more
        del other  # before the next one is made
    noise /= max(made, 1)
    gram = np.empty_like(noise)  # only now, when no other columns are held
    for b, tile in enumerate(own.tiles(pieces)):
        gram[b] = tile.T @ tile
    return Moments(gram, noise, rows)
