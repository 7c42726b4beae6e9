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


def validated(results: Iterable[Mapping[str, Any]], config: Config, measure: str) -> dict[float, float | None]:
    """By rate, what the short runs of a row measured on validation samples; those of another recipe are not its.

    None is for a run that diverged.
    """
    if not config.tuning.rates:
        return {}
    rates = {(one.name, one.digest): one.training.rate for one in candidates(config)}
    known = ((rates.get((line["row"], line["digest"])), line) for line in results)
    return {rate: line["measures"][measure] for rate, line in known if rate is not None}


def best_rate(by_rate: Mapping[float, float | None]) -> float:
    """The lowest error; of equal ones the smaller rate; none that diverged.

    >>> best_rate({0.1: 3.0, 0.03: 2.0, 0.01: 2.0, 0.3: None})
    0.01
    """
    ended = {rate: error for rate, error in sorted(by_rate.items()) if error is not None}
    return min(ended, key=lambda rate: ended[rate])
