r"""Formulas that know their LaTeX and their MathML: sums of signed terms, and matrices of them.

>>> from pdobasis import solve
>>> entries = solve("C8", "trivial", "regular", order=1).elements[1].entries
>>> polynomial(entries[1, 0], 2, 1).latex
'\\tfrac{\\sqrt{2}}{2} \\partial_{1} + \\tfrac{\\sqrt{2}}{2} \\partial_{2}'
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from pdobasis.answer.element import Element
from pdobasis.exact.array import ExactArray
from pdobasis.exact.numbers import Root, Terms
from pdobasis.operators.printing import coefficients_of, latex, pretty

LATIN = 0x180
"""Letters below this number are in the fonts of pdflatex."""
LONG = 48
"""Characters on one line of an entry before it is broken."""


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
        return _signed([(p.negative, p.latex) for p in self.parts]) or "0"

    @property
    def mathml(self) -> str:
        if not self.parts:
            return "<mn>0</mn>"
        first = ("<mo>−</mo>" if self.parts[0].negative else "") + self.parts[0].mathml
        return first + "".join(f"<mo>{'−' if p.negative else '+'}</mo>{p.mathml}" for p in self.parts[1:])

    @property
    def width(self) -> int:
        return sum(p.width + 3 for p in self.parts) - 2 if self.parts else 1

    def lines(self, limit: int = LONG) -> list[Formula]:
        """The sum cut into lines of about ``limit`` characters; a term is never cut."""
        out: list[list[Part]] = [[]]
        for part in self.parts:
            if out[-1] and sum(p.width + 3 for p in out[-1]) + part.width > limit:
                out.append([])
            out[-1].append(part)
        return [Formula(tuple(line)) for line in out]

    def broken_latex(self, limit: int = LONG) -> str:
        lines = self.lines(limit)
        if len(lines) == 1:
            return self.latex
        rest = [line.latex if line.parts[0].negative else "+" + line.latex for line in lines[1:]]
        return r"\begin{aligned} &" + r" \\ &{}".join([lines[0].latex, *rest]) + r" \end{aligned}"


@dataclass(frozen=True, slots=True)
class Matrix:
    """Rows of formulas."""

    rows: tuple[tuple[Formula, ...], ...]

    @property
    def latex(self) -> str:
        rows = [" & ".join(f.broken_latex() for f in row) for row in self.rows]
        body = (r" \\[2pt] " if any("frac" in row for row in rows) else r" \\ ").join(rows)
        return rf"\begin{{pmatrix}} {body} \end{{pmatrix}}"

    @property
    def mathml(self) -> str:
        cells = ("".join(f"<mtd>{f.mathml}</mtd>" for f in row) for row in self.rows)
        table = "<mtable>" + "".join(f"<mtr>{row}</mtr>" for row in cells) + "</mtable>"
        return f'<mrow><mo stretchy="true">(</mo>{table}<mo stretchy="true">)</mo></mrow>'

    @property
    def width(self) -> int:
        columns = zip(*self.rows, strict=True)
        widths: list[int] = [max(max(line.width for line in f.lines()) for f in column) for column in columns]
        return 2 + sum(width + 2 for width in widths)

    @property
    def height(self) -> float:
        """In lines of text."""
        return 0.3 + sum(1.15 * max(len(f.lines()) for f in row) for row in self.rows)


def of_element(element: Element) -> Matrix:
    """The matrix of one PDO in the partial derivatives."""
    dim, order, entries = element.basis.problem.group.dim, element.order, element.entries
    rows, columns = element.shape
    made = {place: polynomial(values, dim, order) for place, values in entries.items()}
    return Matrix(tuple(tuple(made.get((r, c), Formula(())) for c in range(columns)) for r in range(rows)))


def polynomial(values: ExactArray, dim: int, order: int) -> Formula:
    """An exact polynomial in the partial derivatives, by its coefficients over the monomials of the order."""
    return Formula(tuple(_part(number, alpha) for number, alpha in coefficients_of(values, dim, order)))


def symbol(latex_text: str, mathml: str, width: int, *, negative: bool = False) -> Formula:
    return Formula((Part(negative, latex_text, mathml, width),))


def text(words: str) -> Formula:
    """Upright words as a formula."""
    return symbol(rf"\text{{{escape_latex(words)}}}", f"<mtext>{escape_html(words)}</mtext>", len(words))


def math_element(mathml: str, *, block: bool = False) -> str:
    return f"<math display='block'>{mathml}</math>" if block else f"<math>{mathml}</math>"


def escape_html(words: str) -> str:
    return words.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;").replace('"', "&quot;")


def escape_latex(words: str) -> str:
    """Words as LaTeX; letters that pdflatex has no glyph for by their number."""
    return "".join(_LATEX.get(c, c if ord(c) < LATIN else f"[U+{ord(c):04X}]") for c in words)


_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}", "~": r"\textasciitilde{}", "^": r"\textasciicircum{}",
    "≤": r"$\le$", "→": r"$\to$", "Δ": r"$\Delta$", "ρ": r"$\rho$", "ψ": r"$\psi$", "∂": r"$\partial$",
    "∅": r"$\emptyset$", "−": r"$-$", "×": r"$\times$", "√": r"$\surd$", "π": r"$\pi$", "ℓ": r"$\ell$", "…": r"\dots{}",
}  # fmt: skip


def _signed(parts: Sequence[tuple[bool, str]]) -> str:
    out = ""
    for k, (negative, body) in enumerate(parts):
        out += (("-" if negative else "") if k == 0 else (" - " if negative else " + ")) + body
    return out


def _part(number: Terms, alpha: tuple[int, ...]) -> Part:
    negative = len(number) == 1 and number[0][0] < 0
    plain = tuple((-q, root) for q, root in number) if negative else number
    single = ((plain, alpha),)
    return Part(negative, latex(single), _mathml(plain, alpha), len(_NARROW.sub("", pretty(single))))


_NARROW = re.compile(r"[⁰¹²³⁴⁵⁶⁷⁸⁹ ]|/\d+")
"""Superscripts stand over subscripts, denominators under numerators: they take no room of their own."""


def _mathml(number: Terms, alpha: tuple[int, ...]) -> str:
    powers = "".join(_derivative(i, a) for i, a in enumerate(alpha) if a)
    if len(number) == 1:
        factor = _number(*number[0])
        return f"<mrow>{powers if powers and factor == '<mn>1</mn>' else factor + powers}</mrow>"
    inner = _number(*number[0], signed=True) + "".join(
        f"<mo>{'−' if q < 0 else '+'}</mo>{_number(abs(q), root)}" for q, root in number[1:]
    )
    return f"<mrow><mo>(</mo>{inner}<mo>)</mo>{powers}</mrow>"


def _derivative(i: int, power: int) -> str:
    base = f"<mi>∂</mi><mn>{i + 1}</mn>"
    return f"<msub>{base}</msub>" if power == 1 else f"<msubsup>{base}<mn>{power}</mn></msubsup>"


def _number(q: Fraction, root: Root, *, signed: bool = False) -> str:
    sign = "<mo>−</mo>" if signed and q < 0 else ""
    top = abs(q.numerator)
    if root.angle is not None:
        a, b = root.angle.numerator, root.angle.denominator
        angle = f"<mfrac><mrow>{'' if a == 1 else f'<mn>{a}</mn>'}<mi>π</mi></mrow><mn>{b}</mn></mfrac>"
        cosine = f"<mi>cos</mi><mo>⁡</mo>{angle}"
        return sign + ("" if abs(q) == 1 else _fraction(f"<mn>{top}</mn>", q.denominator)) + cosine
    base = "" if root.is_one else f"<msqrt><mn>{root.radicand}</mn></msqrt>"
    numerator = base if base and top == 1 else f"<mn>{top}</mn>{base}"
    return sign + _fraction(numerator, q.denominator)


def _fraction(top: str, bottom: int) -> str:
    return top if bottom == 1 else f"<mfrac><mrow>{top}</mrow><mn>{bottom}</mn></mfrac>"
