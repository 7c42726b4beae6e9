"""Truncated, altered and foreign files: always the same error, never an exception of another library."""

import io
import json
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pdobasis.errors import FileFormatError
from pdobasis.files import load_stencils
from pdobasis.files.formats import to_bytes
from pdobasis.files.stencil_file import StencilFile, checksum

FORMATS = ("npz", "safetensors", "json", "pt")


def written(file: StencilFile, format: str) -> bytes:
    pytest.importorskip({"pt": "torch"}.get(format, format if format == "safetensors" else "numpy"))
    return to_bytes(file, format)


def refused(path: Path, data: bytes) -> str:
    path.write_bytes(data)
    with pytest.raises(FileFormatError) as caught:
        load_stencils(path)
    assert str(caught.value).startswith(f"{path}: ")
    assert "\n" not in str(caught.value)
    return str(caught.value)


@pytest.mark.parametrize("format", FORMATS)
def test_a_truncated_file_is_refused(format: str, d8: StencilFile, tmp_path: Path) -> None:
    data = written(d8, format)
    cuts = sorted({0, 1, 2, 4, 8, 9, 30, 100, *np.linspace(101, len(data) - 3, 25).astype(int).tolist()})
    for cut in cuts:
        refused(tmp_path / "cut", data[:cut])


@pytest.mark.parametrize("format", FORMATS)
def test_an_altered_byte_is_noticed_or_changes_nothing(format: str, d8: StencilFile, tmp_path: Path) -> None:
    data = written(d8, format)
    rng = np.random.default_rng(0)
    noticed = 0
    for at in rng.integers(0, len(data), 60).tolist():
        changed = bytearray(data)
        changed[at] ^= 1 << int(rng.integers(0, 8))
        (tmp_path / "bad").write_bytes(changed)
        try:
            found = load_stencils(tmp_path / "bad")
        except FileFormatError:
            noticed += 1
        else:  # dates and paddings of a zip carry no contents
            assert found.meta == d8.meta
            assert all(np.array_equal(found.arrays[name], array) for name, array in d8.arrays.items())
    assert noticed > 45


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"hello",
        b"{}",
        b"[1, 2]",
        b"PK\x03\x04 but not a zip",
        b"\x93NUMPY\x01\x00v\x00",
        b"\x00" * 100,
        b"{" * 10_000,
        b'{"meta": {"format": "pdobasis-stencils", "version": 1}}',
        b"\xff" * 64,
        b"\x80\x02}q\x00.",
    ],
)
def test_foreign_files_are_refused(data: bytes, tmp_path: Path) -> None:
    refused(tmp_path / "foreign", data)


def npz(entries: dict[str, np.ndarray], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, array in entries.items():
            part = io.BytesIO()
            np.lib.format.write_array(part, array, allow_pickle=True)
            archive.writestr(f"{name}.npy", part.getvalue())
    return stream.getvalue()


def entries(file: StencilFile) -> dict[str, Any]:
    return {**file.arrays, "meta": np.array(file.meta_text)}


def test_an_npz_saved_again_by_numpy_is_read(d8: StencilFile, tmp_path: Path) -> None:
    np.savez_compressed(tmp_path / "again.npz", **entries(d8))
    assert load_stencils(tmp_path / "again.npz").meta == d8.meta


def test_pickled_objects_and_other_entries_are_refused(d8: StencilFile, tmp_path: Path) -> None:
    pickled = {**entries(d8), "orders": np.array([{}], dtype=object)}
    assert "unexpected type" in refused(tmp_path / "a", npz(pickled))
    assert "unexpected entry" in refused(tmp_path / "b", npz({**entries(d8), "code": np.zeros(1)}))
    assert "missing" in refused(tmp_path / "c", npz({k: v for k, v in entries(d8).items() if k != "orders"}))
    assert "type" in refused(tmp_path / "d", npz({**entries(d8), "stencils": d8.stencils.astype(np.float32)}))


def test_a_zip_that_unpacks_to_too_much_is_refused_before_it_is_unpacked(
    d8: StencilFile, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bomb = npz({**entries(d8), "stencils": np.zeros(2_000_000)}, zipfile.ZIP_DEFLATED)
    assert len(bomb) < 100_000
    monkeypatch.setattr("pdobasis.files.zips.MAX_BYTES", 10_000_000)
    monkeypatch.setattr(zipfile.ZipFile, "open", lambda *a, **k: pytest.fail("unpacked"))
    assert "beyond the limit" in refused(tmp_path / "bomb", bomb)


def test_a_large_file_is_refused_before_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("pdobasis.files.formats.MAX_BYTES", 10)
    assert "beyond the limit" in refused(tmp_path / "large", b"x" * 11)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"version": 2}, "version 2, this program reads version 1"),
        ({"format": "other"}, "not a stencil file"),
        ({"discretization": None}, "discretization is incomplete"),
        ({"discretization": {"stencil": "fd", "layout": "grid"}}, "cannot be read"),
        ({"in": {}}, "question is incomplete"),
        ({"group": "D7"}, "checksum does not fit"),
    ],
)
def test_meta_data_that_do_not_fit_are_refused(
    change: dict[str, Any], message: str, d8: StencilFile, tmp_path: Path
) -> None:
    meta = {**d8.meta, **change}
    assert message in refused(tmp_path / "meta", npz({**d8.arrays, "meta": np.array(json.dumps(meta))}))


def test_numbers_that_are_not_finite_and_shapes_that_do_not_fit_are_refused(d8: StencilFile, tmp_path: Path) -> None:
    for name, change in (("stencils", d8.stencils * np.nan), ("orders", d8.orders[:-1]), ("monomials", d8.orders)):
        arrays = {**d8.arrays, name: np.ascontiguousarray(change)}
        meta = {**d8.meta, "checksum": checksum(arrays, d8.meta)}
        refused(tmp_path / "bad", npz({**arrays, "meta": np.array(json.dumps(meta))}))
