r"""Stencils as LaTeX: each element as a matrix of matrices, weights as fractions where they are short."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pdobasis.errors import SizeError
from pdobasis.files.format import Format
from pdobasis.files.stencil_file import StencilFile
from pdobasis.files.words import title, what
from pdobasis.files.writer import writer
from pdobasis.handover.texts import line

MAX_ENTRIES = 100_000


def to_bytes(file: StencilFile) -> bytes:
    """A complete document (amsmath); rows are printed as in the array, so x1 runs to the right."""
    if file.stencils.size > MAX_ENTRIES:
        raise SizeError(
            f"{file.stencils.size:,} weights are too many for LaTeX (at most {MAX_ENTRIES:,})"
        )
    upwards = {"image": "x2 upwards", "grid": "x2 downwards"}[
        file.meta["discretization"]["layout"]
    ]
    lines = [
        f"% {title(file)}; written by {writer()}",
        f"% {line(what(file))}; rows as in the array: x1 runs to the right, {upwards}",
        r"\documentclass{article}",
        r"\usepackage{amsmath,graphicx}",
        r"\newcommand{\fit}[1]{\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{$\displaystyle #1$}}",
        r"\setcounter{MaxMatrixCols}{64}",
        r"\begin{document}",
    ]
    for k, order in enumerate(file.orders.tolist()):
        lines += [
            rf"\[ \fit{{ % element {k}, order {order}",
            _element(file.stencils[k]),
            r"} \]",
        ]
    return ("\n".join([*lines, r"\end{document}"]) + "\n").encode()


def _element(stencil: NDArray[np.float64]) -> str:
    """(c_out, c_in, *shape)."""
    cells = [[_nested(entry) for entry in row] for row in stencil]
    if stencil.shape[:2] == (1, 1):
        return cells[0][0]
    return _matrix(cells, "pmatrix")


def _nested(array: NDArray[Any]) -> str:
    """Planes of a stencil in space follow each other, x3 growing."""
    # A block of zeros is printed as one.
    if not array.any():
        return "0"
    if array.ndim == 1:
        return _matrix([[number(float(v)) for v in array]])
    if array.ndim == 2:
        return _matrix([[number(float(v)) for v in row] for row in array])
    return r",\ ".join(_nested(plane) for plane in array)


def _matrix(cells: list[list[str]], kind: str = "bmatrix") -> str:
    body = " \\\\\n".join(" & ".join(row) for row in cells)
    return f"\\begin{{{kind}}}\n{body}\n\\end{{{kind}}}"


def number(value: float) -> str:
    r"""A short fraction if the weight is one to the last bit, otherwise six digits.

    >>> [number(v) for v in (0.5, -2.0, 1 / 12, 0.0, 0.123456789)]
    ['\\tfrac{1}{2}', '-2', '\\tfrac{1}{12}', '0', '0.123457']
    """
    # many weights of finite differences are short fractions, and a float has at most one of them nearest to it
    near = Fraction(value).limit_denominator(1_000)
    if float(near) != value:
        return _decimal(value)
    if near.denominator == 1:
        return str(near.numerator)
    sign = ""
    if near < 0:
        sign = "-"
    return rf"{sign}\tfrac{{{abs(near.numerator)}}}{{{near.denominator}}}"


def _decimal(value: float) -> str:
    mantissa, _, exponent = f"{value:.6g}".partition("e")
    if exponent:
        return rf"{mantissa} \cdot 10^{{{int(exponent)}}}"
    return mantissa


FORMAT = Format("latex", (".tex",), to_bytes, is_text=True)
