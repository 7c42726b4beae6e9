r"""A text with formulas, as Markdown or as LaTeX.

In a paragraph ``$...$`` is a formula and backquotes enclose words of the command line; everything else is plain.
"""

from __future__ import annotations

import re
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Heading:
    text: str
    level: int = 1


@dataclass(frozen=True, slots=True)
class Paragraph:
    text: str


@dataclass(frozen=True, slots=True)
class Formula:
    """A displayed formula, in LaTeX."""

    latex: str


@dataclass(frozen=True, slots=True)
class Items:
    texts: tuple[str, ...]


Document = tuple[Heading | Paragraph | Formula | Items, ...]

_PIECE = re.compile(r"(\$[^$]+\$|`[^`]+`)")
_SPECIAL = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
}
_SPECIAL |= {c: f"\\{c}" for c in "#$%&_{}"}
_LETTERS = {
    "θ": r"$\theta$",
    "²": "$^2$",
    "≤": r"$\le$",
    "→": r"$\to$",
    "Δ": r"$\Delta$",
    "ρ": r"$\rho$",
    "<": "$<$",
    ">": "$>$",
}

PREAMBLE = r"""\documentclass{article}
\usepackage{amsmath,amssymb,graphicx}
\usepackage[a4paper,margin=25mm]{geometry}
\setcounter{MaxMatrixCols}{64}
\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}
\newsavebox{\wide}
\newcommand{\fit}[1]{\savebox{\wide}{$\displaystyle #1$}%
\ifdim\wd\wide>\linewidth\resizebox{\linewidth}{!}{\usebox{\wide}}\else\usebox{\wide}\fi}
\begin{document}
"""


def markdown(document: Document) -> str:
    return "\n\n".join(map(_markdown, document)) + "\n"


def latex(document: Document) -> str:
    """A complete file for pdflatex; formulas wider than the page are made smaller."""
    return PREAMBLE + "\n\n".join(map(_latex, document)) + "\n\\end{document}\n"


def _markdown(block: Heading | Paragraph | Formula | Items) -> str:
    match block:
        case Heading(text, level):
            return f"{'#' * level} {text}"
        case Paragraph(text):
            return text
        case Formula(formula):
            return f"$$\n{formula}\n$$"
        case Items(texts):
            return "\n".join(f"- {text}" for text in texts)


def _latex(block: Heading | Paragraph | Formula | Items) -> str:
    match block:
        case Heading(text, level):
            kind = {1: "section*", 2: "subsection*"}.get(level, "subsubsection*")
            return f"\\{kind}{{{_inline(text)}}}"
        case Paragraph(text):
            return _inline(text)
        case Formula(formula):
            return f"\\[ \\fit{{{formula}}} \\]"
        case Items(texts):
            lines = "\n".join(f"\\item {_inline(text)}" for text in texts)
            return f"\\begin{{itemize}}\n{lines}\n\\end{{itemize}}"


def _inline(text: str) -> str:
    return "".join(_piece(part) for part in _PIECE.split(text))


def _piece(part: str) -> str:
    # A sign that stands alone opens nothing, and is text.
    if part.startswith("$") and len(part) > 1:
        return part
    if part.startswith("`") and len(part) > 1:
        return rf"\texttt{{{_plain(part[1:-1])}}}"
    return _plain(part)


def _plain(text: str) -> str:
    r"""Special characters escaped; letters that pdflatex lacks become formulas, and what is left becomes ?.

    >>> print(_plain("c² + s² = 1, 100 %"))
    c$^2$ + s$^2$ = 1, 100 \%
    """
    out = []
    for c in text:
        known = _SPECIAL.get(c) or _LETTERS.get(c)
        if known:
            out.append(known)
        elif c.isascii():
            out.append(c)
        else:
            out.append("?")
    return "".join(out)
