"""pdobasis itself, asked in the same way as its peers."""

from __future__ import annotations

import gc
import platform
import sys
import time
import tracemalloc
from collections.abc import Callable
from functools import cache
from importlib.metadata import version
from typing import Any

import flint
import numpy as np
import scipy
import sympy

import pdobasis
from benchmarks.peers.protocol import Job, serve, timed
from pdobasis.answer.basis import Basis
from pdobasis.answer.solve import ask, solve_problem
from pdobasis.exact.array import ExactArray
from pdobasis.exact.polynomials import count
from pdobasis.groups.closure import closure
from pdobasis.proof.certificate import prove
from pdobasis.question.problem import Problem
from pdobasis.representations.representation import all_matrices, all_permutations
from pdobasis.solvers.registry import choose
from pdobasis.stencils import CloudStencils, multi_indices, radial_function, rbf_fd_cloud
from pdobasis.stencils.cloud import gather, neighbourhoods
from pdobasis.stencils.moments import unit_scale
from pdobasis.stencils.rbf_fd import assemble

WARM = ("pdobasis.bounds", "pdobasis.exact", "pdobasis.groups", "pdobasis.representations", "pdobasis.question",
        "pdobasis.linear", "pdobasis.operators.textbook_operators", "pdobasis.solvers.textbook",
        "pdobasis.proof.arithmetic", "pdobasis.proof.elements", "pdobasis.proof.modular",
        "pdobasis.proof.points")  # fmt: skip
"""What knows nothing of PDOs: constants of the cost model, fields, primes and monomials (of the solvers, and those
that the proof lists once more), group elements, matrices of representations, names.

And that the arithmetic of a field and the elements of a group were looked at: the proof does that once for each."""


def clear_caches(kept: tuple[str, ...] = ()) -> None:
    """Forget every table, so that each round does the whole work; except what is defined in the modules ``kept``."""
    for clear in _clearing(len(sys.modules), kept):
        clear()


@cache
def _clearing(modules: int, kept: tuple[str, ...]) -> list[Callable[[], None]]:
    """What empties each of them, for so many modules loaded.

    Looked for once: to go through all modules before every repetition leaves nothing of ours in the processor's caches,
    while the peers, whose tables are one dictionary, keep theirs.
    """
    found: dict[int, Any] = {}
    for module in [m for name, m in sys.modules.items() if name.startswith("pdobasis.")]:
        for value in vars(module).values():
            if callable(getattr(value, "cache_clear", None)) and not value.__module__.startswith(kept or ("-",)):
                found[id(value)] = value
    return [value.cache_clear for value in found.values()]


def basis(
    group: str, source: str, target: str, order: int, method: str = "auto", whole: bool = False
) -> dict[str, Any]:
    """Solve and prove; ``whole`` also times reading the question and building group and representations."""
    if whole:
        seconds, found = timed(lambda: pdobasis.solve(group, source, target, order=order, method=method), clear_caches)
    else:
        problems: list[Problem] = []

        def before() -> None:
            clear_caches(WARM)
            problems[:] = [ask(group, source, target, order)]
            all_elements(problems[0])

        seconds, found = timed(lambda: solve_problem(problems[0], method=method), before)
    return {"seconds": seconds, "dimension": found.dimension, "numbers": numbers(found), "bytes": answer_bytes(found)}


def all_elements(problem: Problem) -> None:
    """Build the group and both representations whole, as the peers have theirs."""
    if problem.group.is_finite:
        closure(problem.group)
        for rep in {*problem.in_type.distinct, *problem.out_type.distinct}:
            all_permutations(rep) if rep.is_permutation else all_matrices(rep)


def pairs(top: int, order: int) -> dict[str, Any]:
    """All pairs of irreps of O(3) up to l = ``top``, solved by transfer and proved."""
    names = [f"{degree}{parity}" for degree in range(top + 1) for parity in "eo"]
    clear_caches()
    start = time.perf_counter()
    for a in names:
        for b in names:
            pdobasis.solve("O(3)", a, b, order=order, method="transfer")
    return {"seconds": time.perf_counter() - start}


