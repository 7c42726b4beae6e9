"""The files of this folder: python tests/data/make.py (once for each version of the format; they are never changed)."""

from pathlib import Path

import pdobasis
from pdobasis.files import export_stencils

if __name__ == "__main__":
    basis = pdobasis.solve("D4", "trivial", "vector", order=2)
    for suffix in ("npz", "json", "safetensors"):
        export_stencils(basis, Path(__file__).parent / f"version1.{suffix}", "fd", 3)
