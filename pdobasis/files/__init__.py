"""Files: one module for each format, with its writer, its reader and how it is recognised; whole or not at all.

`stencil_file` is what every stencil file holds, `stencil_meta` its meta data, `stencil_proof` proves it again;
`json_file` holds a basis. `formats` lists the formats and chooses one.

What comes in: bases and stencils to be written; bytes that nobody vouches for, which are checked before they are
unpacked and proved before they are believed. What goes out: bytes, `StencilFile`, `Basis`. This room may call stencils,
proof and everything below; no other library's exception leaves it. torch is imported in `pt` alone, when it is called.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Unpack

if TYPE_CHECKING:
    from pathlib import Path

    from pdobasis.answer.basis import Basis
    from pdobasis.files.stencil_file import StencilFile
    from pdobasis.stencils.keywords import StencilKeywords


def load_stencils(path: str | Path) -> StencilFile:
    """The contents of a stencil file: .stencils, .orders, .coefficients, .monomials, .meta."""
    from pdobasis.files.formats import load

    return load(path)


def export_stencils(
    basis: Basis,
    path: str | Path,
    method: str = "gauss",
    size: int = 5,
    *,
    format: str | None = None,
    **options: Unpack[StencilKeywords],
) -> None:
    """Write the stencils of a basis; the format is that of the name (.npz, .safetensors, .json, .pt, .py, .tex)."""
    from pdobasis.files.formats import save
    from pdobasis.files.stencil_file import contents
    from pdobasis.stencils.sampled import sample

    save(contents(basis, sample(basis, method, size, **options)), path, format)
