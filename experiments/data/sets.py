"""The kinds of data by name: a new kind is one function, and one line in the list."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

from experiments.data import cifar, flows, made, mnist, stl10
from experiments.data.samples import CACHE, Samples
from experiments.errors import ExperimentError
from experiments.settings.values import Data
from pdobasis.errors import UnknownNameError

Source = Callable[[Data, int, Path], Samples]


@dataclass(frozen=True, slots=True)
class Kind:
    """``fetch`` gets the data once, where that is possible; ``sha256`` is that of the arrays it should give."""

    channels: int
    fetched: Source
    made: Source
    fetch: Callable[[Path], tuple[Path, str]] | None = None
    sha256: str = ""


def _images(channels: int) -> Source:
    return lambda data, seed, cache: made.images(data, seed, channels)


KINDS: dict[str, Kind] = {
    "mnist_rot": Kind(1, mnist.samples, _images(1), mnist.fetch, mnist.SHA256),
    "mnist": Kind(1, mnist.upright_samples, _images(1), mnist.fetch_upright, mnist.UPRIGHT_SHA256),
    "cifar10": Kind(3, cifar.samples, _images(3), cifar.fetch, cifar.SHA256),
    "stl10": Kind(3, stl10.samples, _images(3)),
    "flow": Kind(flows.CHANNELS, flows.samples, flows.made),
}


def kind(name: str) -> Kind:
    if name not in KINDS:
        raise UnknownNameError("data", name, KINDS)
    return KINDS[name]


def samples(data: Data, seed: int, cache: Path = CACHE) -> Samples:
    """What a run with this seed learns from and is tested on."""
    found = kind(data.kind)
    if data.source not in ("fetched", "made"):
        raise ExperimentError(f"data.source is fetched or made, got {data.source!r}")
    # Validation samples are some of those that could be learned from: a run never tunes on its test.
    source = found.made if data.source == "made" else found.fetched
    if not data.validation:
        return source(data, seed, cache)
    more = replace(data, train=data.train + data.validation, validation=0)
    return source(more, seed, cache).validated(data.train, data.validation)
