"""Clouds in blocks: the same rows as at once, from arrays and files, in this process and in others."""

import subprocess
import sys
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pdobasis
from pdobasis.stencils.cloud_blocks import BlockedCloud
from pdobasis.stencils.cloud_slabs import Source, sort_into_slabs, surroundings
from pdobasis.stencils.errors import IllConditionedTargetError


@pytest.mark.parametrize(
    ("question", "points", "neighbours"),
    [
        (("O(2)", "trivial", "vector", 1), np.random.default_rng(0).random((700, 2)) ** 2, 12),
        (("SO(3)", "vector", "vector", 1), np.random.default_rng(1).random((500, 3)) * [1, 1, 3], 14),
        # A lattice: all points of a line have one coordinate, and neighbours are tied.
        (
            ("D4", "trivial", "trivial", 2),
            np.stack(np.meshgrid(np.arange(25.0), np.arange(30.0)), -1).reshape(-1, 2),
            20,
        ),
    ],
)
def test_blocks_have_the_rows_of_the_whole_cloud(
    question: tuple[Any, ...], points: Any, neighbours: int, tmp_path: Path
) -> None:
    basis = pdobasis.solve(*question)
    whole = basis.on_cloud(points, neighbours)
    np.save(tmp_path / "points.npy", points)
    found = basis.on_cloud_blocks(tmp_path / "points.npy", tmp_path / "blocks", neighbours, block=150)
    assert len(found) > 3
    rng = np.random.default_rng(2)
    for k, own in enumerate(whole):
        field = rng.normal(size=own.shape_in)
        expected = own(field)
        assert np.abs(found.apply(field, k) - expected).max() < 1e-9 * np.abs(expected).max()
        seen = []
        for targets, rows in found.blocks(k):
            every = np.concatenate([targets + o * len(points) for o in range(own.shape_out[0])])
            exact = own.matrix[every]
            assert rows.nnz == exact.nnz
            assert abs(rows - exact).max() < 1e-8 * abs(own.matrix).max()
            seen += targets.tolist()
        assert sorted(seen) == list(range(len(points)))


def test_processes_share_the_blocks(tmp_path: Path) -> None:
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    points = np.random.default_rng(3).random((400, 2))
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor:
        found = basis.on_cloud_blocks(points, tmp_path, 12, block=150, executor=executor)
    field = np.random.default_rng(4).normal(size=(1, 400))
    assert np.allclose(found.apply(field, 1), basis.on_cloud(points, 12)[1](field), rtol=1e-9)


def test_a_dask_cluster_shares_the_blocks(tmp_path: Path) -> None:
    distributed = pytest.importorskip("distributed")
    basis = pdobasis.solve("O(2)", "trivial", "trivial", 2)
    points = np.random.default_rng(3).random((400, 2))
    # Threads: worker processes of a cluster in a test would outlive a test that is interrupted.
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=False, dashboard_address=None, protocol="inproc://"
        ) as cluster,
        distributed.Client(cluster) as client,
    ):
        found = basis.on_cloud_blocks(points, tmp_path, 12, block=150, executor=client.get_executor())
    field = np.random.default_rng(4).normal(size=(1, 400))
    assert len(found) == 3
    assert np.allclose(found.apply(field, 1), basis.on_cloud(points, 12)[1](field), rtol=1e-9)


def test_memory_is_bounded_by_a_block(tmp_path: Path) -> None:
    """Four times the points in blocks of one size: the same memory beside the program and the points themselves."""
    code = (
        "import sys, resource, numpy as np, pdobasis\n"
        "n, folder = int(sys.argv[1]), sys.argv[2]\n"
        "f = np.lib.format.open_memmap(folder + '.npy', 'w+', np.float64, (n, 2))\n"
        "rng = np.random.default_rng(0)\n"
        "for k in range(0, n, 5000): f[k : k + 5000] = rng.random((5000, 2))\n"
        "f.flush(); del f\n"
        "pdobasis.solve('O(2)', 'trivial', 'trivial', 2).on_cloud_blocks(folder + '.npy', folder, 12, block=5000)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)\n"
    )
    peaks = [
        int(
            subprocess.run(
                [sys.executable, "-c", code, str(n), str(tmp_path / str(n))], check=True, capture_output=True, text=True
            ).stdout
        )
        for n in (10_000, 40_000)
    ]
    # The matrices of the larger cloud alone are 20 MB (times 1024 bytes).
    assert peaks[1] - peaks[0] < 10_000


