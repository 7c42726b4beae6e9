"""Data: files in their formats, and what is done to batches."""

from __future__ import annotations

import io
import math
from pathlib import Path

import numpy as np
import pytest
import torch

from experiments.data import cifar, mnist, stl10
from experiments.data.augment import augmented, cropped, cut_out, rotated, turned
from experiments.data.samples import Stored
from experiments.data.sets import samples
from experiments.errors import ExperimentError, MissingDataError
from experiments.settings.values import Data
from pdobasis import field_type, group
from pdobasis.errors import UnknownNameError
from pdobasis.nn import transform


def test_an_idx_file_has_its_lengths_in_front() -> None:
    assert mnist.idx(bytes([0, 0, 8, 2, 0, 0, 0, 2, 0, 0, 0, 3, *range(6)])).tolist() == [[0, 1, 2], [3, 4, 5]]
    with pytest.raises(MissingDataError, match="no IDX file"):
        mnist.idx(b"\x1f\x8b\x08")


def test_stl10_has_columns_before_rows_and_labels_from_one(tmp_path: Path) -> None:
    """Made by hand: the first channel of the first image counts its rows, which lie one byte apart in the file."""
    folder = tmp_path / stl10.FOLDER
    folder.mkdir()
    image = np.zeros((3, 96, 96), np.uint8)
    image[0] = np.arange(96)[:, None]  # row r has the value r
    image[2, 0, 5] = 200  # row 0, column 5
    content = b"".join(channel.T.tobytes() for channel in image)  # column after column
    assert content[:3] == bytes([0, 1, 2])
    for part, count in (("train", 4), ("test", 2)):
        (folder / f"{part}_X.bin").write_bytes(content * count)
        (folder / f"{part}_y.bin").write_bytes(bytes([10, 1, 2, 3][:count]))
    found = samples(Data("stl10", train=4, test=2, size=96), 0, tmp_path)
    assert (found.x.shape, sorted(found.y.tolist()), found.y_test.tolist()) == ((4, 3, 96, 96), [0, 1, 2, 9], [9, 0])
    pixels = found.x_test[0] * stl10.DEVIATION + stl10.MEAN
    assert torch.allclose(pixels[0, :, 7] * 255, torch.arange(96.0), atol=1e-3)
    assert round(float(pixels[2, 0, 5]) * 255) == 200


def test_stl10_refuses_what_is_none(tmp_path: Path) -> None:
    with pytest.raises(MissingDataError, match=r"train_X\.bin is missing: unpack"):
        samples(Data("stl10"), 0, tmp_path)
    with pytest.raises(ExperimentError, match="no whole number of images"):
        stl10.images(b"123", "x")
    with pytest.raises(ExperimentError, match="labels are 1 to 10, got 0 to 3"):
        stl10.labels(bytes([0, 3]), "y")


def test_a_row_of_a_picture_is_an_image() -> None:
    image_module = pytest.importorskip("PIL.Image")
    pixels = np.random.default_rng(0).integers(0, 256, (2, 1024, 3), dtype=np.uint8)
    buffer = io.BytesIO()
    image_module.fromarray(pixels).save(buffer, "PNG")
    found = cifar.images(buffer.getvalue())
    assert found.shape == (2, 3, 32, 32)
    assert found[1, 2, 3, 4] == pixels[1, 3 * 32 + 4, 2]


def test_seeds_choose_training_images_and_tests_stay(tmp_path: Path) -> None:
    random = np.random.default_rng(0)
    images = random.integers(0, 256, (30, 28, 28), dtype=np.uint8)
    labels = (np.arange(30) % 10).astype(np.uint8)
    mnist.keep(mnist.file(tmp_path), Stored(images, labels, images[:8], labels[:8]))
    first, second = (samples(Data("mnist_rot", train=10, test=8), seed, tmp_path) for seed in (0, 1))
    assert not torch.equal(first.x, second.x)
    assert torch.equal(first.x_test, second.x_test)
    tuned = samples(Data("mnist_rot", train=10, test=8, validation=5), 0, tmp_path)
    longer = samples(Data("mnist_rot", train=15, test=8), 0, tmp_path)
    assert torch.equal(torch.cat([tuned.x, tuned.x_test]), longer.x), "never the test images"
    with pytest.raises(ExperimentError, match="31 training images are asked for, there are 30"):
        samples(Data("mnist_rot", train=31, test=8), 0, tmp_path)
    with pytest.raises(MissingDataError, match="run python -m experiments fetch mnist_rot --cache"):
        samples(Data("mnist_rot"), 0, tmp_path / "none")
    with pytest.raises(UnknownNameError, match="did you mean mnist_rot"):
        samples(Data("mnist_rott"), 0, tmp_path)


