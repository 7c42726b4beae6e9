"""What is written is what is read, in every format, by this package and by the tools the formats are for."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.files import export_stencils, load_stencils
from pdobasis.files.stencil_file import ARRAYS, StencilFile

FORMATS = ("npz", "safetensors", "json", "pt")
QUESTIONS = [
    ("D8", "regular", "trivial", 2, "gauss", {"size": 5, "sigma": 1.3}),
    ("D4", "trivial", "vector", 2, "fd", {"size": (3, 5), "spacing": ("1/2", "1/3"), "layout": "image"}),
    ("C4", "vector", "vector", 2, "kernel", {"size": 5}),
    ("C4", "trivial", "trivial", 3, "rbffd", {"size": 5, "phi": "phs5", "dilation": 2}),
    ("D4", "vector", "trivial", 1, "fd", {"size": 3, "in_offsets": [("1/2", 0), (0, "1/2")]}),
    ("Oh", "trivial", "vector", 1, "gauss", {"size": 3, "normalize": "moments"}),
    ("O(2)", "det", "trivial", 0, "fd", {"size": 3}),  # nothing at all
]


def need(format: str) -> None:
    pytest.importorskip({"pt": "torch"}.get(format, format if format == "safetensors" else "numpy"))


@pytest.mark.parametrize("question", QUESTIONS, ids=lambda q: f"{q[0]}-{q[4]}")
@pytest.mark.parametrize("format", FORMATS)
def test_every_array_and_the_meta_data_come_back(format: str, question: tuple[Any, ...], tmp_path: Path) -> None:
    need(format)
    group, in_rep, out_rep, order, method, options = question
    basis = pdobasis.solve(group, in_rep, out_rep, order)
    path = tmp_path / f"file.{format}"
    export_stencils(basis, path, method, **options)
    found = load_stencils(path)
    plain = {k: v for k, v in options.items() if k != "size"}
    assert np.array_equal(found.stencils, basis.stencils(method, options["size"], **plain))
    assert found.coefficients.shape[0] == len(found.orders) == len(found.stencils)
    assert found.meta["group"] == group
    assert found.meta["discretization"]["stencil"] == method
    assert {"constraint", "arrays", "layout"} <= found.meta["conventions"].keys()
    assert not any(array.flags.writeable for array in found.arrays.values())


def test_other_tools_read_the_files(tmp_path: Path, d8: StencilFile) -> None:
    basis = pdobasis.solve("D8", "regular", "trivial", 2)
    for format in FORMATS:
        export_stencils(basis, tmp_path / f"d8.{format}", "gauss", 5, sigma=1.3)
    with np.load(tmp_path / "d8.npz", allow_pickle=False) as archive:
        assert set(archive) == {*ARRAYS, "meta"}
        assert np.array_equal(archive["stencils"], d8.stencils)
        assert json.loads(str(archive["meta"]))["checksum"] == d8.meta["checksum"]
    assert json.loads((tmp_path / "d8.json").read_text())["orders"] == d8.orders.tolist()


def test_torch_reads_the_pt_file_without_pickled_code(tmp_path: Path, d8: StencilFile) -> None:
    torch = pytest.importorskip("torch")
    export_stencils(pdobasis.solve("D8", "regular", "trivial", 2), tmp_path / "d8.pt", "gauss", 5, sigma=1.3)
    found = torch.load(tmp_path / "d8.pt", weights_only=True)
    assert np.array_equal(found["stencils"].numpy(), d8.stencils)
    assert json.loads(found["meta"]) == d8.meta


def test_safetensors_reads_its_file(tmp_path: Path, d8: StencilFile) -> None:
    package = pytest.importorskip("safetensors.numpy")
    export_stencils(pdobasis.solve("D8", "regular", "trivial", 2), tmp_path / "d8.safetensors", "gauss", 5, sigma=1.3)
    assert np.array_equal(package.load_file(tmp_path / "d8.safetensors")["stencils"], d8.stencils)


SCRIPT = """
import sys, hashlib, pdobasis
from pdobasis.files.formats import to_bytes
from pdobasis.files.stencil_file import contents
from pdobasis.stencils.sampled import sample
basis = pdobasis.solve("D8", "regular", "vector", 2)
file = contents(basis, sample(basis, "gauss", 5))
print([hashlib.sha256(to_bytes(file, f)).hexdigest() for f in sys.argv[1:]])
"""


def test_the_same_question_gives_the_same_bytes_whatever_the_hash_seed() -> None:
    formats = ("npz", "json", "python", "latex", "safetensors")
    pytest.importorskip("safetensors")
    seen = {
        subprocess.run(
            [sys.executable, "-c", SCRIPT, *formats],
            env={"PYTHONHASHSEED": seed, "PYTHONPATH": ":".join(sys.path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(seen) == 1


def test_a_file_is_recognised_by_its_contents_not_by_its_name(tmp_path: Path, d8: StencilFile) -> None:
    export_stencils(pdobasis.solve("D8", "regular", "trivial", 2), tmp_path / "x.pt", "gauss", format="npz", sigma=1.3)
    assert load_stencils(tmp_path / "x.pt").meta == d8.meta