@pytest.mark.parametrize(
    ("points", "options", "message"),
    [
        (np.zeros((9, 2)), {}, "twice as many"),
        ("nowhere.npy", {}, "no points in nowhere.npy"),
        (np.full((300, 2), np.nan), {}, "must be finite"),
        (np.zeros((300, 3)), {}, "3 coordinates"),
        (np.random.default_rng(0).random((300, 2)), {"method": "fd"}, "no clouds"),
        (np.random.default_rng(0).random((300, 2)) + 1j, {}, "real numbers"),
        (np.random.default_rng(0).random((300, 2)), {"block": 100.5}, "block is a whole number"),
        (np.random.default_rng(0).random((300, 2)), {"neighbours": 12.5}, "neighbours is a whole number"),
    ],
)
def test_what_makes_no_sense_is_refused(points: Any, options: Any, message: str, tmp_path: Path) -> None:
    with pytest.raises(pdobasis.PdoBasisError, match=message):
        pdobasis.solve("O(2)", "trivial", "trivial", 2).on_cloud_blocks(
            points, tmp_path, **{"neighbours": 12, "block": 100, **options}
        )


RANDOM = np.random.default_rng(5)
CLOUDS = {
    # Bins of equal width along the longest axis would hold all points but two in one.
    "far outliers": np.concatenate([RANDOM.random((600, 2)), [[1e6, 0.5], [-3e6, 0.2], [0.4, 1e5]]]),
    # The neighbours of the three lie in all slabs.
    "outliers across": np.concatenate([RANDOM.random((600, 2)) * [9, 1], [[2, 50], [4, 60], [7, -40]]]),
    # All but one point share the coordinate of the longest axis.
    "a layer": np.concatenate([RANDOM.random((500, 3)) * [1, 1, 0], [[0, 0, 9.0]]]),
    # Balls reach beyond the next slab.
    "thin slabs": RANDOM.random((900, 3)),
    "a lattice": np.stack(np.meshgrid(np.arange(20.0), np.arange(30.0)), -1).reshape(-1, 2),
}


@pytest.mark.parametrize("name", CLOUDS)
def test_no_cloud_makes_a_block_large(name: str, tmp_path: Path) -> None:
    points, block, neighbours = CLOUDS[name], 40, 12
    slabs = sort_into_slabs(Source.of(points), tmp_path, block)
    sizes = np.diff(slabs.starts)
    assert sizes.sum() == len(points)
    assert sizes.max() <= 2 * block
    for number, size in enumerate(sizes):
        near, numbers = surroundings(slabs, number, neighbours)
        assert np.array_equal(near, points[numbers])
        assert len(set(numbers)) == len(near) <= 3 * sizes.max() + 25 * size
        if name in ("far outliers", "outliers across"):
            assert len(near) < len(points) / 2
        for target in slabs.points(number):
            far = np.linalg.norm(points - target, axis=1)
            wanted = np.flatnonzero(far <= np.sort(far)[neighbours - 1] * (1 + 1e-9))
            assert set(wanted) <= set(numbers)


