"""Digits at any angle: the 8x8 digits of the example, and MNIST with 28x28 pixels."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

from torch import Tensor

from benchmarks.training.setting import MAXIMA, Setting
from examples import digits_rotated
from experiments.data import mnist
from experiments.data.samples import CACHE, chosen, load

TESTED = 2_000
"""The first of the test digits, the same for all runs."""


@dataclass(frozen=True, slots=True, eq=False)
class Digits:
    """Images (n, 1, size, size) and labels, to learn from and to be tested on."""

    x: Tensor
    y: Tensor
    x_test: Tensor
    y_test: Tensor


def digits(setting: Setting, cache: Path = CACHE) -> Digits:
    """The same for all settings with the same task, seed and number of images."""
    if setting.task in ("digits", MAXIMA):
        found = _small(setting.seed)
    else:
        found = _large(setting.seed, cache)
    return Digits(found.x[: setting.images], found.y[: setting.images], found.x_test, found.y_test)


@lru_cache(maxsize=4)
def _small(seed: int) -> Digits:
    return Digits(*digits_rotated.data(seed))


@lru_cache(maxsize=4)
def _large(seed: int, cache: Path) -> Digits:
    stored = load(mnist.file(cache), "python -m benchmarks.training fetch")
    found = chosen(stored, len(stored.images), min(TESTED, len(stored.images_test)), seed, mnist.MEAN, mnist.DEVIATION)
    return Digits(found.x, found.y, found.x_test, found.y_test)
