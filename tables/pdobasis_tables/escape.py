r"""Words as HTML and as LaTeX.

>>> escape_latex("50 % of ψ_1"), escape_html("1 < 2")
('50 \\% of $\\psi$\\_1', '1 &lt; 2')
"""

from __future__ import annotations

LATIN = 0x180
"""Letters below this number are in the fonts of pdflatex."""

_LATEX = {c: "\\" + c for c in "&%$#_{}"} | {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "≤": r"$\le$",
    "→": r"$\to$",
    "Δ": r"$\Delta$",
    "ρ": r"$\rho$",
    "ψ": r"$\psi$",
    "∂": r"$\partial$",
    "∅": r"$\emptyset$",
    "−": r"$-$",
    "×": r"$\times$",
    "√": r"$\surd$",
    "π": r"$\pi$",
    "ℓ": r"$\ell$",
    "…": r"\dots{}",
}
# the ampersand first: the others bring new ones
_HTML = (
    ("&", "&amp;"),
    ("<", "&lt;"),
    (">", "&gt;"),
    ('"', "&quot;"),
)


def escape_html(words: str) -> str:
    for letter, entity in _HTML:
        words = words.replace(letter, entity)
    return words


def escape_latex(words: str) -> str:
    """Words as LaTeX; letters that pdflatex has no glyph for by their number."""
    return "".join(map(_latex, words))


def _latex(letter: str) -> str:
    if letter in _LATEX:
        return _LATEX[letter]
    if ord(letter) < LATIN:
        return letter
    return f"[U+{ord(letter):04X}]"
