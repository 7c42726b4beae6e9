"""STL-10 in its binary format: bytes of images, three channels, each column after column; labels from 1 on.

train_X.bin, train_y.bin, test_X.bin and test_y.bin lie in the folder stl10_binary of the cache, as the archive of the
data set has them. They are not fetched here.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.data.samples import CACHE, Samples, Stored, chosen
from experiments.errors import ExperimentError, MissingDataError
from experiments.settings.values import Data

FOLDER = "stl10_binary"
SIZE, CHANNELS, CLASSES = 96, 3, 10
MEAN, DEVIATION = 0.4257, 0.2656
"""Of the pixels of the labelled images, all channels together."""


def samples(data: Data, seed: int, cache: Path = CACHE) -> Samples:
    folder = cache / FOLDER
    parts = [_pair(folder, part) for part in ("train", "test")]
    return chosen(Stored(*parts[0], *parts[1]), data.train, data.test, seed, MEAN, DEVIATION)


def images(content: bytes, where: str) -> NDArray[np.uint8]:
    """(n, 3, rows, columns): in the file columns come before rows."""
    each = CHANNELS * SIZE * SIZE
    if not content or len(content) % each:
        raise ExperimentError(f"{where}: {len(content)} bytes are no whole number of images of {each}")
    return np.frombuffer(content, np.uint8).reshape(-1, CHANNELS, SIZE, SIZE).transpose(0, 1, 3, 2).copy()


def labels(content: bytes, where: str) -> NDArray[np.uint8]:
    found = np.frombuffer(content, np.uint8)
    if len(found) and (found.min() < 1 or found.max() > CLASSES):
        raise ExperimentError(f"{where}: labels are 1 to {CLASSES}, got {found.min()} to {found.max()}")
    return found - np.uint8(1)


def _pair(folder: Path, part: str) -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    paths = folder / f"{part}_X.bin", folder / f"{part}_y.bin"
    for path in paths:
        if not path.exists():
            raise MissingDataError(f"{path} is missing: unpack the binary files of STL-10 into {folder}")
    found = images(paths[0].read_bytes(), str(paths[0])), labels(paths[1].read_bytes(), str(paths[1]))
    if len(found[0]) != len(found[1]):
        raise ExperimentError(f"{paths[0]} has {len(found[0])} images, {paths[1]} {len(found[1])} labels")
    return found
