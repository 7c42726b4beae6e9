r"""The equivariance error of stencils against the angle of a rotation, as a polar plot.

The error is that of :mod:`pdobasis.measure.off_grid`, in closed form. A continuous group is turned by
$g = e^{\theta X}$ with $\rho(g) = e^{\theta\,d\rho(X)}$ for a generator X that is a rotation; a finite group has its
own rotations, and nothing is asked of it in between.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import atan2, cos, degrees, log10, pi, sin

import numpy as np
from numpy.typing import NDArray
from scipy.linalg import expm

from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group
from pdobasis.measure.commutator import commutator
from pdobasis.measure.off_grid import WIDTH, filter_space, relative, sample_width
from pdobasis.question.field_type import FieldType
from pdobasis.question.problem import Problem
from pdobasis.stencils.sampled import Sampled, matrix_at

STEPS = 72
"""Angles of a full turn of a continuous group."""
FLOOR = 1e-6
"""Errors below are drawn in the middle."""
MOST = 64
"""Elements of a finite group that are measured."""

Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Turn:
    """A rotation by ``angle`` (radians), and what it does to points and fields."""

    angle: float
    g: Matrix
    rho_in: Matrix
    rho_out: Matrix


@dataclass(frozen=True, slots=True)
class AngleError:
    angle: float
    error: float


def turns(problem: Problem, steps: int = STEPS) -> list[Turn]:
    """All rotations of the plane of x1 and x2 that are looked at; none where the group has none."""
    if problem.group.lie:
        return list(_continuous(problem, steps))
    if problem.group.order is None or problem.group.order > MOST:
        return []
    return sorted(_finite(problem), key=lambda turn: turn.angle)


def errors(sampled: Sampled) -> list[AngleError]:
    """By increasing angle."""
    filters = filter_space(sampled.stencils)
    nodes = sampled.grid.coordinates()
    unit = sample_width(sampled.grid, WIDTH)
    out = []
    for turn in turns(sampled.problem):
        both = commutator(filters, nodes, turn.g, turn.rho_in, turn.rho_out, unit)
        out.append(AngleError(turn.angle, relative([both])))
    return out


def plot(found: list[AngleError], is_continuous: bool) -> str:
    """SVG: the angle from x1 counter-clockwise, the radius is the logarithm of the error."""
    worst = max((e.error for e in found), default=0.0)
    top = max(0, -int(np.floor(-log10(max(worst, FLOOR))))) if worst else 0
    rings = range(int(log10(FLOOR)) + 1, top + 1)
    span = top - log10(FLOOR)
    parts = []
    for power in rings:
        r = (power - log10(FLOOR)) / span
        parts.append(f'<circle r="{r:.3f}" class="ring"/>')
        parts.append(
            f'<text x="0.02" y="{-r + 0.01:.3f}" class="small">1e{power}</text>'
        )
    for k in range(12):
        a = k * pi / 6
        parts.append(f'<line x2="{cos(a):.3f}" y2="{-sin(a):.3f}" class="ring"/>')
        parts.append(
            f'<text x="{1.12 * cos(a):.3f}" y="{-1.12 * sin(a) + 0.03:.3f}" class="angle">{30 * k}°</text>'
        )
    points = [(_radius(e.error, span), e) for e in found]
    if is_continuous and points:
        ring = " ".join(_point(r, e.angle) for r, e in points)
        parts.append(f'<polygon points="{ring}" class="curve"/>')
    for r, e in points:
        x, y = _point(r, e.angle).split(",")
        title = f"{degrees(e.angle):.4g}°: {e.error:.2g}"
        parts.append(
            f'<circle cx="{x}" cy="{y}" r="0.022" class="dot"><title>{title}</title></circle>'
        )
    label = f"equivariance error against the angle, at most {worst:.2g}"
    return f'<svg viewBox="-1.28 -1.24 2.56 2.48" class="polar" role="img" aria-label="{label}">{"".join(parts)}</svg>'


def _radius(error: float, span: float) -> float:
    return max(0.0, (log10(max(error, FLOOR)) - log10(FLOOR)) / span)


def _point(r: float, angle: float) -> str:
    return f"{r * cos(angle):.3f},{-r * sin(angle):.3f}"


def turn_by(problem: Problem, angle: float) -> Turn | None:
    """One rotation of a continuous group; None where it has none of x1 and x2."""
    found = _generator(problem.group)
    if found is None:
        return None
    k, sign = found
    x = to_float(problem.group.lie[k])
    rho_in, rho_out = (_derivative(t, k) for t in (problem.in_type, problem.out_type))
    return Turn(angle, *(expm(angle * sign * m) for m in (x, rho_in, rho_out)))


def _continuous(problem: Problem, steps: int) -> Iterator[Turn]:
    for step in range(steps):
        turn = turn_by(problem, 2 * pi * step / steps)
        if turn is not None:
            yield turn


def _generator(group: Group) -> tuple[int, float] | None:
    """The Lie generator that rotates x1 into x2 and moves nothing else, and the sign that makes it do so."""
    for k, lie in enumerate(group.lie):
        x = to_float(lie)
        wanted = np.zeros_like(x)
        if group.dim >= 2:
            wanted[1, 0], wanted[0, 1] = 1.0, -1.0
            for sign in (1.0, -1.0):
                if np.array_equal(sign * x, wanted):
                    return k, sign
    return None


def _derivative(field_type: FieldType, k: int) -> Matrix:
    """dρ of a sum, for the k-th Lie generator."""
    out = np.zeros((field_type.size, field_type.size))
    for rep in field_type.distinct:
        block = to_float(rep.lie[k])
        for at in field_type.offsets(rep):
            out[at : at + rep.size, at : at + rep.size] = block
    return out


def _finite(problem: Problem) -> Iterator[Turn]:
    every = closure(problem.group).matrices
    for k, g in enumerate(to_float(every)):
        others = np.eye(problem.group.dim)
        others[:2, :2] = g[:2, :2]
        if problem.group.dim < 2 or not np.allclose(g, others) or np.linalg.det(g) < 0:
            continue
        angle = atan2(g[1, 0], g[0, 0]) % (2 * pi)
        yield Turn(
            angle,
            g,
            matrix_at(problem.in_type, every[k]),
            matrix_at(problem.out_type, every[k]),
        )
