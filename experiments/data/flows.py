"""Samples of flows: solved once, kept in the cache, and taken from there."""

from __future__ import annotations

import tempfile
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray

from experiments.data.augment import turned
from experiments.data.samples import CACHE, Samples
from experiments.flow.channel import geometry
from experiments.flow.channel import samples as solved
from experiments.settings.values import Data

CHANNELS = 3
Floats = NDArray[np.float64]


def samples(data: Data, seed: int, cache: Path = CACHE) -> Samples:
    """The first are for tests, the next for training; a seed puts these in another order, and takes some of them."""
    count = data.test + data.train
    x, y = _stored(data.size, count, cache)
    order = np.random.default_rng(seed).permutation(len(x) - data.test)[: data.train] + data.test
    both = [torch.from_numpy(a).float() for a in (x, y)]
    tests = both[0][: data.test], both[1][: data.test]
    if data.quarter_turns:
        # Training samples are turned anew in every epoch, tests once for all.
        turns = torch.randint(4, (data.test,), generator=torch.Generator().manual_seed(0))
        tests = turned(tests[0], turns, CHANNELS), turned(tests[1], turns, 0)
    return Samples(both[0][order], both[1][order], *tests)


def made(data: Data, seed: int, cache: Path = CACHE) -> Samples:
    """Fields that mean nothing, of the right shapes."""
    geometry(data.size)
    draw = torch.Generator().manual_seed(seed)
    fixed = torch.Generator().manual_seed(0)
    shape = CHANNELS, data.size, data.size
    parts = [torch.randn(n, *shape, generator=g) for n, g in ((data.train, draw), (data.test, fixed))]
    return Samples(parts[0], 0.5 * parts[0].flip(1), parts[1], 0.5 * parts[1].flip(1))


def _stored(size: int, count: int, cache: Path) -> tuple[Floats, Floats]:
    """As many as are asked for; those that are missing are solved first, and kept."""
    cache.mkdir(parents=True, exist_ok=True)
    path = cache / f"flows_{size}.npz"
    x, y = np.zeros((0, CHANNELS, size, size)), np.zeros((0, CHANNELS, size, size))
    if path.exists():
        with np.load(path, allow_pickle=False) as stored:
            x, y = stored["inputs"], stored["outputs"]
    if len(x) < count:
        more = solved(range(len(x), count), size)
        x, y = np.concatenate([x, more[0]]), np.concatenate([y, more[1]])
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            part = Path(folder) / path.name
            np.savez_compressed(part, inputs=x, outputs=y)
            part.rename(path)
    return x[:count], y[:count]
