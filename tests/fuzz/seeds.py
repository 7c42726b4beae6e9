"""Small good files of every format that is read, to be damaged."""

from __future__ import annotations

import io
import tempfile
from functools import cache
from pathlib import Path

import numpy as np

import pdobasis
from pdobasis.atlas.answering import answer_all
from pdobasis.atlas.questions import Question
from pdobasis.atlas.store import Store
from pdobasis.files.formats import to_bytes
from pdobasis.files.json_file import dump
from pdobasis.files.module_file import dump_module
from pdobasis.files.stencil_file import StencilFile, contents
from pdobasis.nonlinear.file import dump_terms
from pdobasis.stencils.sampled import sample

YAML = {
    "group": b"name: mine\ndim: 2\ngenerators:\n  r: [[0, -1], [1, 0]]\n  f: [[1, 0], [0, -1]]\n",
    "lie": b"name: turns\nlie:\n  - [[0, -1], [1, 0]]\n",
}
SWEEP = b"sweep:\n  - groups: [C2, C1]\n    in: irreps\n    out: [trivial]\n    order: [0, 1]\n    dim: 2\n"
JSON = ("basis", "plain basis", "module", "terms")
"""Those that are JSON without stencils."""


@cache
def seeds() -> dict[str, bytes]:
    """By format."""
    basis = pdobasis.solve("D4", "trivial", "vector + trivial", 2)
    stencils = contents(basis, sample(basis, "fd", 3, spacing="1/2"))
    own = pdobasis.solve("C4", "vector", "vector", 1)
    out = {
        "basis": dump(basis, with_witness=True).encode(),
        "plain basis": dump(own).encode(),
        "module": dump_module(pdobasis.all_orders("D3", "trivial", "vector"), with_witness=True).encode(),
        "terms": dump_terms(pdobasis.terms("C2", {"u": "vector"}, "trivial", degree=2, derivatives=1)).encode(),
        "npz": to_bytes(stencils, "npz"),
        "json": to_bytes(stencils, "json"),
        "kernel": to_bytes(_kernel(), "npz"),
        "staggered": to_bytes(_staggered(), "json"),
    }
    for name in ("safetensors", "pt"):
        try:
            out[name] = to_bytes(stencils, name)
        except pdobasis.errors.MissingExtraError:
            continue
    return out


def _kernel() -> StencilFile:
    basis = pdobasis.solve("C4", "trivial", "vector", 2, kernel=True)
    return contents(basis, sample(basis, "kernel", 5))


def _staggered() -> StencilFile:
    basis = pdobasis.solve("D4", "trivial", "vector", 1)
    return contents(basis, sample(basis, "fd", 3, out_offsets=[("1/2", 0), (0, "1/2")]))


@cache
def recording() -> bytes:
    """A wave, as a field over time."""
    times, places = np.linspace(0, 1, 12), np.arange(16) / 16
    u = np.cos(2 * np.pi * (places[None, :] - times[:, None]))
    stream = io.BytesIO()
    np.savez(stream, u=u, t=times, x1=places)
    return stream.getvalue()


@cache
def atlas() -> dict[str, bytes]:
    """The files of a small one: a basis, a module, a failure."""
    questions = [Question("C2", "trivial", "vector", order) for order in (1, None)]
    with tempfile.TemporaryDirectory() as folder:
        Store(folder).add(answer_all([*questions, Question("C2", "trivial", "nonsense")]))
        files = [path for path in Path(folder).rglob("*") if path.is_file()]
        return {str(path.relative_to(folder)): path.read_bytes() for path in files}
