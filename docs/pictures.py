"""Draws the pictures of conventions.md from what the library says, and writes them beside itself."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from pdobasis.exact.numbers import to_float
from pdobasis.groups.catalogue import parse_group
from pdobasis.groups.closure import closure
from pdobasis.stencils import Grid, finite_difference

FOLDER = Path(__file__).parent
FLAG = np.array([[0.0, 0.0], [0.0, 0.9], [0.42, 0.74], [0.0, 0.58]])
"""A flag on a pole: no rotation or reflection maps it to itself."""
NAMES = ("e", "r", "r²", "r³", "f", "rf", "r²f", "r³f")


def main() -> None:
    for name, text in pictures().items():
        (FOLDER / name).write_text(text)


def pictures() -> dict[str, str]:
    return {"convention-elements.svg": elements(), "convention-arrays.svg": arrays()}


def elements() -> str:
    """The eight elements of D4 in the order of the regular representation, each by what it does to a flag."""
    matrices = to_float(closure(parse_group("D4")).matrices)
    parts = []
    for k, g in enumerate(matrices):
        x, y = 100 + 150 * (k % 4), 110 + 195 * (k // 4)
        parts += [_axes(x, y), _flag(np.eye(2), x, y, "#d9dee3"), _flag(g, x, y, "#b2182b")]
        parts.append(_text(x, y + 92, f"{k}: {NAMES[k]}", 17))
    return _svg(650, 420, parts)


def arrays() -> str:
    """A 3 x 3 array as it is printed: the point of each entry, and the stencil of the derivative along x2."""
    parts = []
    for k, layout in enumerate(("grid", "image")):
        grid = Grid.regular(2, 3, layout=layout)
        points = grid.coordinates().reshape(3, 3, 2)
        weights = finite_difference([(0, 1)], grid).weights[0]
        left = 40 + 420 * k
        parts.append(_text(left + 165, 34, f'layout="{layout}"', 19))
        for row, column in np.ndindex(3, 3):
            x, y = left + 110 * column, 60 + 78 * row
            point = ", ".join(f"{float(v):g}" for v in points[row, column])
            fill = _fill(weights[row, column])
            parts.append(f'<rect x="{x}" y="{y}" width="110" height="78" fill="{fill}" stroke="#8a949e"/>')
            parts.append(_text(x + 55, y + 33, f"[{row}, {column}]", 15, "#5b6670"))
            parts.append(_text(x + 55, y + 57, f"({point})", 17))
        up = points[0, 0, 1] > points[2, 0, 1]
        parts.append(_arrow(left, 325, left + 330, 325, "x1"))
        parts.append(_arrow(left - 18, 294, left - 18, 60, "x2") if up else _arrow(left - 18, 60, left - 18, 294, "x2"))
    parts.append(
        _text(410, 372, "colours: the stencil of ∂₂, blue −1/2, red +1/2; applied by cross-correlation", 15, "#5b6670")
    )
    return _svg(820, 390, parts)


def _fill(weight: float) -> str:
    return "#f4c9c9" if weight > 0 else "#c9daf0" if weight < 0 else "#ffffff"


def _axes(x: float, y: float) -> str:
    return (
        f'<path d="M{x - 62} {y}H{x + 62}M{x} {y + 62}V{y - 62}" stroke="#8a949e" fill="none"/>'
        f'<path d="M{x + 62} {y}l-8 -4v8zM{x} {y - 62}l-4 8h8z" fill="#8a949e"/>'
    )


def _flag(g: NDArray[np.float64], x: float, y: float, colour: str) -> str:
    """The pole points along x1 before g is applied, so that rotations are seen from the x1 axis."""
    points = FLAG[:, ::-1] @ g.T * 58
    where = " ".join(f"{x + p:.1f},{y - q:.1f}" for p, q in points[1:])
    tip = points[1]
    return (
        f'<path d="M{x} {y}L{x + tip[0]:.1f} {y - tip[1]:.1f}" stroke="{colour}" stroke-width="4"/>'
        f'<polygon points="{where}" fill="{colour}"/>'
    )


def _arrow(x1: float, y1: float, x2: float, y2: float, name: str) -> str:
    ux, uy = (float(np.sign(x2 - x1)), float(np.sign(y2 - y1)))
    head = f"M{x2} {y2}L{x2 - 9 * ux - 5 * uy} {y2 - 9 * uy - 5 * ux}L{x2 - 9 * ux + 5 * uy} {y2 - 9 * uy + 5 * ux}z"
    label = _text(x2 + 16 * ux, y2 + 18 * uy + 5 * abs(ux), name, 15)
    return (
        f'<path d="M{x1} {y1}L{x2} {y2}" stroke="#1c2126" stroke-width="1.5"/><path d="{head}" fill="#1c2126"/>{label}'
    )


def _text(x: float, y: float, words: str, size: int, colour: str = "#1c2126") -> str:
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="middle" fill="{colour}">{words}</text>'


def _svg(width: int, height: int, parts: list[str]) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}"'
    head = f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="sans-serif">'
    return "\n".join([head, f'<rect width="{width}" height="{height}" fill="#ffffff"/>', *parts, "</svg>", ""])


if __name__ == "__main__":
    main()