def test_slabs_thinner_than_a_neighbourhood_give_the_same_rows(tmp_path: Path) -> None:
    points, basis = np.random.default_rng(7).random((600, 2)), pdobasis.solve("O(2)", "trivial", "trivial", 2)
    found, whole = basis.on_cloud_blocks(points, tmp_path, 12, block=27), basis.on_cloud(points, 12)
    field = np.random.default_rng(8).normal(size=(1, len(points)))
    for k, own in enumerate(whole):
        scale = abs(own.matrix) @ np.abs(field[0])
        assert np.abs((found.apply(field, k) - own(field))[0] / scale).max() < 1e-10
    assert whole.condition is not None
    # Estimates by random signs, which fall on other neighbours where these are in another order.
    ratios = np.abs(np.log10(found.condition() / whole.condition))
    assert ratios.max() < 3
    assert np.median(ratios) < 0.5


def test_an_operator_has_blocks(tmp_path: Path) -> None:
    points, laplacian = np.random.default_rng(9).random((300, 2)), pdobasis.operator("d1^2 + d2^2")
    found = laplacian.on_cloud_blocks(points, tmp_path, 12, block=100)
    ((targets, rows), *_) = found.blocks()
    assert len(found) == 3
    assert abs(rows - laplacian.on_cloud(points, 12).matrix[targets]).max() < 1e-8 * abs(rows).max()


def test_operators_and_folders_that_are_not_there_are_refused(tmp_path: Path) -> None:
    points = np.random.default_rng(9).random((300, 2))
    found = pdobasis.operator("d1").on_cloud_blocks(points[:, :1], tmp_path, 5, block=100)
    with pytest.raises(pdobasis.PdoBasisError, match="there are 1 operators"):
        found.apply(np.zeros((1, 300)), 1)
    with pytest.raises(pdobasis.PdoBasisError, match="no blocks in"):
        len(BlockedCloud(tmp_path / "elsewhere"))


def test_a_file_in_the_place_of_the_folder_is_refused(tmp_path: Path) -> None:
    (tmp_path / "taken").write_text("")
    with pytest.raises(pdobasis.PdoBasisError, match="no folder"):
        pdobasis.operator("d1^2 + d2^2").on_cloud_blocks(np.zeros((300, 2)), tmp_path / "taken", 12, block=100)


def on_a_line(count: int, line: range) -> Any:
    """A cloud some of whose points lie on a line, far from all others: their systems are singular."""
    points = np.random.default_rng(10).random((count, 2))
    points[line.start : line.stop] = np.stack([50 + np.arange(len(line)) / 100, np.full(len(line), 9.0)], axis=1)
    return points


def test_a_target_is_named_by_its_number_in_the_whole_cloud(tmp_path: Path) -> None:
    points, laplacian = on_a_line(400, range(200, 230)), pdobasis.operator("d1^2 + d2^2")
    with pytest.raises(IllConditionedTargetError) as error:
        laplacian.on_cloud_blocks(points, tmp_path, 12, block=100)
    assert 200 <= error.value.target < 230
    assert f"target {error.value.target} " in str(error.value)
    with pytest.raises(IllConditionedTargetError) as error:
        laplacian.on_cloud(on_a_line(70_000, range(69_900, 69_930)), 12)
    assert 69_900 <= error.value.target < 69_930


def test_an_error_in_another_process_is_the_same_error(tmp_path: Path) -> None:
    points, laplacian = on_a_line(400, range(200, 230)), pdobasis.operator("d1^2 + d2^2")
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as executor, pytest.raises(IllConditionedTargetError):
        laplacian.on_cloud_blocks(points, tmp_path, 12, block=100, executor=executor)


def test_what_was_interrupted_goes_on(tmp_path: Path) -> None:
    points, laplacian = np.random.default_rng(11).random((400, 2)), pdobasis.operator("d1^2 + d2^2")
    found = laplacian.on_cloud_blocks(points, tmp_path, 12, block=100)
    before = {k: (tmp_path / f"block-0000{k}.npz").read_bytes() for k in range(len(found))}
    for k in (1, 3):
        (tmp_path / f"block-0000{k}.npz").unlink()
    again = BlockedCloud(tmp_path)
    assert again.missing == [1, 3]
    with pytest.raises(pdobasis.PdoBasisError, match="2 of 4 blocks have not been written"):
        again.apply(np.zeros((1, 400)))
    again.complete()
    assert {k: (tmp_path / f"block-0000{k}.npz").read_bytes() for k in range(len(found))} == before
    # Another cloud in the same folder takes nothing over.
    (tmp_path / "block-00000.npz").write_bytes(b"stale")
    assert not laplacian.on_cloud_blocks(points[:300], tmp_path, 12, block=100).missing
    assert (tmp_path / "block-00000.npz").read_bytes() != b"stale"


