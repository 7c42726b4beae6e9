"""Choosing a learning rate: short runs over the grid of a row, judged on validation samples."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from experiments.errors import ExperimentError
from experiments.settings.values import Config, Tuning

SUFFIX = "-rate-"


def candidates(config: Config) -> list[Config]:
    """One for every rate of the grid."""
    tuning = config.tuning
    if not tuning.rates:
        raise ExperimentError(f"{config.table}/{config.name} has no tuning.rates at the scale {config.scale}")
    data = replace(config.data, train=tuning.train, validation=tuning.validation)
    return [
        replace(
            config,
            name=f"{config.name}{SUFFIX}{rate:g}",
            data=data,
            training=replace(config.training, rate=rate, epochs=tuning.epochs, evaluate_every=0),
            tuning=Tuning(),
        )
        for rate in tuning.rates
    ]


def validated(results: Iterable[Mapping[str, Any]], row: str, scale: str, measure: str) -> dict[float, float]:
    """By rate, what the short runs of a row measured on validation samples."""
    found = {}
    for result in results:
        name, _, rate = result["row"].partition(SUFFIX)
        if rate and name == row and result["scale"] == scale and result["measures"][measure] is not None:
            found[float(rate)] = float(result["measures"][measure])
    return found


def best_rate(by_rate: Mapping[float, float]) -> float:
    """The lowest error; of equal ones the smaller rate.

    >>> best_rate({0.1: 3.0, 0.03: 2.0, 0.01: 2.0})
    0.01
    """
    return min(sorted(by_rate), key=lambda rate: by_rate[rate])