def memory(group: str, source: str, target: str, order: int, method: str = "auto") -> dict[str, Any]:
    """The peak of what Python and NumPy hold while solving and proving; what answer and system hold, in bytes."""
    pdobasis.solve(group, source, target, order=order, method=method)
    clear_caches()
    problem = ask(group, source, target, order)
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        tracemalloc.reset_peak()
        found = solve_problem(problem, method=method)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    sizes = {"bytes": answer_bytes(found), "system": system_bytes(problem), "numbers": numbers(found)}
    return {"peak": peak - before, **sizes}


def stages(group: str, source: str, target: str, order: int, method: str, again: bool = False) -> dict[str, Any]:
    """Processor time of reading, solving and proving, caches emptied; how large answer and system are.

    ``again``: caches are as they are after the same question.
    """
    clear_caches()
    if again:
        pdobasis.solve(group, source, target, order=order, method=method)
    gc.collect()  # what earlier questions left behind is not this one's work
    times = [time.process_time()]
    problem = ask(group, source, target, order)
    times.append(time.process_time())
    solver = choose(problem, method)
    solution = solver.solve(problem, print_nothing)
    times.append(time.process_time())
    certificate = prove(problem, solution.blocks)
    times.append(time.process_time())
    taken = dict(zip(("reading", "solving", "proving"), np.diff(times).tolist(), strict=True))
    found = Basis(problem, solver.name, solution.blocks, certificate)
    return {
        **taken, "method": solver.name, "numbers": numbers(found), "bytes": answer_bytes(found),
        "entries": system_entries(problem), "system": system_bytes(problem),
    }  # fmt: skip


def print_nothing(message: str) -> None:
    """Nobody is told what is being done."""


def system_bytes(problem: Problem) -> int:
    """Of the constraint as a list of entries: a row, a column and a number of the field each."""
    return 8 * (2 + problem.field.degree) * system_entries(problem)


def system_entries(problem: Problem) -> int:
    """The non-zeros of the constraint: T rho_in = rho_out T for every generator, and what acts on monomials."""
    group, total = problem.group, 0
    for n in range(problem.order + 1):
        monomials = count(group.dim, n)
        for a in problem.in_type.distinct:
            for b in problem.out_type.distinct:
                for x, y, g in zip(a.matrices(), b.matrices(), group.on_space, strict=True):
                    spread = 1 if nonzeros(g) == group.dim else monomials
                    total += monomials * (b.size * nonzeros(x) + a.size * nonzeros(y) * spread)
                for x, y, g in zip(a.lie, b.lie, group.lie_on_space, strict=True):
                    total += monomials * (b.size * nonzeros(x) + a.size * nonzeros(y) + a.size * b.size * nonzeros(g))
    return max(1, total)


def nonzeros(m: ExactArray) -> int:
    return int(np.count_nonzero(m.nonzero_mask()))


def cloud(targets: int, neighbours: int = 12) -> dict[str, Any]:
    """RBF-FD weights of both second derivatives at points of the plane, from their nearest neighbours."""
    _cloud(100, neighbours)
    seconds, found = timed(lambda: _cloud(targets, neighbours))
    return {"seconds": seconds, "numbers": found.weights.size}


def cloud_memory(targets: int, neighbours: int = 12) -> dict[str, Any]:
    tracemalloc.start()
    try:
        before, _ = tracemalloc.get_traced_memory()
        found = _cloud(targets, neighbours)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return {"peak": peak - before, "bytes": found.weights.nbytes + found.indices.nbytes, "numbers": found.weights.size}


def _cloud(targets: int, neighbours: int) -> CloudStencils:
    points = np.random.default_rng(0).random((targets, 2))
    return rbf_fd_cloud(points, points, [(2, 0), (0, 2)], neighbours=neighbours)


