"""Where the pictures of the solvers go: docs/solvers, as small PNG files."""

from __future__ import annotations

from pathlib import Path
from typing import Any

FOLDER = Path(__file__).resolve().parent.parent / "docs" / "solvers"


def new(columns: int, width: float = 4.0, height: float = 3.6, **options: Any) -> tuple[Any, Any]:
    """A figure with so many panels beside each other."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width * columns, height), layout="constrained")
    return figure, figure.subplots(1, columns, squeeze=False, **options)[0]


def save(figure: Any, name: str) -> None:
    """With a palette of 128 colours, which is a third of the size."""
    import io

    from PIL import Image

    FOLDER.mkdir(exist_ok=True)
    buffer = io.BytesIO()
    figure.savefig(buffer, dpi=90, format="png")
    Image.open(buffer).convert("RGB").quantize(128).save(FOLDER / name, optimize=True)
    print(f"wrote docs/solvers/{name}")
