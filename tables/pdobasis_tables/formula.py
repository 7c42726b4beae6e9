r"""Formulas that know their LaTeX and their MathML: sums of signed terms, and matrices of them.

>>> half = Part(True, r"\tfrac{1}{2}", "<mfrac><mn>1</mn><mn>2</mn></mfrac>", 1)
>>> Formula((half, half)).latex
'-\\tfrac{1}{2} - \\tfrac{1}{2}'
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from pdobasis_tables.escape import escape_html, escape_latex

LONG = 48
"""Characters on one line of an entry before it is broken."""

Signs = dict[tuple[bool, bool], str]
"""What stands before a term, by (is it first?, is it negative?)."""
_LATEX_SIGNS: Signs = {
    (True, False): "",
    (True, True): "-",
    (False, False): " + ",
    (False, True): " - ",
}
_MATHML_SIGNS: Signs = {
    (True, False): "",
    (True, True): "<mo>−</mo>",
    (False, False): "<mo>+</mo>",
    (False, True): "<mo>−</mo>",
}
_OPEN = '<mo stretchy="true">(</mo>'
_CLOSE = '<mo stretchy="true">)</mo>'


@dataclass(frozen=True, slots=True)
class Part:
    """One term of a sum, without its sign; ``width`` is about its length in characters as it is read."""

    negative: bool
    latex: str
    mathml: str
    width: int


@dataclass(frozen=True, slots=True)
class Formula:
    """A sum of terms; no terms are zero."""

    parts: tuple[Part, ...]

    @property
    def latex(self) -> str:
        if not self.parts:
            return "0"
        bodies = [(p.negative, p.latex) for p in self.parts]
        return _signed(bodies, _LATEX_SIGNS)

    @property
    def mathml(self) -> str:
        if not self.parts:
            return "<mn>0</mn>"
        bodies = [(p.negative, p.mathml) for p in self.parts]
        return mathml_sum(bodies)

    @property
    def width(self) -> int:
        if not self.parts:
            return 1
        # " + " before every term; before the first there is at most a minus
        return _room(self.parts) - 2

    def lines(self, limit: int = LONG) -> list[Formula]:
        """The sum cut into lines of about ``limit`` characters; a term is never cut."""
        out: list[list[Part]] = [[]]
        for part in self.parts:
            line = out[-1]
            if line and _room(line) + part.width > limit:
                out.append([])
            out[-1].append(part)
        return [Formula(tuple(line)) for line in out]

    def broken_latex(self, limit: int = LONG) -> str:
        lines = self.lines(limit)
        if len(lines) == 1:
            return self.latex
        first, *others = lines
        texts = [first.latex]
        for line in others:
            # a line that goes on with a minus has it already
            plus = "" if line.parts[0].negative else "+"
            texts.append(plus + line.latex)
        # {} is an empty term: without one before it, TeX would set the sign as that of a number
        body = r" \\ &{}".join(texts)
        return rf"\begin{{aligned}} &{body} \end{{aligned}}"


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of formulas."""

    rows: tuple[tuple[Formula, ...], ...]

    @property
    def latex(self) -> str:
        rows = []
        for row in self.rows:
            rows.append(" & ".join(f.broken_latex() for f in row))
        line_end = r" \\ "
        # fractions of neighbouring rows would touch
        if any("frac" in row for row in rows):
            line_end = r" \\[2pt] "
        body = line_end.join(rows)
        return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"

    @property
    def mathml(self) -> str:
        rows = []
        for row in self.rows:
            cells = [f"<mtd>{f.mathml}</mtd>" for f in row]
            rows.append(f"<mtr>{''.join(cells)}</mtr>")
        table = f"<mtable>{''.join(rows)}</mtable>"
        return f"<mrow>{_OPEN}{table}{_CLOSE}</mrow>"

    @property
    def width(self) -> int:
        total = 2
        for column in zip(*self.rows, strict=True):
            widest = max(_widest_line(f) for f in column)
            total += widest + 2
        return total

    @property
    def height(self) -> float:
        """In lines of text."""
        return 0.3 + sum(1.15 * max(len(f.lines()) for f in row) for row in self.rows)


def mathml_sum(terms: Iterable[tuple[bool, str]]) -> str:
    """Terms (negative?, MathML of the absolute value) with their signs."""
    return _signed(terms, _MATHML_SIGNS)


def symbol(latex: str, mathml: str, width: int) -> Formula:
    """One term, taken as it is."""
    return Formula((Part(False, latex, mathml, width),))


def text(words: str) -> Formula:
    """Upright words as a formula."""
    latex = rf"\text{{{escape_latex(words)}}}"
    mathml = f"<mtext>{escape_html(words)}</mtext>"
    return symbol(latex, mathml, len(words))


def math_element(mathml: str, *, block: bool = False) -> str:
    if block:
        return f"<math display='block'>{mathml}</math>"
    return f"<math>{mathml}</math>"


def _signed(terms: Iterable[tuple[bool, str]], signs: Signs) -> str:
    out = ""
    for k, (negative, body) in enumerate(terms):
        out += signs[k == 0, negative]
        out += body
    return out


def _room(parts: Iterable[Part]) -> int:
    """Characters of the terms, each with " + " before it."""
    return sum(p.width + 3 for p in parts)


def _widest_line(formula: Formula) -> int:
    return max(line.width for line in formula.lines())
