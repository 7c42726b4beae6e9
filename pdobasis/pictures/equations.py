"""How well an equation fits: ∂_t as it was measured against what the equation says, and a forecast next to the data."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from pdobasis.discovery.forecast import Forecast
from pdobasis.discovery.recording import Array
from pdobasis.discovery.result import Equation
from pdobasis.pictures.canvas import Picture


def draw_fit(
    found: Equation, sides: tuple[Array, Array], ahead: Forecast | None
) -> Picture:
    """``sides``: the target and the right-hand side on the same rows; ``ahead``: a forecast of held-out frames."""
    columns = 1 if ahead is None else 5
    picture = Picture(3.2 * columns, 3.4)
    axes = np.atleast_1d(picture.subplots(1, columns))
    _draw_sides(axes[0], *sides)
    title = found.text if len(found.text) < 110 else found.text[:107] + "…"
    picture.suptitle(title, fontsize=9, parse_math=False)
    if ahead is None:
        return picture
    u, data = ahead.fields[found.target], ahead.data[found.target]
    flat = (0,) * (u.ndim - 4)
    last = len(u) - 1
    shown = [data[(0, 0, *flat)], data[(last, 0, *flat)], u[(last, 0, *flat)]]
    words = ("data, first", "data, last", "forecast, last")
    limit = float(np.abs(data[:, 0]).max()) or 1.0
    low = -limit if data[:, 0].min() < 0 else 0.0
    for axis, frame, word in zip(axes[1:4], shown, words, strict=True):
        time = ahead.times[0] if word.endswith("first") else ahead.times[last]
        if frame.ndim == 1:
            axis.plot(frame)
        else:
            axis.imshow(frame, origin="lower", vmin=low, vmax=limit, cmap=_map(low))
            axis.set_xticks([])
            axis.set_yticks([])
        axis.set_title(f"{word}: t = {time:.3g}", fontsize=8)
    axes[4].plot(ahead.times, ahead.error)
    axes[4].set_xlabel("t")
    axes[4].set_title("error of the forecast / spread", fontsize=8)
    axes[4].set_ylim(bottom=0)
    return picture


def _map(low: float) -> str:
    return "RdBu_r" if low < 0 else "viridis"


def _draw_sides(axis: Any, target: Array, said: Array) -> None:
    rng = np.random.default_rng(0)
    some: Sequence[int] | slice = slice(None)
    if len(target) > 3000:
        some = rng.permutation(len(target))[:3000].tolist()
    limit = float(np.abs(target).max()) or 1.0
    axis.plot([-limit, limit], [-limit, limit], color="0.6", lw=0.8)
    axis.plot(said[some], target[some], ".", ms=2)
    axis.set_xlabel("right-hand side")
    axis.set_title("∂_t against the equation, integrated", fontsize=8)
