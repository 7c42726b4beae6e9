"""Files: one reader and writer for each format; whole or not at all."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from pdobasis.answer.basis import Basis
    from pdobasis.files.stencil_file import StencilFile


def load_stencils(path: str | Path) -> StencilFile:
    """The contents of a stencil file: .stencils, .orders, .coefficients, .monomials, .meta."""
    from pdobasis.files.formats import load

    return load(path)


def export_stencils(
    basis: Basis, path: str | Path, method: str = "gauss", size: int = 5, *, format: str | None = None, **options: Any
) -> None:
    """Write the stencils of a basis; the format is that of the name (.npz, .safetensors, .json, .pt, .py, .tex)."""
    from pdobasis.files.formats import save
    from pdobasis.files.stencil_file import contents
    from pdobasis.stencils.sampled import sample

    save(contents(basis, sample(basis, method, size, **options)), path, format)
