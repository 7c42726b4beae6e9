"""A flow beside its prediction, as in the paper's figure: truth, prediction, error; and how equivariant it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import torch

from experiments.data.sets import samples
from experiments.errors import MissingDataError
from experiments.settings.values import Config
from experiments.training.fit import trained
from experiments.training.folder import folder_of
from pdobasis.nn import check_equivariance
from pdobasis.nn.models import UNet

ROWS = ("velocity along x1", "velocity along x2", "pressure")


def flow_picture(config: Config, seed: int, runs: Path, cache: Path, path: Path) -> float | None:
    """Write the picture of the first test sample; the equivariance error of the trained network under quarter turns."""
    import matplotlib

    matplotlib.use("agg")
    import matplotlib.pyplot as plt

    folder = folder_of(runs, config, seed)
    if folder.result is None:
        raise MissingDataError(f"{folder.path} is not finished: run {config.table}/{config.name}.yaml first")
    model = trained(config, seed, folder)
    data = samples(config.data, seed, cache)
    with torch.no_grad():
        answer = model(data.x_test[:1])[0].numpy()
    truth = data.y_test[0].numpy()
    figure, axes = plt.subplots(3, 3, figsize=(6, 6))
    for k, name in enumerate(ROWS):
        limit = float(np.abs(truth[k]).max())
        for place, field in zip(axes[k], (truth[k], answer[k], answer[k] - truth[k]), strict=True):
            place.imshow(field, origin="lower", cmap="RdBu_r", vmin=-limit, vmax=limit)
            place.set(xticks=[], yticks=[])
        axes[k][0].set_ylabel(name)
    for place, title in zip(axes[0], ("truth", "prediction", "error"), strict=True):
        place.set_title(title)
    figure.savefig(path, dpi=80, bbox_inches="tight", metadata={"Software": None})
    plt.close(figure)
    if not isinstance(model, UNet):
        return None
    return float(check_equivariance(model, model.in_type, model.out_type, size=config.data.size, tolerance=1.0).error)
