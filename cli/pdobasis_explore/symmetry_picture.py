r"""A group as a picture of its symmetry elements.

In the plane: mirrors as lines, the rotation in the middle, and a flag carried round by every element. In space the
stereogram of crystallography: a point p of the sphere is drawn at $(p_1, p_2) / (1 + |p_3|)$, the images of a general
point are full above and open below the plane, mirrors are great circles, axes of rotation are marked by n-gons.
Continuous groups have circles instead of points.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import atan2, cos, degrees, hypot, pi, sin

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.numbers import to_float
from pdobasis.groups.closure import closure
from pdobasis.groups.group import Group

MOST = 240
"""Elements of a group that is drawn."""
GENERAL = np.array([0.62, 0.28, 0.73])
"""A point on no mirror and no axis of the groups that are drawn."""
FLAG = np.array([[0.22, 0.0], [0.78, 0.0], [0.78, 0.2], [0.6, 0.0]])
EPS = 1e-9

Points = NDArray[np.float64]


def picture(group: Group) -> str:
    """SVG, with a text for those who do not see it."""
    if group.lie or group.dim not in (2, 3) or not group.is_orthogonal:
        return _svg(_continuous(group), _words(group))
    if group.order is None or group.order > MOST:
        return _svg(_continuous(group), _words(group))
    elements = to_float(closure(group).matrices)
    if group.dim == 2:
        return _svg(_planar(elements), _words(group))
    return _svg(_spatial(elements), _words(group))


def _words(group: Group) -> str:
    return f"symmetry elements of a group with {group.order_text} elements in dimension {group.dim}"


def _svg(parts: list[str], label: str) -> str:
    frame = '<circle r="1" class="frame"/>'
    return (
        f'<svg viewBox="-1.1 -1.1 2.2 2.2" class="symmetry" role="img" aria-label="{label}">'
        f"{frame}{''.join(parts)}</svg>"
    )


def _planar(elements: Points) -> list[str]:
    parts = []
    turns = 0
    for g in elements:
        turned = FLAG @ g.T
        parts.append(f'<polygon points="{_listed(turned)}" class="flag"/>')
        if np.linalg.det(g) < 0:
            # a reflection by the angle 2a fixes the line at the angle a
            a = atan2(g[1, 0], g[0, 0]) / 2
            parts.insert(0, _line((cos(a), sin(a)), (-cos(a), -sin(a))))
        else:
            turns += 1
    if turns > 1:
        parts.append(_polygon((0.0, 0.0), turns, 0.13))
    return parts


def _spatial(elements: Points) -> list[str]:
    parts = [_circle_of(normal) for normal in _mirrors(elements)]
    for axis, turns in _axes(elements):
        parts.append(_polygon(_projected(axis), turns, 0.075))
    for g in elements:
        p = g @ GENERAL / np.linalg.norm(GENERAL)
        x, y = _projected(p)
        kind = "below"
        if p[2] > 0:
            kind = "above"
        parts.append(f'<circle cx="{x:.3f}" cy="{-y:.3f}" r="0.045" class="{kind}"/>')
    return parts


def _continuous(group: Group) -> list[str]:
    """Circles: as many as there are independent infinitesimal elements, up to three."""
    shapes = ['<ellipse rx="0.62" ry="0.62" class="orbit"/>']
    if group.dim > 2:
        shapes.append('<ellipse rx="0.62" ry="0.2" class="orbit"/>')
        shapes.append('<ellipse rx="0.2" ry="0.62" class="orbit"/>')
    if not group.lie:
        return ['<text y="0.12" class="many">∞</text>']
    if any(np.linalg.det(to_float(g)) < 0 for g in group.generators):
        shapes.append(_line((1.0, 0.0), (-1.0, 0.0)))
    return shapes[: len(group.lie)] + shapes[3:]


def _mirrors(elements: Points) -> Iterator[Points]:
    for g in elements:
        # a reflection is 1 - 2 n n^T
        if np.linalg.det(g) < 0 and abs(np.trace(g) - 1.0) < EPS:
            values, vectors = np.linalg.eigh((g + g.T) / 2)
            yield vectors[:, int(np.argmin(values))]


def _axes(elements: Points) -> list[tuple[Points, int]]:
    """Each axis of rotation with the number of turns round it, the upper end of it."""
    found: list[tuple[Points, int]] = []
    for g in elements:
        if np.linalg.det(g) < 0 or np.allclose(g, np.eye(3)):
            continue
        values, vectors = np.linalg.eig(g)
        axis = np.real(vectors[:, int(np.argmin(abs(values - 1.0)))])
        if axis[2] < -EPS or (abs(axis[2]) < EPS and (axis[1], axis[0]) < (0.0, 0.0)):
            axis = -axis
        for k, (other, turns) in enumerate(found):
            if np.linalg.norm(np.cross(axis, other)) < 1e-6:
                found[k] = (other, turns + 1)
                break
        else:
            found.append((axis, 2))
    return found


def _circle_of(normal: Points) -> str:
    """The upper half of the great circle at right angles to ``normal``, projected."""
    if abs(normal[2]) > 1 - EPS:
        return '<circle r="1" class="mirror"/>'
    # an orthonormal basis of the plane: the first vector is horizontal
    u = np.array([-normal[1], normal[0], 0.0]) / hypot(normal[0], normal[1])
    v = np.cross(normal, u)
    if v[2] < 0:
        v = -v
    angles = np.linspace(0, pi, 25)
    arc = np.array([_projected(cos(t) * u + sin(t) * v) for t in angles])
    return f'<polyline points="{_listed(arc)}" class="mirror"/>'


def _projected(p: Points) -> tuple[float, float]:
    scale = 1 + abs(float(p[2]))
    return float(p[0]) / scale, float(p[1]) / scale


def _polygon(at: tuple[float, float], turns: int, radius: float) -> str:
    if turns == 2:
        angle = degrees(atan2(at[1], at[0])) if hypot(*at) > EPS else 0.0
        return (
            f'<ellipse cx="{at[0]:.3f}" cy="{-at[1]:.3f}" rx="{radius * 0.6:.3f}" ry="{radius:.3f}" class="axis" '
            f'transform="rotate({-angle:.1f} {at[0]:.3f} {-at[1]:.3f})"/>'
        )
    angles = 2 * pi * np.arange(turns) / turns + pi / 2
    corners = np.stack([np.cos(angles), np.sin(angles)], axis=1) * radius + np.array(at)
    return f'<polygon points="{_listed(corners)}" class="axis"/>'


def _line(a: tuple[float, float], b: tuple[float, float]) -> str:
    return f'<line x1="{a[0]:.3f}" y1="{-a[1]:.3f}" x2="{b[0]:.3f}" y2="{-b[1]:.3f}" class="mirror"/>'


def _listed(points: Points) -> str:
    """y grows downwards in SVG, x2 upwards."""
    return " ".join(f"{x:.3f},{-y:.3f}" for x, y in points)