def lapack(targets: int, neighbours: int = 12) -> dict[str, Any]:
    """One batched LAPACK solve of the same systems, assembled beforehand: the limit."""
    points = np.random.default_rng(0).random((targets, 2))
    nodes = gather(points, points, neighbourhoods(points, points, neighbours).indices)
    scale = unit_scale(nodes)
    phi = radial_function("phs3")
    systems = assemble(phi, nodes / scale[:, None, None], scale, [(2, 0), (0, 2)], multi_indices(2, 2))
    return {"seconds": timed(lambda: np.linalg.solve(*systems))[0]}


BASES: dict[tuple[str, str, str, int], Basis] = {}


def stencils(group: str, source: str, target: str, order: int, size: int, method: str) -> dict[str, Any]:
    """Sampling a basis that is already there, as one dense array."""
    key = (group, source, target, order)
    if key not in BASES:
        BASES[key] = pdobasis.solve(*key[:3], order=order)
    seconds, found = timed(lambda: BASES[key].stencils(method, size), clear_caches)
    return {"seconds": seconds, "shape": list(found.shape)}


LAYERS: dict[str, Any] = {}


def construct(kind: str, group: str, channels: list[int], size: int, order: int) -> dict[str, Any]:
    """``conv`` and ``again`` (nn.Conv2d of the same shape), or our layer, applied ``dense`` or by ``jets``."""
    import torch

    from pdobasis.nn import PDOConv2d

    source, target = (f"{c // int(group[1:])}xregular" for c in channels)

    def make() -> Any:
        if kind in ("conv", "again"):
            return torch.nn.Conv2d(channels[0], channels[1], size, padding=size // 2, bias=False)
        return PDOConv2d(
            group, source, target, order, size=size, stencil="fd", padding=size // 2, bias=False, apply=kind
        )

    make()
    seconds, LAYERS[kind] = timed(make, clear_caches)
    LAYERS[kind](torch.randn(1, channels[0], 8, 8)).sum().backward()
    return {"seconds": seconds, "parameters": sum(p.numel() for p in LAYERS[kind].parameters())}


def step(kind: str, channels: int, batch: int, image: int) -> dict[str, Any]:
    """A training step: expansion, convolution, gradients of weights and input."""
    import torch

    layer = LAYERS[kind].train()
    x = torch.randn(batch, channels, image, image, requires_grad=True)

    def run() -> None:
        layer.zero_grad(set_to_none=True)
        layer(x).sum().backward()

    return {"seconds": timed(run)[0]}


def evaluate(kind: str, channels: int, batch: int, image: int) -> dict[str, Any]:
    import torch

    layer = LAYERS[kind].eval()
    x = torch.randn(batch, channels, image, image)
    with torch.no_grad():
        return {"seconds": timed(lambda: layer(x))[0]}


def numbers(found: Basis) -> int:
    """How many integers the answer consists of."""
    return max(1, sum(part.coefficients.numerators.size for block in found.blocks for part in block.orders))


def answer_bytes(found: Basis) -> int:
    parts = [part for block in found.blocks for part in block.orders]
    places = sum(part.element.nbytes + part.row.nbytes + part.column.nbytes for part in parts)
    return max(1, places + sum(part.coefficients.numerators.nbytes for part in parts))


JOBS: dict[str, Job] = {
    "basis": basis, "stages": stages, "pairs": pairs,
    "memory": memory, "cloud": cloud, "cloud_memory": cloud_memory, "lapack": lapack,
    "stencils": stencils, "construct": construct, "step": step, "evaluate": evaluate,
}  # fmt: skip

if __name__ == "__main__":
    serve(
        JOBS,
        {
            "Python": platform.python_version(),
            "NumPy": np.__version__,
            "SciPy": scipy.__version__,
            "SymPy": sympy.__version__,
            "torch": version("torch"),
            "python-flint": getattr(flint, "__version__", None) or version("python-flint"),
        },
    )
