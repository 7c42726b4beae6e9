"""Images that mean nothing, of which tests need no better ones: each class has a blob and a stripe of its own."""

from __future__ import annotations

import numpy as np
import torch

from experiments.data.samples import Samples
from experiments.settings.values import Data

CLASSES = 10


def images(data: Data, seed: int, channels: int) -> Samples:
    """The same test images for all seeds, other training images for each."""
    train = _batch(np.random.default_rng([1, seed]), data.train, data.size, channels)
    test = _batch(np.random.default_rng(0), data.test, data.size, channels)
    return Samples(*train, *test)


def _batch(random: np.random.Generator, count: int, size: int, channels: int) -> tuple[torch.Tensor, torch.Tensor]:
    labels = np.arange(count) % CLASSES
    y, x = np.mgrid[-1 : 1 : size * 1j, -1 : 1 : size * 1j]
    radius, angle = np.hypot(x, y), random.uniform(0, 2 * np.pi, count)
    waves = np.cos((labels[:, None, None] + 1) * (np.cos(angle)[:, None, None] * x + np.sin(angle)[:, None, None] * y))
    images = (waves * np.exp(-3 * radius**2))[:, None] + 0.1 * random.standard_normal((count, channels, size, size))
    return torch.from_numpy(images).float(), torch.from_numpy(labels).long()