class Killed(BaseException):
    """As SIGKILL: nobody catches it to clean up."""


def _stopped(*arguments: Any, **named: Any) -> None:
    raise Killed


@pytest.mark.parametrize("stage", ["sort_into_slabs", "BlockedCloud.complete"])
def test_an_interrupted_cloud_is_not_completed_from_another_that_was_there(
    stage: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laplacian = pdobasis.operator("d1^2 + d2^2")
    old, new = np.random.default_rng(12).random((2, 400, 2))
    laplacian.on_cloud_blocks(old, tmp_path, 12, block=100)
    with monkeypatch.context() as patched:
        patched.setattr(f"pdobasis.stencils.cloud_blocks.{stage}", _stopped)
        with pytest.raises(Killed):
            laplacian.on_cloud_blocks(new, tmp_path, 12, block=100)
    assert list(tmp_path.glob("block-*")) == []
    if stage == "sort_into_slabs":
        with pytest.raises(pdobasis.PdoBasisError, match="no blocks in"):
            BlockedCloud(tmp_path).complete()
        return
    found = BlockedCloud(tmp_path)
    found.complete()
    field = np.random.default_rng(13).normal(size=(1, 400))
    expected = laplacian.on_cloud(new, 12)(field)
    assert np.abs(found.apply(field) - expected).max() < 1e-9 * np.abs(expected).max()


@pytest.mark.parametrize("way", ["unnamed", "named"])
def test_a_block_that_was_not_finished_leaves_nothing(
    way: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    laplacian = pdobasis.operator("d1^2 + d2^2")
    laplacian.on_cloud_blocks(np.random.default_rng(14).random((400, 2)), tmp_path, 12, block=100)
    (tmp_path / "block-00001.npz").unlink()
    before = sorted(p.name for p in tmp_path.iterdir())
    if way == "named":
        monkeypatch.delattr("os.O_TMPFILE")
    save = np.savez

    def torn(file: Any, **arrays: Any) -> None:
        save(file, **arrays)
        raise Killed

    with monkeypatch.context() as patched:
        patched.setattr("pdobasis.stencils.cloud_blocks.np.savez", torn)
        with pytest.raises(Killed):
            BlockedCloud(tmp_path).complete()
    assert sorted(p.name for p in tmp_path.iterdir()) == before


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("plan.json", b'{"points": 400'),
        ("plan.json", b"[]"),
        ("plan.json", b'{"starts": 3}'),
        ("plan.json", b"\xff\xfe"),
        ("operators.npz", b"PK"),
        ("points.npy", b"\x93NUMPY"),
        ("block-00000.npz", b""),
        ("block-00000.npz", b"PK\x03\x04"),
    ],
)
def test_a_damaged_folder_is_refused_by_the_name_of_the_file(name: str, data: bytes, tmp_path: Path) -> None:
    laplacian = pdobasis.operator("d1^2 + d2^2")
    laplacian.on_cloud_blocks(np.random.default_rng(15).random((400, 2)), tmp_path, 12, block=100)
    if not name.startswith("block"):
        (tmp_path / "block-00002.npz").unlink()
    (tmp_path / name).write_bytes(data)
    with pytest.raises(pdobasis.PdoBasisError, match=name):
        _read(tmp_path)


def _read(folder: Path) -> None:
    found = BlockedCloud(folder)
    found.complete()
    found.apply(np.zeros((1, 400)))
