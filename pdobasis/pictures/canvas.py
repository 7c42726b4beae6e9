"""A figure of matplotlib that shows itself in a notebook, and gives the same bytes for the same picture."""

from __future__ import annotations

import io
from typing import Any

from matplotlib import rc_context
from matplotlib.figure import Figure

_NO_DATES: dict[str, dict[str, None]] = {
    "png": {},
    "svg": {"Date": None},
    "pdf": {"CreationDate": None},
}
"""What matplotlib would otherwise write into a file, and another time otherwise."""


class Picture(Figure):
    """Made without pyplot: no window opens, and no list of open figures keeps it."""

    def __init__(self, width: float, height: float) -> None:
        super().__init__(figsize=(width, height), layout="constrained")

    def savefig(self, fname: Any, **options: Any) -> None:
        """As matplotlib does, with room for long titles."""
        super().savefig(fname, **{"bbox_inches": "tight", **options})

    def data(self, format: str = "png", dpi: int = 150) -> bytes:
        """The picture as a file."""
        stream = io.BytesIO()
        # names of parts of an SVG that do not change from run to run
        with rc_context({"svg.hashsalt": "pdobasis"}):
            self.savefig(
                stream,
                format=format,
                dpi=dpi,
                metadata=_NO_DATES[format],
            )
        return stream.getvalue()

    def _repr_png_(self) -> bytes:
        return self.data(dpi=100)


def without_ticks(axis: Any) -> None:
    """A panel whose numbers would say nothing, in a thin frame."""
    axis.set_xticks([])
    axis.set_yticks([])
    for spine in axis.spines.values():
        spine.set_linewidth(0.5)
        spine.set_color("0.6")
