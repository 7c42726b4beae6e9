"""Small files that ask for much, and files that are none: refused in one line, quickly, before anything is allocated."""

from __future__ import annotations

import io
import json
import os
import resource
import time
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.errors import FileFormatError, PdoBasisError, SizeError
from pdobasis.exact import primes
from pdobasis.files import load_stencils
from pdobasis.files.formats import find, open_file, to_bytes
from pdobasis.files.stencil_file import StencilFile, checksum
from pdobasis.files.verified import verify_basis
from pdobasis.proof import modular
from pdobasis.question.text import resolve_group
from pdobasis.stencils import Grid
from tests.fuzz.harness import run


def refusal(path: Path) -> str:
    """The one line, which comes quickly and without much memory."""
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    for command in ("verify", "show"):
        found = run([command, str(path)], seconds=5)
        assert (found.code, found.faults()) == (2, [])
        assert found.err.count("\n") == 1
    # kilobytes, beside what the libraries take when they are loaded
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 600_000
    return found.err


def npz(**bodies: bytes) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, body in bodies.items():
            archive.writestr(f"{name}.npy", body)
    return stream.getvalue()


def npy(descr: str, shape: tuple[int, ...], body: bytes = b"") -> bytes:
    head = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}\n".encode()
    return b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head + body


def test_a_short_question_that_needs_a_huge_proof_is_refused(tmp_path: Path) -> None:
    side = {"spec": "sym(4,vector)"}
    data = {
        "format": "pdobasis-basis",
        "version": 1,
        "group": "SO(6)",
        "dim": 6,
        "in": side,
        "out": side,
        "order": 4,
        "elements": [],
    }
    (tmp_path / "x.json").write_text(json.dumps(data))
    with pytest.raises(PdoBasisError, match="max_unknowns=3"):
        verify_basis(tmp_path / "x.json", max_unknowns=3_000_000)
    # and FLINT is never asked for what it would end the process over
    for fill in (modular.filled, primes.sparse_matrix):
        with pytest.raises(SizeError, match="this needs a matrix of"):
            fill((10**6, 10**6), [], 7)


def test_numbers_have_a_size(d8: StencilFile, tmp_path: Path) -> None:
    for text in ("1e-999999999", "1e999999999", "1/" + "9" * 5000, "9" * 5000, "١"):
        meta = json.loads(d8.meta_text)
        meta["discretization"]["spacing"] = [text, "1"]
        meta["checksum"] = checksum(d8.arrays, meta)
        (tmp_path / "x.json").write_bytes(find("json").write(StencilFile(**d8.arrays, meta=meta)))
        assert "spacing" in refusal(tmp_path / "x.json")
        with pytest.raises(ValueError, match="spacing"):
            Grid.regular(2, 3, spacing=text)
        question = ["--group", "C4", "--in", "trivial", "--out", "trivial", "--size", "3", "--format", "json"]
        assert run(["export", *question, f"--spacing={text}"], seconds=5).code == 2