def test_upright_digits_lie_in_the_middle_of_black(tmp_path: Path) -> None:
    images = np.random.default_rng(0).integers(0, 256, (6, 28, 28), dtype=np.uint8)
    labels = np.arange(6, dtype=np.uint8)
    mnist.keep(mnist.upright_file(tmp_path), Stored(images, labels, images, labels))
    wide, narrow = (samples(Data("mnist", train=4, test=6, size=size), 0, tmp_path) for size in (30, 28))
    assert torch.equal(wide.x_test[:, :, 1:-1, 1:-1], narrow.x_test)
    edge = wide.x_test.clone()
    edge[:, :, 1:-1, 1:-1] = edge[0, 0, 0, 0]
    assert (edge * mnist.DEVIATION + mnist.MEAN).abs().max() < 1e-6, "zero bytes"
    with pytest.raises(ExperimentError, match="is 28, 30, 32, …, got 27"):
        samples(Data("mnist", size=27), 0, tmp_path)


def test_an_enlarged_digit_is_the_same_digit() -> None:
    y, x = np.mgrid[-1:1:28j, -1:1:28j]
    image = (200 * np.exp(-4 * (x**2 + (y - 0.3) ** 2))).astype(np.uint8)
    large = mnist.enlarged(image[None], 56)[0]
    means = large.reshape(28, 2, 28, 2).mean((1, 3))
    assert np.abs(means - image).max() < 3


def test_quarter_turns_are_those_of_the_fields() -> None:
    """As `transform` of the layers has them: scalars, and a vector whose components turn with it."""
    torch.manual_seed(0)
    fields = field_type("vector + trivial", group("C4"))
    y = torch.randn(4, 3, 6, 6)
    found = turned(y, torch.arange(4), 0)
    for k in range(4):
        assert torch.allclose(found[k : k + 1], transform(y[k : k + 1], k, fields), atol=1e-6)
    x = torch.randn(4, 2, 6, 6)
    scalars = field_type("2xtrivial", group("C4"))
    assert torch.equal(turned(x, torch.arange(4), 2)[1], transform(x, 1, scalars)[1])


def test_rotations_by_quarter_turns_are_exact() -> None:
    x = torch.rand(1, 1, 8, 8)
    once = rotated(x, torch.tensor([math.pi / 2]))
    assert torch.allclose(once, x.rot90(1, (2, 3)), atol=1e-5) or torch.allclose(once, x.rot90(-1, (2, 3)), atol=1e-5)
    assert torch.allclose(rotated(x, torch.tensor([0.0])), x, atol=1e-6)


def test_crops_and_cutouts() -> None:
    x = torch.rand(2, 1, 4, 4)
    assert torch.equal(cropped(x, 1, torch.tensor([[1, 1], [1, 1]])), x)
    assert torch.equal(cropped(x, 1, torch.tensor([[0, 1], [1, 1]]))[0, :, 1:], x[0, :, :3])
    hidden = cut_out(torch.ones(1, 1, 6, 6), 2, torch.tensor([[3], [0]]))
    assert int((hidden == 0).sum()) == 2, "a square of 2x2 around row 3, column 0, half of it outside"
    assert (hidden[0, 0, 2:4, 0] == 0).all()


def test_the_same_draw_gives_the_same_batch() -> None:
    data = Data("cifar10", rotation=True, crop=2, flip=True, cutout=3)
    x, y = torch.rand(6, 3, 8, 8), torch.arange(6)
    first, second = (augmented(x, y, data, torch.Generator().manual_seed(5))[0] for _ in range(2))
    assert torch.equal(first, second)
    assert not torch.equal(first, augmented(x, y, data, torch.Generator().manual_seed(6))[0])
