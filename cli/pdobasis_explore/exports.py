"""What the page hands out: stencils as .npz, operators as LaTeX, and Python that makes the same again."""

from __future__ import annotations

import pdobasis
from pdobasis.answer.basis import Basis
from pdobasis.exact.array import ExactArray
from pdobasis.exact.writing import number_text
from pdobasis.files.formats import to_bytes
from pdobasis.files.stencil_file import contents
from pdobasis.groups.group import Group
from pdobasis.stencils.sampled import Sampled
from pdobasis_explore.question import Asked

SHOWN = 200
"""Operators of a LaTeX file."""


def npz(basis: Basis, sampled: Sampled) -> bytes:
    return to_bytes(contents(basis, sampled), "npz")


def latex(basis: Basis, link: str) -> str:
    """A document that compiles: each operator on a line of its own."""
    problem = basis.problem
    lines = [
        rf"% pdobasis {pdobasis.__version__}: {_comment(link)}",
        r"\documentclass{article}",
        r"\usepackage{amsmath}",
        # a matrix may have more than ten columns
        rf"\setcounter{{MaxMatrixCols}}{{{max(10, problem.in_type.size)}}}",
        r"\begin{document}",
        rf"\noindent {basis.dimension} operators of order at most {problem.order}:",
    ]
    for k, element in enumerate(basis.elements[:SHOWN]):
        lines.append(rf"\[ D_{{{k}}} = {element.latex()} \]")
    if basis.dimension > SHOWN:
        lines.append(f"and {basis.dimension - SHOWN} more.")
    lines.append(r"\end{document}")
    return "\n".join(lines) + "\n"


def python(asked: Asked, group: Group) -> str:
    """A program that reproduces the page; every text that was typed is a literal in it."""
    lines = ["import pdobasis", ""]
    name = repr(asked.group.strip())
    if asked.own.strip():
        lines += _own(group)
        name = "group"
    question = f"{name}, {asked.in_rep!r}, {asked.out_rep!r}, order={asked.order}"
    if asked.method != "auto":
        question += f", method={asked.method!r}"
    sigma = ""
    if asked.stencil == "gauss":
        sigma = f", sigma={asked.sigma!r}"
    lines += [
        f"basis = pdobasis.solve({question})",
        "print(basis.dimensions, basis.certificate.holds)",
        "for element in basis.elements[:24]:",
        "    print(element.order, element.name, element.matrix)",
        f"stencils = basis.stencils({asked.stencil!r}, size={asked.size}{sigma})",
        "print(stencils.shape)",
    ]
    return "\n".join(lines) + "\n"


def _own(group: Group) -> list[str]:
    generators = ", ".join(_rows(g) for g in group.generators)
    lie = ", ".join(_rows(x) for x in group.lie)
    return [
        f"group = pdobasis.Group({group.name!r}, {group.dim}, [{generators}], {list(group.labels)!r}, [{lie}])"
    ]


def _rows(m: ExactArray) -> str:
    rows, columns = m.shape
    return repr([[number_text(m[i, j]) for j in range(columns)] for i in range(rows)])


def _comment(text: str) -> str:
    return " ".join(text.split())