def test_what_is_no_regular_file_is_refused_without_waiting(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.yaml")
    (tmp_path / "link").symlink_to(tmp_path / "pipe.yaml")
    for path in ("/dev/zero", tmp_path / "pipe.yaml", tmp_path / "link"):
        assert "not an ordinary file" in refusal(Path(path))
    assert "not an ordinary file" in run(["groups", str(tmp_path / "pipe.yaml")]).err
    assert "directory" in refusal(tmp_path)


def test_a_bomb_is_refused_before_it_is_unpacked(tmp_path: Path) -> None:
    size = 300_000_000
    (tmp_path / "bomb.npz").write_bytes(npz(stencils=npy("<f8", (size // 8,), bytes(size))))
    assert (tmp_path / "bomb.npz").stat().st_size < 2_000_000
    assert "times its size" in refusal(tmp_path / "bomb.npz")


@pytest.mark.parametrize(
    "body",
    [
        npy("<f8", (1,) * 100, bytes(8)),
        npy("<f8", (0, 2**40, 2**40)),
        npy("<f8", (2**62, 4)),
        npy("<f8", (10**15,)),
        npy("|O", (1,), b"cos\nsystem\n(S'true'\ntR."),
        npy("<f8", (1,))[:30],
        b"\x93NUMPY\x01\x00\xff\xff" + b"[" * 65535,
        b"",
    ],
)
def test_shapes_and_types_are_judged_before_anything_is_allocated(body: bytes, tmp_path: Path) -> None:
    (tmp_path / "x.npz").write_bytes(npz(stencils=body, meta=npy("<U1", (), b"{\0\0\0")))
    assert "stencils.npy" in refusal(tmp_path / "x.npz")


@pytest.mark.parametrize(
    "meta", [npy("<U1", (2,), b"{\0\0\0" * 2), npy("<U1", (), b"\xff" * 4), npy("<U1", (), b"\x00\xd8\0\0")]
)
def test_meta_data_of_another_shape_or_of_no_text_are_refused(meta: bytes, d8: StencilFile, tmp_path: Path) -> None:
    with zipfile.ZipFile(io.BytesIO(to_bytes(d8, "npz"))) as archive:
        bodies = {name: archive.read(f"{name}.npy") for name in d8.arrays}
    (tmp_path / "x.npz").write_bytes(npz(**bodies, meta=meta))
    assert "meta" in refusal(tmp_path / "x.npz")


@pytest.mark.parametrize("format", ["npz", "safetensors", "pt", "json"])
def test_every_deletion_inside_a_file_is_a_refusal(format: str, d8: StencilFile, tmp_path: Path) -> None:
    if format in ("pt", "safetensors"):
        pytest.importorskip({"pt": "torch"}.get(format, format))
    data = to_bytes(d8, format)
    path = tmp_path / "x"
    # ends, where directories and headers stand, and a step that meets every part of the middle
    places = [*range(0, 200, 7), *range(len(data) - 600, len(data), 7), *range(200, len(data) - 600, len(data) // 60)]
    for at in places:
        for size in (1, 40):
            path.write_bytes(data[:at] + data[at + size :])
            try:
                found = load_stencils(path)
            except FileFormatError as error:
                assert "\n" not in str(error)
                continue
            # spaces of JSON say nothing
            assert format == "json"
            assert found.meta == d8.meta


def test_a_tensor_that_repeats_its_storage_is_refused(d8: StencilFile, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch")
    arrays: dict[str, Any] = {name: torch.from_numpy(np.array(a)) for name, a in d8.arrays.items()}
    huge = torch.zeros(1, dtype=torch.float64).expand(1 << 40)
    for bad in (
        huge,
        arrays["stencils"].to(torch.bfloat16),
        arrays["stencils"].to_sparse(),
        torch.zeros(0, 1 << 40, dtype=torch.float64),
    ):
        torch.save({**arrays, "stencils": bad, "meta": d8.meta_text}, tmp_path / "x.pt")
        refusal(tmp_path / "x.pt")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("generators: {r: [[0, -1], [1, 0]], r: [[1, 0], [0, 1]]}", "the key 'r' stands twice"),
        ("name: a\nname: b\ngenerators: [[[1]]]", "the key 'name' stands twice"),
        ("dim: [2]\ngenerators: {r: [[0, -1], [1, 0]]}", "dim has to be a whole number"),
        ("generators: {r: [[" + "9" * 5000 + ", 0], [0, 1]]}", "digits"),
        ("generators: {r: [[0x" + "f" * 5000 + ", 0], [0, 1]]}", "bits"),
        ("generators: [[[!!timestamp x]]]", "not readable"),
        ("? [a]\n: 1", "not readable"),
        ("- " * 499_999, "deep"),
        ("[" * 999_999, "deep"),
        ("generators: [" + "1," * 400_000 + "]", "at most 64"),
        ("a: b\n" * 199_999, "stands twice"),
        ("generators:\n  r:\n" + ("  - [" + "0," * 600 + "0]\n") * 601, "at most 500"),
    ],
)
def test_yaml_of_strangers_is_refused_quickly(text: str, said: str, tmp_path: Path) -> None:
    (tmp_path / "x.yaml").write_text(text)
    start = time.process_time()
    with pytest.raises(PdoBasisError, match=said) as caught:
        resolve_group(str(tmp_path / "x.yaml"))
    assert "\n" not in str(caught.value)
    assert time.process_time() - start < 10


def test_files_say_who_wrote_them(d8: StencilFile, tmp_path: Path) -> None:
    name = f"pdobasis {pdobasis.__version__}"
    assert d8.meta["written_by"] == name
    assert name in to_bytes(d8, "python").decode()
    assert name in to_bytes(d8, "latex").decode()
    pdobasis.solve("C4", "trivial", "vector", 1).save(str(tmp_path / "x.json"))
    data = open_file(tmp_path / "x.json")
    assert isinstance(data, dict)
    assert data["written_by"] == name
    for writer, code in (("pdobasis 7.0rc1", 0), ("you", 1), (7, 1)):
        (tmp_path / "x.json").write_text(json.dumps({**data, "written_by": writer}))
        assert run(["verify", str(tmp_path / "x.json")]).code == code
