r"""Laminar flow through a channel by a lattice Boltzmann method: D2Q9, one relaxation time.

Populations $f_i$ move along $c_i$ from node to node; between two moves they relax to
$f_i^{eq} = w_i \rho (1 + 3 c_i u + \frac92 (c_i u)^2 - \frac32 u^2)$ with $\tau = 3 \nu + \frac12$, which gives
the Navier-Stokes equations with the viscosity $\nu$ for small velocities. Solid nodes send back what comes to them, so
that the wall lies half way; the inflow has a velocity, the outflow a pressure (both by Zou and He).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from experiments.errors import ExperimentError

Floats = NDArray[np.float64]
C = np.array([(0, 0), (1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)])
WEIGHTS = np.array([4 / 9, *[1 / 9] * 4, *[1 / 36] * 4])
BACK = np.array([0, 3, 4, 1, 2, 7, 8, 5, 6])
"""The opposite of every direction."""
SPEED = 0.08
"""Of the inflow, its maximum, in nodes a step: far below that of sound, 0.58."""
RAMP = 400
"""Steps in which the inflow starts, so that it makes no waves."""
LOOK = 200


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """Velocity (2, rows, columns) by the maximum of the inflow, pressure by density and its square; zero in solids."""

    velocity: Floats
    pressure: Floats
    density: Floats
    force: Floats
    steps: int
    change: float

    @property
    def flux(self) -> Floats:
        """Mass through every column."""
        return np.asarray((self.density * self.velocity[0]).sum(0))


def parabola(rows: int) -> Floats:
    """The inflow between walls half a step outside: its maximum is 1, in the middle."""
    y = (np.arange(rows) + 0.5) / rows
    return np.asarray(4 * y * (1 - y))


def solve(solid: NDArray[np.bool_], viscosity: float, steps: int = 20_000, tolerance: float = 5e-6) -> Flow:
    """Until the velocity changes by less than the tolerance in a step, relative to the inflow."""
    return solve_many(solid[None], [viscosity], steps, tolerance)[0]


def solve_many(
    solids: NDArray[np.bool_], viscosities: Sequence[float], steps: int = 20_000, tolerance: float = 5e-6
) -> list[Flow]:
    """Several channels (n, rows, columns) at once: arrays of one small channel cost more calls than numbers."""
    if min(viscosities) <= 0.004:
        raise ExperimentError(f"a viscosity of {min(viscosities):.4f} is too low for this grid: use more nodes")
    # A row of wall on either side of the channel; the first and the last column are in and out.
    solids = np.pad(solids, ((0, 0), (1, 1), (0, 0)), constant_values=True)
    rates = 1 / (3 * np.array(viscosities) + 0.5)
    solver = _Solver(solids, rates[:, None, None])
    before = solver.velocity()
    change = np.inf
    for step in range(1, steps + 1):
        solver.step(min(1.0, step / RAMP))
        if step % LOOK == 0 and step >= 2 * RAMP:
            now = solver.velocity()
            change = float(np.abs(now - before).max()) / SPEED / LOOK
            before = now
            if change < tolerance:
                break
    forces = solver.forces()
    return [solver.flow(k, forces[k], step, change) for k in range(len(solids))]


class _Solver:
    """Populations (9, channels, rows, columns)."""

    def __init__(self, solid: NDArray[np.bool_], rate: Floats) -> None:
        self.solid, self.rate = solid, rate
        self.inflow = np.pad(SPEED * parabola(solid.shape[1] - 2), 1)
        self.f = np.broadcast_to(WEIGHTS[:, None, None, None], (9, *solid.shape)).copy()
        # From a fluid node along c_i into a solid: what would leave comes back.
        self.walls = [~solid & np.roll(solid, -c[::-1], (1, 2)) for c in C]

    def velocity(self) -> Floats:
        rho = self.f.sum(0)
        return np.asarray(np.tensordot(C.T.astype(float), self.f, 1) / rho * ~self.solid)

    def step(self, opened: float) -> None:
        relaxed = self._relaxed()
        new = np.empty_like(relaxed)
        for i, (cx, cy) in enumerate(C):
            new[i] = np.roll(relaxed[i], (cy, cx), (1, 2))
        for i in range(1, 9):
            np.copyto(new[BACK[i]], relaxed[i], where=self.walls[i])
        _inflow(new[..., 0], opened * self.inflow)
        _outflow(new[..., -1])
        self.f = new

    def _relaxed(self) -> Floats:
        f = self.f
        rho = f.sum(0)
        ux = (f[1] + f[5] + f[8] - f[3] - f[6] - f[7]) / rho
        uy = (f[2] + f[5] + f[6] - f[4] - f[7] - f[8]) / rho
        square = 1 - 1.5 * (ux * ux + uy * uy)
        out = f * (1 - self.rate)
        given = self.rate * rho
        for i, (cx, cy) in enumerate(C):
            along = 3 * (cx * ux + cy * uy)
            out[i] += WEIGHTS[i] * given * (square + along + 0.5 * along * along)
        return np.asarray(out)

    def forces(self) -> Floats:
        """On what is solid inside the channels: twice the momentum that comes and is sent back, in a step."""
        relaxed = self._relaxed()
        inner = self.solid.copy()
        inner[:, [0, -1]] = False
        total = np.zeros((len(inner), 2))
        for i, c in enumerate(C):
            touching = ~self.solid & np.roll(inner, -c[::-1], (1, 2))
            total += 2 * np.outer((relaxed[i] * touching).sum((1, 2)), c)
        return total / SPEED**2

    def flow(self, k: int, force: Floats, steps: int, change: float) -> Flow:
        fluid = ~self.solid[k, 1:-1]
        rho = self.f[:, k, 1:-1].sum(0) * fluid
        velocity = self.velocity()[:, k, 1:-1] / SPEED
        return Flow(velocity, (rho - 1) / 3 / SPEED**2 * fluid, rho, force, steps, change)


def _inflow(f: Floats, u: Floats) -> None:
    """Zou and He: the three populations that come in, such that the velocity is (u, 0)."""
    rows = np.s_[:, 1:-1]
    rho = (f[0] + f[2] + f[4] + 2 * (f[3] + f[6] + f[7])) / (1 - u)
    across = (f[2] - f[4]) / 2
    f[1][rows] = (f[3] + 2 / 3 * rho * u)[rows]
    f[5][rows] = (f[7] - across + rho * u / 6)[rows]
    f[8][rows] = (f[6] + across + rho * u / 6)[rows]


def _outflow(f: Floats) -> None:
    """The same with density 1 and no velocity across."""
    rows = np.s_[:, 1:-1]
    u = f[0] + f[2] + f[4] + 2 * (f[1] + f[5] + f[8]) - 1
    across = (f[2] - f[4]) / 2
    f[3][rows] = (f[1] - 2 / 3 * u)[rows]
    f[7][rows] = (f[5] + across - u / 6)[rows]
    f[6][rows] = (f[8] - across - u / 6)[rows]
