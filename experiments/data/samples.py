"""What a network learns from and is tested on."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from experiments.errors import ExperimentError, MissingDataError

CACHE = Path.home() / ".cache" / "pdobasis"
TRAIN_PARTS = ("images", "labels")
TEST_PARTS = ("images_test", "labels_test")


@dataclass(frozen=True, slots=True, eq=False)
class Samples:
    """Inputs (n, channels, height, width) and what belongs to them: labels (n,) or fields (n, channels, …)."""

    x: Tensor
    y: Tensor
    x_test: Tensor
    y_test: Tensor

    def validated(self, train: int, validation: int) -> Samples:
        """The first for training, the following in place of the test samples."""
        if train + validation > len(self.x):
            raise ExperimentError(f"{train} + {validation} samples are asked for, there are {len(self.x)}")
        end = train + validation
        return Samples(self.x[:train], self.y[:train], self.x[train:end], self.y[train:end])


@dataclass(frozen=True, slots=True, eq=False)
class Stored:
    """Images of bytes with their labels, as they are kept in a file."""

    images: NDArray[np.uint8]
    labels: NDArray[np.uint8]
    images_test: NDArray[np.uint8]
    labels_test: NDArray[np.uint8]


def load(path: Path, command: str) -> Stored:
    if not path.exists():
        raise MissingDataError(f"{path} is missing: run {command} --cache {path.parent}")
    return _read(path, path.stat().st_mtime_ns)


@lru_cache(maxsize=1)
def _read(path: Path, stamp: int) -> Stored:
    """Unpacked once for all runs of a process; ``stamp`` tells a file that was written anew."""
    with np.load(path, allow_pickle=False) as stored:
        return Stored(*(stored[name] for name in (*TRAIN_PARTS, *TEST_PARTS)))


def chosen(stored: Stored, train: int, test: int, seed: int, mean: float, deviation: float) -> Samples:
    """So many training images by chance, and the first test images, with pixels of mean 0 and deviation 1."""
    for wanted, there, what in ((train, stored.images, "training"), (test, stored.images_test, "test")):
        if wanted > len(there):
            raise ExperimentError(f"{wanted} {what} images are asked for, there are {len(there)}")
    order = np.random.default_rng(seed).permutation(len(stored.images))[:train]

    def pixels(images: NDArray[np.uint8]) -> Tensor:
        found = (torch.from_numpy(images).float() / 255 - mean) / deviation
        return found if found.ndim == 4 else found.unsqueeze(1)

    return Samples(
        pixels(stored.images[order]),
        torch.from_numpy(stored.labels[order]).long(),
        pixels(stored.images_test[:test]),
        torch.from_numpy(stored.labels_test[:test]).long(),
    )
