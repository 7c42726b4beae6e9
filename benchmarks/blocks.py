"""A Laplacian on a cloud that does not fit into memory: rows in blocks on disk, and a sample of them checked.

    python -m benchmarks.blocks --targets 100000000 --folder FOLDER [--neighbours 12] [--block 250000] [--resume] …

Random points of the unit square are written to FOLDER in chunks, and the rows of the Laplacian (r³, polynomials of
degree 2) block by block. Printed are processor time, time by the clock, the largest resident memory of the process,
with all pages of files that it maps, and bytes on disk. Then random rows are made again by code that shares nothing
with pdobasis: neighbours by distances to all points, weights by a dense system of NumPy; and rows of every 20th block
are applied to polynomials up to degree 2, whose Laplacians are known. Among 10⁸ random points there are systems with
condition numbers above the limit of 1e10: it is lifted to 1e14. What was interrupted is finished by --resume.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import shutil
import time
from collections.abc import Iterator
from concurrent.futures import Executor
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

import pdobasis
from pdobasis.stencils.cloud_blocks import BlockedCloud

Array = NDArray[np.float64]

CHUNK = 1_000_000
ROWS = 16
"""Rows that are made again."""
EVERY = 20
"""Of so many blocks one is applied to polynomials."""
LIMIT = 1e14


class Spent(Executor):
    """Runs blocks one by one in this process, and keeps what they took in a file: also what another process took."""

    def __init__(self, path: Path) -> None:
        self.path, self.clock, self.processor = path, time.perf_counter(), time.process_time()

    def map(self, fn: Any, *iterables: Any, timeout: float | None = None, chunksize: int = 1) -> Iterator[Any]:
        for one in zip(*iterables, strict=True):
            found = fn(*one)
            self.record(1)
            yield found

    @property
    def facts(self) -> dict[str, float]:
        if self.path.exists():
            found: dict[str, float] = json.loads(self.path.read_text())
            return found
        return {"blocks": 0, "processor": 0.0, "clock": 0.0, "peak": 0.0}

    def record(self, blocks: int) -> None:
        facts, clock, processor = self.facts, time.perf_counter(), time.process_time()
        facts["blocks"] += blocks
        facts["processor"] += processor - self.processor
        facts["clock"] += clock - self.clock
        facts["peak"] = max(facts["peak"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024)
        self.clock, self.processor = clock, processor
        self.path.write_text(json.dumps(facts))

    def __str__(self) -> str:
        facts = self.facts
        return (
            f"{facts['processor']:.0f} s of processor time and {facts['clock']:.0f} s by the clock for "
            f"{facts['blocks']:.0f} of them and the sorting, {facts['peak']:.0f} MB resident at most, load average "
            f"{os.getloadavg()[0]:.1f}"
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--targets", type=int, default=1_000_000)
    parser.add_argument("--neighbours", type=int, default=12)
    parser.add_argument("--block", type=int, default=250_000)
    parser.add_argument("--folder", type=Path, required=True)
    parser.add_argument("--keep", action="store_true", help="leave the files there")
    parser.add_argument("--resume", action="store_true", help="write the blocks that are missing")
    options = parser.parse_args()
    options.folder.mkdir(parents=True, exist_ok=True)
    points, blocks = options.folder / "cloud.npy", options.folder / "blocks"
    spent = Spent(options.folder / "spent.json")
    if options.resume:
        found = BlockedCloud(blocks)
        found.complete(spent)
    else:
        spent.path.unlink(missing_ok=True)
        write_cloud(points, options.targets)
        laplacian = pdobasis.operator("d1^2 + d2^2")
        found = laplacian.on_cloud_blocks(
            points, blocks, options.neighbours, block=options.block, executor=spent, max_condition=LIMIT
        )
    print(f"{options.targets:,} targets, {options.neighbours} neighbours, {len(found)} blocks: {spent}", flush=True)
    written = sum(file.stat().st_size for file in blocks.iterdir())
    print(f"{written / 1e9:.1f} GB of files, and {points.stat().st_size / 1e9:.1f} GB of points", flush=True)
    print(f"{ROWS} rows made again: weights differ by {remade(points, found, options.neighbours):.1e} of the largest")
    rows, worst = exactness(points, found)
    print(f"{rows:,} rows on polynomials up to degree 2: off by {worst:.1e} of the sum of |weight| |value|")
    if not options.keep:
        shutil.rmtree(blocks)
        points.unlink()
        spent.path.unlink()


def write_cloud(path: Path, count: int) -> None:
    """A .npy file of version 1.0, written in chunks: a map of it would count as memory."""
    rng = np.random.default_rng(0)
    with path.open("wb") as file:
        np.lib.format.write_array_header_1_0(file, {"descr": "<f8", "fortran_order": False, "shape": (count, 2)})
        for start in range(0, count, CHUNK):
            file.write(rng.random((min(CHUNK, count - start), 2)).tobytes())


def chunks(path: Path) -> Any:
    count = len(np.load(path, mmap_mode="r"))
    for start in range(0, count, CHUNK):
        yield start, np.array(np.load(path, mmap_mode="r")[start : start + CHUNK])


def remade(path: Path, found: BlockedCloud, neighbours: int) -> float:
    """The largest difference of weights, and of neighbours, that random rows have from the same made by hand."""
    rng = np.random.default_rng(1)
    wanted = rng.integers(len(found), size=ROWS).tolist()
    rows: dict[int, tuple[Array, Array]] = {}
    for number in sorted(set(wanted)):
        targets, matrix = found.block(number)
        for row in rng.integers(len(targets), size=wanted.count(number)).tolist():
            own = slice(matrix.indptr[row], matrix.indptr[row + 1])
            rows[int(targets[row])] = matrix.indices[own], matrix.data[own]
    places = np.array(np.load(path, mmap_mode="r")[list(rows)])
    best = [(np.empty(0), np.empty(0, dtype=np.int64), np.empty((0, 2)))] * len(rows)
    for start, part in chunks(path):
        for k, place in enumerate(places):
            far = np.linalg.norm(part - place, axis=1)
            near = np.argpartition(far, neighbours)[:neighbours] if len(far) > neighbours else np.arange(len(far))
            together = [
                np.concatenate(both) for both in zip(best[k], (far[near], start + near, part[near]), strict=True)
            ]
            first = np.argsort(together[0])[:neighbours]
            best[k] = tuple(one[first] for one in together)  # type: ignore[assignment]
    worst = 0.0
    for place, (indices, data), (_, numbers, nodes) in zip(places, rows.values(), best, strict=True):
        if set(indices.tolist()) != set(numbers.tolist()):
            return float("inf")
        exact = dict(zip(numbers.tolist(), by_hand(nodes - place), strict=True))
        weights = np.array([exact[j] for j in indices.tolist()])
        worst = max(worst, float(np.abs(weights - data).max() / np.abs(weights).max()))
    return worst


def by_hand(nodes: Array) -> Array:
    """The weights of the Laplacian at 0 from r³ and polynomials of degree 2: a dense system in units of the radius."""
    radius = np.linalg.norm(nodes, axis=1).max()
    x, y = (nodes / radius).T
    r = np.hypot(x[:, None] - x, y[:, None] - y)
    polynomials = np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)
    system = np.block([[r**3, polynomials], [polynomials.T, np.zeros((6, 6))]])
    # The Laplacian of r³ is 9 r in the plane.
    right = np.concatenate([9 * np.hypot(x, y), [0, 0, 0, 2, 0, 2]])
    found: Array = np.linalg.solve(system, right)
    weights: Array = found[: len(x)] / radius**2
    return weights


def exactness(path: Path, found: BlockedCloud) -> tuple[int, float]:
    """How many rows were tried, and by how much they miss the Laplacian of 1, x, y, x², xy, y² at worst."""
    cloud, rows, worst = np.load(path, mmap_mode="r"), 0, 0.0
    for number in range(0, len(found), EVERY):
        targets, matrix = found.block(number)
        used, places = np.unique(matrix.indices, return_inverse=True)
        x, y = np.array(cloud[used]).T
        own = type(matrix)((matrix.data, places, matrix.indptr), shape=(len(targets), len(used)))
        for field, laplacian in ((np.ones_like(x), 0), (x, 0), (y, 0), (x * x, 2), (x * y, 0), (y * y, 2)):
            scale = abs(own) @ np.abs(field)
            worst = max(worst, float((np.abs(own @ field - laplacian) / scale).max()))
        rows += len(targets)
    return rows, worst


if __name__ == "__main__":
    main()
