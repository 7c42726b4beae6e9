"""What is read is what was written; what is wrong is refused, with its place."""

from __future__ import annotations

import os
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pdobasis.discovery.reading import read_recording
from pdobasis.discovery.recording import recording
from pdobasis.discovery.task import Task
from pdobasis.errors import FileFormatError, SpecError

RNG = np.random.default_rng(0)
U = RNG.normal(size=(9, 2, 12, 10))
P = RNG.normal(size=(9, 12, 10))
AXES = {"t": np.linspace(0, 1, 9), "x1": np.arange(10) * 0.5, "x2": np.arange(12) * 0.25}


def test_an_npz_is_read_with_its_axes(tmp_path: Path) -> None:
    arrays: dict[str, Any] = {"u": U, "p": P, "other": np.zeros(3), **AXES}
    np.savez(tmp_path / "d.npz", **arrays)
    found = read_recording(tmp_path / "d.npz", {"u": 2, "p": 1})
    assert (found.fields["u"] == U).all()
    assert (found.fields["p"] == P[:, None]).all()
    assert found.steps == (0.5, 0.25)
    assert found.grid == (12, 10)


@pytest.mark.parametrize("suffix", [".nc", ".zarr"])
def test_xarray_knows_axes_by_name(suffix: str, tmp_path: Path) -> None:
    xarray = pytest.importorskip("xarray")
    pytest.importorskip("netCDF4" if suffix == ".nc" else "zarr")
    # dimensions in another order than ours
    turned = np.transpose(U, (3, 0, 1, 2))
    data = xarray.Dataset(
        {"u": (("x1", "t", "component", "x2"), turned), "p": (("t", "x2", "x1"), P)},
        coords=AXES,
    )
    path = tmp_path / f"d{suffix}"
    if suffix == ".nc":
        data.to_netcdf(path)
    else:
        data.to_zarr(path, consolidated=False)
    found = read_recording(path, {"u": 2, "p": 1})
    assert (found.fields["u"] == U).all()
    assert (found.fields["p"][:, 0] == P).all()
    assert found.steps == (0.5, 0.25)


def test_missing_values_are_refused_with_their_place() -> None:
    broken = U.copy()
    broken[3, 1, 5, 7] = np.nan
    with pytest.raises(SpecError, match=r"index \(3, 1, 5, 7\) \(t = 0.375, component 2, x1 = 3.5, x2 = 1.25\)"):
        recording({"u": broken, **AXES}, {"u": 2})


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"t": np.arange(8.0)}, "8 times for 9 frames"),
        ({"t": np.array([0, 1, 2, 2, 3, 4, 5, 6, 7.0])}, "does not increase from 2 to 2"),
        ({"x1": np.arange(10.0) ** 2}, "x1 is not evenly spaced"),
        ({"x2": np.arange(11.0)}, "for 12 points"),
        ({"u": U[:, :1]}, "needs the axes"),
        ({"u": U + 1j}, "not real numbers"),
        ({"u": U[:5], "t": np.arange(5.0)}, "5 frames are too few"),
    ],
)
def test_what_does_not_fit_is_refused(changed: dict[str, np.ndarray], said: str) -> None:
    with pytest.raises(SpecError, match=said):
        recording({"u": U, **AXES, **changed}, {"u": 2})


def test_files_that_are_none(tmp_path: Path) -> None:
    (tmp_path / "d.npz").write_bytes(b"PK\x03\x04 no zip")
    with pytest.raises(FileFormatError, match="cannot be read"):
        read_recording(tmp_path / "d.npz", {"u": 2})
    with pytest.raises(SpecError, match="there is no file"):
        read_recording(tmp_path / "none.npz", {"u": 2})
    np.savez(tmp_path / "e.npz", v=U)
    with pytest.raises(SpecError, match="has no array 'u': it has v"):
        read_recording(tmp_path / "e.npz", {"u": 2})


def test_a_scalar_without_coordinates_lies_in_the_plane() -> None:
    assert recording({"p": P}, {"p": 1}).dim == 2
    assert recording({"p": P[:, None]}, {"p": 1}).dim == 2
    assert recording({"p": P[:, 0]}, {"p": 1}).dim == 1


@pytest.mark.parametrize("suffix", [".npz", ".nc"])
def test_pipes_and_devices_are_not_waited_for(suffix: str, tmp_path: Path) -> None:
    pytest.importorskip("xarray")
    pipe, link = tmp_path / f"pipe{suffix}", tmp_path / f"zero{suffix}"
    os.mkfifo(pipe)
    link.symlink_to("/dev/zero")
    for path in (pipe, link):
        with pytest.raises(FileFormatError, match="not an ordinary file"):
            read_recording(path, {"u": 1})


def test_a_small_file_that_unpacks_to_very_much_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "zeros.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("u.npy", "w") as entry:
        head = b"{'descr': '<f8', 'fortran_order': False, 'shape': (5000000,), }\n"
        entry.write(b"\x93NUMPY\x01\x00" + len(head).to_bytes(2, "little") + head)
        for _ in range(40):
            entry.write(bytes(1_000_000))
    with pytest.raises(FileFormatError, match="100 times its size"):
        read_recording(path, {"u": 1})


def test_numbers_whose_powers_no_float_holds_are_refused(tmp_path: Path) -> None:
    times, places = np.linspace(0, 1, 12), np.arange(16) / 16
    u = np.cos(2 * np.pi * (places[None, :] - times[:, None]))
    u[3, 5] = 1e200
    np.savez(tmp_path / "x.npz", u=u, t=times, x1=places)
    with pytest.raises(SpecError, match="leave the range of floats"):
        Task.of([tmp_path / "x.npz"], "trivial(1)", {"u": "trivial"}).equations(samples=0)


def test_constants_are_finite(tmp_path: Path) -> None:
    np.savez(
        tmp_path / "x.npz", u=np.random.default_rng(0).normal(size=(12, 16)), t=np.arange(12.0), x1=np.arange(16.0)
    )
    with pytest.raises(SpecError, match="not finite"):
        Task.of([tmp_path / "x.npz"], "trivial(1)", {"u": "trivial"}, {"g": "vector:nan"})
